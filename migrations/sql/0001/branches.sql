-- What a connection sees: the settings of the branch that it is in.

CREATE FUNCTION compoworld.no_branch() RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RAISE EXCEPTION 'this connection is in no branch'
        USING ERRCODE = '55000', HINT = 'First run: SELECT compoworld.use_branch(<branch id>);';
END $$;

-- Plain SQL, so that the planner puts the expression in place of the call; parsed now (RETURN), so that whoever
-- reads a view needs no right to look into this schema.
CREATE FUNCTION compoworld.current_branch() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(current_setting('compoworld.branch', true), ''), compoworld.no_branch())::bigint;

CREATE FUNCTION compoworld.current_base() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(nullif(current_setting('compoworld.base', true), ''), compoworld.no_branch())::bigint;

-- The number of the event that is being written; called by the triggers of every entity.
CREATE FUNCTION compoworld.writing_event(p_table text) RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_event text := current_setting('compoworld.event', true);
BEGIN
    IF v_event IS NULL OR v_event = '' THEN
        RAISE EXCEPTION 'a row of % can only be written by a tool call', p_table
            USING ERRCODE = '25006', HINT = 'Use call: every change of a branch is an event.';
    END IF;
    IF current_setting('compoworld.read_only', true) = 'on' THEN
        RAISE EXCEPTION 'a tool that is declared read-only tried to change a row of %', p_table
            USING ERRCODE = '25006';
    END IF;
    RETURN v_event::int;
END $$;

CREATE FUNCTION compoworld.log_change(
    p_branch bigint, p_seq int, p_table text, p_key text, p_op text, p_before jsonb, p_after jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_ordinal int := current_setting('compoworld.ordinal')::int + 1;
BEGIN
    -- Transaction-local: a rollback to the savepoint takes the count back with the rows.
    PERFORM set_config('compoworld.ordinal', v_ordinal::text, true);
    INSERT INTO compoworld.row_change VALUES (p_branch, p_seq, v_ordinal, p_table, p_key, p_op, p_before, p_after);
END $$;

-- One form per JSON value: numbers without trailing zeros (jsonb says 1.0 = 1, their texts differ).
CREATE FUNCTION compoworld.canonical(v jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    CASE jsonb_typeof(v)
        WHEN 'number' THEN RETURN to_jsonb(trim_scale(v::numeric));
        WHEN 'array' THEN
            RETURN (SELECT coalesce(jsonb_agg(compoworld.canonical(item) ORDER BY place), '[]')
                    FROM jsonb_array_elements(v) WITH ORDINALITY AS t (item, place));
        WHEN 'object' THEN
            RETURN (SELECT coalesce(jsonb_object_agg(t.key, compoworld.canonical(t.value)), '{}')
                    FROM jsonb_each(v) AS t);
        ELSE RETURN v;
    END CASE;
END $$;

-- Sets what the connection sees. p_local: until the end of the transaction, else of the session.
CREATE FUNCTION compoworld.enter(p_schema text, p_branch bigint, p_base bigint, p_local boolean)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('search_path', format('%I, compoworld_here', p_schema), p_local),
            set_config('compoworld.branch', p_branch::text, p_local),
            set_config('compoworld.base', p_base::text, p_local),
            set_config('compoworld.event', '', p_local);
END $$;
