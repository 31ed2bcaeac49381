-- Tasks that a model writes: what was said, turn by turn, and what became of it.

-- One attempt to write a task over a composition and a walk.
CREATE TABLE compoworld.task_authoring (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    composition_id bigint NOT NULL,          -- as it was: services that have changed since make another
    services       text[] NOT NULL,
    distractors    text[] NOT NULL,
    walk           text[] NOT NULL,
    seed           int NOT NULL,             -- of the services' data
    model          text NOT NULL,
    author_version text NOT NULL,            -- digest of what every author is told
    phase          text NOT NULL DEFAULT 'explore' CHECK (phase IN ('explore', 'design', 'probe', 'submit')),
    status         text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'stopped', 'admitted', 'failed')),
    detail         text,                     -- why it stopped or failed; 'stopped' can be gone on with
    attempts       int NOT NULL DEFAULT 0,   -- how often a task was submitted
    turns          int NOT NULL DEFAULT 0,
    input_tokens   bigint NOT NULL DEFAULT 0,
    output_tokens  bigint NOT NULL DEFAULT 0,
    cost_usd       numeric(12, 6),           -- NULL: the model's prices are not known
    seconds        double precision NOT NULL DEFAULT 0,
    task_id        bigint REFERENCES compoworld.task ON DELETE SET NULL,
    started_at     timestamptz NOT NULL DEFAULT now(),
    ended_at       timestamptz
);
CREATE INDEX ON compoworld.task_authoring (task_id);

-- The conversation, turn by turn: it can be read, and gone on with.
CREATE TABLE compoworld.task_authoring_turn (
    task_authoring_id bigint NOT NULL REFERENCES compoworld.task_authoring ON DELETE CASCADE,
    ordinal       int NOT NULL,
    role          text NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
    content       json NOT NULL,             -- json keeps the order of keys: what is sent again is word for word the same
    stop_reason   text,
    input_tokens  int,                       -- all of them, those of the cache too
    output_tokens int,
    cached_tokens int,                       -- of the input: read from the cache
    cache_write_tokens int,                  -- of the input: written to it
    cost_usd      numeric(12, 6),            -- NULL: the model's prices are not known
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (task_authoring_id, ordinal)
);
