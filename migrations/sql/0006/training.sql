-- Policies, the runs that trained them, and what each was trained on.

CREATE TABLE compoworld.training_run (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    kind        text NOT NULL CHECK (kind IN ('sft', 'grpo')),
    config      jsonb NOT NULL,              -- all of it; with the seed, what decides the run
    seed        bigint NOT NULL,
    weights     text NOT NULL,               -- what it started from: a policy, a folder, a model that is known by name
    digest      text,                        -- SHA-256 of those in a folder
    policy_from bigint,                      -- the policy, where it was one
    folder      text NOT NULL,               -- its checkpoints and what it trained on
    mark        uuid NOT NULL DEFAULT gen_random_uuid(),  -- stands in its folder, too, which is nobody else's
    status      text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'interrupted', 'failed', 'finished')),
    step        int NOT NULL DEFAULT 0,      -- optimizer steps done
    steps       int,                         -- wanted; NULL: not known yet
    left_out    jsonb NOT NULL DEFAULT '{}', -- of sft: reason -> how many trajectories were selected and not trained on
    error       text,
    started_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz
);

CREATE TABLE compoworld.policy (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL,
    version    int NOT NULL CHECK (version >= 1),
    base       text NOT NULL,                -- the model at the bottom of its line
    path       text NOT NULL,                -- the folder of its weights
    parent_id  bigint REFERENCES compoworld.policy ON DELETE SET NULL,
    made_by    bigint REFERENCES compoworld.training_run ON DELETE SET NULL,
    digest     text NOT NULL,                -- SHA-256 of the weights
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (name, version)
);
CREATE INDEX ON compoworld.policy (made_by);

ALTER TABLE compoworld.training_run
    ADD FOREIGN KEY (policy_from) REFERENCES compoworld.policy ON DELETE SET NULL;

CREATE TABLE compoworld.training_example (
    run_id       bigint NOT NULL REFERENCES compoworld.training_run ON DELETE CASCADE,
    ordinal      int NOT NULL,               -- 1, 2, 3, ...: its place in the file of examples
    rollout_id   bigint REFERENCES compoworld.rollout ON DELETE SET NULL,  -- NULL: it was deleted since
    task         text NOT NULL,
    digest       text NOT NULL,              -- SHA-256 of token ids and mask
    tokens       int NOT NULL,
    agent_tokens int NOT NULL,               -- those that are trained on
    PRIMARY KEY (run_id, ordinal)
);
CREATE INDEX ON compoworld.training_example (rollout_id);

CREATE TABLE compoworld.training_step (
    run_id        bigint NOT NULL REFERENCES compoworld.training_run ON DELETE CASCADE,
    step          int NOT NULL,              -- of the optimizer
    loss          double precision,
    learning_rate double precision,
    grad_norm     double precision,
    clipped       double precision,          -- of grpo: share of the agent's tokens whose ratio was clipped ...
    clipped_low   double precision,          -- ... at the lower bound, ...
    clipped_high  double precision,          -- ... at the upper one
    entropy       double precision,          -- nats per token of the agent
    metrics       jsonb NOT NULL,            -- everything that the trainer said
    at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (run_id, step)
);

-- What a run of GRPO sampled. Rollouts and groups may be deleted once the run is finished; this stays as it was trained.
CREATE TABLE compoworld.grpo_group (
    run_id   bigint NOT NULL REFERENCES compoworld.training_run ON DELETE CASCADE,
    place    int NOT NULL,                   -- which prompt of the run, from 0
    step     int NOT NULL,                   -- the first optimizer step that trains on it
    process  int NOT NULL,                   -- which of the training processes ran it
    task     text NOT NULL,
    group_id bigint UNIQUE REFERENCES compoworld.rollout_group ON DELETE SET NULL,  -- NULL: it was deleted since
    given_at timestamptz,                    -- when the trainer was given it: from then on nothing of it changes
    PRIMARY KEY (run_id, place)
);
CREATE INDEX ON compoworld.grpo_group (run_id, step);

CREATE TABLE compoworld.grpo_rollout (
    run_id      bigint NOT NULL,
    place       int NOT NULL,
    ordinal     int NOT NULL,
    rollout_id  bigint UNIQUE REFERENCES compoworld.rollout ON DELETE SET NULL,     -- NULL: it was deleted since
    -- As the trainer was given it; NULL before.
    status      text,
    stop_reason text,
    criteria    int,                         -- NULL: unscorable
    passed      int,
    reward      double precision,            -- NULL: unscorable, left out of the baseline
    advantage   double precision,
    PRIMARY KEY (run_id, place, ordinal),
    FOREIGN KEY (run_id, place) REFERENCES compoworld.grpo_group ON DELETE CASCADE
);

CREATE TABLE compoworld.grpo_criterion (
    run_id   bigint NOT NULL,
    place    int NOT NULL,
    ordinal  int NOT NULL,
    name     text NOT NULL,
    kind     text NOT NULL,
    rollouts int NOT NULL,                   -- scored ones
    passed   int NOT NULL,                   -- in so many of them it holds
    weight   double precision,               -- in the reward; NULL where it has no weights (binary)
    PRIMARY KEY (run_id, place, ordinal),
    FOREIGN KEY (run_id, place) REFERENCES compoworld.grpo_group ON DELETE CASCADE
);

-- For people.

CREATE VIEW compoworld.policies AS
SELECT p.id AS policy_id, p.name || '@' || p.version AS policy, p.name, p.version, p.base,
    o.name || '@' || o.version AS parent, r.name AS made_by, r.kind, p.path, p.digest, p.created_at
