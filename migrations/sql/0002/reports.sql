-- What became of every tool of every specification: one row for each.

CREATE VIEW compoworld.tool_status AS
SELECT s.name AS service, s.domain, s.application, t.ordinal, coalesce(t.name, t.original_name) AS tool,
    CASE
        WHEN t.refused IS NOT NULL THEN 'refused'
        WHEN b.id IS NULL THEN 'unbuilt'
        WHEN bt.made_as = 'world_model' THEN 'simulated'
        ELSE coalesce(a.verdict, 'unattacked')
    END AS status,
    CASE
        WHEN t.refused IS NOT NULL THEN t.refused
        WHEN b.id IS NULL THEN coalesce(
            (SELECT f.detail FROM compoworld.build f WHERE f.spec_id = s.id ORDER BY f.id DESC LIMIT 1), s.reason)
        WHEN bt.made_as = 'world_model' THEN bt.reason
        ELSE coalesce(a.reason, 'not attacked yet')
    END AS reason,
    b.builder, a.laws, b.id AS build_id, a.attack_id
FROM compoworld.spec s
JOIN compoworld.spec_tool t ON t.spec_id = s.id
LEFT JOIN compoworld.build b ON b.spec_id = s.id AND b.current
LEFT JOIN compoworld.build_tool bt ON bt.build_id = b.id AND bt.name = t.name
LEFT JOIN LATERAL (
    SELECT at.attack_id, at.verdict, at.reason, at.laws FROM compoworld.attack_tool at
    WHERE at.tool = t.name
        AND at.attack_id = (SELECT max(k.id) FROM compoworld.attack k WHERE k.build_id = b.id)
) a ON true;
