"""Fields of an entity. Each carries its semantic type, which tasks are later built on."""

from __future__ import annotations

from typing import Any, Literal, get_args

from sqlalchemy import BigInteger, Boolean, Date, DateTime, Float, Numeric, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.mutable import MutableList
from sqlalchemy.types import TypeEngine
from sqlmodel import Field

from engine.errors import ServiceDefinitionError

Semantic = Literal[
    "id",
    "reference",
    "person",
    "email",
    "phone",
    "company",
    "address",
    "place",
    "url",
    "name",
    "title",
    "text",
    "code",
    "status",
    "category",
    "tags",
    "money",
    "currency",
    "quantity",
    "percent",
    "ratio",
    "date",
    "datetime",
    "minutes",
    "flag",
    "json",
]
"""What a value means to a person, beside its type: the vocabulary from which tasks are composed."""

SEMANTICS: tuple[str, ...] = get_args(Semantic)

MAX_TEXT = 100_000
"""Characters that a text field holds where it says nothing else."""

_COLUMN_TYPES: dict[str, TypeEngine[Any]] = {
    "money": Numeric(14, 2),
    "date": Date(),
    "datetime": DateTime(timezone=True),
    "quantity": BigInteger(),
    "minutes": BigInteger(),
    "percent": Numeric(7, 4),
    "ratio": Float(),
    "flag": Boolean(),
    # None is SQL's NULL, never JSON's null: the two look the same in a row's image, so only one can come back from it.
    "tags": MutableList.as_mutable(JSONB(none_as_null=True)),  # so that append() is seen as a change
    "json": JSONB(none_as_null=True),
}

_ON_DELETE: dict[str, Literal["RESTRICT", "CASCADE", "SET NULL"]] = {
    "restrict": "RESTRICT",
    "cascade": "CASCADE",
    "set null": "SET NULL",
}

_MISSING: Any = object()


def _column_type(semantic: str) -> TypeEngine[Any]:
    # Collation "C" everywhere: the same order on every server, whatever its locale.
    return _COLUMN_TYPES.get(semantic) or Text(collation="C")


def _common(semantic: str, info: dict[str, Any]) -> dict[str, Any]:
    if semantic not in SEMANTICS:
        raise ServiceDefinitionError(f"unknown semantic type {semantic!r}", hint=f"use one of {', '.join(SEMANTICS)}")
    return {
        "sa_type": _column_type(semantic),
        "sa_column_kwargs": {"info": {"semantic": semantic, **info}},
    }


def key(prefix: str = "") -> Any:
    """The primary key: text, made by ``ctx.new_id(prefix)`` or given by the application (an order number)."""
    return Field(primary_key=True, min_length=1, max_length=200, **_common("id", {"prefix": prefix}))


def ref(
    target: str,
    *,
    default: Any = _MISSING,
    key: bool = False,
    on_delete: Literal["restrict", "cascade", "set null"] = "restrict",
) -> Any:
    """A reference to another entity of the same service: ``ref("mail_thread.id")``.

    Args:
        target: ``<table>.<key column>``, where the table is ``<service>_<entity in snake case>``.
        default: ``None`` makes it optional (annotate ``str | None``).
        key: part of the primary key (a row that links two entities).
        on_delete: what becomes of this row when the referenced one is deleted.
    """
    more: dict[str, Any] = {} if default is _MISSING else {"default": default}
    return Field(
        foreign_key=target,
        ondelete=_ON_DELETE[on_delete],
        primary_key=key,
        index=not key,
        **more,
        **_common("reference", {"target": target}),
    )


def field(
    semantic: Semantic,
    *,
    default: Any = _MISSING,
    default_factory: Any = None,
    choices: tuple[str, ...] | None = None,
    unique: bool = False,
    index: bool = False,
    key: bool = False,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    ge: float | None = None,
    le: float | None = None,
    description: str | None = None,
) -> Any:
    """A field with its semantic type, from which its column type follows.

    Column types: money ``numeric(14,2)`` (Python ``Decimal``), percent ``numeric(7,4)``, ratio ``double
    precision``, quantity and minutes ``bigint``, date, datetime ``timestamptz``, flag ``boolean``, tags and json
    ``jsonb``, everything else ``text``.

    Args:
        choices: the closed set of texts that a status or category may take.
        unique: no two visible rows of a branch share the value (``None`` is not compared).
        index: a secondary index led by the branch.
        key: part of a primary key made of several columns.
    """
    text = isinstance(_column_type(semantic), Text)
    more: dict[str, Any] = {}
    if default is not _MISSING:
        more["default"] = default
    if default_factory is not None:
        more["default_factory"] = default_factory
    if text and choices is None:
        more["max_length"] = MAX_TEXT if max_length is None else max_length
    bounds = {"min_length": min_length, "ge": ge, "le": le, "description": description}
    more |= {name: value for name, value in bounds.items() if value is not None}
    return Field(
        unique=unique,
        index=index,
        primary_key=key,
        **more,
        **_common(semantic, {**({"choices": choices} if choices else {}), **({"pattern": pattern} if pattern else {})}),
    )