FROM compoworld.policy p
LEFT JOIN compoworld.policy o ON o.id = p.parent_id
LEFT JOIN compoworld.training_run r ON r.id = p.made_by;

CREATE VIEW compoworld.training_runs AS
SELECT r.id AS run_id, r.name AS run, r.kind, r.weights AS started_from,
    (SELECT p.name || '@' || p.version FROM compoworld.policy p WHERE p.made_by = r.id ORDER BY p.id DESC LIMIT 1) AS made,
    -- Who trains holds an advisory lock: a run that nobody trains any more was interrupted, whatever it last wrote.
    CASE WHEN r.status = 'running' AND NOT EXISTS (
        SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = 7215 AND l.objid::bigint = r.id
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) THEN 'interrupted' ELSE r.status END AS status,
    r.step, r.steps, e.examples, e.tokens, e.agent_tokens, g.groups, r.seed, r.error, r.started_at, r.finished_at,
    round(extract(epoch FROM coalesce(r.finished_at, s.latest, r.started_at) - r.started_at)::numeric, 1) AS seconds
FROM compoworld.training_run r
LEFT JOIN LATERAL (
    SELECT nullif(count(*), 0) AS examples, sum(x.tokens) AS tokens, sum(x.agent_tokens) AS agent_tokens
    FROM compoworld.training_example x WHERE x.run_id = r.id
) e ON true
LEFT JOIN LATERAL (
    SELECT nullif(count(*), 0) AS groups FROM compoworld.grpo_group x WHERE x.run_id = r.id
) g ON true
LEFT JOIN LATERAL (SELECT max(x.at) AS latest FROM compoworld.training_step x WHERE x.run_id = r.id) s ON true;

CREATE VIEW compoworld.training_examples AS
SELECT x.run_id, r.name AS run, x.ordinal, x.rollout_id AS rollout, x.task, x.tokens, x.agent_tokens, x.digest
FROM compoworld.training_example x JOIN compoworld.training_run r ON r.id = x.run_id;

CREATE VIEW compoworld.training_steps AS
SELECT s.run_id, r.name AS run, r.kind, s.step, s.loss, s.learning_rate, s.grad_norm, s.clipped, s.clipped_low,
    s.clipped_high, s.entropy, s.metrics, s.at
FROM compoworld.training_step s JOIN compoworld.training_run r ON r.id = s.run_id;

-- One row for each rollout that a run of GRPO sampled.
CREATE VIEW compoworld.grpo_rollouts AS
SELECT n.id AS run_id, n.name AS run, g.step, g.place, g.group_id, x.rollout_id AS rollout, x.ordinal, g.task,
    coalesce(x.status, r.status) AS status, coalesce(x.stop_reason, r.stop_reason) AS stop_reason, x.criteria, x.passed,
    x.criteria IS NOT NULL AND x.passed = x.criteria AS success, x.reward, x.advantage
FROM compoworld.grpo_group g
JOIN compoworld.training_run n ON n.id = g.run_id
JOIN compoworld.grpo_rollout x ON x.run_id = g.run_id AND x.place = g.place
LEFT JOIN compoworld.rollout r ON r.id = x.rollout_id;

-- One row for each group, and one for each step that began with new groups.
CREATE VIEW compoworld.grpo_groups AS
SELECT run_id, run, step, place, group_id, task, count(*) AS rollouts, count(reward) AS scored,
    count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE success) AS solved,
    avg(passed::double precision / criteria) AS criteria_passed, avg(reward) AS reward,
    stddev_samp(reward) AS reward_deviation
FROM compoworld.grpo_rollouts
GROUP BY run_id, run, step, place, group_id, task;

CREATE VIEW compoworld.grpo_steps AS
SELECT s.run_id, r.name AS run, s.step, g.groups, g.rollouts, g.scored, g.failed, g.solved, g.criteria_passed,
    g.reward, g.without_signal, s.loss, s.clipped, s.clipped_low, s.clipped_high, s.entropy, s.grad_norm,
    s.learning_rate, s.at
FROM compoworld.training_step s
JOIN compoworld.training_run r ON r.id = s.run_id AND r.kind = 'grpo'
LEFT JOIN (
    SELECT run_id, step, count(*) AS groups, sum(rollouts)::bigint AS rollouts, sum(scored)::bigint AS scored,
        sum(failed)::bigint AS failed, sum(solved)::bigint AS solved, sum(criteria_passed * scored) / nullif(sum(scored), 0) AS criteria_passed,
        sum(reward * scored) / nullif(sum(scored), 0) AS reward,
        count(*) FILTER (WHERE coalesce(reward_deviation, 0) < 1e-8) AS without_signal
    FROM compoworld.grpo_groups GROUP BY run_id, step
) g ON g.run_id = s.run_id AND g.step = s.step;

-- One row for each criterion of each group: its pass rate, and the weight that it had in that run's reward.
CREATE VIEW compoworld.grpo_criteria AS
SELECT n.id AS run_id, n.name AS run, g.step, g.place, g.group_id, g.task, c.ordinal, c.name AS criterion, c.kind,
    c.rollouts, c.passed, c.passed::double precision / c.rollouts AS pass_rate, c.weight
FROM compoworld.grpo_group g
JOIN compoworld.training_run n ON n.id = g.run_id
JOIN compoworld.grpo_criterion c ON c.run_id = g.run_id AND c.place = g.place;
