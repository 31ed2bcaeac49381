-- Materialise, load, park. Lock order: composition (advisory, class 7202) before branch.
-- Class 7203 is a lease: whoever holds it, shared, keeps the composition from being parked between calls. Class 7206
-- keeps a branch from being deleted: a session that looks at it would see the bare snapshot, without an error.

CREATE FUNCTION compoworld.lock_composition(p_composition bigint, p_shared boolean)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_shared THEN
        PERFORM pg_advisory_xact_lock_shared(7202, p_composition::int);
    ELSE
        PERFORM pg_advisory_xact_lock(7202, p_composition::int);
    END IF;
END $$;

-- Builds the composition's schema unless it stands. Returns whether it was built.
CREATE FUNCTION compoworld.materialise(p_composition bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v compoworld.composition;
    v_ddl text;
BEGIN
    PERFORM compoworld.lock_composition(p_composition, false);
    SELECT * INTO v FROM compoworld.composition WHERE id = p_composition;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no composition %', p_composition USING ERRCODE = 'CW404';
    END IF;
    IF v.materialised_at IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE SCHEMA %I', v.schema_name);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO compoworld_verifier', v.schema_name);
    FOR v_ddl IN
        SELECT s.ddl FROM compoworld.composition_service cs JOIN compoworld.service s ON s.id = cs.service_id
        WHERE cs.composition_id = p_composition ORDER BY cs.ordinal
    LOOP
        EXECUTE replace(v_ddl, '@schema@', quote_ident(v.schema_name));
    END LOOP;
    UPDATE compoworld.composition
    SET materialised_at = clock_timestamp(), last_used_at = clock_timestamp(), generation = generation + 1
    WHERE id = p_composition;
    RETURN true;
END $$;

