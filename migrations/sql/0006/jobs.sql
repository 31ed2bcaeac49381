-- Collections: many groups of rollouts, each a job of procrastinate, whose tables are in the schema compoworld_jobs.

-- What groups lean on while they run: the server of a model, or the machine itself.
CREATE TABLE compoworld.endpoint (
    name    text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100),  -- the name of the jobs' queue
    at_once int CHECK (at_once >= 1)  -- groups at a time, over all workers; without a number as many as they take
);

CREATE TABLE compoworld.collection (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text NOT NULL UNIQUE,
    spec          jsonb NOT NULL,            -- what was asked for: the same name asked for again must be the same
    agent         text NOT NULL,
    model         text,
    endpoint      text NOT NULL REFERENCES compoworld.endpoint,
    size          int NOT NULL,              -- rollouts in a group
    wanted        int NOT NULL,              -- groups
    priority      int NOT NULL,
    deadline      timestamptz,               -- what is missing then is failed
    group_seconds double precision,          -- the same, for each group from its first start
    created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE compoworld.collection_group (
    collection_id bigint NOT NULL REFERENCES compoworld.collection ON DELETE CASCADE,
    ordinal       int NOT NULL,
    group_id      bigint NOT NULL UNIQUE REFERENCES compoworld.rollout_group ON DELETE CASCADE,
    job_id        bigint NOT NULL UNIQUE,
    started_at    timestamptz,
    failures      int NOT NULL DEFAULT 0,    -- how often the infrastructure failed it
    error         text,                      -- the last failure
    PRIMARY KEY (collection_id, ordinal)
);

CREATE INDEX ON compoworld_jobs.procrastinate_jobs (queue_name, priority DESC, id)
    WHERE status IN ('todo', 'doing');

-- A job that is held back is due in the year 9999: no worker sees it. The others that are todo or doing are let in, and
-- of these an endpoint has never more than its number. A job that failed and waits for its next try is one of them.
CREATE FUNCTION compoworld.held_back() RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
$$ SELECT timestamptz '9999-01-01 00:00:00+00' $$;

CREATE FUNCTION compoworld.wake_workers() RETURNS void LANGUAGE sql AS
$$ SELECT pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}') $$;

CREATE FUNCTION compoworld.let_jobs_in(p_endpoint text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    v_free int;
    v_count int;
BEGIN
    -- The lock makes those who count wait for each other.
    SELECT at_once INTO v_free FROM compoworld.endpoint WHERE name = p_endpoint FOR NO KEY UPDATE;
    IF v_free IS NOT NULL THEN
        SELECT v_free - count(*) INTO v_free FROM compoworld_jobs.procrastinate_jobs
        WHERE queue_name = p_endpoint AND status IN ('todo', 'doing')
          AND scheduled_at IS DISTINCT FROM compoworld.held_back();
    END IF;
    IF v_free < 0 THEN
        -- The limit was lowered. What is under way goes on, and what waits for its next try keeps its time.
        UPDATE compoworld_jobs.procrastinate_jobs SET scheduled_at = compoworld.held_back() WHERE id IN (
            SELECT id FROM compoworld_jobs.procrastinate_jobs
            WHERE queue_name = p_endpoint AND status = 'todo' AND (scheduled_at IS NULL OR scheduled_at <= now())
            ORDER BY priority, id DESC LIMIT -v_free FOR UPDATE SKIP LOCKED);
        RETURN 0;
    END IF;
    -- A job that somebody is just cancelling is no candidate, and not worth a deadlock.
    UPDATE compoworld_jobs.procrastinate_jobs SET scheduled_at = NULL WHERE id IN (
        SELECT id FROM compoworld_jobs.procrastinate_jobs
        WHERE queue_name = p_endpoint AND status = 'todo' AND scheduled_at = compoworld.held_back()
        ORDER BY priority DESC, id LIMIT v_free FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF v_count > 0 THEN
        PERFORM compoworld.wake_workers();
    END IF;
    RETURN v_count;
END $$;

-- Whoever ends a job, on whatever way, makes room for the next.
CREATE FUNCTION compoworld.job_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.status = 'todo' THEN
        IF NEW.scheduled_at IS NULL OR NEW.scheduled_at <= now() THEN
            PERFORM compoworld.wake_workers();
        END IF;
    ELSIF TG_OP = 'DELETE' OR NEW.status <> 'doing' THEN
        IF EXISTS (SELECT FROM compoworld.endpoint WHERE name = OLD.queue_name AND at_once IS NOT NULL) THEN
            PERFORM compoworld.let_jobs_in(OLD.queue_name);
        END IF;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER compoworld_job_moved AFTER UPDATE OF status ON compoworld_jobs.procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status IN ('todo', 'doing')) EXECUTE FUNCTION compoworld.job_moved();
CREATE TRIGGER compoworld_job_deleted AFTER DELETE ON compoworld_jobs.procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status IN ('todo', 'doing')) EXECUTE FUNCTION compoworld.job_moved();

