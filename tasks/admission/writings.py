"""Numbers and dates as other people write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from tasks.admission.ground import Ground
from tasks.admission.occurrences import MONTHS, as_moment, plain

_AMOUNTS = ("money", "quantity", "percent")

LARGE = 1000
"""Whole numbers from here on are grouped, where they count or cost something: 1,250."""


def writings(ground: Ground) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Ways to write the values in texts: a name for people, and the way."""
    yield "5,967.50 and 9 March 2026", lambda value: _written(ground, value, ",", "{day.day} {month} {day.year}")
    yield "5967.50 and March 9", lambda value: _written(ground, value, "", "{month} {day.day}")


def _written(ground: Ground, value: Any, group: str, form: str) -> Any:
    moment = as_moment(value)
    if moment is not None:
        is_day = isinstance(moment, date) and not isinstance(moment, datetime)
        return form.format(day=moment, month=MONTHS[moment.month - 1]) if is_day else value
    if isinstance(value, float) and not value.is_integer():
        return f"{value:{group}.2f}" if round(value, 2) == value else value
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= LARGE:
        columns = ground.seen.columns.get(plain(value), ())
        if columns and all(ground.semantic(*column) in _AMOUNTS for column in columns):
            return f"{int(value):{group}}"
    return value
