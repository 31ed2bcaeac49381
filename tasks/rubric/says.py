"""SQL that asks whether a text says a value: as a parsed number or date, a whole word, never a loose substring."""

from __future__ import annotations

import re
from typing import Any

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_CLOCK = re.compile(r"\d{2}:\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?")


def quoted(value: str) -> str:
    """A text as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"


def is_moment(value: Any) -> bool:
    """Whether a value is the text of an ISO instant."""
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None


def is_day(value: Any) -> bool:
    """Whether a value is the text of an ISO date."""
    return isinstance(value, str) and _DAY.fullmatch(value) is not None


def literal(value: Any) -> str:
    """A JSON value as an SQL literal.

    Raises:
        TypeError: it is a list or an object.
    """
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return quoted(value)
    raise TypeError(f"{value!r} is no single value")


def says(column: str, value: Any) -> str:
    """A condition: the text in a column says a value, as people write it; see ``migrations/sql/0005/rubric.sql``.

    Args:
        column: an SQL expression of type text.
        value: a number, an ISO date or instant, a time of day such as ``14:30``, or words.
    """
    if isinstance(value, bool):
        raise TypeError("a truth value is not said in words")
    if isinstance(value, int | float):
        return f"says({column}, {value!r})"
    if _DAY.fullmatch(value):
        return f"says({column}, date {quoted(value)})"
    if _CLOCK.fullmatch(value):
        return f"says({column}, time {quoted(value)})"
    if _MOMENT.fullmatch(value):
        day, clock = value[:10], value[11:16]
        return f"says({column}, date {quoted(day)}) AND says({column}, time {quoted(clock)})"
    return f"says({column}, {quoted(value)})"
