-- One tool call is one transaction: begin_call, what the tool does, end_call.

CREATE FUNCTION compoworld.begin_call(
    p_branch bigint, p_read_only boolean,
    OUT seq int, OUT logical_time timestamptz, OUT identity text, OUT transaction_id text, OUT built boolean
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v record;
    v_fixed text;
BEGIN
    SELECT * INTO v FROM compoworld.bring_back(p_branch);
    built := v.built;
    IF NOT v.is_branch THEN
        RAISE EXCEPTION '% is a snapshot, which never changes', p_branch
            USING ERRCODE = 'CW409', HINT = 'Fork it and call tools on the branch.';
    END IF;
    SELECT b.head + 1, s.starts_at + (b.head + 1) * s.step, s.digest || '/' || (b.head + 1),
           CASE WHEN b.label = 'as of' THEN format('shows branch %s after event %s', b.parent_id, b.parent_seq)
                WHEN b.sealed THEN 'is that of a rollout that has been judged' END
    INTO seq, logical_time, identity, v_fixed
    FROM compoworld.branch b JOIN compoworld.snapshot s ON s.id = b.snapshot_id
    WHERE b.id = p_branch FOR NO KEY UPDATE OF b;
    IF NOT FOUND THEN  -- deleted while we waited for it
        RAISE EXCEPTION 'there is no branch %', p_branch USING ERRCODE = 'CW404';
    END IF;
    IF v_fixed IS NOT NULL THEN
        RAISE EXCEPTION 'branch % %: it is for looking only', p_branch, v_fixed
            USING ERRCODE = 'CW409', HINT = 'Fork it and call tools on the fork.';
    END IF;
    PERFORM compoworld.enter(v.schema_name, p_branch, v.base, true),
            set_config('compoworld.event', seq::text, true),
            set_config('compoworld.ordinal', '0', true),
            set_config('compoworld.read_only', CASE WHEN p_read_only THEN 'on' ELSE 'off' END, true);
    transaction_id := pg_current_xact_id()::text;
END $$;

CREATE FUNCTION compoworld.end_call(
    p_branch bigint, p_seq int, p_transaction text, p_service text, p_tool text, p_arguments jsonb,
    p_observation jsonb, p_outcome text, p_error_code text, p_produced_by text, p_logical_time timestamptz,
    p_started_at timestamptz, p_duration_ms double precision, p_detail text
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    v_changes int := nullif(current_setting('compoworld.ordinal', true), '')::int;
BEGIN
    IF p_transaction <> pg_current_xact_id()::text OR v_changes IS NULL
        OR current_setting('compoworld.branch', true) IS DISTINCT FROM p_branch::text
        OR current_setting('compoworld.event', true) IS DISTINCT FROM p_seq::text
        OR v_changes > 0 AND v_changes <> (
            SELECT count(*) FROM compoworld.row_change WHERE branch_id = p_branch AND seq = p_seq)
    THEN
        RAISE EXCEPTION 'the tool left its branch or its transaction' USING ERRCODE = 'CW500';
    END IF;
    INSERT INTO compoworld.event (branch_id, seq, service, tool, arguments, observation, outcome, error_code,
        produced_by, changes, logical_time, started_at, duration_ms, detail)
    VALUES (p_branch, p_seq, p_service, p_tool, p_arguments, p_observation, p_outcome, p_error_code,
        p_produced_by, v_changes, p_logical_time, p_started_at, p_duration_ms, p_detail);
    UPDATE compoworld.branch SET head = p_seq WHERE id = p_branch;
    RETURN v_changes;
END $$;

-- A new branch that sees what a snapshot holds: one row.
CREATE FUNCTION compoworld.fork_snapshot(p_snapshot bigint, p_label text DEFAULT NULL) RETURNS bigint LANGUAGE sql AS $$
    INSERT INTO compoworld.branch (composition_id, snapshot_id, label, loaded_generation)
    SELECT s.composition_id, s.id, p_label, s.loaded_generation FROM compoworld.snapshot s WHERE s.id = p_snapshot
    RETURNING id
$$;

-- A new branch that sees what another saw after an event: same base, and the log up to there.
CREATE FUNCTION compoworld.fork_branch(p_branch bigint, p_at int DEFAULT NULL, p_label text DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v compoworld.branch;
    v_at int;
    v_id bigint;
BEGIN
    SELECT * INTO v FROM compoworld.branch WHERE id = p_branch FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no branch %', p_branch USING ERRCODE = 'CW404';
    END IF;
    v_at := coalesce(p_at, v.head);
    IF v_at < 0 OR v_at > v.head THEN
        RAISE EXCEPTION 'branch % has no event %', p_branch, v_at
            USING ERRCODE = 'CW404', HINT = format('Its events are 1 to %s; 0 is its start.', v.head);
    END IF;
    INSERT INTO compoworld.branch (composition_id, snapshot_id, parent_id, parent_seq, label, head, answer)
    VALUES (v.composition_id, v.snapshot_id, p_branch, v_at, p_label, v_at,
            CASE WHEN v_at = v.head THEN v.answer END)
    RETURNING id INTO v_id;
    INSERT INTO compoworld.event
    SELECT v_id, seq, service, tool, arguments, observation, outcome, error_code, produced_by, changes,
           logical_time, started_at, duration_ms, true, detail
    FROM compoworld.event WHERE branch_id = p_branch AND seq <= v_at;
    INSERT INTO compoworld.row_change
    SELECT v_id, seq, ordinal, table_name, key, op, before, after
    FROM compoworld.row_change WHERE branch_id = p_branch AND seq <= v_at;
    RETURN v_id;
END $$;

-- The one branch that shows another as it was after an event.
CREATE FUNCTION compoworld.branch_as_of(p_branch bigint, p_at int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_id bigint;
BEGIN
    SELECT id INTO v_id FROM compoworld.branch WHERE parent_id = p_branch AND parent_seq = p_at AND label = 'as of';
    IF NOT FOUND THEN
        v_id := compoworld.fork_branch(p_branch, p_at, 'as of');
    END IF;
    RETURN v_id;
EXCEPTION WHEN unique_violation THEN
    -- Somebody else made it in the meantime.
    RETURN (SELECT id FROM compoworld.branch WHERE parent_id = p_branch AND parent_seq = p_at AND label = 'as of');
END $$;
