"""Total orders and key-set pagination."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, and_, literal, or_
from sqlalchemy.sql import operators
from sqlalchemy.sql.elements import UnaryExpression

from engine.errors import ToolError
from engine.kit.entity import Entity
from engine.kit.values import jsonable, unstorable


def total_order(entity: type[Entity], order_by: Any | Sequence[Any]) -> list[Any]:
    """The given order, with the key's columns added so that no two rows tie."""
    given = list(order_by) if isinstance(order_by, list | tuple) else [order_by]
    named = {_column(item)[0].key for item in given if _is_column(item)}
    return given + [getattr(entity, name) for name in entity.key_columns() if name not in named]


def cursor_of(order: list[Any], row: Entity) -> str:
    """An opaque text for the position just behind a row."""
    values = [jsonable(getattr(row, _column(item)[0].key)) for item in order]
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def after_cursor(order: list[Any], cursor: str) -> ColumnElement[bool]:
    """The condition for rows behind the cursor.

    Raises:
        ToolError: code ``invalid``, for a text that no listing in this order has given.
    """
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(values, list) or len(values) != len(order):
            raise ValueError(cursor)
        columns = [_column(item) for item in order]
        # As bound values, because SQLAlchemy refuses to compare a flag with a bare True.
        typed = [
            literal(_typed(column, value), column.type) for (column, _), value in zip(columns, values, strict=True)
        ]
    except (ValueError, TypeError, ArithmeticError, RecursionError, binascii.Error):
        raise ToolError("invalid", "cursor: not a cursor of this listing") from None
    ways = []
    for index, ((column, descending), value) in enumerate(zip(columns, typed, strict=True)):
        same = [columns[before][0] == typed[before] for before in range(index)]
        ways.append(and_(*same, column < value if descending else column > value))
    return or_(*ways)


def _is_column(item: Any) -> bool:
    try:
        return hasattr(_column(item)[0], "key")
    except AttributeError:
        return False


def _column(item: Any) -> tuple[Any, bool]:
    if isinstance(item, UnaryExpression):
        return item.element, item.modifier is operators.desc_op
    return item, False


def _typed(column: Any, value: Any) -> Any:
    kind = column.type.python_type
    if kind is datetime:
        return datetime.fromisoformat(value)
    if kind is date:
        return date.fromisoformat(value)
    if kind is Decimal:
        return Decimal(str(value))
    # A flag is an int to Python, but not to the database.
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise TypeError(value)
    if unstorable(value, "it") or (isinstance(value, int) and not -(2**63) <= value < 2**63):
        raise ValueError(value)
    return value
