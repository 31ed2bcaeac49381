-- Evaluations: the groups that an agent ran over many tasks, under one name.

CREATE TABLE compoworld.evaluation (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL UNIQUE,
    agent      text NOT NULL,
    model      text,
    policy     text,                         -- of local weights: name@version
    options    jsonb NOT NULL DEFAULT '{}',  -- of the agent
    limits     jsonb NOT NULL,               -- of each rollout
    seed       bigint NOT NULL,
    size       int NOT NULL CHECK (size >= 1),   -- rollouts of each task
    "set"      text,                         -- where its tasks come from ...
    split      text,                         -- ... and which part of it
    tasks      int NOT NULL CHECK (tasks >= 1),
    checksum   text NOT NULL,                -- of its tasks, in their order
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE compoworld.evaluation_group (
    evaluation_id bigint NOT NULL REFERENCES compoworld.evaluation ON DELETE CASCADE,
    ordinal       int NOT NULL,              -- which of its tasks, from 1
    group_id      bigint NOT NULL REFERENCES compoworld.rollout_group ON DELETE CASCADE,
    PRIMARY KEY (evaluation_id, ordinal),
    UNIQUE (evaluation_id, group_id)
);
CREATE INDEX ON compoworld.evaluation_group (group_id);

-- For people.

-- One row per rollout of an evaluation. Only a scored one has passed, criteria and success.
CREATE VIEW compoworld.evaluation_rollouts AS
WITH about AS MATERIALIZED (  -- once for each task: its document is large
    SELECT t.id, t.name, t.document -> 'origin' AS origin, cardinality(t.services) AS k, cardinality(t.walk) AS l
    FROM compoworld.task t
    WHERE t.id IN (SELECT g.task_id FROM compoworld.evaluation_group m
                   JOIN compoworld.rollout_group g ON g.id = m.group_id)
)
SELECT e.id AS evaluation_id, e.name AS evaluation, m.ordinal AS place, g.task_id, t.name AS task,
       t.origin ->> 'area' AS area, t.origin ->> 'family' AS family, t.k, t.l,
       g.id AS group_id, r.id AS rollout, r.ordinal, r.status, r.stop_reason, coalesce(r.model, g.model) AS model,
       c.criteria, c.passed, c.passed = c.criteria AS success,
       b.head AS calls, v.failed_calls, j.malformed,
       r.input_tokens, r.output_tokens, r.cached_tokens, extract(epoch FROM r.finished_at - r.started_at)::float AS seconds
FROM compoworld.evaluation e
JOIN compoworld.evaluation_group m ON m.evaluation_id = e.id
JOIN compoworld.rollout_group g ON g.id = m.group_id
JOIN about t ON t.id = g.task_id
JOIN compoworld.rollout r ON r.group_id = g.id
LEFT JOIN compoworld.branch b ON b.id = r.branch_id
LEFT JOIN compoworld.trajectory j ON j.rollout_id = r.id
LEFT JOIN LATERAL (
    SELECT nullif(count(*), 0) AS criteria, count(*) FILTER (WHERE k.passed) AS passed
    FROM compoworld.criterion_check k WHERE k.rollout_id = r.id AND r.status = 'finished'
) c ON true
LEFT JOIN LATERAL (
    SELECT count(*) AS failed_calls FROM compoworld.event x
    WHERE x.branch_id = r.branch_id AND x.outcome <> 'ok' AND NOT x.inherited
) v ON true;

-- One row per task of an evaluation that was begun.
CREATE VIEW compoworld.evaluation_tasks AS
WITH about AS MATERIALIZED (  -- once for each task: its document is large
    SELECT t.id, t.name, t.document -> 'origin' AS origin, cardinality(t.services) AS k, cardinality(t.walk) AS l
    FROM compoworld.task t
    WHERE t.id IN (SELECT g.task_id FROM compoworld.evaluation_group m
                   JOIN compoworld.rollout_group g ON g.id = m.group_id)
)
SELECT e.id AS evaluation_id, e.name AS evaluation, x.place, t.id AS task_id, t.name AS task,
       t.origin ->> 'area' AS area, t.origin ->> 'family' AS family, t.k, t.l, x.group_id,
       x.rollouts, x.scored, x.failed, x.solved, x.solved::float / nullif(x.scored, 0) AS success, x.criteria_passed
FROM compoworld.evaluation e
JOIN (
    SELECT j.evaluation_id, j.ordinal AS place, j.group_id, count(*) AS rollouts,
           count(*) FILTER (WHERE j.criteria > 0) AS scored, count(*) FILTER (WHERE j.status = 'failed') AS failed,
           count(*) FILTER (WHERE j.criteria > 0 AND j.passed = j.criteria) AS solved,
           avg(j.passed::float / nullif(j.criteria, 0)) AS criteria_passed
    FROM (
        SELECT m.evaluation_id, m.ordinal, m.group_id, r.id, r.status, count(c.id) AS criteria,
               count(*) FILTER (WHERE c.passed) AS passed
        FROM compoworld.evaluation_group m
        JOIN compoworld.rollout r ON r.group_id = m.group_id
        LEFT JOIN compoworld.criterion_check c ON c.rollout_id = r.id AND r.status = 'finished'
        GROUP BY m.evaluation_id, m.ordinal, m.group_id, r.id
    ) j
    GROUP BY j.evaluation_id, j.ordinal, j.group_id
) x ON x.evaluation_id = e.id
JOIN compoworld.rollout_group g ON g.id = x.group_id
JOIN about t ON t.id = g.task_id;

-- One row per evaluation. Each task weighs the same in its means, however many of its rollouts were scored.
CREATE VIEW compoworld.evaluations AS
SELECT e.id AS evaluation_id, e.name AS evaluation, e.agent, e.model, e.policy, e."set", e.split, e.size AS n, e.seed,
       e.tasks, e.tasks * e.size AS rollouts, coalesce(sum(x.scored), 0)::int AS scored,
       coalesce(sum(x.failed), 0)::int AS failed, avg(x.success) AS success, avg(x.criteria_passed) AS criteria_passed,
       coalesce(sum(x.scored + x.failed), 0) = e.tasks * e.size AS finished, e.created_at
FROM compoworld.evaluation e
LEFT JOIN compoworld.evaluation_tasks x ON x.evaluation_id = e.id
GROUP BY e.id;
