"""The initial state of a task: the services' seed data with the task's changes, as typed entities."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache, partial
from typing import Any

from pydantic import TypeAdapter, ValidationError

from engine.compositions import Composition
from engine.errors import EntityInvalid, NotFound
from engine.kit import Entity, Person, jsonable
from engine.kit.cast import COLLEAGUES
from engine.kit.seed import DEFAULT_START
from engine.states import Change, State
from tasks.document import InitialState, Row, Task
from tasks.errors import TaskError

_Tables = dict[str, dict[str, Entity]]


def initial_rows(composition: Composition, task: Task, change: InitialState | None = None) -> list[Entity]:
    """The rows of s0.

    Args:
        change: what else is otherwise than in the seed data, applied last (a counterfactual).

    Raises:
        TaskError: a table, key or field of the task's changes does not exist, or a value does not fit its field.
    """
    tables = _seeded(composition, task.s0, task.start, task.user())
    for step in _steps(composition, task.s0, tables):
        step()
    if change is not None:
        for step in _steps(composition, change, tables):
            step()
    return _rows(tables)


def drafted_rows(
    composition: Composition,
    s0: InitialState,
    change: InitialState | None = None,
    *,
    start: datetime = DEFAULT_START,
    person: Person = COLLEAGUES[0],
) -> tuple[list[Entity], list[TaskError]]:
    """The rows of an s0 that is being written, and everything that is wrong with it; what is wrong is left out."""
    tables = _seeded(composition, s0, start, person)
    problems = []
    for changes in (s0, change or InitialState()):
        for step in _steps(composition, changes, tables):
            try:
                step()
            except TaskError as error:
                problems.append(error)
    return _rows(tables), problems


def changed_rows(composition: Composition, state: State, change: InitialState) -> list[Change]:
    """What a change makes of the rows of a state, without making all of them anew.

    Raises:
        TaskError: a table, key or field of the change does not exist, or a value does not fit its field.
    """
    tables: _Tables = {}
    for table, keys in [*change.delete.items(), *change.update.items()]:
        images = state.get(table, {})
        cls = _entity(composition, table, "update")
        for key in images.keys() & set(keys):
            tables.setdefault(table, {})[key] = cls(**typed(cls, images[key], f"s0.update.{table}.{key}"))
    touched = {(table, key) for table, rows in tables.items() for key in rows}
    for step in _steps(composition, change, tables):
        step()
    after = {(table, key): entity for table, rows in tables.items() for key, entity in rows.items()}
    for table, key in sorted(after.keys() - touched):
        if key in state.get(table, {}):
            raise TaskError(f"there is a row {key!r} already", "update it, or delete it", place=f"s0.insert.{table}")
    found = []
    for table, key in sorted(after.keys() | touched):
        before = state.get(table, {}).get(key)
        entity = after.get((table, key))
        op = "insert" if before is None else "delete" if entity is None else "update"
        found.append(Change(table, key, op, before, None if entity is None else jsonable(entity)))
    return found


def key_text(entity: Entity) -> str:
    """The key of a row as the event log writes it."""
    return key_of([jsonable(getattr(entity, name)) for name in entity.key_columns()])


def key_of(values: list[Any]) -> str:
    """The values of the key columns, JSON values in order, as the event log writes them."""
    return str(values[0]) if len(values) == 1 else json.dumps(values, ensure_ascii=False)


def _seeded(composition: Composition, s0: InitialState, start: datetime, person: Person) -> _Tables:
    tables: _Tables = {}
    for entity in composition.seed_rows(s0.seed, start, person):
        tables.setdefault(entity.table().name, {})[key_text(entity)] = entity
    return tables


def _rows(tables: _Tables) -> list[Entity]:
    return [entity for rows in tables.values() for entity in rows.values()]


def _steps(composition: Composition, s0: InitialState, tables: _Tables) -> Iterator[Callable[[], None]]:
    """The changes, one by one, in their order; each raises a ``TaskError`` where it does not fit."""
    for table, keys in s0.delete.items():
        for key in keys:
            yield partial(_delete, composition, tables, table, key)
    for table, changes in s0.update.items():
        for key, values in changes.items():
            yield partial(_update, composition, tables, table, key, values)
    for table, rows in s0.insert.items():
        for number, values in enumerate(rows):
            yield partial(_insert, composition, tables, table, values, f"s0.insert.{table}.{number}")


def _delete(composition: Composition, tables: _Tables, table: str, key: str) -> None:
    _entity(composition, table, "delete")
    _existing(tables, table, key, "delete")
    del tables[table][key]


def _update(composition: Composition, tables: _Tables, table: str, key: str, values: Row) -> None:
    _entity(composition, table, "update")
    entity = _existing(tables, table, key, "update")
    place = f"s0.update.{table}.{key}"
    for name, value in typed(type(entity), values, place).items():
        if name in entity.key_columns():
            raise TaskError("it is the key", "delete the row and insert another", place=f"{place}.{name}")
        setattr(entity, name, value)
    _checked(entity, place)


def _insert(composition: Composition, tables: _Tables, table: str, values: Row, place: str) -> None:
    cls = _entity(composition, table, "insert")
    entity = _checked(cls(**typed(cls, values, place)), place)
    if tables.setdefault(table, {}).setdefault(key_text(entity), entity) is not entity:
        problem = f"there is a row {key_text(entity)!r} already"
        raise TaskError(problem, "update it, or delete it", place=place)


def typed(entity: type[Entity], values: Row, place: str) -> Row:
    """JSON values as what the entity's fields hold: ``Decimal`` for money, instants, dates.

    Raises:
        TaskError: there is no such field, or its type does not take the value.
    """
    result = {}
    for name, value in values.items():
        if name not in entity.model_fields:
            hint = f"the fields are {', '.join(entity.model_fields)}"
            raise TaskError(f"{entity.table().name} has no such field", hint, place=f"{place}.{name}")
        try:
            result[name] = _adapter(entity, name).validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            problem = f"{error.errors()[0]['msg']}, not {value!r}"
            raise TaskError(problem, place=f"{place}.{name}") from None
    return result


@cache
def _adapter(entity: type[Entity], name: str) -> TypeAdapter[Any]:
    annotation: Any = entity.model_fields[name].annotation
    return TypeAdapter(annotation)


def _entity(composition: Composition, table: str, verb: str) -> type[Entity]:
    try:
        return composition.entity(table)
    except NotFound as error:
        raise TaskError(error.message, error.hint, place=f"s0.{verb}.{table}") from error


def _existing(tables: _Tables, table: str, key: str, verb: str) -> Entity:
    try:
        return tables[table][key]
    except KeyError:
        raise TaskError(f"there is no row with the key {key!r}", place=f"s0.{verb}.{table}.{key}") from None


def _checked(entity: Entity, place: str) -> Entity:
    missing = [
        name for name, field in type(entity).model_fields.items() if field.is_required() and name not in entity.__dict__
    ]
    if missing:
        raise TaskError(f"{', '.join(missing)} must be given", place=place)
    try:
        return entity.check()
    except EntityInvalid as error:
        raise TaskError(str(error), place=place) from error
