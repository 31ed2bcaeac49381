-- A text with ordinary blanks, apostrophes and minus signs, for what looks for numbers and dates in it.
CREATE OR REPLACE FUNCTION compoworld_here.plain(said text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT translate(said, U&'\00A0\202F\2009\2019\2212', '   ''-')
$$;

-- A number: 1234.5 as 1234.5, 1,234.50, 1 234.50 or 1.234,50. Not a part of another number (7 in 7k, 7 million, 7½, and -7
-- where the number is above zero), of an identifier (tkt_a6, KX-6), of a time or of a date; a currency may stand right
-- before it. Two to one hundred also as a word that is no part of another one (seven in twenty-seven).
CREATE OR REPLACE FUNCTION compoworld_here.says(said text, value numeric) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(compoworld_here.plain(said) ~* (before || '(?<![0-9A-Za-z_.,])(?<![0-9A-Za-z_]-)(?<![0-9][: ])'
        || '(USD|EUR|GBP|AUD|CAD)?' || reverse(regexp_replace(reverse(whole), '(\d{3})(?=\d)', '\1?]'',. [', 'g'))
        || CASE length(decimals) WHEN 0 THEN '([.,]0{1,2})?' WHEN 1 THEN '[.,]' || decimals || '0?'
           ELSE '[.,]' || decimals END
        || '(?![.,:]?[0-9]|_| [0-9]{3}(?![0-9])| [0-9]/[0-9]| ?[¼½¾⅓⅔⅛]|e[0-9]|st\M|nd\M|rd\M|th\M| ?[ap]\.?m\M|'
        || ' ?(k|hundred|thousand|million|billion|mio|bn)\M|\.? (of )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))')
        OR coalesce(compoworld_here.plain(said) ~* (before || '(?<![a-z])(?<!(' || tens || ')[ -])(?<!hundred and )('
        || word || ')(?![a-z])(?![ -](' || units || '|hundred|thousand|million|billion|and a half|point)\M)'
        || '(?! ?([ap]\.?m\M|o''clock))'), false), false)
    FROM (SELECT split_part(trim_scale(abs(value))::text, '.', 1) AS whole,
                 split_part(trim_scale(abs(value))::text, '.', 2) AS decimals,
                 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety' AS tens,
                 'one|two|three|four|five|six|seven|eight|nine' AS units,
                 CASE WHEN value > 0 THEN '(?<!-)(?<!minus )' ELSE '' END
                 || CASE WHEN value BETWEEN 1 AND 31
                    THEN '(?<!\m(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sep(t|tember)?|'
                         'oct(ober)?|nov(ember)?|dec(ember)?)\.? (the )?0?)' ELSE '' END AS before) AS parts,
         LATERAL (SELECT CASE WHEN value <> trunc(value) OR abs(value) > 100 THEN NULL
             WHEN abs(value) = 100 THEN '(a|one) hundred'
             WHEN abs(value) < 20 THEN (ARRAY['none|zero', '(?<=\m(only|just|exactly) )one', 'two', 'three', 'four', 'five',
                 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen',
                 'seventeen', 'eighteen', 'nineteen'])[whole::int + 1]
             ELSE concat_ws('[ -]', split_part(tens, '|', whole::int / 10 - 1),
                            nullif(split_part('|' || units, '|', whole::int % 10 + 1), '')) END AS word) AS named
$$;

-- A date: ISO, 2026.03.09, 9 March, March 9th, the 9th of March, the ninth of March, 09.03., 9/3 or 3/9; a year that
-- follows, also as two digits ('26), is the right one.
CREATE OR REPLACE FUNCTION compoworld_here.says(said text, value date) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(compoworld_here.plain(said) ~* concat_ws('|',
        format('(?<![0-9])%1$s([-./])%2$s[-./]%3$s(?![0-9])|(?<![0-9])%1$s%2$s%3$s(?![0-9])', y, lpad(m, 2, '0'), lpad(d, 2, '0')),
        format('(?<![0-9])0?%s(st|nd|rd|th)?\.?( ?(-|–|to|and|until|or) ?[0-9]{1,2}(st|nd|rd|th)?\.?)?( day)?( of)?[[:space:]-]+'
               '(the )?(%s)(?![a-z])%s', d, month, no_other),
        format('(?<![a-z])(%s)\.?[[:space:]]+(the )?(0?%s(st|nd|rd|th)?|%s)(?![0-9a-z]|\.[0-9])%s', month, d, nth, no_other),
        format('(?<![a-z])(?<!(twenty|thirty)[ -])%s( day)?( of)? (%s)(?![a-z])%s', nth, month, no_other),
        format('(?<![0-9.a-z])0?%s\.0?%s\.(%s|%s)?(?![0-9])%s', d, m, y, yy, no_other),
        format('(?<![0-9/])(0?%1$s/0?%2$s|0?%2$s/0?%1$s)(/%3$s|/%4$s)?(?![0-9/]| of\M)', d, m, y, yy)), false)
    FROM (SELECT extract(year FROM value)::int::text AS y, extract(month FROM value)::int::text AS m,
                 extract(day FROM value)::int::text AS d, to_char(value, 'YY') AS yy,
                 ('{jan(uary)?,feb(ruary)?,mar(ch)?,apr(il)?,may,june?,july?,aug(ust)?,sep(t|tember)?,oct(ober)?,'
                  'nov(ember)?,dec(ember)?}')::text[] AS months,
                 ('{first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth,eleventh,twelfth,thirteenth,fourteenth,'
                  'fifteenth,sixteenth,seventeenth,eighteenth,nineteenth,twentieth,twenty[ -]first,twenty[ -]second,'
                  'twenty[ -]third,twenty[ -]fourth,twenty[ -]fifth,twenty[ -]sixth,twenty[ -]seventh,twenty[ -]eighth,'
                  'twenty[ -]ninth,thirtieth,thirty[ -]first}')::text[] AS days) AS parts,
         LATERAL (SELECT months[m::int] AS month, days[d::int] AS nth,
                         format('(?!\.?,?[[:space:]-]*(?!%s)(19|20)[0-9]{2}(?![0-9]))(?!,? ?[''-](?!%s|%s)[0-9]{2}(?![0-9]))',
                                y, yy, y) AS no_other) AS named
$$;

-- A text as it is compared: small letters without accents.
CREATE OR REPLACE FUNCTION compoworld_here.bare(said text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT lower(regexp_replace(normalize(said, NFD), U&'[\0300-\036F]', '', 'g'))
$$;

-- Words, a name, a code, an address: whole, whatever their case, their accents and what stands between them. Between letters
-- and digits there may be nothing (RT4476, 30mg); what has digits does not go on (RT-4476-B, v5.45.0.1). The last word may come
-- first, before a comma (Balogun, Tomasz). A long number of letters and digits may stand in blocks (GB29 NWBK 6016 1331), and
-- the name of a file without .md, .txt or .csv.
CREATE OR REPLACE FUNCTION compoworld_here.says(said text, value text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT coalesce(CASE
        -- What is written without blanks has no bounds.
        WHEN words = '' OR words ~ '[\u2E80-\U0002FFFF]' THEN strpos(compoworld_here.bare(said), compoworld_here.bare(value)) > 0
        ELSE compoworld_here.bare(said) ~ concat(
            '(?<!', inside, ')', CASE WHEN first ~ '[0-9]' THEN format('(?<!%s[-_]|[0-9]\.)', inside) END,
            CASE WHEN first ~ '@' THEN format('(?<!%s[-_.+])', inside) END,
            '(', pattern, CASE WHEN words !~ '[0-9]' AND words ~ ' ' THEN '|' || last_first END,
            CASE WHEN words ~ '^(?=.*[0-9])[a-z0-9]{10,}$' THEN '|' || regexp_replace(words, '(?<=.)(?=.)', '[ -]?', 'g') END,
            ')(?!', inside, ')',
            CASE WHEN last ~ '[0-9]' THEN format('(?![-_]([a-z]{1,3}(?!%s)|[a-z]*[0-9])|\.[a-z]*[0-9])', inside) END,
            CASE WHEN last ~ '@' THEN '(?![-_.][a-z0-9])' END)
        END, false)
    FROM (SELECT '[\u0001-\u002F\u003A-\u0060\u007B-\u00BF\u2000-\u20CF]' AS between,
                 '[^\u0001-\u002F\u003A-\u0060\u007B-\u00BF\u2000-\u20CF]' AS inside) AS characters,
         LATERAL (SELECT trim(regexp_replace(regexp_replace(compoworld_here.bare(value), '(?<=[a-z])[''’](?=[a-z])', 'O', 'g'),
                      replace(between, '\u003A-\u0060', '\u003A-\u0040\u005B-\u0060'), ' ', 'g')) AS once) AS one,
         LATERAL (SELECT regexp_replace(once, ' +', ' ', 'g') AS words,
                         split_part(compoworld_here.bare(value), ' ', 1) AS first,
                         split_part(compoworld_here.bare(value), ' ', -1) AS last) AS two,
         LATERAL (SELECT regexp_replace(regexp_replace(regexp_replace(words,
                      '(?<=[0-9]) (?=[^0-9])|(?<=[^0-9]) (?=[0-9])', 'O', 'g'),
                      '(?<=[0-9])(?=[^0-9 O])|(?<=[^0-9 O])(?=[0-9])', 'N', 'g'), '^vN', '(vN)?') AS marked) AS three,
         LATERAL (SELECT CASE WHEN compoworld_here.bare(value) ~ '([0-9]| ).*\.(md|txt|csv)$'
                         THEN regexp_replace(marked, '[ O](md|txt|csv)$', 'X\1Y') ELSE marked END AS ended) AS four,
         LATERAL (SELECT replace(replace(replace(replace(replace(ended, ' ', between || '+'), 'O', between || '*'),
                         'N', '[ -]?'), 'X', '(' || between || '*'), 'Y', '|(?!\.[a-z]))') AS pattern,
                         replace(replace(regexp_replace(words, '^(.*) ([^ ]+)$', '\2, ?\1'), ' ', between || '+'),
                                 'O', between || '*') AS last_first) AS five
$$;

-- How many different values of a kind ('number', 'date', 'code') a text gives: a list of guesses gives many.
-- A date in any form that says() knows is no number, nor is a time; an identifier (KX-6, tkt_a6) is a code, and so is a
-- telephone number (+1-206-555-0101). A currency right before a number does not make it a code.
CREATE OR REPLACE FUNCTION compoworld_here.values_in(said text, kind text) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT count(DISTINCT lower(found[1]))::int
    FROM (SELECT '(?<![0-9])\d{4}[-./]\d{2}[-./]\d{2}(?:T[0-9:.]+(?:Z|[+-]\d{2}:\d{2})?)?'
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
