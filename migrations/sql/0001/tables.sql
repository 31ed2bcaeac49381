-- The catalog: what is authoritative. Schemas of compositions are a cache of it.

CREATE TABLE compoworld.service (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text NOT NULL,
    version       text NOT NULL,             -- digest of entities and specification
    title         text NOT NULL,
    domain        text NOT NULL,
    summary       text NOT NULL,
    ddl           text NOT NULL,             -- '@schema@' stands for the composition's schema
    registered_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (name, version)
);

CREATE TABLE compoworld.entity (
    service_id  bigint NOT NULL REFERENCES compoworld.service ON DELETE CASCADE,
    ordinal     int NOT NULL,
    name        text NOT NULL,
    table_name  text NOT NULL,
    key_columns text[] NOT NULL,
    fields      jsonb NOT NULL,              -- name -> {type, semantic, nullable, ...}
    PRIMARY KEY (service_id, ordinal)
);

CREATE TABLE compoworld.tool (
    service_id    bigint NOT NULL REFERENCES compoworld.service ON DELETE CASCADE,
    ordinal       int NOT NULL,
    name          text NOT NULL,
    description   text NOT NULL,
    input_schema  jsonb NOT NULL,
    output_schema jsonb,
    annotations   jsonb NOT NULL,
    read_only     boolean NOT NULL,
    PRIMARY KEY (service_id, name)
);

