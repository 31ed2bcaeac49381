-- Generated code that nobody trusts. Each sandbox logs in with a role of its own, which sees the views of one service in
-- one composition, in a schema named like the role, and the doors below: nothing of the catalog, no other composition.
--
-- The settings compoworld.* that name a branch for everybody else can be set by any role, so they mean nothing here. What
-- a sandbox sees and writes is the call that was ordered for it (sandbox_call), which only the trusted side can order.

CREATE TABLE compoworld.sandbox (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,  -- advisory lock of class 7207 while it is in use
    role           text NOT NULL UNIQUE,
    composition_id bigint NOT NULL REFERENCES compoworld.composition ON DELETE CASCADE,
    service        text NOT NULL,
    opened_at      timestamptz NOT NULL DEFAULT now()
);

-- The one call that a sandbox may make now.
CREATE TABLE compoworld.sandbox_call (
    role         text PRIMARY KEY REFERENCES compoworld.sandbox (role) ON DELETE CASCADE,
    branch_id    bigint NOT NULL,
    tool         text NOT NULL,
    arguments    jsonb NOT NULL,
    read_only    boolean NOT NULL,
    base_id      bigint,
    seq          int,                        -- of its event; NULL: not begun
    logical_time timestamptz,
    xid          text,                       -- of the transaction that makes it
    begun_at     timestamptz,
    done         boolean NOT NULL DEFAULT false
);

-- Makes role and schema; the views are made by the caller, with the grants to the role.
CREATE FUNCTION compoworld.open_sandbox(
    p_role text, p_password text, p_composition bigint, p_service text, p_connections int, p_settings jsonb
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_id bigint;
    v_name text;
    v_value text;
BEGIN
    PERFORM pg_advisory_xact_lock(7208);  -- two grants on one schema at once fail
    EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT'
        ' CONNECTION LIMIT %s PASSWORD %L', p_role, p_connections, p_password);
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        EXECUTE format('GRANT %I TO %I', p_role, current_user);  -- to drop later what it owns
    END IF;
    FOR v_name, v_value IN SELECT key, value FROM jsonb_each_text(p_settings) LOOP
        BEGIN
            EXECUTE format('ALTER ROLE %I SET %I = %L', p_role, v_name, v_value);
        EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
            NULL;  -- a superuser's setting, or one of a newer server
        END;
    END LOOP;
    EXECUTE format('ALTER ROLE %I SET search_path = %I', p_role, p_role);
    EXECUTE format('CREATE SCHEMA %I', p_role);
    EXECUTE format('GRANT USAGE ON SCHEMA %I, compoworld_door TO %I', p_role, p_role);
    INSERT INTO compoworld.sandbox (role, composition_id, service) VALUES (p_role, p_composition, p_service)
    RETURNING id INTO v_id;
    RETURN v_id;
END $$;

-- Drops everything of a sandbox; its connections are ended first. Returns whether it was there.
CREATE FUNCTION compoworld.close_sandbox(p_role text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v_there boolean;
BEGIN
    PERFORM pg_advisory_xact_lock(7208);
    PERFORM pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = p_role;
    DELETE FROM compoworld.sandbox WHERE role = p_role RETURNING true INTO v_there;
    SET LOCAL client_min_messages = warning;
    EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', p_role);
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = p_role) THEN
        EXECUTE format('DROP OWNED BY %I', p_role);
        EXECUTE format('DROP ROLE %I', p_role);
    END IF;
    RETURN coalesce(v_there, false);
END $$;

-- Sandboxes whose process is gone, and roles whose whole database is (a role belongs to the server, and is named by it).
CREATE FUNCTION compoworld.abandoned_sandboxes() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT role FROM compoworld.sandbox WHERE pg_try_advisory_xact_lock(7207, (id % 2147483647)::int)
    UNION ALL
    SELECT r.rolname FROM pg_roles r WHERE r.rolname ~ '^compoworld_box_[0-9]+_[0-9a-f]+$'
       AND NOT EXISTS (SELECT FROM pg_database d WHERE d.oid::text = split_part(r.rolname, '_', 3))
    ORDER BY 1
$$;

-- The trusted side orders a call: only that one can be made, once.
CREATE FUNCTION compoworld.order_call(
    p_role text, p_branch bigint, p_tool text, p_arguments jsonb, p_read_only boolean
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM compoworld.sandbox s JOIN compoworld.branch b ON b.composition_id = s.composition_id
        WHERE s.role = p_role AND b.id = p_branch)
    THEN
        RAISE EXCEPTION 'branch % is none of this sandbox', p_branch USING ERRCODE = 'CW404';
    END IF;
    INSERT INTO compoworld.sandbox_call (role, branch_id, tool, arguments, read_only)
    VALUES (p_role, p_branch, p_tool, p_arguments, p_read_only)
    ON CONFLICT (role) DO UPDATE SET branch_id = excluded.branch_id, tool = excluded.tool,
        arguments = excluded.arguments, read_only = excluded.read_only, base_id = NULL, seq = NULL,
        logical_time = NULL, xid = NULL, begun_at = NULL, done = false;
END $$;

