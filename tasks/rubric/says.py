"""SQL that asks whether a text says a value: as a parsed number or date, a whole word, never a loose substring."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Any

_MONTHS = (
    *("jan(uary)?", "feb(ruary)?", "mar(ch)?", "apr(il)?", "may", "june?", "july?", "aug(ust)?", "sep(t|tember)?"),
    *("oct(ober)?", "nov(ember)?", "dec(ember)?"),
)

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_CLOCK = re.compile(r"\d{2}:\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?")


def quoted(value: str) -> str:
    """A text as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"


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
    """A condition: the text in a column says a value, as people write it.

    Args:
        column: an SQL expression of type text.
        value: a number (with or without separators and cents), an ISO date or instant, or words.
    """
    if isinstance(value, bool):
        raise TypeError("a truth value is not said in words")
    if isinstance(value, int | float):
        return f"{column} ~ {quoted(number_pattern(value))}"
    if _DAY.fullmatch(value):
        return f"{column} ~* {quoted(day_pattern(date.fromisoformat(value)))}"
    if _CLOCK.fullmatch(value):
        return f"{column} ~* {quoted(clock_pattern(time.fromisoformat(value)))}"
    if _MOMENT.fullmatch(value):
        moment = datetime.fromisoformat(value)
        day, clock = day_pattern(moment.date()), clock_pattern(moment)
        return f"({column} ~* {quoted(day)} AND {column} ~* {quoted(clock)})"
    return f"{column} ~* {quoted(word_pattern(value))}"


def number_pattern(value: float) -> str:
    """A regular expression for a number: ``1234.5`` as 1234.5, 1,234.50, 1 234.50 or 1.234,50.

    Not a part of another number, nor of an identifier (``tkt_a6``, ``KX-6``); a currency may stand right before it.
    """
    whole, _, decimals = f"{abs(value):.10f}".rstrip("0").rstrip(".").partition(".")
    groups = f"{int(whole):,}".split(",")
    digits = "[ ,.]?".join(groups)
    tail = f"[.,]{decimals}" + "0?" * (len(decimals) == 1) if decimals else "([.,]0{1,2})?"
    return rf"(?<![0-9A-Za-z_.,])(?<![0-9A-Za-z_]-)(USD|EUR|GBP|AUD|CAD)?{digits}{tail}(?![.,]?[0-9]|_)"


def day_pattern(day: date) -> str:
    """A regular expression for a date: ISO, 9 March, March 9th, 09.03., 9/3 or 3/9; a year may follow."""
    month, number = _MONTHS[day.month - 1], f"0?{day.day}"
    ordinal = f"{number}(st|nd|rd|th)?"
    return "|".join(
        (
            day.isoformat(),
            rf"(?<![0-9]){ordinal}( of)?[ -](the )?({month})(?![a-z])",
            rf"(?<![a-z])({month})\.? (the )?{ordinal}(?![0-9])",
            rf"(?<![0-9]){number}\.0?{day.month}\.",
            rf"(?<![0-9])({number}/0?{day.month}|0?{day.month}/{number})(?![0-9])",
        )
    )


def clock_pattern(moment: datetime | time) -> str:
    """A regular expression for a time of day: 14:30, 2:30 pm, 14.30; full hours also 2 pm."""
    hour, minute = moment.hour, moment.minute
    half, other = ("a", "p") if hour < 12 else ("p", "a")
    short = f"{hour % 12 or 12}"
    minutes = f"[:.]{minute:02d}"
    return rf"(?<![0-9])(0?{hour}{minutes}(?! ?{other}\.?m)|{short}({minutes}){'?' if minute == 0 else ''} ?{half}\.?m)"


def word_pattern(words: str) -> str:
    """A regular expression for words as a whole, whatever their case and the space between them."""
    parts = [re.sub(r"([^\w\s])", r"\\\1", part) for part in words.split()]
    before = r"(?<![[:alnum:]])" if words[:1].isalnum() else ""
    after = r"(?![[:alnum:]])" if words[-1:].isalnum() else ""
    return before + r"\s+".join(parts) + after
