-- Sets of tasks: every candidate that was drafted for one, and those that it holds.

CREATE TABLE compoworld.task_set (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    seed        bigint NOT NULL,
    settings    jsonb NOT NULL,              -- with the seed, what decides every candidate
    wanted      int NOT NULL CHECK (wanted >= 1),
    checksum    text,                        -- of its tasks, once it is finished
    seconds     double precision NOT NULL DEFAULT 0,  -- how long it took, interruptions left out
    created_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz                  -- NULL: it is to be gone on with
);

CREATE TABLE compoworld.task_draft (
    set_id      bigint NOT NULL REFERENCES compoworld.task_set ON DELETE CASCADE,
    ordinal     int NOT NULL,                -- 0, 1, 2, ...: which candidate
    family      text NOT NULL,
    area        text NOT NULL,
    services    text[] NOT NULL,
    distractors text[] NOT NULL,
    walk        text[] NOT NULL,
    status      text NOT NULL CHECK (status IN ('sound', 'admitted', 'rejected')),  -- sound: not yet decided
    stage       text,                        -- where it was rejected ...
    reason      text,                        -- ... and why
    seconds     double precision,
    task_id     bigint REFERENCES compoworld.task ON DELETE SET NULL,
    document    jsonb,                       -- the task; NULL where it came to none
    evidence    jsonb NOT NULL DEFAULT '[]', -- what the gate found
    composition_id bigint REFERENCES compoworld.composition ON DELETE SET NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (set_id, ordinal),
    CHECK ((status = 'rejected') = (stage IS NOT NULL) AND (status = 'rejected') = (reason IS NOT NULL)),
    CHECK (status = 'rejected' OR document IS NOT NULL)
);
CREATE INDEX ON compoworld.task_draft (task_id);
CREATE INDEX ON compoworld.task_draft ((document ->> 'name'));

CREATE TABLE compoworld.task_member (
    set_id  bigint NOT NULL,
    ordinal int NOT NULL,
    task_id bigint REFERENCES compoworld.task ON DELETE SET NULL,  -- NULL: not stored as a task yet
    split   text CHECK (split IN ('train', 'validation', 'test')),
    PRIMARY KEY (set_id, ordinal),
    FOREIGN KEY (set_id, ordinal) REFERENCES compoworld.task_draft ON DELETE CASCADE
);
CREATE INDEX ON compoworld.task_member (task_id);

-- For people.

CREATE VIEW compoworld.task_sets AS
SELECT s.id AS set_id, s.name AS "set", s.seed, s.wanted,
    count(d.ordinal) FILTER (WHERE d.status = 'admitted') AS admitted,
    count(d.ordinal) FILTER (WHERE d.status = 'rejected') AS rejected,
    count(DISTINCT array_to_string(ARRAY(SELECT unnest(d.services) ORDER BY 1), ' '))
        FILTER (WHERE d.status = 'admitted') AS compositions,
    count(DISTINCT d.family) FILTER (WHERE d.status = 'admitted') AS families,
    count(m.ordinal) FILTER (WHERE m.split = 'train') AS train,
    count(m.ordinal) FILTER (WHERE m.split = 'validation') AS validation,
    count(m.ordinal) FILTER (WHERE m.split = 'test') AS test,
    s.finished_at IS NOT NULL AS finished, s.seconds, s.checksum, s.created_at, s.finished_at
FROM compoworld.task_set s
LEFT JOIN compoworld.task_draft d ON d.set_id = s.id
LEFT JOIN compoworld.task_member m ON m.set_id = d.set_id AND m.ordinal = d.ordinal
GROUP BY s.id;

-- The stages in the order in which a draft goes through them.
CREATE FUNCTION compoworld.task_stages() RETURNS TABLE (place int, stage text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ordinality::int, name FROM unnest(ARRAY['balance', 'write', 'document', 'instruction', 'reference',
        'untouched', 'sources', 'crossing', 'revisit', 'broken', 'equivalent', 'novelty']) WITH ORDINALITY AS t(name, ordinality)
$$;

CREATE VIEW compoworld.task_yield AS
SELECT s.id AS set_id, s.name AS "set", g.place, g.stage,
    count(*) FILTER (WHERE d.status = 'admitted' OR f.place >= g.place) AS drafts,
    count(*) FILTER (WHERE f.place = g.place) AS rejected,
    coalesce(count(*) FILTER (WHERE f.place = g.place)::double precision
        / nullif(count(*) FILTER (WHERE d.status = 'admitted' OR f.place >= g.place), 0), 0) AS share
FROM compoworld.task_set s
CROSS JOIN compoworld.task_stages() g
LEFT JOIN compoworld.task_draft d ON d.set_id = s.id AND d.status <> 'sound'
LEFT JOIN compoworld.task_stages() f ON f.stage = d.stage
GROUP BY s.id, g.place, g.stage;
