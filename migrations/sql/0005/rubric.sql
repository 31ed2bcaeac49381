-- How many different values of a kind ('number', 'date', 'code') a text gives: a list of guesses gives many.
-- A date in any form that says() knows is no number, nor is a time; an identifier (KX-6, tkt_a6) is a code, and so is a
-- telephone number (+1-206-555-0101). A currency right before a number does not make it a code.
CREATE OR REPLACE FUNCTION compoworld_here.values_in(said text, kind text) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT count(DISTINCT lower(found[1]))::int
    FROM (SELECT '(?<![0-9])\d{4}-\d{2}-\d{2}(?:T[0-9:.]+(?:Z|[+-]\d{2}:\d{2})?)?'
                 '|(?<![0-9])\d{1,2}(?:st|nd|rd|th)?\.?(?: of)?[[:space:]-]+(?:' || months || ')[a-z]*\.?(?:,? 20\d\d)?'
                 '|(?<![a-z])(?:' || months || ')[a-z]*\.?[[:space:]]+(?:the )?\d{1,2}(?:st|nd|rd|th)?(?![0-9])(?:,? 20\d\d)?'
                 '|(?<![0-9.])\d{1,2}\.\d{1,2}\.(?:20\d\d|(?![0-9]))|(?<![0-9])\d{1,2}/\d{1,2}(?:/20\d\d)?(?![0-9])' AS dates,
                 '(?<![0-9])\d{1,2}(?::\d{2}(?::\d{2})?|h\d{2})(?: ?[ap]\.?m\M\.?)?|(?<![0-9])\d{1,2}(?:\.\d{2})? ?[ap]\.?m\M\.?' AS times,
                 '(?<![[:alnum:]_])[[:alpha:]_]+[-_]?[[:alnum:]_-]*\d[[:alnum:]_-]*|\+\d[0-9 ()-]{6,}\d' AS codes,
                 regexp_replace(said, '(USD|EUR|GBP|AUD|CAD)(?=[0-9])', '', 'g') AS plain
          FROM (VALUES ('jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec')) AS year (months)) AS text,
         LATERAL (SELECT regexp_replace(plain, dates, ' ', 'gi') AS undated) AS first,
         LATERAL (SELECT regexp_replace(regexp_replace(undated, times, ' ', 'gi'), codes, ' ', 'gi') AS bare) AS second,
         LATERAL (SELECT found FROM regexp_matches(plain, '(' || dates || ')', 'gi') AS found WHERE kind = 'date'
                  UNION ALL
                  SELECT found FROM regexp_matches(undated, '(' || codes || ')', 'gi') AS found WHERE kind = 'code'
                  UNION ALL
                  SELECT found FROM regexp_matches(bare,
                      '(?<![0-9])(\d{1,3}(?:[ ,.'']\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)(?![0-9])', 'g') AS found
                  WHERE kind = 'number') AS third
$$;
