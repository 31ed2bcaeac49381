-- Calls that a world model answered.

ALTER TABLE compoworld.rollout_group ADD COLUMN world_model text;  -- NULL: none, or no tool of the task needs one

-- What a model was asked, and each of its answers. Not copied by a fork: it is found on the branch where it was asked.
CREATE TABLE compoworld.world_model_call (
    branch_id     bigint NOT NULL REFERENCES compoworld.branch ON DELETE CASCADE,
    seq           int NOT NULL,              -- the event that came of it
    attempt       int NOT NULL,              -- 1, 2, ...: the last one was taken, unless the event is a fault
    model         text NOT NULL,
    request       json NOT NULL,             -- word for word; json keeps the order of keys
    response      json NOT NULL,
    problems      jsonb NOT NULL,            -- why the answer was not taken: texts
    input_tokens  int,                       -- all of them, those of the cache too
    output_tokens int,
    cached_tokens int,                       -- of the input: read from the cache
    cost_usd      numeric(12, 6),            -- NULL: the model's prices are not known
    seconds       double precision NOT NULL,
    asked_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (branch_id, seq, attempt)
);

-- What was asked for an event; for one that was inherited, on the ancestor that made it, while it is there.
CREATE FUNCTION compoworld.asked_of_world_model(p_branch bigint, p_event int)
RETURNS TABLE (attempt int, model text, problems jsonb, input_tokens int, output_tokens int, cached_tokens int,
               cost_usd numeric, seconds double precision, request json, response json)
LANGUAGE sql STABLE AS $$
    WITH RECURSIVE line AS (
        SELECT b.id, b.parent_id, b.parent_seq FROM compoworld.branch b WHERE b.id = p_branch
        UNION ALL
        SELECT b.id, b.parent_id, b.parent_seq FROM line l JOIN compoworld.branch b ON b.id = l.parent_id
        WHERE l.parent_seq >= p_event
    )
    SELECT c.attempt, c.model, c.problems, c.input_tokens, c.output_tokens, c.cached_tokens, c.cost_usd, c.seconds,
           c.request, c.response
    FROM line l JOIN compoworld.world_model_call c ON c.branch_id = l.id AND c.seq = p_event ORDER BY c.attempt
$$;

CREATE VIEW compoworld.world_model_calls AS
SELECT c.branch_id AS branch, r.id AS rollout, c.seq AS event, e.service, e.tool, e.outcome, c.attempt, c.model,
       c.problems = '[]' AS taken, c.problems, c.input_tokens, c.output_tokens, c.cached_tokens, c.cost_usd, c.seconds,
       c.request, c.response, c.asked_at
FROM compoworld.world_model_call c
JOIN compoworld.event e ON e.branch_id = c.branch_id AND e.seq = c.seq
LEFT JOIN compoworld.rollout r ON r.branch_id = c.branch_id;

-- Of each service, in its newest version: how many of its tools have no code.
CREATE VIEW compoworld.world_model_tools AS
SELECT s.name AS service, s.version, count(t.name) AS tools, count(t.name) FILTER (WHERE t.simulated) AS simulated,
       coalesce(avg(t.simulated::int), 0)::double precision AS share,
       array_agg(t.name ORDER BY t.ordinal) FILTER (WHERE t.simulated) AS names
FROM compoworld.service s LEFT JOIN compoworld.tool t ON t.service_id = s.id
WHERE s.id = (SELECT max(o.id) FROM compoworld.service o WHERE o.name = s.name)
GROUP BY s.id;

-- Of each group: how many of the rollouts that began called a tool that a world model answered.
CREATE VIEW compoworld.world_model_rollouts AS
SELECT g.id AS group_id, k.name AS task, g.world_model, count(*) AS rollouts, count(*) FILTER (WHERE c.calls > 0) AS touching,
       avg((c.calls > 0)::int)::double precision AS share, sum(c.calls)::bigint AS calls
FROM compoworld.rollout_group g
JOIN compoworld.task k ON k.id = g.task_id
JOIN compoworld.rollout r ON r.group_id = g.id AND r.branch_id IS NOT NULL
CROSS JOIN LATERAL (
    SELECT count(*) AS calls FROM compoworld.event e WHERE e.branch_id = r.branch_id AND e.produced_by = 'world_model'
) c
GROUP BY g.id, k.id;
