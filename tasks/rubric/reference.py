"""A reference run seen from outside: which rows it made and changed, and which values exist only because it ran."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.compositions import Composition
from engine.events import Event, RowChange
from engine.kit import Entity, jsonable
from tasks.initial import key_text
from tasks.rubric.leaves import Leaf

SIDE_TABLES = frozenset(
    {"mail_thread", "mail_correspondent", "chat_mention", "chat_channel", "chat_channel_member", "chat_group_member"}
)
"""Rows that come with a message by one way of sending it and not by another."""

_SIDE_WORDS = ("audit", "history", "version", "log", "activity_entry", "timeline", "revision", "notification")


def is_side(table: str) -> bool:
    """Whether a table only keeps track of what others hold."""
    return table in SIDE_TABLES or any(table.endswith(f"_{word}") or f"_{word}_" in table for word in _SIDE_WORDS)


@dataclass(frozen=True)
class Made:
    """A value that a row of the run has and that no row of s0 has."""

    table: str
    column: str
    key: str


@dataclass
class ReferenceRun:
    """The events of a reference run, with what matters in their arguments.

    Attributes:
        leaves: of each call's arguments.
        final: the last image of every row that was changed or made, by table and key; ``None`` for one that is gone.
        inserted: rows that the run made and that are still there.
        made: where a value stands that the run made.
    """

    composition: Composition
    events: list[Event]
    leaves: list[list[Leaf]]
    final: dict[tuple[str, str], dict[str, Any] | None] = field(default_factory=dict)
    inserted: dict[tuple[str, str], int] = field(default_factory=dict)
    made: dict[str, Made] = field(default_factory=dict)

    @classmethod
    def of(
        cls, composition: Composition, rows: Iterable[Entity], events: list[Event], leaves: list[list[Leaf]]
    ) -> ReferenceRun:
        """Take a run apart.

        Args:
            rows: of s0.
            leaves: of each call, in the order of the events.
        """
        run = cls(composition, events, leaves)
        for number, event in enumerate(events):
            for change in event.changes:
                place = (change.table, change.key)
                run.final[place] = change.after
                if change.op == "insert":
                    run.inserted[place] = number
                elif change.op == "delete":
                    run.inserted.pop(place, None)
        run._find_made(_texts(rows))
        return run

    def entity(self, table: str) -> type[Entity]:
        """The entity behind a table."""
        return self.composition.entity(table)

    def was_there(self, change: RowChange) -> bool:
        """Whether the row of a change stood in s0."""
        place = (change.table, change.key)
        return place not in self.inserted and not any(
            other.op == "insert" and (other.table, other.key) == place
            for event in self.events
            for other in event.changes
        )

    def _find_made(self, known: set[str]) -> None:
        for (table, key), number in self.inserted.items():
            row = self.final[table, key] or {}
            given = {leaf.value for leaf in self.leaves[number] if isinstance(leaf.value, str)}
            for column in self.entity(table).table().columns:
                value = row.get(column.name)
                if not (isinstance(value, str) and len(value) > 3) or value in known or value in given:
                    continue
                semantic = column.info.get("semantic")
                if semantic in ("id", "code", "url") or (semantic == "reference" and column.primary_key):
                    self.made.setdefault(value, Made(table, column.name, key))


def _texts(rows: Iterable[Entity]) -> set[str]:
    return {value for row in rows for value in jsonable(row).values() if isinstance(value, str)}


def semantics(entity: type[Entity]) -> Mapping[str, str]:
    """The semantic type of each column."""
    return {column.name: column.info.get("semantic", "text") for column in entity.table().columns}


__all__ = ["Made", "ReferenceRun", "is_side", "key_text", "semantics"]
