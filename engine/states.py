"""States of branches and what differs between two: read from the catalog, so they need no schema in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from engine.database import Database

State = dict[str, dict[str, dict[str, Any]]]
"""Table to key to row (JSON values)."""


@dataclass(frozen=True)
class Change:
    """What became of one row between two points; ``before`` or ``after`` is ``None`` where it was not there."""

    table: str
    key: str
    op: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    @property
    def fields(self) -> dict[str, tuple[Any, Any]]:
        """The fields that differ: name to the value before and after."""
        before, after = self.before or {}, self.after or {}
        return {
            name: (before.get(name), after.get(name))
            for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name) or (name in before) != (name in after)
        }


def read_state(database: Database, number: int, at: int | None = None) -> State:
    """Every visible row of a branch after event ``at`` (none: at its head), or of a snapshot.

    Raises:
        NotFound: no such branch or event.
    """
    state: State = {}
    with database.transaction() as connection:
        rows = connection.execute(
            text('SELECT * FROM compoworld.state_at(:id, :at) ORDER BY table_name COLLATE "C", key COLLATE "C"'),
            {"id": number, "at": at},
        )
        for table, key, image in rows:
            state.setdefault(table, {})[key] = image
    return state


def difference(database: Database, a: int, at_a: int | None, b: int, at_b: int | None) -> list[Change]:
    """The rows that differ between two points, ordered by table and key.

    Raises:
        NotFound: no such branch or event.
    """
    with database.transaction() as connection:
        rows = connection.execute(
            text("SELECT * FROM compoworld.difference(:a, :at_a, :b, :at_b)"),
            {"a": a, "at_a": at_a, "b": b, "at_b": at_b},
        ).all()
    return [Change(*row) for row in rows]


def digest(database: Database, number: int, at: int | None = None) -> str:
    """A digest that is equal for two points exactly when their visible states are equal.

    Raises:
        NotFound: no such branch or event.
    """
    with database.transaction() as connection:
        return str(
            connection.execute(text("SELECT compoworld.digest(:id, :at)"), {"id": number, "at": at}).scalar_one()
        )
