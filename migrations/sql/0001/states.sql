-- States and differences, from the catalog alone: they work on parked compositions too.

-- Nothing, or an error: no such branch or snapshot, or no such event of it (NULL: its head). In a FROM it is asked
-- whatever the other conditions are.
CREATE FUNCTION compoworld.missing(p_id bigint, p_at int DEFAULT NULL)
RETURNS TABLE (table_name text, key text, image jsonb) LANGUAGE plpgsql STABLE ROWS 1 AS $$
DECLARE
    v_head int;
BEGIN
    SELECT b.head INTO v_head FROM compoworld.branch b WHERE b.id = p_id;
    IF NOT FOUND THEN
        SELECT 0 INTO v_head FROM compoworld.snapshot s WHERE s.id = p_id;
    END IF;
    IF v_head IS NULL THEN
        RAISE EXCEPTION 'there is no branch %', p_id USING ERRCODE = 'CW404';
    END IF;
    IF p_at NOT BETWEEN 0 AND v_head THEN
        RAISE EXCEPTION 'branch % has no event %', p_id, p_at
            USING ERRCODE = 'CW404', HINT = format('Its events are 1 to %s; 0 is its start.', v_head);
    END IF;
END $$;

-- Every row that a branch sees after an event (NULL: at its head); of a snapshot: its rows.
CREATE FUNCTION compoworld.state_at(p_id bigint, p_at int DEFAULT NULL)
RETURNS TABLE (table_name text, key text, image jsonb) LANGUAGE sql STABLE AS $$
    WITH own AS (
        SELECT DISTINCT ON (c.table_name, c.key) c.table_name, c.key, c.after
        FROM compoworld.row_change c
        WHERE c.branch_id = p_id AND (p_at IS NULL OR c.seq <= p_at)
        ORDER BY c.table_name, c.key, c.seq DESC, c.ordinal DESC
    )
    SELECT s.table_name, s.key, s.image
    FROM compoworld.snapshot_row s
    WHERE s.snapshot_id = coalesce((SELECT b.snapshot_id FROM compoworld.branch b WHERE b.id = p_id), p_id)
      AND (s.table_name, s.key) NOT IN (SELECT o.table_name, o.key FROM own o)
    UNION ALL
    SELECT o.table_name, o.key, o.after FROM own o WHERE o.after IS NOT NULL
    UNION ALL
    SELECT m.table_name, m.key, m.image FROM compoworld.missing(p_id, p_at) m
$$;

-- Equal exactly when the visible states are equal.
CREATE FUNCTION compoworld.digest(p_id bigint, p_at int DEFAULT NULL) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(coalesce(string_agg(
        sha256(convert_to(jsonb_build_array(table_name, key, image)::text, 'UTF8')), ''::bytea
        ORDER BY table_name COLLATE "C", key COLLATE "C"), ''::bytea)), 'hex')
    FROM compoworld.state_at(p_id, p_at)
$$;

-- What became of each row between two points of two branches (or of one). Only rows that differ.
CREATE FUNCTION compoworld.difference(p_a bigint, p_at_a int, p_b bigint, p_at_b int)
RETURNS TABLE (table_name text, key text, op text, before jsonb, after jsonb) LANGUAGE sql STABLE AS $$
    WITH touched AS (  -- on one base only changed rows can differ; it is not read then
        SELECT c.table_name, c.key FROM compoworld.row_change c WHERE c.branch_id IN (p_a, p_b)
    ), same_base AS (
        SELECT (SELECT coalesce((SELECT snapshot_id FROM compoworld.branch WHERE id = p_a), p_a))
             = (SELECT coalesce((SELECT snapshot_id FROM compoworld.branch WHERE id = p_b), p_b)) AS yes
    ), a AS (
        SELECT * FROM compoworld.state_at(p_a, p_at_a) s
        WHERE NOT (SELECT yes FROM same_base) OR (s.table_name, s.key) IN (SELECT t.table_name, t.key FROM touched t)
    ), b AS (
        SELECT * FROM compoworld.state_at(p_b, p_at_b) s
        WHERE NOT (SELECT yes FROM same_base) OR (s.table_name, s.key) IN (SELECT t.table_name, t.key FROM touched t)
    )
    SELECT table_name, key,
           CASE WHEN a.image IS NULL THEN 'insert' WHEN b.image IS NULL THEN 'delete' ELSE 'update' END,
           a.image, b.image
    FROM a FULL JOIN b USING (table_name, key)
    WHERE a.image IS NULL OR b.image IS NULL OR a.image::text <> b.image::text
    ORDER BY table_name COLLATE "C", key COLLATE "C"
$$;

-- What changed in a branch between event p_from and event p_to.
CREATE FUNCTION compoworld.changed_between(p_branch bigint, p_from int, p_to int)
RETURNS TABLE (table_name text, key text, op text, before jsonb, after jsonb) LANGUAGE sql STABLE AS $$
    SELECT * FROM compoworld.difference(p_branch, p_from, p_branch, p_to)
$$;

-- The first event at which two branches part: in the call, in the observation or in the rows. Empty: they do not.
CREATE FUNCTION compoworld.first_divergence(p_a bigint, p_b bigint)
RETURNS TABLE (event int, differs_in text, a_call text, b_call text, a jsonb, b jsonb) LANGUAGE sql STABLE AS $$
    SELECT FROM compoworld.missing(p_a);
    SELECT FROM compoworld.missing(p_b);
    WITH pairs AS (
        SELECT seq, x.service || '.' || x.tool AS a_call, y.service || '.' || y.tool AS b_call,
               x.arguments AS a_arguments, y.arguments AS b_arguments,
               x.observation AS a_observation, y.observation AS b_observation,
               (SELECT jsonb_agg(jsonb_build_array(c.table_name, c.key, c.op, c.before, c.after)
                                 ORDER BY c.table_name, c.key, c.ordinal)
                FROM compoworld.row_change c WHERE c.branch_id = p_a AND c.seq = x.seq) AS a_changes,
               (SELECT jsonb_agg(jsonb_build_array(c.table_name, c.key, c.op, c.before, c.after)
                                 ORDER BY c.table_name, c.key, c.ordinal)
                FROM compoworld.row_change c WHERE c.branch_id = p_b AND c.seq = y.seq) AS b_changes
        FROM (SELECT * FROM compoworld.event WHERE branch_id = p_a) x
        FULL JOIN (SELECT * FROM compoworld.event WHERE branch_id = p_b) y USING (seq)
    )
    SELECT seq,
           CASE WHEN a_call IS NULL OR b_call IS NULL THEN 'length'
                WHEN a_call <> b_call OR a_arguments <> b_arguments THEN 'call'
                WHEN a_observation <> b_observation THEN 'observation' ELSE 'row changes' END,
           a_call, b_call,
           CASE WHEN a_call IS DISTINCT FROM b_call OR a_arguments <> b_arguments THEN a_arguments
                WHEN a_observation <> b_observation THEN a_observation ELSE a_changes END,
           CASE WHEN a_call IS DISTINCT FROM b_call OR a_arguments <> b_arguments THEN b_arguments
                WHEN a_observation <> b_observation THEN b_observation ELSE b_changes END
    FROM pairs
    WHERE a_call IS DISTINCT FROM b_call OR a_arguments <> b_arguments OR a_observation <> b_observation
       OR a_changes IS DISTINCT FROM b_changes
    ORDER BY seq LIMIT 1
$$;