-- A group that is deleted takes its job with it.
CREATE FUNCTION compoworld.forget_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM compoworld_jobs.procrastinate_jobs WHERE id = OLD.job_id;
    RETURN NULL;
END $$;
CREATE TRIGGER forget_job AFTER DELETE ON compoworld.collection_group
    FOR EACH ROW EXECUTE FUNCTION compoworld.forget_job();

-- Jobs whose worker is gone, or has shown no sign of life for so long, are free again. In one statement under the
-- jobs' locks: of two workers that look at the same time, one takes a job over. Gives the groups.
CREATE FUNCTION compoworld.take_over_jobs(p_seconds double precision) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
    v record;
    v_group bigint;
BEGIN
    FOR v IN
        SELECT j.id, j.abort_requested
        FROM compoworld_jobs.procrastinate_jobs j LEFT JOIN compoworld_jobs.procrastinate_workers w ON w.id = j.worker_id
        WHERE j.status = 'doing' AND (w.id IS NULL OR w.last_heartbeat < now() - make_interval(secs => p_seconds))
        ORDER BY j.id FOR UPDATE OF j SKIP LOCKED
    LOOP
        IF v.abort_requested THEN
            PERFORM compoworld_jobs.procrastinate_finish_job_v1(v.id, 'aborted', false);
        ELSE
            PERFORM compoworld_jobs.procrastinate_retry_job_v2(v.id, NULL, NULL, NULL, NULL);
            -- A group that kills its workers is given up in the end.
            UPDATE compoworld.collection_group SET failures = failures + 1, error = 'its worker is gone'
            WHERE job_id = v.id RETURNING group_id INTO v_group;
            RETURN NEXT v_group;
        END IF;
    END LOOP;
END $$;

