-- For criteria: whether a text says a value, as a person reads it. Parsed and bounded, never a loose substring.

-- A number: 1234.5 as 1234.5, 1,234.50, 1 234.50 or 1.234,50. Not a part of another number, of an identifier
-- (tkt_a6, KX-6), of a time or of a date; a currency may stand right before it. Two to twelve also as a word.
CREATE FUNCTION compoworld_here.says(said text, value numeric) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(said ~* ('(?<![0-9A-Za-z_.,])(?<![0-9A-Za-z_]-)(?<![0-9][: ])(USD|EUR|GBP|AUD|CAD)?'
        || reverse(regexp_replace(reverse(whole), '(\d{3})(?=\d)', '\1?]'',. [', 'g'))
        || CASE length(decimals) WHEN 0 THEN '([.,]0{1,2})?' WHEN 1 THEN '[.,]' || decimals || '0?'
           ELSE '[.,]' || decimals END
        || '(?![.,:]?[0-9]|_| [0-9]{3}(?![0-9])|st\M|nd\M|rd\M|th\M'
        || '|\.? (of )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))')
        OR coalesce(said ~* ('(?<![a-z])(' || (ARRAY['none|zero', NULL, 'two', 'three', 'four', 'five', 'six', 'seven', 'eight',
            'nine', 'ten', 'eleven', 'twelve'])[CASE WHEN abs(value) <= 12 AND value = trunc(value) THEN whole::int + 1 END]
        || ')(?![a-z])'), false), false)
    FROM (SELECT split_part(trim_scale(abs(value))::text, '.', 1) AS whole,
                 split_part(trim_scale(abs(value))::text, '.', 2) AS decimals) AS parts
$$;

-- A date: ISO, 9 March, March 9th, the 9th of March, 09.03., 9/3 or 3/9; a year may follow.
CREATE FUNCTION compoworld_here.says(said text, value date) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(said ~* concat_ws('|',
        format('(?<![0-9])%s-%s-%s(?![0-9])', y, lpad(m, 2, '0'), lpad(d, 2, '0')),
        format('(?<![0-9])0?%s(st|nd|rd|th)?\.?( ?(-|–|to|and|until|or) ?[0-9]{1,2}(st|nd|rd|th)?\.?)?( of)?[[:space:]-]+'
               '(the )?(%s)(?![a-z])(?!\.?,? ?(?!%s)[0-9]{4})', d, month, y),
        format('(?<![a-z])(%s)\.?[[:space:]]+(the )?0?%s(st|nd|rd|th)?(?![0-9])(?!,? (?!%s)[0-9]{4})', month, d, y),
        format('(?<![0-9])0?%s\.0?%s\.(?!(?!%s)[0-9]{4})', d, m, y),
        format('(?<![0-9])(0?%1$s/0?%2$s|0?%2$s/0?%1$s)(?![0-9])(?!/(?!%3$s)[0-9]{4})', d, m, y)), false)
    FROM (SELECT extract(year FROM value)::int::text AS y, extract(month FROM value)::int::text AS m,
                 extract(day FROM value)::int::text AS d,
                 ('{jan(uary)?,feb(ruary)?,mar(ch)?,apr(il)?,may,june?,july?,aug(ust)?,sep(t|tember)?,oct(ober)?,'
                  'nov(ember)?,dec(ember)?}')::text[] AS months) AS parts,
         LATERAL (SELECT months[m::int] AS month) AS named
$$;

-- A time of day: 14:30, 14.30, 14h30, 2:30 pm; full hours also 2 pm; noon.
CREATE FUNCTION compoworld_here.says(said text, value time) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(said ~* format('(?<![0-9])(0?%1$s[:.h]%2$s(?![0-9])(?! ?%3$s\.?m)|%4$s([:.]%2$s)%5$s ?%6$s\.?m)%7$s',
        h, lpad(m::text, 2, '0'), CASE WHEN h < 12 THEN 'p' ELSE 'a' END, (h + 11) % 12 + 1,
        CASE WHEN m = 0 THEN '?' ELSE '' END, CASE WHEN h < 12 THEN 'a' ELSE 'p' END,
        CASE WHEN h = 12 AND m = 0 THEN '|\m(noon|midday)\M' ELSE '' END), false)
    FROM (SELECT extract(hour FROM value)::int AS h, extract(minute FROM value)::int AS m) AS parts
$$;

-- Words, a name, a code, an address: whole, whatever their case and what stands between them.
CREATE FUNCTION compoworld_here.says(said text, value text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(strpos(' ' || regexp_replace(lower(said COLLATE "C"), '[^a-z0-9]+', ' ', 'g') || ' ',
                  ' ' || trim(regexp_replace(lower(value COLLATE "C"), '[^a-z0-9]+', ' ', 'g')) || ' ') > 0, false)
$$;

-- How many different numbers a text gives, dates and identifiers aside; a currency does not make one an identifier.
CREATE FUNCTION compoworld_here.numbers_in(said text) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT count(DISTINCT found[1])::int FROM regexp_matches(
        regexp_replace(regexp_replace(said, '(USD|EUR|GBP|AUD|CAD)(?=[0-9])', '', 'g'), '\d{4}-\d{2}-\d{2}|[[:alpha:]_]+[-_]?[[:alnum:]-]*\d[[:alnum:]-]*', '', 'g'),
        '(?<![0-9])(\d{1,3}(?:[ ,.]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)(?![0-9])', 'g') AS found
$$;

-- Whether a row was made on this branch.
CREATE FUNCTION compoworld_here.is_new(relation text, row_key text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM compoworld_here.row_changes c
                   WHERE c.table_name = relation AND c.key = row_key AND c.op = 'insert')
$$;

-- How many rows of a table the branch made and still has.
CREATE FUNCTION compoworld_here.made(relation text) RETURNS int
LANGUAGE sql STABLE AS $$
    SELECT count(DISTINCT c.key)::int FROM compoworld_here.row_changes c
    WHERE c.table_name = relation AND c.op = 'insert' AND NOT EXISTS (
        SELECT FROM compoworld_here.row_changes d
        WHERE d.table_name = c.table_name AND d.key = c.key AND d.op = 'delete')
$$;
