"""A reference run seen from outside: which rows it made and changed, and which values exist only because it ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.compositions import Composition
from engine.events import Event, RowChange
from engine.kit import Entity, jsonable
from tasks.parts import Part

SIDE_TABLES = frozenset(
    {"mail_thread", "mail_correspondent", "chat_mention", "chat_channel", "chat_channel_member", "chat_group_member"}
)
"""Rows that come with a message by one way of sending it and not by another."""

_SIDE_WORDS = ("audit", "history", "version", "log", "activity_entry", "revision", "notification")


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
        parts: of each call's arguments.
        final: the last image of every row that was changed or made, by table and key; ``None`` for one that is gone.
        inserted: rows that the run made and that are still there.
        ever: rows that the run made, whatever became of them.
        made: where a value stands that the run made.
        person: the e-mail address of the one for whom it ran.
        known: the rows of s0, by table.
    """

    composition: Composition
    events: list[Event]
    parts: list[list[Part]]
    final: dict[tuple[str, str], dict[str, Any] | None] = field(default_factory=dict)
    inserted: dict[tuple[str, str], int] = field(default_factory=dict)
    ever: set[tuple[str, str]] = field(default_factory=set)
    made: dict[str, Made] = field(default_factory=dict)
    person: str = ""
    known: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        composition: Composition,
        rows: Iterable[Entity],
        events: list[Event],
        parts: list[list[Part]],
        person: str = "",
    ) -> ReferenceRun:
        """Take a run apart.

        Args:
            rows: of s0.
            parts: of each call, in the order of the events.
            person: the e-mail address of the one for whom it ran.
        """
        run = cls(composition, events, parts, person=person)
        for row in rows:
            run.known.setdefault(row.table().name, []).append(jsonable(row))
        for number, event in enumerate(events):
            for change in event.changes:
                place = (change.table, change.key)
                run.final[place] = change.after
                if change.op == "insert":
                    run.inserted[place] = number
                    run.ever.add(place)
                elif change.op == "delete":
                    run.inserted.pop(place, None)
        run._find_made(_texts(run.known))
        return run

    def entity(self, table: str) -> type[Entity]:
        """The entity behind a table."""
        return self.composition.entity(table)

    @cached_property
    def tables(self) -> set[str]:
        """The tables of the composition."""
        return {entity.table().name for service in self.composition.services.values() for entity in service.entities}

    def was_there(self, change: RowChange) -> bool:
        """Whether the row of a change stood in s0."""
        return (change.table, change.key) not in self.ever

    def hangs_on(self, table: str, row: Mapping[str, Any]) -> Iterator[tuple[str, Made]]:
        """The fields of a row that refer to rows with a value that the run made, and where that value stands."""
        kinds = semantics(self.entity(table))
        for name, value in row.items():
            if kinds[name] == "reference" and isinstance(value, str) and value in self.made:
                yield name, self.made[value]

    def lasting(self, change: RowChange) -> list[str]:
        """The fields that a change gave the value with which the row ended up."""
        before, after, final = change.before or {}, change.after or {}, self.final[change.table, change.key] or {}
        return [name for name in after if after[name] != before.get(name) and final.get(name) == after[name]]

    def left_out(self, number: int) -> set[str]:
        """The optional arguments that a call does not give."""
        event = self.events[number]
        tool = self.composition.services[event.service].tools[event.tool].specification
        return {name for name in tool.properties if event.arguments.get(name) is None} - set(tool.required)

    def about(self, target: str) -> list[str]:
        """The records of s0 that the calls name and those to which these refer; of colleagues only the person.

        Args:
            target: ``<table>.<key column>``.
        """
        table, column = target.split(".")
        emails = [name for name, kind in semantics(self.entity(table)).items() if kind == "email"]
        found = set()
        for row in self.known.get(table, []):
            addresses = [str(row[name]) for name in emails]
            colleague = any(address.endswith(self.person.rpartition("@")[2]) for address in addresses)
            if self.person in addresses or (row[column] in self._named and not colleague):
                found.add(str(row[column]))
        return sorted(found)

    @cached_property
    def _named(self) -> set[str]:
        said = {text for event in self.events for text in _strings(event.arguments)}
        found = set(said)
        for table, rows in self.known.items():
            kinds, keys = semantics(self.entity(table)), self.entity(table).key_columns()
            references = [name for name, kind in kinds.items() if kind == "reference"]
            for row in rows:
                if any(row[key] in said for key in keys):
                    found |= {row[name] for name in references if isinstance(row[name], str)}
        return found

    def _find_made(self, known: set[str]) -> None:
        for number, event in enumerate(self.events):
            given = {part.value for part in self.parts[number] if isinstance(part.value, str)}
            for change in event.changes:
                if self.final[change.table, change.key] is not None:
                    self._find_made_in(change, known | given)

    def _find_made_in(self, change: RowChange, known: set[str]) -> None:
        columns = self.entity(change.table).table().columns
        for name in self.lasting(change):
            value, semantic = (change.after or {})[name], columns[name].info.get("semantic")
            if not (isinstance(value, str) and len(value) > 3) or value in known:
                continue
            if semantic in ("id", "code", "url") or (semantic == "reference" and columns[name].primary_key):
                self.made.setdefault(value, Made(change.table, name, change.key))


def _texts(known: Mapping[str, list[dict[str, Any]]]) -> set[str]:
    return {value for rows in known.values() for row in rows for value in row.values() if isinstance(value, str)}


def _strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(item)


def semantics(entity: type[Entity]) -> Mapping[str, str]:
    """The semantic type of each column."""
    return {column.name: column.info.get("semantic", "text") for column in entity.table().columns}


__all__ = ["Made", "ReferenceRun", "is_side", "semantics"]