-- The call that this transaction of a sandbox makes.
CREATE FUNCTION compoworld.sandboxed_call() RETURNS compoworld.sandbox_call LANGUAGE plpgsql STABLE AS $$
DECLARE
    v compoworld.sandbox_call;
BEGIN
    SELECT * INTO v FROM compoworld.sandbox_call
    WHERE role = session_user AND NOT done AND xid = pg_current_xact_id_if_assigned()::text;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this connection makes no call that was asked for' USING ERRCODE = '42501';
    END IF;
    RETURN v;
END $$;

CREATE FUNCTION compoworld.sandboxed_event(p_table text) RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
    v compoworld.sandbox_call := compoworld.sandboxed_call();
BEGIN
    IF v.read_only THEN
        RAISE EXCEPTION 'a tool that is declared read-only tried to change a row of %', p_table
            USING ERRCODE = '25006';
    END IF;
    RETURN v.seq;
END $$;

CREATE FUNCTION compoworld.sandboxed_change(
    p_branch bigint, p_seq int, p_table text, p_key text, p_op text, p_before jsonb, p_after jsonb
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO compoworld.row_change
    SELECT p_branch, p_seq, coalesce(max(c.ordinal), 0) + 1, p_table, p_key, p_op, p_before, p_after
    FROM compoworld.row_change c WHERE c.branch_id = p_branch AND c.seq = p_seq
$$;

-- The doors: all that a sandbox can call. They run with our rights, so their path is fixed.
CREATE SCHEMA compoworld_door;

CREATE FUNCTION compoworld_door.branch() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (compoworld.sandboxed_call()).branch_id;
END $$;

CREATE FUNCTION compoworld_door.base() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (compoworld.sandboxed_call()).base_id;
END $$;

-- As compoworld.begin_call, for the call that was ordered and no other.
CREATE FUNCTION compoworld_door.begin_call(
    p_branch bigint, p_read_only boolean,
    OUT seq int, OUT logical_time timestamptz, OUT identity text, OUT transaction_id text, OUT built boolean
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v_call compoworld.sandbox_call;
    v record;
    v_base bigint;
BEGIN
    SELECT * INTO v_call FROM compoworld.sandbox_call WHERE role = session_user FOR UPDATE;
    IF NOT FOUND OR v_call.done OR v_call.seq IS NOT NULL OR v_call.branch_id IS DISTINCT FROM p_branch THEN
        RAISE EXCEPTION 'no such call was asked for' USING ERRCODE = '42501';
    END IF;
    v := compoworld.begin_call(v_call.branch_id, v_call.read_only);
    SELECT b.snapshot_id INTO v_base FROM compoworld.branch b WHERE b.id = p_branch;
    UPDATE compoworld.sandbox_call c
    SET seq = v.seq, base_id = v_base, logical_time = v.logical_time, xid = v.transaction_id,
        begun_at = clock_timestamp()
    WHERE c.role = session_user;
    seq := v.seq;
    logical_time := v.logical_time;
    identity := v.identity;
    transaction_id := v.transaction_id;
    built := false;
END $$;

-- As compoworld.end_call. Of what the sandbox says, only what its code answered is taken; the rest is ours.
CREATE FUNCTION compoworld_door.end_call(
    p_branch bigint, p_seq int, p_transaction text, p_service text, p_tool text, p_arguments jsonb,
    p_observation jsonb, p_outcome text, p_error_code text, p_produced_by text, p_logical_time timestamptz,
    p_started_at timestamptz, p_duration_ms double precision, p_detail text
) RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    v compoworld.sandbox_call := compoworld.sandboxed_call();
    v_changes int;
BEGIN
    SELECT count(*) INTO v_changes FROM compoworld.row_change c WHERE c.branch_id = v.branch_id AND c.seq = v.seq;
    IF v_changes > 0 AND p_outcome IS DISTINCT FROM 'ok' THEN
        RAISE EXCEPTION 'a call that failed left changes' USING ERRCODE = 'CW500';
    END IF;
    IF length(p_observation::text) > 4000000 THEN
        RAISE EXCEPTION 'the result has more than 4000000 characters' USING ERRCODE = '54000';
    END IF;
    PERFORM set_config('compoworld.branch', v.branch_id::text, true), set_config('compoworld.event', v.seq::text, true),
            set_config('compoworld.ordinal', v_changes::text, true);
    UPDATE compoworld.sandbox_call c SET done = true WHERE c.role = session_user;
    RETURN compoworld.end_call(
        v.branch_id, v.seq, v.xid, (SELECT s.service FROM compoworld.sandbox s WHERE s.role = v.role), v.tool,
        v.arguments, p_observation, p_outcome, left(p_error_code, 200), 'code', v.logical_time, v.begun_at,
        extract(epoch FROM clock_timestamp() - v.begun_at) * 1000, left(p_detail, 20000));
END $$;

-- A call that is begun ends before it is committed: otherwise rows would change without an event.
CREATE FUNCTION compoworld.sandboxed_call_ended() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM compoworld.sandbox_call c WHERE c.role = NEW.role AND c.seq IS NOT NULL AND NOT c.done) THEN
        RAISE EXCEPTION 'a call was begun and not ended' USING ERRCODE = '42501';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER ended AFTER UPDATE ON compoworld.sandbox_call DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION compoworld.sandboxed_call_ended();