-- End a group without what is missing of it. An attempt that is under way finds its rollout not running any more, and
-- writes nothing.
CREATE FUNCTION compoworld.give_up_group(p_group bigint, p_error text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE compoworld.rollout
    SET status = 'failed', stop_reason = 'infrastructure', error = p_error, finished_at = clock_timestamp()
    WHERE group_id = p_group AND status IN ('pending', 'running');
    UPDATE compoworld.rollout_group SET finished_at = clock_timestamp() WHERE id = p_group AND finished_at IS NULL;
    UPDATE compoworld.collection_group SET error = p_error WHERE group_id = p_group;
END $$;

-- Groups past their deadline that no worker is running.
CREATE FUNCTION compoworld.give_up_late_groups() RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
    v record;
BEGIN
    FOR v IN
        SELECT j.id, k.group_id
        FROM compoworld.collection_group k
        JOIN compoworld.collection c ON c.id = k.collection_id
        JOIN compoworld_jobs.procrastinate_jobs j ON j.id = k.job_id
        WHERE j.status = 'todo' AND least(c.deadline, k.started_at + make_interval(secs => c.group_seconds)) <= now()
        ORDER BY j.id FOR UPDATE OF j SKIP LOCKED
    LOOP
        PERFORM compoworld.give_up_group(v.group_id, 'the deadline has passed');
        PERFORM compoworld_jobs.procrastinate_finish_job_v1(v.id, 'succeeded', false);
        RETURN NEXT v.group_id;
    END LOOP;
END $$;

-- For people at a SQL prompt. Stable: columns are only ever added.

CREATE VIEW compoworld.collection_groups AS
SELECT c.id AS collection_id, c.name AS collection, k.ordinal, k.group_id, t.name AS task,
       CASE WHEN g.finished_at IS NOT NULL THEN 'finished'
            WHEN j.status = 'doing' THEN 'running'
            WHEN j.status = 'todo' AND j.scheduled_at = compoworld.held_back() THEN 'held back'
            WHEN j.status = 'todo' THEN 'waiting'
            WHEN j.status IN ('cancelled', 'aborted') THEN 'cancelled'
            ELSE 'failed' END AS state,
       c.endpoint, coalesce(j.priority, c.priority) AS priority, j.attempts, k.failures, k.error,
       CASE WHEN j.status = 'todo' AND j.scheduled_at < compoworld.held_back() THEN j.scheduled_at END AS next_try_at,
       CASE WHEN j.status = 'doing' THEN j.worker_id END AS worker,
       k.started_at, g.finished_at
FROM compoworld.collection c
JOIN compoworld.collection_group k ON k.collection_id = c.id
JOIN compoworld.rollout_group g ON g.id = k.group_id
JOIN compoworld.task t ON t.id = g.task_id
LEFT JOIN compoworld_jobs.procrastinate_jobs j ON j.id = k.job_id;

CREATE VIEW compoworld.collections AS
WITH groups AS (
    SELECT collection_id, count(*) AS made,
           count(*) FILTER (WHERE state = 'finished') AS finished, count(*) FILTER (WHERE state = 'running') AS running,
           count(*) FILTER (WHERE state IN ('waiting', 'held back')) AS waiting,
           count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
           max(finished_at) AS finished_at
    FROM compoworld.collection_groups GROUP BY collection_id
), judged AS (
    SELECT k.rollout_id, bool_and(k.passed) AS success FROM compoworld.criterion_check k
    WHERE k.rollout_id IS NOT NULL GROUP BY k.rollout_id
), rollouts AS (
    SELECT k.collection_id, count(*) FILTER (WHERE r.status = 'finished') AS finished,
           count(*) FILTER (WHERE r.status = 'failed') AS failed, count(*) FILTER (WHERE r.status = 'running') AS running,
           count(*) FILTER (WHERE j.success) AS solved,
           min(r.started_at) AS began, max(r.finished_at) AS ended,
           count(*) FILTER (WHERE r.finished_at > now() - interval '10 minutes') AS lately,
           count(r.finished_at) AS over,
           sum(r.input_tokens) AS input_tokens, sum(r.output_tokens) AS output_tokens
    FROM compoworld.collection_group k JOIN compoworld.rollout r ON r.group_id = k.group_id
    LEFT JOIN judged j ON j.rollout_id = r.id
    GROUP BY k.collection_id
), rates AS (  -- of the last ten minutes; of all the time where nothing is missing, or nothing goes on
    SELECT r.*, CASE WHEN r.over < c.wanted::bigint * c.size AND r.lately > 0
                     THEN 60 * r.lately / nullif(extract(epoch FROM least(now() - r.began, interval '10 minutes')), 0)
                     ELSE 60 * r.over / nullif(extract(epoch FROM r.ended - r.began), 0) END AS per_minute
    FROM rollouts r JOIN compoworld.collection c ON c.id = r.collection_id
)
SELECT c.id AS collection_id, c.name AS collection, c.agent, c.model, c.endpoint, c.priority,
       CASE WHEN coalesce(g.finished, 0) = c.wanted THEN 'finished'
            WHEN g.running > 0 THEN 'running'
            WHEN g.waiting > 0 THEN 'waiting'
            WHEN g.failed > 0 THEN 'failed'
            WHEN g.cancelled > 0 THEN 'cancelled'
            ELSE 'unfinished' END AS state,
       c.wanted AS groups, coalesce(g.finished, 0) AS groups_finished, coalesce(g.running, 0) AS groups_running,
       coalesce(g.waiting, 0) AS groups_waiting, coalesce(g.failed, 0) AS groups_failed,
       coalesce(g.cancelled, 0) AS groups_cancelled,
       c.wanted::bigint * c.size AS rollouts, coalesce(r.finished, 0) AS finished, coalesce(r.running, 0) AS running,
       coalesce(r.failed, 0) AS failed, coalesce(r.solved, 0) AS solved,
       round(r.per_minute, 1) AS per_minute,
       CASE WHEN g.running > 0 AND r.lately > 0
            THEN now() + make_interval(secs => (60 * (c.wanted::bigint * c.size - r.over) / r.per_minute)::float8)
       END AS ends_at,
       coalesce(r.input_tokens, 0)::bigint AS input_tokens, coalesce(r.output_tokens, 0)::bigint AS output_tokens,
       c.deadline, c.created_at, r.began AS started_at,
       CASE WHEN g.finished = c.wanted THEN g.finished_at END AS finished_at
FROM compoworld.collection c
LEFT JOIN groups g ON g.collection_id = c.id
LEFT JOIN rates r ON r.collection_id = c.id;
