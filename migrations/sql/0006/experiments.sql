-- Experiments: rows of steps that are taken up where they were left, and what was found.

CREATE TABLE compoworld.experiment (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    kind        text NOT NULL,               -- which of the experiments that there are
    config      jsonb NOT NULL,              -- all of it: it decides the experiment
    error       text,                        -- of the last time, if it failed
    started_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz
);

CREATE TABLE compoworld.experiment_step (
    experiment_id bigint NOT NULL REFERENCES compoworld.experiment ON DELETE CASCADE,
    place         int NOT NULL,              -- 1, 2, 3, ...
    step          text NOT NULL,
    made          text,                      -- what came of it, in words
    started_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    seconds       double precision NOT NULL DEFAULT 0,  -- of all tries together
    finished_at   timestamptz,
    PRIMARY KEY (experiment_id, step)
);

CREATE TABLE compoworld.experiment_result (
    experiment_id bigint NOT NULL REFERENCES compoworld.experiment ON DELETE CASCADE,
    place         int NOT NULL,              -- in the order in which they are shown
    arm           text NOT NULL,
    against       text,                      -- the arm that is subtracted, task by task or seed by seed
    measure       text NOT NULL,
    at            double precision,          -- along a curve: a step, a pass rate; NULL: no curve
    estimate      double precision NOT NULL,
    low           double precision,          -- 95 % confidence interval; NULL: none to give
    high          double precision,
    n             int NOT NULL,              -- over how many tasks, seeds or groups
    p_value       double precision,          -- of a difference of 0, where it is tested
    PRIMARY KEY (experiment_id, place)
);

-- For people.

CREATE VIEW compoworld.experiments AS
SELECT e.id AS experiment_id, e.name AS experiment, e.kind,
    -- Who runs it holds an advisory lock: without one it was interrupted, whatever was written last.
    CASE WHEN e.finished_at IS NOT NULL THEN 'finished'
        WHEN EXISTS (
            SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = 7216 AND l.objid::bigint = e.id
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        ) THEN 'running'
        WHEN e.error IS NOT NULL THEN 'failed' ELSE 'interrupted' END AS status,
    s.steps_done, s.seconds, r.results, e.config, e.error, e.started_at, e.finished_at
FROM compoworld.experiment e
LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE x.finished_at IS NOT NULL) AS steps_done, coalesce(sum(x.seconds), 0) AS seconds
    FROM compoworld.experiment_step x WHERE x.experiment_id = e.id
) s ON true
LEFT JOIN LATERAL (
    SELECT count(*) AS results FROM compoworld.experiment_result x WHERE x.experiment_id = e.id
) r ON true;

CREATE VIEW compoworld.experiment_results AS
SELECT e.id AS experiment_id, e.name AS experiment, e.kind, r.place, r.arm, r.against, r.measure, r.at, r.estimate,
    r.low, r.high, r.n, r.p_value
FROM compoworld.experiment_result r JOIN compoworld.experiment e ON e.id = r.experiment_id;