-- The composition's schema stands and cannot be parked until the end of the transaction. Returns its name.
CREATE FUNCTION compoworld.hold(p_composition bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    v compoworld.composition;
BEGIN
    SELECT * INTO v FROM compoworld.composition WHERE id = p_composition;
    IF v.materialised_at IS NULL THEN
        PERFORM compoworld.materialise(p_composition);
    ELSE
        PERFORM compoworld.lock_composition(p_composition, true);
        PERFORM 1 FROM compoworld.composition WHERE id = p_composition AND materialised_at IS NOT NULL;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'composition % was parked meanwhile', p_composition USING ERRCODE = '40001';
        END IF;
    END IF;
    RETURN (SELECT schema_name FROM compoworld.composition WHERE id = p_composition);
END $$;

-- Drops the composition's schema unless a call or a session holds it. Returns whether it was dropped.
CREATE FUNCTION compoworld.park(p_composition bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v compoworld.composition;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7203, p_composition::int)
       OR NOT pg_try_advisory_xact_lock(7202, p_composition::int) THEN
        RETURN false;
    END IF;
    SELECT * INTO v FROM compoworld.composition WHERE id = p_composition;
    IF NOT FOUND OR v.materialised_at IS NULL THEN
        RETURN false;
    END IF;
    SET LOCAL client_min_messages = warning;
    EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', v.schema_name);
    UPDATE compoworld.composition SET materialised_at = NULL WHERE id = p_composition;
    RETURN true;
END $$;

-- Puts the rows of a snapshot in place from their images.
CREATE FUNCTION compoworld.load_snapshot(p_snapshot bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_schema text;
    v_generation int;
    v_table text;
    v_count bigint;
BEGIN
    SELECT c.schema_name, c.generation INTO v_schema, v_generation
    FROM compoworld.snapshot s JOIN compoworld.composition c ON c.id = s.composition_id WHERE s.id = p_snapshot;
    FOR v_table IN SELECT DISTINCT table_name FROM compoworld.snapshot_row WHERE snapshot_id = p_snapshot LOOP
        EXECUTE format(
            'INSERT INTO %1$I.%3$I SELECT r.*, $1, false FROM compoworld.snapshot_row s,'
            ' jsonb_populate_record(NULL::%1$I.%2$I, s.image) r WHERE s.snapshot_id = $1 AND s.table_name = %2$L',
            v_schema, v_table, v_table || '__rows') USING p_snapshot;
        GET DIAGNOSTICS v_count = ROW_COUNT;
        IF v_count >= 1000 THEN
            EXECUTE format('ANALYZE %I.%I', v_schema, v_table || '__rows');
        END IF;
    END LOOP;
    UPDATE compoworld.snapshot SET loaded_generation = v_generation WHERE id = p_snapshot;
END $$;

-- Puts a branch's own rows in place: the last image of every row that it changed.
CREATE FUNCTION compoworld.load_branch(p_branch bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_schema text;
    v_generation int;
    v_table text;
BEGIN
    SELECT c.schema_name, c.generation INTO v_schema, v_generation
    FROM compoworld.branch b JOIN compoworld.composition c ON c.id = b.composition_id WHERE b.id = p_branch;
    FOR v_table IN SELECT DISTINCT table_name FROM compoworld.row_change WHERE branch_id = p_branch LOOP
        EXECUTE format(
            'INSERT INTO %1$I.%3$I SELECT r.*, $1, t.after IS NULL'
            ' FROM (SELECT DISTINCT ON (key) before, after FROM compoworld.row_change'
            '       WHERE branch_id = $1 AND table_name = %2$L ORDER BY key, seq DESC, ordinal DESC) t,'
            ' jsonb_populate_record(NULL::%1$I.%2$I, coalesce(t.after, t.before)) r',
            v_schema, v_table, v_table || '__rows') USING p_branch;
    END LOOP;
    UPDATE compoworld.branch SET loaded_generation = v_generation WHERE id = p_branch;
END $$;

-- Notes that a composition is in use. Whoever comes second need not wait for the first to say the same.
CREATE FUNCTION compoworld.touch(p_composition bigint) RETURNS void LANGUAGE sql AS $$
    UPDATE compoworld.composition SET last_used_at = clock_timestamp()
    WHERE id = (SELECT c.id FROM compoworld.composition c WHERE c.id = p_composition FOR NO KEY UPDATE SKIP LOCKED)
$$;

CREATE FUNCTION compoworld.is_loaded(p_composition bigint, p_snapshot bigint) RETURNS boolean LANGUAGE sql AS $$
    SELECT c.materialised_at IS NOT NULL AND s.loaded_generation IS NOT DISTINCT FROM c.generation
    FROM compoworld.composition c, compoworld.snapshot s WHERE c.id = p_composition AND s.id = p_snapshot
$$;

-- Makes a branch (or a snapshot) visible in its composition's schema and leaves the composition locked, shared,
-- until the end of the transaction. Cheap when everything is in place.
CREATE FUNCTION compoworld.bring_back(
    p_id bigint, OUT schema_name text, OUT composition_id bigint, OUT base bigint, OUT is_branch boolean,
    OUT built boolean  -- its schema was parked and stands again: perhaps another can be parked
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_loaded boolean;
    v_unused boolean;
BEGIN
    SELECT b.composition_id, b.snapshot_id, true INTO composition_id, base, is_branch
    FROM compoworld.branch b WHERE b.id = p_id;
    IF NOT FOUND THEN
        SELECT s.composition_id, s.id, false INTO composition_id, base, is_branch
        FROM compoworld.snapshot s WHERE s.id = p_id;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no branch %', p_id USING ERRCODE = 'CW404';
        END IF;
    END IF;
    built := false;
    IF compoworld.is_loaded(composition_id, base) THEN
        PERFORM compoworld.lock_composition(composition_id, true);
        IF NOT compoworld.is_loaded(composition_id, base) THEN
            -- Parked between the look and the lock. Asking for the exclusive lock now could deadlock: start again.
            RAISE EXCEPTION 'composition % was parked meanwhile', composition_id USING ERRCODE = '40001';
        END IF;
    ELSE
        built := compoworld.materialise(composition_id);
        IF NOT compoworld.is_loaded(composition_id, base) THEN
            PERFORM compoworld.load_snapshot(base);
        END IF;
    END IF;
    SELECT c.schema_name, c.last_used_at < clock_timestamp() - interval '5 seconds' INTO schema_name, v_unused
    FROM compoworld.composition c WHERE c.id = composition_id;
    IF v_unused THEN
        PERFORM compoworld.touch(composition_id);
    END IF;
    IF is_branch THEN
        -- The branch's row lock keeps two sessions from loading it at once.
        SELECT b.loaded_generation = c.generation INTO v_loaded
        FROM compoworld.branch b JOIN compoworld.composition c ON c.id = b.composition_id WHERE b.id = p_id;
        IF v_loaded IS NOT TRUE THEN
            SELECT b.loaded_generation = c.generation INTO v_loaded
            FROM compoworld.branch b JOIN compoworld.composition c ON c.id = b.composition_id
            WHERE b.id = p_id FOR NO KEY UPDATE OF b;
            IF v_loaded IS NOT TRUE THEN
                PERFORM compoworld.load_branch(p_id);
            END IF;
        END IF;
    END IF;
END $$;

-- The number of a branch among the advisory locks of a class. Two branches may share one, which does no harm.
CREATE FUNCTION compoworld.lock_number(p_branch bigint) RETURNS int LANGUAGE sql IMMUTABLE AS $$
    SELECT (p_branch % 2147483647)::int
$$;

-- For people: enter a branch or a snapshot, at its head or as it was after an event, until the session ends.
CREATE FUNCTION compoworld.use_branch(p_branch bigint, p_at int DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    v record;
    v_id bigint := p_branch;
BEGIN
    IF p_at IS NOT NULL THEN
        v_id := compoworld.branch_as_of(p_branch, p_at);
    END IF;
    PERFORM pg_advisory_lock_shared(7206, compoworld.lock_number(v_id));
    SELECT * INTO v FROM compoworld.bring_back(v_id);
    -- A lease until the session ends: a schema parked and built again would show fewer rows. Going to another branch
    -- does not let go of it, for that may be rolled back.
    PERFORM pg_advisory_lock_shared(7203, v.composition_id::int);
    PERFORM compoworld.enter(v.schema_name, v_id, v.base, false), set_config('timezone', 'UTC', false),
            set_config('datestyle', 'ISO, MDY', false), set_config('intervalstyle', 'postgres', false),
            set_config('standard_conforming_strings', 'on', false);
    RETURN format('branch %s%s in %s', p_branch, coalesce(' after event ' || p_at, ''), v.schema_name);
END $$;
