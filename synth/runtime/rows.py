"""Rows of one entity: found, made and shown, by the specification's names."""

from __future__ import annotations

import hashlib
import random
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Boolean, Text, or_, type_coerce
from sqlalchemy.dialects.postgresql import JSONB

from engine.kit import Context, Entity, contains
from engine.kit.entity import entity_name
from synth.runtime.arguments import as_column, as_text, values_of
from synth.runtime.patterns import text_of

_LARGEST = 10**9


class Rows:
    """The rows of an entity.

    Args:
        entity: its class; its key is ``id``.
        names: the specification's name of a column, where it is spelled otherwise.
        refs: for a column that names a row of another entity, that entity's records.
        unique: columns by which callers name a row beside ``id``: no two rows share a value.
        id_form: what identifiers look like; a regular expression makes them of its kind.
        shown_id: the specification's own name of ``id``, shown beside it.
    """

    def __init__(
        self,
        entity: type[Entity],
        *,
        names: Mapping[str, str] | None = None,
        refs: Mapping[str, Rows] | None = None,
        unique: Sequence[str] = (),
        id_form: str = "text",
        shown_id: str | None = None,
    ) -> None:
        self.entity = entity
        self.names = dict(names or {})
        self.refs = dict(refs or {})
        self.unique = tuple(unique)
        self.id_form = id_form
        self.shown_id = shown_id
        self._columns = {column.name: column for column in entity.table().columns}
        self._by_name = {**{name: name for name in self._columns}, **{v: k for k, v in self.names.items()}}

    @property
    def _name(self) -> str:
        return entity_name(self.entity).replace("_", " ")

    def require(self, ctx: Context, value: Any) -> Entity:
        """The row of this identifier.

        Raises:
            ToolError: code ``not_found``.
        """
        return ctx.require(self.entity, as_text(value))

    def named(self, ctx: Context, arguments: Mapping[str, Any], key: Mapping[str, str]) -> Entity:
        """The row that the arguments name.

        Raises:
            ToolError: code ``not_found``, or ``invalid`` where they name none.
        """
        found = self._find(ctx, arguments, key)
        if found is None:
            told = ", ".join(f"{name} {arguments[name]!r}" for name in key if arguments.get(name) is not None)
            ctx.fail("not_found", f"There is no {self._name} of {told}."[:300])
        return found

    def shown(self, row: Entity) -> dict[str, Any]:
        """A row as callers see it: by the specification's names, without what is not set."""
        answer = {
            self.names.get(name, name): self._shown_value(name, value)
            for name, value in row.values().items()
            if value is not None
        }
        if self.shown_id:
            answer[self.shown_id] = answer["id"]
        return answer

    def _shown_value(self, name: str, value: Any) -> Any:
        numbered = self if name == "id" else self.refs.get(name)
        if numbered is not None and numbered.id_form == "number" and isinstance(value, str) and value.isdecimal():
            return int(value)
        return value

    def _column(self, name: str) -> Any:
        return getattr(self.entity, name)

    def _find(self, ctx: Context, arguments: Mapping[str, Any], key: Mapping[str, str]) -> Entity | None:
        if any(arguments.get(name) is None for name in key):
            # Without the last of several a row would be taken by chance.
            ctx.fail("invalid", f"Say which {self._name} by {' and '.join(key)}.")
        where = [
            self._column(column) == as_column(self._columns[column], arguments[name], name)
            for name, column in key.items()
        ]
        return ctx.first(self.entity, *where)

    def _conditions(
        self,
        ctx: Context,
        arguments: Mapping[str, Any],
        equal: Mapping[str, str],
        search: Sequence[str],
        fixed: Mapping[str, Any],
    ) -> list[Any]:
        where = [self._is(name, value, name) for name, value in fixed.items()]
        for name, column in equal.items():
            value = arguments.get(name)
            if value is not None:
                where.append(self._is(column, value, name))
        for name in search:
            text = arguments.get(name)
            if text:
                texts = [self._column(key) for key, item in self._columns.items() if isinstance(item.type, Text)]
                where.append(or_(*(contains(column, as_text(text)) for column in texts)))
        return where

    def _is(self, column: str, value: Any, name: str) -> Any:
        kept = self._columns[column]
        if isinstance(kept.type, JSONB):
            # A text is in a list of texts, too.
            return or_(*(self._column(column).contains(type_coerce(item, JSONB)) for item in values_of(value) or [[]]))
        if isinstance(value, list):
            return self._column(column).in_([as_column(kept, item, name) for item in value])
        if value is False and isinstance(kept.type, Boolean):
            return self._column(column).is_not(True)  # what was never set is not so
        return self._column(column) == as_column(kept, value, name)

    def _insert(self, ctx: Context, arguments: Mapping[str, Any], fixed: Mapping[str, Any]) -> Entity:
        values = self._values(ctx, arguments) | dict(fixed)
        given = arguments.get(self.shown_id) if self.shown_id else None
        given = values.pop("id", None) if given is None else given
        if given is not None and ctx.get(self.entity, as_text(given)) is not None:
            ctx.fail("conflict", f"There is a {self._name} {given!r} already."[:300])
        row = self.entity(id=self._new_id(ctx) if given is None else as_text(given), **values)
        self._refuse_taken(ctx, row)
        return ctx.add(row)

    def _refuse_taken(self, ctx: Context, row: Entity) -> None:
        for name in self.unique:
            value = getattr(row, name)
            if value is not None and ctx.exists(
                self.entity, self._column(name) == value, self._column("id") != row.values()["id"]
            ):
                ctx.fail(
                    "conflict", f"There is a {self._name} with {self.names.get(name, name)} {value!r} already."[:300]
                )

    def _set(
        self,
        ctx: Context,
        row: Entity,
        arguments: Mapping[str, Any],
        fixed: Mapping[str, Any],
        *,
        merge: bool = False,
    ) -> None:
        for name, value in {**self._values(ctx, arguments), **fixed}.items():
            if name != "id":
                held = getattr(row, name) if merge else None
                setattr(row, name, {**held, **value} if isinstance(held, dict) and isinstance(value, dict) else value)
        self._refuse_taken(ctx, row)

    def _values(self, ctx: Context, arguments: Mapping[str, Any]) -> dict[str, Any]:
        values = {}
        for name, value in arguments.items():
            column = self._by_name.get(name)
            if column is None:
                continue
            if column in self.refs:
                for item in values_of(value):
                    if not isinstance(item, dict | list):
                        self.refs[column].require(ctx, item)
            values[column] = as_column(self._columns[column], value, name)
        return values

    def _new_id(self, ctx: Context) -> str:
        for _ in range(100):
            found = self._made_of(
                ctx.new_id("" if self.id_form != "text" else entity_name(self.entity).split("_")[-1][:6])
            )
            if ctx.get(self.entity, found) is None:
                return found
        raise RuntimeError(f"no free identifier of the form {self.id_form}")

    def _made_of(self, chance: str) -> str:
        if self.id_form == "text":
            return chance
        digest = hashlib.sha256(chance.encode()).digest()
        if self.id_form == "number":
            return str(1000 + int.from_bytes(digest[:8], "big") % _LARGEST)
        if self.id_form == "uuid":
            return str(uuid.UUID(bytes=digest[:16], version=4))
        made = text_of(self.id_form, random.Random(chance))
        if made is None:
            raise RuntimeError(f"no identifier can be made of {self.id_form!r}")
        return made
