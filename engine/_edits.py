"""Row changes as JSON: from a world model's answer or from the log, through the entities into the branch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from pydantic import TypeAdapter, ValidationError

from engine.errors import ToolError
from engine.kit import Context, Entity, entity_name
from engine.kit.values import shown
from engine.simulation import NEW_ID, new_key_prefix

Op = Literal["insert", "update", "delete"]

MAX_EDITS = 1_000
_WANTED: dict[Any, tuple[str, ...]] = {"insert": ("values",), "update": ("key", "values"), "delete": ("key",)}
"""The parts that each kind of change has."""

_PLACEHOLDER = re.compile(re.escape(NEW_ID) + r"([a-z0-9_]{1,60}):([0-9]{1,4})(?![0-9])")


@dataclass(frozen=True)
class Edit:
    """One row to be changed; its values are those of the entity's fields.

    Attributes:
        key: of the row, in the order of the key's columns; empty for an insert.
    """

    op: Op
    entity: type[Entity]
    key: tuple[Any, ...]
    values: dict[str, Any]


def apply(context: Context, edits: Iterable[Edit], *, again: bool = False) -> None:
    """Make the changes, one after the other; everything is validated as for any tool.

    Args:
        again: they are those of a log, where a deleted row took others with it: those may be gone already.

    Raises:
        ToolError: a row is not there.
        EntityInvalid, DBAPIError: a change breaks a rule.
    """
    for edit in edits:
        if edit.op == "insert":
            context.add(edit.entity(**edit.values))
            continue
        if edit.op == "delete" and again and context.get(edit.entity, *edit.key) is None:
            continue
        row = context.require(edit.entity, *edit.key)
        if edit.op == "delete":
            context.delete(row)
            continue
        for name, value in edit.values.items():
            setattr(row, name, value)
        context.flush()


def logged_edit(entity: type[Entity], op: str, image: dict[str, Any]) -> Edit:
    """The edit that a row change of the log tells of.

    Raises:
        ToolError: the image does not fit the entity.
    """
    problems: list[str] = []
    values = _typed(entity, image, "row", problems)
    if problems:
        raise ToolError("invalid", "; ".join(problems))
    return Edit(cast(Op, op), entity, tuple(values.get(name) for name in entity.key_columns()), values)


class _Wrong(Exception):
    """A change that cannot be read any further: where, and why."""


class Reader:
    """Reads a world model's changes; collects what is wrong with them.

    Args:
        entities: those of the service.
        new_id: makes an identifier with a prefix.
        given: texts of the call's arguments, which may be keys.

    Attributes:
        problems: for the model, in the order in which they were found.
    """

    def __init__(self, entities: Iterable[type[Entity]], new_id: Callable[[str], str], given: Iterable[str]) -> None:
        self._entities = {entity_name(entity): entity for entity in entities}
        self._new_id = new_id
        self._given = set(given)
        self._made: dict[tuple[str, str], str] = {}
        self.problems: list[str] = []

    def read(self, changes: Any) -> list[Edit]:
        """The edits; those in which something is wrong are left out."""
        if not isinstance(changes, list):
            self.problems.append("changes: it is a list")
            return []
        if len(changes) > MAX_EDITS:
            self.problems.append(f"changes: there are {len(changes)}; at most {MAX_EDITS} are taken")
            return []
        edits = []
        for number, item in enumerate(changes):
            try:
                edits.append(self._edit(f"changes[{number}]", item))
            except _Wrong as wrong:
                self._problem(*wrong.args)
        return edits

    def filled(self, value: Any) -> Any:
        """A JSON value with identifiers in place of placeholders."""
        if isinstance(value, str):
            return _PLACEHOLDER.sub(self._identifier, value) if NEW_ID in value else value
        if isinstance(value, dict):
            return {name: self.filled(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        return value

    def _identifier(self, found: re.Match[str]) -> str:
        name, number = found.groups()
        entity = self._entities.get(name)
        if entity is None:
            self.problems.append(f"{found[0]}: there is no entity {name!r}")
            return found[0]
        if (name, number) not in self._made:
            self._made[name, number] = self._new_id(new_key_prefix(entity))
        return self._made[name, number]

    def _edit(self, place: str, item: Any) -> Edit:
        if not isinstance(item, dict):
            raise _Wrong(place, "it is an object")
        name = item.get("entity")
        op: Any = item.get("op")
        if not isinstance(item.get("op"), str) or op not in _WANTED:
            raise _Wrong(f"{place}.op", "it is insert, update or delete")
        entity = self._entities.get(name) if isinstance(name, str) else None
        if entity is None:
            known = ", ".join(self._entities)
            raise _Wrong(f"{place}.entity", f"there is no entity {_brief(name)}; there are {known}")
        wanted = _WANTED[op]
        for part in sorted(item.keys() - {"op", "entity", "key", "values"}, key=str):
            self._problem(f"{place}.{part}", "there is no such part of a change")
        for part in wanted:
            if part not in item:
                raise _Wrong(place, f"{op} needs {part!r}")
        key = self._key(f"{place}.key", entity, item["key"]) if "key" in wanted else ()
        values = item.get("values") if "values" in wanted else {}
        if not isinstance(values, dict) or not all(isinstance(field, str) for field in values):
            raise _Wrong(f"{place}.values", "it is an object of fields")
        made = _typed(entity, self.filled(values), f"{place}.values", self.problems)
        if op == "insert":
            self._inserted(place, entity, made)
        elif key is not None:
            for column, value in zip(entity.key_columns(), key, strict=True):
                if made.pop(column, value) != value:
                    self._problem(f"{place}.values.{column}", "the key of a row cannot change")
        return Edit(op, entity, key or (), made)

    def _inserted(self, place: str, entity: type[Entity], values: dict[str, Any]) -> None:
        for name, info in entity.model_fields.items():
            if info.is_required() and name not in values:
                self._problem(f"{place}.values.{name}", "it must be given")
        if not new_key_prefix(entity):
            return
        column = entity.key_columns()[0]
        identifier = values.get(column)
        if identifier is not None and identifier not in self._made.values() and identifier not in self._given:
            hint = f"{NEW_ID}{entity_name(entity)}:1"
            self._problem(f"{place}.values.{column}", f"a new row gets a new identifier: {hint!r}")

    def _key(self, place: str, entity: type[Entity], given: Any) -> tuple[Any, ...] | None:
        names = entity.key_columns()
        parts = given if isinstance(given, dict) else {names[0]: given} if len(names) == 1 else None
        if parts is None or parts.keys() != set(names):
            self._problem(place, f"it is an object of {', '.join(names)}")
            return None
        before = len(self.problems)
        values = _typed(entity, self.filled(parts), place, self.problems)
        return tuple(values[name] for name in names) if len(self.problems) == before else None

    def _problem(self, place: str, text: str) -> None:
        self.problems.append(f"{place}: {text}")


def _typed(entity: type[Entity], values: dict[str, Any], place: str, problems: list[str]) -> dict[str, Any]:
    typed = {}
    for name, value in values.items():
        if name not in entity.model_fields:
            fields = ", ".join(entity.model_fields)
            problems.append(f"{place}.{name}: {entity_name(entity)} has no such field; its fields are {fields}")
            continue
        try:
            typed[name] = _adapter(entity, name).validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            problems.append(f"{place}.{name}: {error.errors()[0]['msg']}, not {_brief(value)}")
        except (TypeError, ValueError) as error:
            problems.append(f"{place}.{name}: {error}")
    return typed


@cache
def _adapter(entity: type[Entity], name: str) -> TypeAdapter[Any]:
    annotation: Any = entity.model_fields[name].annotation
    return TypeAdapter(annotation)


def _brief(value: Any) -> str:
    text = repr(shown(value))
    return text if len(text) <= 100 else text[:100] + "…"
