"""Logs of other right ways, written by hand on forks that are deleted again: what would take many calls to play."""

from __future__ import annotations

from sqlalchemy import text

from engine.branches import Branch
from engine.database import Database

MORE_READS = 80
"""Reads that a patient agent may make beside those of the reference."""

_READS_BEFORE = text("""
    INSERT INTO compoworld.event (branch_id, seq, service, tool, arguments, observation, outcome, changes,
                                  logical_time, started_at, duration_ms)
    SELECT :branch, n, e.service, e.tool, e.arguments, e.observation, e.outcome, 0,
           s.starts_at + n * s.step, e.started_at, e.duration_ms
    FROM generate_series(1, CAST(:count AS int)) n,
         LATERAL (SELECT row_number() OVER (ORDER BY seq) - 1 AS place, count(*) OVER () AS reads, e.*
                  FROM compoworld.event e WHERE e.branch_id = :like AND e.changes = 0 AND e.outcome = 'ok') e,
         compoworld.branch b JOIN compoworld.snapshot s ON s.id = b.snapshot_id
    WHERE e.place = n % e.reads AND b.id = :branch
""")
_HEAD = text("UPDATE compoworld.branch SET head = :count WHERE id = :branch")
_OTHER_TOOLS = text("""
    UPDATE compoworld.event SET tool = 'another_tool_' || seq, arguments = '{}', observation = '{}',
        changes = CASE WHEN changes > 0 THEN changes + 1 ELSE 0 END
    WHERE branch_id = :branch
""")
_CORRECTIONS = text("""
    WITH made AS (
        SELECT DISTINCT ON (e.service) e.service, c.table_name, c.key
        FROM compoworld.row_change c JOIN compoworld.event e ON e.branch_id = c.branch_id AND e.seq = c.seq
        WHERE c.branch_id = :branch AND c.op = 'insert'
          AND c.table_name !~ 'message|comment|reply|recipient'
          AND NOT EXISTS (SELECT FROM compoworld.row_change d WHERE d.branch_id = c.branch_id
                          AND (d.table_name, d.key, d.op) = (c.table_name, c.key, 'delete'))
        ORDER BY e.service, c.seq DESC, c.ordinal
    ), later AS (
        SELECT m.*, b.head + row_number() OVER (ORDER BY m.service) AS seq,
               (SELECT d.after FROM compoworld.row_change d
                WHERE d.branch_id = :branch AND (d.table_name, d.key) = (m.table_name, m.key)
                ORDER BY d.seq DESC, d.ordinal DESC LIMIT 1) AS row
        FROM made m, compoworld.branch b WHERE b.id = :branch
    ), events AS (
        INSERT INTO compoworld.event (branch_id, seq, service, tool, arguments, observation, outcome, changes,
                                      logical_time, started_at, duration_ms)
        SELECT :branch, l.seq, l.service, 'correct', '{}', '{}', 'ok', 1, e.logical_time, e.started_at, e.duration_ms
        FROM later l, compoworld.branch b JOIN compoworld.event e ON e.branch_id = b.id AND e.seq = b.head
        WHERE b.id = :branch
        RETURNING seq
    ), changes AS (
        INSERT INTO compoworld.row_change (branch_id, seq, ordinal, table_name, key, op, before, after)
        SELECT :branch, l.seq, 1, l.table_name, l.key, 'update', l.row, l.row FROM later l
    )
    UPDATE compoworld.branch SET head = (SELECT max(seq) FROM events)
    WHERE id = :branch AND EXISTS (SELECT FROM events)
""")
_NO_READS = text("DELETE FROM compoworld.event WHERE branch_id = :branch AND changes = 0")


def read_before(database: Database, branch: Branch, like: Branch) -> None:
    """A fresh branch becomes one on which ``MORE_READS`` reads were made, those of another branch again and again."""
    with database.transaction() as connection:
        named = {"branch": branch.id, "count": MORE_READS}
        connection.execute(_READS_BEFORE, {**named, "like": like.id})
        connection.execute(_HEAD, named)


def with_other_tools(database: Database, branch: Branch) -> None:
    """Every call of a branch becomes one of a tool with another name, which touches a row more; its changes stay."""
    with database.transaction() as connection:
        connection.execute(_OTHER_TOOLS, {"branch": branch.id})


def with_corrections(database: Database, branch: Branch) -> None:
    """In each service a row that was made, other than what was said, is written once more by a call at the end."""
    with database.transaction() as connection:
        connection.execute(_CORRECTIONS, {"branch": branch.id})


def without_reads(database: Database, branch: Branch) -> None:
    """The calls of a branch that changed nothing were not made."""
    with database.transaction() as connection:
        connection.execute(_NO_READS, {"branch": branch.id})
