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
    UPDATE compoworld.event SET tool = 'another_tool_' || seq, arguments = '{}', observation = '{}'
    WHERE branch_id = :branch
""")
_NO_READS = text("DELETE FROM compoworld.event WHERE branch_id = :branch AND changes = 0")


def read_before(database: Database, branch: Branch, like: Branch) -> None:
    """A fresh branch becomes one on which ``MORE_READS`` reads were made, those of another branch again and again."""
    with database.transaction() as connection:
        named = {"branch": branch.id, "count": MORE_READS}
        connection.execute(_READS_BEFORE, {**named, "like": like.id})
        connection.execute(_HEAD, named)


def with_other_tools(database: Database, branch: Branch) -> None:
    """Every call of a branch becomes one of a tool with another name; its changes stay."""
    with database.transaction() as connection:
        connection.execute(_OTHER_TOOLS, {"branch": branch.id})


def without_reads(database: Database, branch: Branch) -> None:
    """The calls of a branch that changed nothing were not made."""
    with database.transaction() as connection:
        connection.execute(_NO_READS, {"branch": branch.id})