CREATE TABLE compoworld.composition (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint     text NOT NULL UNIQUE,    -- digest of its services' names and versions
    schema_name     text GENERATED ALWAYS AS ('comp_' || id) STORED,
    generation      int NOT NULL DEFAULT 0,  -- how often it was materialised
    materialised_at timestamptz,             -- NULL: parked
    last_used_at    timestamptz NOT NULL DEFAULT now(),
    created_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE compoworld.composition_service (
    composition_id bigint NOT NULL REFERENCES compoworld.composition ON DELETE CASCADE,
    ordinal        int NOT NULL,
    service_id     bigint NOT NULL REFERENCES compoworld.service,
    PRIMARY KEY (composition_id, ordinal),
    UNIQUE (composition_id, service_id)
);

-- Snapshots and branches share one line of ids: both are values of "_branch" in the tables of a composition.
CREATE SEQUENCE compoworld.branch_id;

CREATE TABLE compoworld.snapshot (
    id                bigint PRIMARY KEY DEFAULT nextval('compoworld.branch_id'),
    composition_id    bigint NOT NULL REFERENCES compoworld.composition ON DELETE CASCADE,
    name              text NOT NULL,
    digest            text NOT NULL DEFAULT '',
    row_count         bigint NOT NULL DEFAULT 0,
    starts_at         timestamptz NOT NULL,
    step              interval NOT NULL DEFAULT '1 minute',
    person            jsonb NOT NULL,        -- whose assistant the agent is
    loaded_generation int,
    created_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON compoworld.snapshot (composition_id, digest);

CREATE TABLE compoworld.snapshot_row (
    snapshot_id bigint NOT NULL REFERENCES compoworld.snapshot ON DELETE CASCADE,
    table_name  text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    image       jsonb NOT NULL,
    PRIMARY KEY (snapshot_id, table_name, key)
);

CREATE TABLE compoworld.branch (
    id                bigint PRIMARY KEY DEFAULT nextval('compoworld.branch_id'),
    composition_id    bigint NOT NULL REFERENCES compoworld.composition ON DELETE CASCADE,
    snapshot_id       bigint NOT NULL REFERENCES compoworld.snapshot ON DELETE CASCADE,
    parent_id         bigint,                -- forked from this branch (it may be gone) ...
    parent_seq        int,                   -- ... as it was after this event
    label             text,
    head              int NOT NULL DEFAULT 0,
    answer            text,                  -- what the agent said at the end
    sealed            boolean NOT NULL DEFAULT false,  -- judged as a rollout: no more calls
    loaded_generation int,
    created_at        timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 60);                    -- its head moves with every call: leave room for it on the page
CREATE INDEX ON compoworld.branch (snapshot_id);
CREATE INDEX ON compoworld.branch (composition_id);
CREATE UNIQUE INDEX branch_as_of ON compoworld.branch (parent_id, parent_seq) WHERE label = 'as of';

CREATE TABLE compoworld.event (
    branch_id    bigint NOT NULL REFERENCES compoworld.branch ON DELETE CASCADE,
    seq          int NOT NULL,               -- 1, 2, 3, ... without a gap
    service      text NOT NULL,
    tool         text NOT NULL,
    arguments    jsonb NOT NULL,
    observation  jsonb NOT NULL,
    outcome      text NOT NULL CHECK (outcome IN ('ok', 'error', 'invalid', 'unknown', 'fault')),
    error_code   text,
    produced_by  text NOT NULL DEFAULT 'code' CHECK (produced_by IN ('code', 'world_model')),
    changes      int NOT NULL,
    logical_time timestamptz NOT NULL,
    started_at   timestamptz NOT NULL,
    duration_ms  double precision NOT NULL,
    inherited    boolean NOT NULL DEFAULT false,  -- made on an ancestor, copied by a fork
    detail       text,                       -- for developers; the agent never sees it
    PRIMARY KEY (branch_id, seq)
);

CREATE TABLE compoworld.row_change (
    branch_id  bigint NOT NULL,
    seq        int NOT NULL,
    ordinal    int NOT NULL,
    table_name text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    op         text NOT NULL CHECK (op IN ('insert', 'update', 'delete')),
    before     jsonb,
    after      jsonb,
    PRIMARY KEY (branch_id, seq, ordinal),
    CHECK ((op = 'insert') = (before IS NULL) AND (op = 'delete') = (after IS NULL))
);
CREATE INDEX ON compoworld.row_change (branch_id, table_name, key, seq, ordinal);

CREATE TABLE compoworld.task (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL,
    checksum    text NOT NULL UNIQUE,
    title       text NOT NULL,
    instruction text NOT NULL,
    services    text[] NOT NULL,
    distractors text[] NOT NULL,
    walk        text[] NOT NULL,
    reference   jsonb NOT NULL,
    document    jsonb NOT NULL,              -- the task file as it was read
    snapshot_id bigint NOT NULL REFERENCES compoworld.snapshot,
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON compoworld.task (name);
CREATE INDEX ON compoworld.task (snapshot_id);

CREATE TABLE compoworld.criterion (
    task_id     bigint NOT NULL REFERENCES compoworld.task ON DELETE CASCADE,
    ordinal     int NOT NULL,
    name        text NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('state', 'must_not_change', 'output', 'answer')),
    description text NOT NULL,
    sql         text NOT NULL,
    PRIMARY KEY (task_id, ordinal),
    UNIQUE (task_id, name)
);

CREATE TABLE compoworld.rollout_group (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    task_id     bigint NOT NULL REFERENCES compoworld.task ON DELETE CASCADE,
    agent       text NOT NULL,
    model       text,
    size        int NOT NULL CHECK (size >= 1),
    seed        bigint NOT NULL,
    options     jsonb NOT NULL DEFAULT '{}',  -- of the agent, to make it again
    limits      jsonb NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);
CREATE INDEX ON compoworld.rollout_group (task_id);

CREATE TABLE compoworld.rollout (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    group_id      bigint NOT NULL REFERENCES compoworld.rollout_group ON DELETE CASCADE,
    ordinal       int NOT NULL,
    branch_id     bigint REFERENCES compoworld.branch,
    status        text NOT NULL DEFAULT 'pending'
                  CHECK (status IN ('pending', 'running', 'finished', 'failed')),
    stop_reason   text,
    error         text,
    attempts      int NOT NULL DEFAULT 0,
    steps         int NOT NULL DEFAULT 0,
    input_tokens  bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    cached_tokens bigint NOT NULL DEFAULT 0,
    model         text,
    started_at    timestamptz,
    finished_at   timestamptz,
    UNIQUE (group_id, ordinal)
);
CREATE INDEX ON compoworld.rollout (branch_id);

CREATE TABLE compoworld.message (
    rollout_id    bigint NOT NULL REFERENCES compoworld.rollout ON DELETE CASCADE,
    ordinal       int NOT NULL,
    role          text NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
    content       jsonb NOT NULL,
    seq           int,                       -- the event that a tool message reports
    input_tokens  int,
    output_tokens int,
    cached_tokens int,                       -- of the input: read from the cache
    cache_write_tokens int,                  -- of the input: written to it
    stop_reason   text,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (rollout_id, ordinal)
);

CREATE TABLE compoworld.criterion_check (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    branch_id   bigint NOT NULL REFERENCES compoworld.branch ON DELETE CASCADE,
    seq         int NOT NULL,                -- the branch's head when it was judged
    rollout_id  bigint REFERENCES compoworld.rollout ON DELETE CASCADE,
    task_id     bigint NOT NULL REFERENCES compoworld.task ON DELETE CASCADE,
    ordinal     int NOT NULL,
    sql         text NOT NULL,
    passed      boolean NOT NULL,
    expected    jsonb,
    actual      jsonb,
    error       text,
    duration_ms double precision NOT NULL,
    checked_at  timestamptz NOT NULL DEFAULT now(),
    UNIQUE (rollout_id, ordinal)
);
CREATE INDEX ON compoworld.criterion_check (branch_id);
CREATE INDEX ON compoworld.criterion_check (task_id, ordinal);
