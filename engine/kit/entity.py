"""Entities: SQLModel tables that validate every write.

``SQLModel`` classes with ``table=True`` validate neither construction nor assignment, so unknown names are refused
here at once, and types and constraints at flush, for whoever writes: tools, seeds, the world model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args

from pydantic import AfterValidator, ConfigDict, StringConstraints, ValidationError, create_model
from sqlalchemy import Numeric, Table
from sqlalchemy import inspect as sa_inspect
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import declared_attr
from sqlmodel import SQLModel

from engine.errors import EntityInvalid, ToolViolation
from engine.kit.values import no_json, unstorable


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _plain(value: Any) -> Any:
    problem = no_json(value, "it")
    if problem:
        raise ValueError(problem)
    return value


def _exactly(scale: int, precision: int) -> Callable[[Decimal], Decimal]:
    def check(value: Decimal) -> Decimal:
        # The database would round it, and the object that a tool returns would say something else.
        if -int(value.normalize().as_tuple().exponent) > scale:
            raise ValueError(f"has more than {scale} decimals")
        if value.adjusted() >= precision - scale:
            raise ValueError(f"has more than {precision - scale} digits before the point")
        return value

    return check


def _storable(value: Any) -> Any:
    problem = unstorable(value, "it")
    if problem:
        raise ValueError(problem)
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError("needs an offset from UTC")
    return value


class Entity(SQLModel):
    """Base of every entity. A service derives its own base from it::

        class MailEntity(Entity):
            __service__ = "mail"

        class Message(MailEntity, table=True):
            id: str = key("msg")
            subject: str = field("title", max_length=200)

    The table is named ``<service>_<entity>``, here ``mail_message``.
    """

    __service__: ClassVar[str]
    __checker__: ClassVar[Any] = None

    @declared_attr.directive
    def __tablename__(cls) -> str:
        return f"{cls.__service__}_{_snake(cls.__name__)}"

    def __init__(self, **values: Any) -> None:
        unknown = sorted(values.keys() - type(self).model_fields.keys())
        if unknown:
            raise EntityInvalid(type(self).__name__, dict.fromkeys(unknown, "there is no such field"), mistake=True)
        super().__init__(**values)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in type(self).model_fields:
            state = sa_inspect(self, raiseerr=False)
            if state is not None and state.detached:
                raise ToolViolation(
                    f"{type(self).__name__}.{name} was set on an object of an earlier call",
                    hint="get the row again in this call",
                )
        elif not name.startswith("_"):
            raise EntityInvalid(type(self).__name__, {name: "there is no such field"}, mistake=True)
        try:
            super().__setattr__(name, value)
        except ValueError as error:  # a list that tells of its changes takes lists only
            raise EntityInvalid(type(self).__name__, {name: str(error)}, mistake=True) from None

    @classmethod
    def table(cls) -> Table:
        """The SQLAlchemy table behind the class."""
        return cls.__table__  # type: ignore[attr-defined, no-any-return]

    @classmethod
    def key_columns(cls) -> tuple[str, ...]:
        """Names of the primary key's columns, in order."""
        return tuple(column.name for column in cls.table().primary_key.columns)

    def values(self) -> dict[str, Any]:
        """The row as Python values, in column order."""
        loaded = self.__dict__  # an attribute that is not there is loaded by asking for it
        return {name: loaded[name] if name in loaded else getattr(self, name) for name in type(self).model_fields}

    def out(self, *only: str, without: tuple[str, ...] = ()) -> dict[str, Any]:
        """The row for a tool's result: all fields, or only those named."""
        names = only or tuple(type(self).model_fields)
        return {name: getattr(self, name) for name in names if name not in without}

    def __json__(self) -> dict[str, Any]:
        return self.values()

    def check(self) -> Self:
        """Validate the row as it stands.

        Raises:
            EntityInvalid: a wrong type or a broken constraint, with the fields concerned.
        """
        cls = type(self)
        if cls.__checker__ is None:
            cls.__checker__ = _checker(cls)
        try:
            cls.__checker__.model_validate(self.values())
        except ValidationError as error:
            found = error.errors(include_url=False)
            problems = {
                ".".join(map(str, item["loc"])) or "row": item["msg"].removeprefix("Value error, ") for item in found
            }
            mistake = any(
                item["type"] not in _WRONG_VALUES
                # pydantic does not ask for the type of one of several choices
                or (item["type"] == "literal_error" and not isinstance(item["input"], str))
                for item in found
            )
            raise EntityInvalid(cls.__name__, problems, mistake=mistake) from None
        return self


_WRONG_VALUES = {
    "value_error",
    "literal_error",
    "string_too_short",
    "string_too_long",
    "string_pattern_mismatch",
    "greater_than_equal",
    "less_than_equal",
    "finite_number",
}
"""pydantic's names for a value of the right type that is not allowed; everything else is a wrong type."""


def _checker(cls: type[Entity]) -> Any:
    """A strict pydantic model with the entity's fields (table classes skip validation, a plain model does not)."""
    fields: dict[str, Any] = {}
    for name, info in cls.model_fields.items():
        column = cls.table().columns[name]
        members = [item for item in get_args(info.annotation) if item is not type(None)]
        optional = len(members) < len(get_args(info.annotation))
        inner: Any = Union[tuple(members)] if optional else info.annotation  # noqa: UP007 - made of a list
        if choices := column.info.get("choices"):
            inner = Literal[choices]
        constraints = [item for item in info.metadata if type(item).__name__ != "FieldInfoMetadata"]
        if pattern := column.info.get("pattern"):
            # SQLModel's Field drops a pattern.
            constraints.append(StringConstraints(pattern=pattern))
        if isinstance(column.type, JSONB):
            constraints.append(AfterValidator(_plain))
        if isinstance(column.type, Numeric) and column.type.asdecimal:
            constraints.append(AfterValidator(_exactly(column.type.scale or 0, column.type.precision or 1000)))
        inner = Annotated[inner, *constraints, AfterValidator(_storable)]
        # Constraints sit inside the optional: they speak of a value, not of its absence.
        fields[name] = (inner | None if column.nullable else inner, ...)
    config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=True)
    return create_model(f"{cls.__name__}Check", __config__=config, **fields)


def entity_name(cls: type[Entity]) -> str:
    """The entity's name inside its service: ``message`` for ``mail_message``."""
    return cls.table().name.removeprefix(f"{cls.__service__}_")
