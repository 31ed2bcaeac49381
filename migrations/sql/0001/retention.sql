-- Deletion of branches with all that hangs on them.

CREATE FUNCTION compoworld.delete_branches(p_branches bigint[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v record;
    v_count bigint;
BEGIN
    -- Nobody builds or parks a schema of theirs, and no call is under way on them, from here on.
    PERFORM compoworld.lock_composition(b.composition_id, true)
    FROM (SELECT DISTINCT composition_id FROM compoworld.branch WHERE id = ANY (p_branches) ORDER BY 1) b;
    PERFORM 1 FROM compoworld.branch WHERE id = ANY (p_branches) ORDER BY id FOR UPDATE;
    FOR v IN
        SELECT c.id, c.schema_name, e.table_name
        FROM (SELECT DISTINCT composition_id FROM compoworld.branch WHERE id = ANY (p_branches)) b
        JOIN compoworld.composition c ON c.id = b.composition_id AND c.materialised_at IS NOT NULL
        JOIN compoworld.composition_service cs ON cs.composition_id = c.id
        JOIN compoworld.entity e ON e.service_id = cs.service_id
        ORDER BY c.id, e.table_name
    LOOP
        CONTINUE WHEN to_regclass(format('%I.%I', v.schema_name, v.table_name || '__rows')) IS NULL;
        EXECUTE format('DELETE FROM %I.%I WHERE _branch = ANY ($1)', v.schema_name, v.table_name || '__rows')
        USING p_branches;
    END LOOP;
    DELETE FROM compoworld.row_change WHERE branch_id = ANY (p_branches);
    DELETE FROM compoworld.branch WHERE id = ANY (p_branches);
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;
