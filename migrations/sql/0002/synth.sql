-- From specifications to services: what was ingested, built, attacked and found.

ALTER TABLE compoworld.tool ADD COLUMN simulated boolean NOT NULL DEFAULT false;  -- by the world model

-- A server's specification as it was ingested.
CREATE TABLE compoworld.spec (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text NOT NULL UNIQUE,      -- of the service that is made of it
    original_name text NOT NULL,
    title         text NOT NULL,
    source        text NOT NULL,             -- the file, command or URL that it was read from
    digest        text NOT NULL,             -- of the document
    application   boolean NOT NULL,          -- self-contained and stateful: worth building
    reason        text NOT NULL,             -- why, or why not
    domain        text NOT NULL,
    near          text[] NOT NULL,           -- servers that are much the same
    document      json NOT NULL,             -- the normalised specification; json keeps the order of properties
    ingested_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE compoworld.spec_tool (
    spec_id       bigint NOT NULL REFERENCES compoworld.spec ON DELETE CASCADE,
    ordinal       int NOT NULL,
    name          text,                      -- NULL: refused
    original_name text NOT NULL,
    refused       text,                      -- why it cannot be used
    notes         jsonb NOT NULL,            -- what was repaired: [{"pointer", "kind", "text"}]
    PRIMARY KEY (spec_id, ordinal),
    UNIQUE (spec_id, name),
    CHECK ((name IS NULL) = (refused IS NOT NULL))
);

-- One attempt to make a service of a specification.
CREATE TABLE compoworld.build (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    spec_id       bigint NOT NULL REFERENCES compoworld.spec ON DELETE CASCADE,
    spec_digest   text NOT NULL,
    builder       text NOT NULL,             -- 'compiler' or 'model'
    builder_version text NOT NULL,
    model         text,
    status        text NOT NULL CHECK (status IN ('running', 'built', 'failed')),
    detail        text,                      -- why it failed
    files         jsonb,                     -- path -> text: the folder of the service
    entities      int NOT NULL DEFAULT 0,
    turns         int NOT NULL DEFAULT 0,
    input_tokens  bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    cost_usd      numeric(12, 6),
    seconds       double precision NOT NULL DEFAULT 0,
    current       boolean NOT NULL DEFAULT false,  -- the one that compositions get
    started_at    timestamptz NOT NULL DEFAULT now(),
    ended_at      timestamptz
);
CREATE UNIQUE INDEX build_current ON compoworld.build (spec_id) WHERE current;
CREATE INDEX ON compoworld.build (spec_id);

-- A tool of a build: code, or left to the world model.
CREATE TABLE compoworld.build_tool (
    build_id bigint NOT NULL REFERENCES compoworld.build ON DELETE CASCADE,
    name     text NOT NULL,
    made_as  text NOT NULL CHECK (made_as IN ('code', 'world_model')),
    reason   text NOT NULL,
    PRIMARY KEY (build_id, name)
);

-- The conversation of a build with a model, turn by turn: it can be read, and gone on with.
CREATE TABLE compoworld.build_turn (
    build_id      bigint NOT NULL REFERENCES compoworld.build ON DELETE CASCADE,
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
    PRIMARY KEY (build_id, ordinal)
);

-- One attack on a service. It is of a build, or of a service of the library.
CREATE TABLE compoworld.attack (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    build_id   bigint REFERENCES compoworld.build ON DELETE CASCADE,
    service    text NOT NULL,
    version    text NOT NULL,                -- of the service that was attacked
    seed       bigint NOT NULL,
    calls      int NOT NULL,
    seconds    double precision NOT NULL,
    model      text,                         -- that wrote a part of it
    conversation json,                       -- with that model: [{"system", "messages", "response", ...}]
    started_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON compoworld.attack (service, id);
CREATE INDEX ON compoworld.attack (build_id);

CREATE TABLE compoworld.attack_tool (
    attack_id bigint NOT NULL REFERENCES compoworld.attack ON DELETE CASCADE,
    tool      text NOT NULL,
    verdict   text NOT NULL CHECK (verdict IN ('verified', 'quarantined')),
    reason    text NOT NULL,
    calls     int NOT NULL,
    laws      text[] NOT NULL,               -- those that were checked
    PRIMARY KEY (attack_id, tool)
);

-- What a quarantined tool failed: calls that can be made again.
CREATE TABLE compoworld.attack_case (
    attack_id bigint NOT NULL,
    tool      text NOT NULL,
    ordinal   int NOT NULL,
    law       text NOT NULL,
    steps     json NOT NULL,                 -- [{"tool", "arguments"}]; json holds what jsonb cannot, such as NUL
    about     json NOT NULL,                 -- what the law judges by
    expected  text NOT NULL,
    found     text NOT NULL,
    PRIMARY KEY (attack_id, tool, ordinal),
    FOREIGN KEY (attack_id, tool) REFERENCES compoworld.attack_tool ON DELETE CASCADE
);
