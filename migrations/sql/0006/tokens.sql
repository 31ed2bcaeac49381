-- Token sequences of rollouts, for trainers.

CREATE TABLE compoworld.trajectory (
    rollout_id     bigint PRIMARY KEY REFERENCES compoworld.rollout ON DELETE CASCADE,
    policy         text,
    policy_version int,
    format         text NOT NULL,            -- digest of tokenizer and chat template
    prompt_tokens  int NOT NULL CHECK (prompt_tokens >= 0),
    token_ids      int[] NOT NULL,           -- the agent's as they were sampled
    is_agent       boolean[] NOT NULL,       -- false: prompt and observations
    logprobs       real[],                   -- 0 where it is not the agent's
    malformed      int NOT NULL DEFAULT 0 CHECK (malformed >= 0),
    tokens         int GENERATED ALWAYS AS (cardinality(token_ids)) STORED,
    agent_tokens   int GENERATED ALWAYS AS (cardinality(array_positions(is_agent, true))) STORED,
    CHECK (cardinality(is_agent) = cardinality(token_ids)),
    CHECK (cardinality(logprobs) = cardinality(token_ids))
);
CREATE INDEX ON compoworld.trajectory (policy, policy_version);

CREATE VIEW compoworld.trajectories AS
SELECT t.rollout_id AS rollout, r.group_id, r.ordinal, g.task_id, t.policy, t.policy_version, t.format, t.tokens,
       t.prompt_tokens, t.agent_tokens, t.malformed, t.logprobs IS NOT NULL AS has_logprobs, r.stop_reason
FROM compoworld.trajectory t
JOIN compoworld.rollout r ON r.id = t.rollout_id
JOIN compoworld.rollout_group g ON g.id = r.group_id;
