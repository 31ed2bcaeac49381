"""What the command line asks the catalog: the SQL of listings, in one place."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text

from engine.database import Database
from engine.errors import NotFound, Refused

Row = dict[str, Any]

_BRANCH = """
SELECT b.id AS branch, b.snapshot_id AS snapshot, b.composition_id AS composition, b.parent_id AS parent,
       b.parent_seq AS parent_event, b.label, b.head AS events, b.answer, b.created_at,
       r.id AS rollout, r.group_id AS "group",
       coalesce(g.task_id, (SELECT max(t.id) FROM compoworld.task t WHERE t.snapshot_id = b.snapshot_id)) AS task,
       ARRAY(SELECT s.name FROM compoworld.composition_service c JOIN compoworld.service s ON s.id = c.service_id
             WHERE c.composition_id = b.composition_id ORDER BY c.ordinal) AS services
FROM compoworld.branch b
LEFT JOIN compoworld.rollout r ON r.branch_id = b.id
LEFT JOIN compoworld.rollout_group g ON g.id = r.group_id
WHERE b.id = :id
"""

_POINT = """
SELECT b.head, b.snapshot_id FROM compoworld.branch b WHERE b.id = :id
UNION ALL SELECT 0, s.id FROM compoworld.snapshot s WHERE s.id = :id
"""

_TABLES = """
WITH counts AS (
    SELECT table_name, count(*) AS rows FROM compoworld.state_at(:id, :at) GROUP BY table_name
), changed AS (
    SELECT table_name, count(*) AS changed FROM compoworld.difference(:id, 0, :id, :at) GROUP BY table_name
)
SELECT e.table_name AS "table", coalesce(c.rows, 0) AS rows, coalesce(d.changed, 0) AS changed
FROM (SELECT b.composition_id FROM compoworld.branch b WHERE b.id = :id
      UNION ALL SELECT s.composition_id FROM compoworld.snapshot s WHERE s.id = :id) x
JOIN compoworld.composition_service cs ON cs.composition_id = x.composition_id
JOIN compoworld.entity e ON e.service_id = cs.service_id
LEFT JOIN counts c USING (table_name) LEFT JOIN changed d USING (table_name)
ORDER BY e.table_name
"""

_RELATIONS = """
SELECT CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'i' THEN 'index' WHEN 'S' THEN 'sequence'
                      WHEN 't' THEN 'toast table' ELSE c.relkind::text END AS kind,
       count(*) FILTER (WHERE n.nspname IN ('compoworld', 'compoworld_here', 'compoworld_door', 'compoworld_jobs'))
           AS catalog,
       count(*) FILTER (WHERE n.nspname ~ '^comp_[0-9]+$') AS compositions,
       count(*) FILTER (WHERE n.nspname NOT IN ('compoworld', 'compoworld_here', 'compoworld_door', 'compoworld_jobs')
                        AND n.nspname !~ '^comp_[0-9]+$') AS others,
       count(*) AS total
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
GROUP BY 1 ORDER BY total DESC, kind
"""

_COMPOSITIONS = """
WITH placed AS (
    SELECT n.nspname, count(*) AS relations,
           sum(pg_relation_size(c.oid)) FILTER (WHERE c.relkind IN ('r', 'i', 't', 'm')) AS bytes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname ~ '^comp_[0-9]+$' GROUP BY 1
)
SELECT c.id AS composition,
       ARRAY(SELECT s.name FROM compoworld.composition_service cs JOIN compoworld.service s ON s.id = cs.service_id
             WHERE cs.composition_id = c.id ORDER BY cs.ordinal) AS services,
       c.materialised_at IS NOT NULL AS materialised, coalesce(p.relations, 0) AS relations,
       coalesce(p.bytes, 0)::bigint AS bytes,
       (SELECT count(*) FROM compoworld.snapshot s WHERE s.composition_id = c.id) AS snapshots,
       (SELECT count(*) FROM compoworld.branch b WHERE b.composition_id = c.id) AS branches,
       c.generation AS times_built, c.last_used_at
FROM compoworld.composition c LEFT JOIN placed p ON p.nspname = c.schema_name
ORDER BY c.id
"""

_TOTALS = """
SELECT pg_database_size(current_database()) AS bytes,
       (SELECT count(*) FROM compoworld.service) AS services,
       (SELECT count(*) FROM compoworld.composition) AS compositions,
       (SELECT count(*) FROM compoworld.composition WHERE materialised_at IS NOT NULL) AS materialised,
       (SELECT count(*) FROM compoworld.snapshot) AS snapshots,
       (SELECT count(*) FROM compoworld.branch) AS branches,
       (SELECT count(*) FROM compoworld.event) AS events,
       (SELECT count(*) FROM compoworld.row_change) AS row_changes,
       (SELECT count(*) FROM compoworld.task) AS tasks,
       (SELECT count(*) FROM compoworld.rollout_group) AS groups,
       (SELECT count(*) FROM compoworld.rollout) AS rollouts
"""

_MESSAGES = """
SELECT m.ordinal, m.role, m.event, e.produced_by, m.text, m.content, m.stop_reason, m.input_tokens, m.output_tokens,
       m.cached_tokens
FROM compoworld.messages m
LEFT JOIN compoworld.rollout r ON r.id = m.rollout
LEFT JOIN compoworld.event e ON e.branch_id = r.branch_id AND e.seq = m.event
WHERE m.rollout = :rollout ORDER BY m.ordinal
"""


def _rows(database: Database, statement: str, **values: Any) -> list[Row]:
    with database.transaction() as connection:
        return [dict(row) for row in connection.execute(text(statement), values).mappings()]


def branch(database: Database, number: int) -> Row:
    """A branch with its place: snapshot, composition, services, parent, rollout, task.

    Raises:
        NotFound: there is none.
        Refused: the number is that of a snapshot.
    """
    found = _rows(database, _BRANCH, id=number)
    if not found:
        if _rows(database, _POINT, id=number):
            raise Refused(f"{number} is a snapshot", hint=f"fork it: compoworld fork {number}")
        raise NotFound(f"there is no branch {number}")
    return found[0]


def tables(database: Database, number: int, at: int | None) -> list[Row]:
    """Per table of a branch or snapshot: its rows, and how many of them differ from the start."""
    return _rows(database, _TABLES, id=number, at=at)


def relations(database: Database) -> list[Row]:
    """Relations of the database by kind and by whose they are."""
    return _rows(database, _RELATIONS)


def compositions(database: Database) -> list[Row]:
    """Every composition with what it takes."""
    return _rows(database, _COMPOSITIONS)


def totals(database: Database) -> Row:
    """How much there is of everything."""
    return _rows(database, _TOTALS)[0]


def messages(database: Database, rollout: int) -> list[Row]:
    """What was said in a rollout."""
    return _rows(database, _MESSAGES, rollout=rollout)


def rollout_group(database: Database, rollout: int) -> int:
    """The group of a rollout.

    Raises:
        NotFound: there is no such rollout.
    """
    found = _rows(database, 'SELECT group_id AS "group" FROM compoworld.rollout WHERE id = :id', id=rollout)
    if not found:
        raise NotFound(f"there is no rollout {rollout}", hint="compoworld rollout list shows the groups")
    return int(found[0]["group"])


def unfinished_group(database: Database) -> int | None:
    """The newest group that has not ended, games of people left out."""
    found = _rows(
        database,
        "SELECT max(id) AS id FROM compoworld.rollout_group WHERE finished_at IS NULL AND agent <> 'person'",
    )
    return found[0]["id"] if found else None
