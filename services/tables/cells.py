"""What a cell may hold, by the type of its column."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.tables.state import Column, Row

MAX_TEXT = 2000
_LARGEST = {"number": Decimal(10) ** 12, "money": Decimal("9999999999.99")}
_DECIMALS = {"number": 6, "money": 2}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def is_empty(value: Any) -> bool:
    """Whether a cell counts as empty."""
    return value is None or (isinstance(value, str) and not value.strip())


def checked(ctx: Context, column: Column, value: Any) -> Any:
    """The value as it is kept, if a cell of the column may hold it."""
    if value is None:
        return None
    problem = _CHECKS[column.type](column, value)
    if problem:
        ctx.fail("invalid", f"{column.name}: {problem}", column=column.name)
    if isinstance(value, float) and value.is_integer():
        return int(value)  # as the database gives it back
    return value


def _text(column: Column, value: Any) -> str | None:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        return f"give a text of at most {MAX_TEXT} characters."
    return None


def _amount(column: Column, value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "give a number, without quotes or currency sign."
    if not math.isfinite(value):
        return "give a finite number."
    amount = Decimal(str(value))
    if abs(amount) > _LARGEST[column.type]:
        return f"at most {_LARGEST[column.type]} either way."
    if -int(amount.normalize().as_tuple().exponent) > _DECIMALS[column.type]:
        return f"at most {_DECIMALS[column.type]} decimals."
    return None


def _date(column: Column, value: Any) -> str | None:
    try:
        if isinstance(value, str) and _DAY.fullmatch(value):
            date.fromisoformat(value)
            return None
    except ValueError:
        pass
    return "give a date such as 2026-03-02."


def _checkbox(column: Column, value: Any) -> str | None:
    return None if isinstance(value, bool) else "give true or false."


def _select(column: Column, value: Any) -> str | None:
    return None if value in column.options else f"choose one of {', '.join(map(repr, column.options))}."


def _email(column: Column, value: Any) -> str | None:
    if isinstance(value, str) and len(value) <= 200 and _ADDRESS.fullmatch(value):
        return None
    return "give an e-mail address."


def _link(column: Column, value: Any) -> str | None:
    return None if isinstance(value, str) and len(value) <= 200 else "give the id of a row of the linked table."


_CHECKS: dict[str, Callable[[Column, Any], str | None]] = {
    "text": _text,
    "number": _amount,
    "money": _amount,
    "date": _date,
    "checkbox": _checkbox,
    "select": _select,
    "email": _email,
    "link": _link,
}


def require_links(ctx: Context, columns: Sequence[Column], cells: Iterable[dict[str, Any]]) -> None:
    """Refuse links to rows that the linked table does not have."""
    given = list(cells)
    for column in columns:
        wanted = {one[column.id] for one in given if column.type == "link" and one.get(column.id) is not None}
        if not wanted:
            continue
        known = ctx.list(Row, col(Row.id).in_(sorted(wanted)), col(Row.table_id) == column.link_table_id)
        missing = sorted(wanted - {row.id for row in known})
        if missing:
            ctx.fail("not_found", f"{column.name}: the table {column.link_table_id} has no row {missing[0]!r}.")


def require_complete(ctx: Context, columns: Sequence[Column], cells: dict[str, Any]) -> None:
    """Refuse empty cells in required columns."""
    for column in columns:
        if column.required and is_empty(cells.get(column.id)):
            ctx.fail("invalid", f"{column.name}: a value is required.", column=column.name)


def require_unique(ctx: Context, column: Column, rows: Sequence[Row], changed: dict[str, Any] | None = None) -> None:
    """Refuse a value that occurs twice in a column; ``changed`` has new values by row id."""
    seen: dict[Any, str] = {}
    for row_id, value in ({row.id: row.cells.get(column.id) for row in rows} | (changed or {})).items():
        if is_empty(value):
            continue
        place = (type(value) is bool, value)
        if place in seen:
            ctx.fail("conflict", f"{column.name}: {value!r} occurs in {seen[place]} already, and values must differ.")
        seen[place] = row_id


def sort_key(value: Any) -> Any:
    """A key by which values of one column are compared."""
    if isinstance(value, bool):
        return int(value)
    return Decimal(str(value)) if isinstance(value, int | float) else value
