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
SELECT e.id AS evaluation_id, e.name AS evaluation, m.ordinal AS place, g.task_id, t.name AS task,
       t.document #>> '{origin,area}' AS area, t.document #>> '{origin,family}' AS family,
       cardinality(t.services) AS k, cardinality(t.walk) AS l,
       g.id AS group_id, r.id AS rollout, r.ordinal, r.status, r.stop_reason, coalesce(r.model, g.model) AS model,
       c.criteria, c.passed, c.passed = c.criteria AS success,
       b.head AS calls, v.failed_calls, j.malformed,
       r.input_tokens, r.output_tokens, r.cached_tokens, extract(epoch FROM r.finished_at - r.started_at)::float AS seconds
FROM compoworld.evaluation e
JOIN compoworld.evaluation_group m ON m.evaluation_id = e.id
JOIN compoworld.rollout_group g ON g.id = m.group_id
JOIN compoworld.task t ON t.id = g.task_id
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
SELECT x.evaluation_id, x.evaluation, x.place, x.task_id, x.task, x.area, x.family, x.k, x.l, x.group_id,
       count(*) AS rollouts, count(x.success) AS scored, count(*) FILTER (WHERE x.status = 'failed') AS failed,
       count(*) FILTER (WHERE x.success) AS solved, avg(x.success::int)::float AS success,
       avg(x.passed::float / x.criteria) AS criteria_passed
FROM compoworld.evaluation_rollouts x
GROUP BY x.evaluation_id, x.evaluation, x.place, x.task_id, x.task, x.area, x.family, x.k, x.l, x.group_id;

-- One row per evaluation. Each task weighs the same in its means, however many of its rollouts were scored.
CREATE VIEW compoworld.evaluations AS
SELECT e.id AS evaluation_id, e.name AS evaluation, e.agent, e.model, e.policy, e."set", e.split, e.size AS n, e.seed,
       e.tasks, e.tasks * e.size AS rollouts, coalesce(sum(x.scored), 0)::int AS scored,
       coalesce(sum(x.failed), 0)::int AS failed, avg(x.success) AS success, avg(x.criteria_passed) AS criteria_passed,
       coalesce(sum(x.scored + x.failed), 0) = e.tasks * e.size AS finished, e.created_at
FROM compoworld.evaluation e
LEFT JOIN compoworld.evaluation_tasks x ON x.evaluation_id = e.id
GROUP BY e.id;
