"""Filters, orders and pages over the rows of a table."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, NotRequired

from typing_extensions import TypedDict

from engine.kit import Context
from services.tables.access import column_named
from services.tables.cells import MAX_TEXT, checked, is_empty, sort_key
from services.tables.state import Column, Row


class Filter(TypedDict):
    """A condition on one column, named as an agent names it."""

    column: str
    operator: str
    value: NotRequired[Any]


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "greater_than": lambda one, other: one > other,
    "at_least": lambda one, other: one >= other,
    "less_than": lambda one, other: one < other,
    "at_most": lambda one, other: one <= other,
}
_ORDERED = ("number", "money", "date")
_WORDED = ("text", "email", "select")


def stored(ctx: Context, columns: list[Column], filters: Sequence[Filter] | None) -> list[dict[str, Any]]:
    """Filters by column id, with values that suit their columns."""
    found = []
    for one in filters or ():
        column = column_named(ctx, columns, one["column"])
        operator = one["operator"]
        plain: dict[str, Any] = {"column_id": column.id, "operator": operator}
        if operator in ("is_empty", "is_not_empty"):
            if one.get("value") is not None:
                ctx.fail("invalid", f"{column.name}: {operator} takes no value.")
        else:
            plain["value"] = _operand(ctx, column, operator, one.get("value"))
        found.append(plain)
    return found


def _operand(ctx: Context, column: Column, operator: str, value: Any) -> Any:
    if value is None:
        ctx.fail("invalid", f"{column.name}: {operator} needs a value; is_empty finds empty cells.")
    if operator in _COMPARE and column.type not in _ORDERED:
        ctx.fail("invalid", f"{column.name} holds {column.type}; {operator} works on numbers, money and dates only.")
    if operator == "contains":
        if column.type not in _WORDED or not isinstance(value, str) or len(value) > MAX_TEXT:
            ctx.fail("invalid", f"{column.name}: contains takes a text, on columns of text, email or select only.")
        return value
    return checked(ctx, column, value)


def matching(rows: Sequence[Row], filters: Sequence[dict[str, Any]]) -> list[Row]:
    """The rows that meet every filter."""
    return [row for row in rows if all(_meets(row.cells.get(one["column_id"]), one) for one in filters)]


def _meets(value: Any, one: dict[str, Any]) -> bool:
    operator = one["operator"]
    if operator in ("is_empty", "is_not_empty"):
        return bool(is_empty(value) == (operator == "is_empty"))
    wanted = one["value"]
    if operator in ("equals", "not_equals"):
        return bool((value is not None and value == wanted) == (operator == "equals"))
    if value is None:
        return False
    if operator == "contains":
        return str(wanted).casefold() in str(value).casefold()
    return _COMPARE[operator](sort_key(value), sort_key(wanted))


def with_text(rows: Sequence[Row], text: str | None) -> list[Row]:
    """The rows in one of whose cells the text occurs."""
    if text is None:
        return list(rows)
    wanted = text.casefold()
    return [row for row in rows if any(wanted in str(value).casefold() for value in row.cells.values())]


def page_of(
    ctx: Context,
    rows: Sequence[Row],
    column: Column | None,
    descending: bool,
    limit: int,
    cursor: str | None,
) -> tuple[list[Row], str | None]:
    """One page of rows in the order of a column's values, empty ones last, then by number."""

    def place(value: Any, number: int) -> tuple[Any, ...]:
        missing = value is None
        return (missing != descending, 0 if missing else sort_key(value), number)

    def key(row: Row) -> tuple[Any, ...]:
        return place(row.cells.get(column.id) if column else None, row.number)

    ordered = sorted(rows, key=key, reverse=descending)
    if cursor is not None:
        value, number = _read(ctx, cursor)
        try:
            if column is not None and value is not None and checked(ctx, column, value) is None:
                raise TypeError(value)
            behind = place(value if column else None, number)
            ordered = [row for row in ordered if (key(row) < behind if descending else key(row) > behind)]
        except TypeError:
            ctx.fail("invalid", "cursor: not a cursor of this listing.")
    items = ordered[:limit]
    if len(ordered) <= limit:
        return items, None
    last = items[-1]
    return items, _write([last.cells.get(column.id) if column else None, last.number])


def _write(place: list[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _read(ctx: Context, cursor: str) -> tuple[Any, int]:
    try:
        value, number = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if isinstance(number, bool) or not isinstance(number, int) or isinstance(value, list | dict):
            raise TypeError(number)
        return value, number
    except (ValueError, TypeError, binascii.Error, RecursionError):
        return ctx.fail("invalid", "cursor: not a cursor of this listing.")
