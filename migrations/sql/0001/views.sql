-- For people at a SQL prompt. Stable: columns are only ever added.

CREATE VIEW compoworld.rollouts AS
SELECT r.id AS rollout, r.group_id, r.ordinal, t.name AS task, g.agent, coalesce(r.model, g.model) AS model,
       r.branch_id AS branch, r.status, r.stop_reason, b.head AS calls,
       k.criteria, k.passed, k.criteria IS NOT NULL AND k.passed = k.criteria AS success,
       b.answer, r.steps, r.input_tokens, r.output_tokens, r.cached_tokens, r.attempts, r.error,
       r.started_at, r.finished_at,
       round(extract(epoch FROM r.finished_at - r.started_at)::numeric, 3) AS seconds
FROM compoworld.rollout r
JOIN compoworld.rollout_group g ON g.id = r.group_id
JOIN compoworld.task t ON t.id = g.task_id
LEFT JOIN compoworld.branch b ON b.id = r.branch_id
LEFT JOIN LATERAL (
    SELECT nullif(count(*), 0) AS criteria, count(*) FILTER (WHERE c.passed) AS passed
    FROM compoworld.criterion_check c WHERE c.rollout_id = r.id
) k ON true;

CREATE VIEW compoworld.messages AS
SELECT m.rollout_id AS rollout, m.ordinal, m.role, m.seq AS event,
       CASE WHEN jsonb_typeof(m.content) = 'string' THEN m.content #>> '{}' ELSE (
           SELECT string_agg(coalesce(item ->> 'text', item ->> 'content',
                                      concat(item ->> 'name', ' ', item ->> 'input')), E'\n' ORDER BY place)
           FROM jsonb_array_elements(CASE jsonb_typeof(m.content) WHEN 'array' THEN m.content
                                     ELSE jsonb_build_array(m.content) END) WITH ORDINALITY AS t (item, place)
       ) END AS text,
       m.content, m.stop_reason, m.input_tokens, m.output_tokens, m.cached_tokens, m.cache_write_tokens, m.created_at
FROM compoworld.message m;

CREATE VIEW compoworld.events AS
SELECT e.branch_id AS branch, r.id AS rollout, e.seq AS event, e.service, e.tool, e.arguments, e.outcome, e.error_code,
       e.observation #>> '{error,message}' AS error_message, e.observation, e.changes, e.produced_by, e.inherited,
       e.logical_time, e.started_at, e.duration_ms, e.detail
FROM compoworld.event e LEFT JOIN compoworld.rollout r ON r.branch_id = e.branch_id;

CREATE VIEW compoworld.row_changes AS
SELECT c.branch_id AS branch, r.id AS rollout, c.seq AS event, c.ordinal, e.service, e.tool,
       c.table_name, c.key, c.op,
       (SELECT array_agg(f.key ORDER BY f.key) FROM jsonb_each(coalesce(c.after, c.before)) f
        WHERE c.op <> 'update' OR f.value IS DISTINCT FROM c.before -> f.key) AS fields,
       c.before, c.after
FROM compoworld.row_change c
LEFT JOIN compoworld.event e ON e.branch_id = c.branch_id AND e.seq = c.seq
LEFT JOIN compoworld.rollout r ON r.branch_id = c.branch_id;

CREATE VIEW compoworld.checks AS
SELECT k.id AS check_id, k.rollout_id AS rollout, r.group_id, k.branch_id AS branch, k.seq AS event,
       t.name AS task, c.name AS criterion, c.kind, k.passed, k.expected, k.actual, k.error,
       c.description, k.sql, k.duration_ms, k.checked_at
FROM compoworld.criterion_check k
JOIN compoworld.task t ON t.id = k.task_id
LEFT JOIN compoworld.criterion c ON c.task_id = k.task_id AND c.ordinal = k.ordinal
LEFT JOIN compoworld.rollout r ON r.id = k.rollout_id;

