-- What the admission gate found about a task.

CREATE TABLE compoworld.task_evidence (
    task_id    bigint NOT NULL REFERENCES compoworld.task ON DELETE CASCADE,
    ordinal    int NOT NULL,                 -- in the order in which the checks were made
    "check"    text NOT NULL,                -- document, instruction, reference, untouched, crossing, ...
    passed     boolean NOT NULL,
    summary    text NOT NULL,                -- what was shown, or what is wrong
    detail     jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (task_id, ordinal)
);

-- One row per check of a task: what the gate found.
CREATE VIEW compoworld.task_checks AS
SELECT e.task_id, t.name AS task, e.ordinal, e."check", e.passed, e.summary, e.detail -> 'findings' AS findings
FROM compoworld.task_evidence e JOIN compoworld.task t ON t.id = e.task_id;

-- One row per edge of a task's walk: what is carried from one service to the next, and what proves it.
CREATE VIEW compoworld.task_crossings AS
SELECT e.task_id, t.name AS task, (x ->> 'visit')::int AS visit, x ->> 'from' AS from_service, x ->> 'to' AS to_service,
       x ->> 'call' AS call, x ->> 'argument' AS argument, x -> 'value' AS value, x ->> 'proof' AS proof
FROM compoworld.task_evidence e JOIN compoworld.task t ON t.id = e.task_id
CROSS JOIN LATERAL jsonb_array_elements(e.detail -> 'edges') x
WHERE e."check" = 'crossing';

-- One row per broken variant of a task's reference solution: what was done otherwise, and which criteria noticed.
CREATE VIEW compoworld.task_variants AS
SELECT e.task_id, t.name AS task, x ->> 'kind' AS kind, (x ->> 'call')::int AS call, x ->> 'of' AS tool,
       x ->> 'change' AS change, (x ->> 'outcome')::boolean AS changes_outcome, x -> 'failed' AS failed
FROM compoworld.task_evidence e JOIN compoworld.task t ON t.id = e.task_id
CROSS JOIN LATERAL jsonb_array_elements(e.detail -> 'variants') x
WHERE e."check" = 'broken';
