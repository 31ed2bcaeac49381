"""The initial state of a task: the services' seed data with the task's changes, as typed entities."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from engine.compositions import Composition
from engine.errors import EntityInvalid, NotFound
from engine.kit import Entity, jsonable
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
    tables: _Tables = {}
    for entity in composition.seed_rows(task.s0.seed, task.start, task.user()):
        tables.setdefault(entity.table().name, {})[key_text(entity)] = entity
    _apply(composition, task.s0, tables)
    if change is not None:
        _apply(composition, change, tables)
    return [entity for rows in tables.values() for entity in rows.values()]


def key_text(entity: Entity) -> str:
    """The key of a row as the event log writes it."""
    values = [jsonable(getattr(entity, name)) for name in entity.key_columns()]
    return str(values[0]) if len(values) == 1 else json.dumps(values, ensure_ascii=False)


def _apply(composition: Composition, s0: InitialState, tables: _Tables) -> None:
    for table, keys in s0.delete.items():
        _entity(composition, table, "delete")
        for key in keys:
            _existing(tables, table, key, "delete")
            del tables[table][key]
    for table, changes in s0.update.items():
        _entity(composition, table, "update")
        for key, values in changes.items():
            entity = _existing(tables, table, key, "update")
            place = f"s0.update.{table}.{key}"
            for name, value in typed(type(entity), values, place).items():
                if name in entity.key_columns():
                    raise TaskError("it is the key", "delete the row and insert another", place=f"{place}.{name}")
                setattr(entity, name, value)
            _checked(entity, place)
    for table, rows in s0.insert.items():
        cls = _entity(composition, table, "insert")
        for number, values in enumerate(rows):
            place = f"s0.insert.{table}.{number}"
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
