"""The part of a service's state that a world model is shown: what the call names first, within a budget."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import BigInteger, Connection, Date, Numeric, Row, Text, and_, case, cast, func, or_, select, tuple_
from sqlalchemy.dialects.postgresql import JSONB

from engine.kit import Entity, Service, entity_name, jsonable
from engine.simulation import Budget, SeenState
from engine.tables import Reference, references

LONGEST_VALUE = 4_000
"""Characters of a text that are shown; of a longer one its length is said too."""

HOPS = 3
"""How far references are followed from the rows that the call names."""

_MOST_NAMED = 50
_SEARCHED = range(3, 81)
"""Lengths of texts that are looked for inside other texts too."""


def relevant(connection: Connection, service: Service, arguments: dict[str, Any], budget: Budget) -> SeenState:
    """The rows that matter to a call, of the branch that the connection is in.

    First those whose keys or values stand in the arguments, or whose texts contain one; then those that they refer to,
    those that refer to them, and others by key, as long as the budget lasts.
    """
    chosen = _Chosen(connection, service, budget)
    texts, numbers = _named(arguments)
    found = [row for entity in service.entities for row in chosen.named(entity, texts, numbers)]
    hop = found
    for _ in range(HOPS):
        hop = chosen.referred_to(hop)
    chosen.referring_to(found)
    chosen.others()
    return chosen.seen()


def named_texts(arguments: dict[str, Any]) -> list[str]:
    """Every text in a call's arguments, keys of objects apart."""
    return [item for item in _scalars(arguments) if isinstance(item, str)]


def _named(arguments: dict[str, Any]) -> tuple[list[str], list[int | float]]:
    texts: dict[str, None] = {}
    numbers: dict[int | float, None] = {}
    for item in _scalars(arguments):
        if isinstance(item, str) and 0 < len(item) <= LONGEST_VALUE and "\x00" not in item:
            texts[item] = None
        elif isinstance(item, int | float) and not isinstance(item, bool) and abs(item) < 2**63:
            numbers[item] = None
    return list(texts)[:_MOST_NAMED], list(numbers)[:_MOST_NAMED]


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _scalars(item)
    elif isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    else:
        yield value


_Found = tuple[type[Entity], dict[str, Any]]


class _Chosen:
    """The rows taken so far."""

    def __init__(self, connection: Connection, service: Service, budget: Budget) -> None:
        self._connection = connection
        self._entities = {entity.table().name: entity for entity in service.entities}
        self._rows: dict[str, dict[tuple[Any, ...], dict[str, Any]]] = {name: {} for name in self._entities}
        self._left, self._characters = budget.rows, budget.characters

    def named(self, entity: type[Entity], texts: list[str], numbers: list[int | float]) -> list[_Found]:
        """Rows that the arguments name."""
        table = entity.table()
        keys = [column for column in table.primary_key.columns if isinstance(column.type, Text)]
        plain = [column for column in table.columns if isinstance(column.type, Text)]
        dates = [column for column in table.columns if isinstance(column.type, Date)]
        amounts = [column for column in table.columns if isinstance(column.type, BigInteger | Numeric)]
        parts = [item for item in texts if len(item) in _SEARCHED][:10]
        searched = [*plain, *(cast(column, Text) for column in table.columns if isinstance(column.type, JSONB))]
        ranks = []
        if texts:
            ranks.append(or_(False, *(column.in_(texts) for column in keys)))
            equal = [*(column.in_(texts) for column in plain), *(cast(column, Text).in_(texts) for column in dates)]
            ranks.append(or_(False, *equal))
        if parts:
            ranks.append(
                or_(False, *(column.icontains(part, autoescape=True) for part in parts for column in searched))
            )
        if numbers:
            ranks.append(or_(False, *(column.in_(numbers) for column in amounts)))
        if not ranks:
            return []
        rank = case(*((condition, number) for number, condition in enumerate(ranks)))
        return self._take(entity, or_(*ranks), order=(rank,))

    def referred_to(self, rows: Iterable[_Found]) -> list[_Found]:
        """Rows that these refer to."""
        wanted: dict[tuple[str, tuple[str, ...]], dict[tuple[Any, ...], None]] = {}
        for entity, values in rows:
            for item in references(entity.table()):
                key = tuple(values[name] for name in item.columns)
                if None not in key and item.target in self._entities:
                    wanted.setdefault((item.target, item.target_columns), {})[key] = None
        found = []
        for (name, columns), keys in wanted.items():
            entity = self._entities[name]
            found += self._take(entity, _among(entity, columns, list(keys)))
        return found

    def referring_to(self, rows: Sequence[_Found]) -> None:
        """Rows that refer to these."""
        for entity in self._entities.values():
            for item in references(entity.table()):
                keys = [tuple(values[name] for name in item.target_columns) for values in _of(rows, item)]
                if keys:
                    self._take(entity, _among(entity, item.columns, keys))

    def others(self) -> None:
        """As many of the other rows as there is room for, a share of it for each entity."""
        for left, entity in zip(range(len(self._entities), 0, -1), self._entities.values(), strict=True):
            self._take(entity, and_(True), share=left)

    def seen(self) -> SeenState:
        """What the model is shown."""
        rows, left_out = {}, {}
        for name, entity in self._entities.items():
            rows[entity_name(entity)] = list(self._rows[name].values())
            missing = self._count(entity) - len(self._rows[name])
            if missing > 0:
                left_out[entity_name(entity)] = missing
        return SeenState(rows, left_out)

    def _count(self, entity: type[Entity]) -> int:
        return int(self._connection.execute(select(func.count()).select_from(entity.table())).scalar_one())

    def _take(
        self, entity: type[Entity], condition: Any, *, order: tuple[Any, ...] = (), share: int = 1
    ) -> list[_Found]:
        known = self._rows[entity.table().name]
        rows, characters = self._left // share, self._characters // share
        if rows <= 0 or characters <= 0:
            return []
        table = entity.table()
        keys = tuple(table.primary_key.columns)
        statement = select(*table.columns).where(condition).order_by(*order, *keys).limit(rows + len(known))
        taken: list[_Found] = []
        for row in self._connection.execute(statement):
            values, shown = dict(row._mapping), _shown(row)
            key = tuple(values[column.name] for column in keys)
            length = len(json.dumps(shown, ensure_ascii=False))
            if key in known or length > characters:
                continue
            known[key] = shown
            taken.append((entity, values))
            rows, characters = rows - 1, characters - length
            self._left, self._characters = self._left - 1, self._characters - length
            if rows == 0:
                break
        return taken


def _of(rows: Sequence[_Found], reference: Reference) -> list[dict[str, Any]]:
    return [values for entity, values in rows if entity.table().name == reference.target]


def _among(entity: type[Entity], columns: tuple[str, ...], keys: list[tuple[Any, ...]]) -> Any:
    table = entity.table()
    return tuple_(*(table.columns[name] for name in columns)).in_(keys)


def _shown(row: Row[Any]) -> dict[str, Any]:
    return {name: _cut(jsonable(value)) for name, value in row._mapping.items()}


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        return f"{value[:LONGEST_VALUE]}… [{len(value) - LONGEST_VALUE} more characters]"
    return value