-- Of each group, over its scored rollouts: how often each criterion holds, and its weight in the reward.
CREATE VIEW compoworld.criterion_pass_rates AS
WITH scored AS (  -- every rollout of the group ended, and each of these was judged on all criteria
    SELECT r.group_id, r.id AS rollout_id, g.task_id
    FROM compoworld.rollout r JOIN compoworld.rollout_group g ON g.id = r.group_id
    WHERE r.status = 'finished' AND g.finished_at IS NOT NULL
), rates AS (
    SELECT s.group_id, s.task_id, k.ordinal, count(*) AS rollouts, count(*) FILTER (WHERE k.passed) AS passed,
           count(*) FILTER (WHERE k.error IS NOT NULL) AS errors,
           avg(k.passed::int)::double precision AS pass_rate
    FROM scored s JOIN compoworld.criterion_check k ON k.rollout_id = s.rollout_id
    GROUP BY s.group_id, s.task_id, k.ordinal
)
SELECT q.group_id, t.name AS task, q.ordinal, c.name AS criterion, c.kind, q.rollouts, q.passed, q.errors,
       q.pass_rate,
       (1 - q.pass_rate + 0.01) / sum(1 - q.pass_rate + 0.01) OVER whole AS weight,
       c.description
FROM rates q
JOIN compoworld.task t ON t.id = q.task_id
LEFT JOIN compoworld.criterion c ON c.task_id = q.task_id AND c.ordinal = q.ordinal
-- In order: a sum of doubles depends on it in its last bit.
WINDOW whole AS (PARTITION BY q.group_id ORDER BY q.ordinal ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING);

-- R_i = sum_j w_j b_ij with w_j = (1 - p_j + lambda) / sum_k (1 - p_k + lambda), lambda = 0.01.
CREATE VIEW compoworld.rewards AS
WITH scored AS (
    SELECT r.group_id, r.id AS rollout_id, r.ordinal,
           avg(k.passed::int)::double precision AS uniform,
           bool_and(k.passed)::int::double precision AS full_success,
           CASE WHEN bool_and(k.passed) THEN 1 ELSE sum(p.weight ORDER BY p.ordinal) FILTER (WHERE k.passed) END AS weighted
    FROM compoworld.rollout r
    JOIN compoworld.criterion_check k ON k.rollout_id = r.id
    JOIN compoworld.criterion_pass_rates p ON p.group_id = r.group_id AND p.ordinal = k.ordinal
    WHERE r.status = 'finished'
    GROUP BY r.group_id, r.id, r.ordinal
)
SELECT rollout_id AS rollout, group_id, ordinal, full_success, uniform,
       coalesce(weighted, 0)::double precision AS completion_focused
FROM scored;

-- What differs between two images of a row, field by field; an inserted or deleted row has an image that is NULL.
CREATE FUNCTION compoworld.fields_changed(p_before jsonb, p_after jsonb)
RETURNS TABLE (field text, before jsonb, after jsonb) LANGUAGE sql IMMUTABLE AS $$
    SELECT name, p_before -> name, p_after -> name
    FROM jsonb_object_keys(coalesce(p_before, '{}') || coalesce(p_after, '{}')) AS name
    WHERE p_before -> name IS DISTINCT FROM p_after -> name
    ORDER BY name COLLATE "C"
$$;

-- Of the branch that the connection is in.
CREATE VIEW compoworld_here.events AS
SELECT e.seq AS event, e.service, e.tool, e.arguments, e.outcome, e.error_code, e.observation, e.changes,
       e.produced_by, e.logical_time
FROM compoworld.event e WHERE e.branch_id = compoworld.current_branch();

CREATE VIEW compoworld_here.row_changes AS
SELECT c.seq AS event, c.ordinal, c.table_name, c.key, c.op, c.before, c.after
FROM compoworld.row_change c WHERE c.branch_id = compoworld.current_branch();

CREATE VIEW compoworld_here.answer AS
SELECT b.answer AS text FROM compoworld.branch b WHERE b.id = compoworld.current_branch();

GRANT USAGE ON SCHEMA compoworld_here TO compoworld_verifier;
GRANT SELECT ON ALL TABLES IN SCHEMA compoworld_here TO compoworld_verifier;
