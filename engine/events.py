"""The event log of a branch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text

from engine.database import Database


@dataclass(frozen=True)
class RowChange:
    """One row that an event changed; ``before`` or ``after`` is ``None`` for an insert or a delete."""

    table: str
    key: str
    op: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


@dataclass(frozen=True)
class Event:
    """One call.

    Attributes:
        seq: its number in the branch.
        inherited: it was made on an ancestor and copied by a fork.
        changes: the rows that it changed, in order.
    """

    branch: int
    seq: int
    service: str
    tool: str
    arguments: dict[str, Any]
    observation: dict[str, Any]
    outcome: str
    error_code: str | None
    produced_by: str
    logical_time: datetime
    started_at: datetime
    duration_ms: float
    inherited: bool
    detail: str | None
    changes: tuple[RowChange, ...]


_EVENTS = text(
    "SELECT seq, service, tool, arguments, observation, outcome, error_code, produced_by, logical_time, started_at,"
    " duration_ms, inherited, detail FROM compoworld.event WHERE branch_id = :branch ORDER BY seq"
)
_CHANGES = text(
    "SELECT seq, table_name, key, op, before, after FROM compoworld.row_change"
    " WHERE branch_id = :branch ORDER BY seq, ordinal"
)


def read_events(database: Database, branch: int) -> list[Event]:
    """Every event of a branch with its row changes, in order."""
    with database.transaction() as connection:
        changes: dict[int, list[RowChange]] = {}
        for seq, *values in connection.execute(_CHANGES, {"branch": branch}):
            changes.setdefault(seq, []).append(RowChange(*values))
        return [
            Event(branch=branch, changes=tuple(changes.get(row.seq, ())), **row._mapping)
            for row in connection.execute(_EVENTS, {"branch": branch})
        ]
