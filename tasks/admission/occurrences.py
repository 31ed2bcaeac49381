"""Where values stand in rows, and whether a text mentions them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cached_property
from typing import Any

from engine.states import State
from tasks.admission.numerals import NUMBER, numbers_told

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in MONTHS)
_CALENDAR = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b|\b(?:{_MONTH})\.? (?:the )?\d{{1,2}}\b|\b\d{{1,2}}:\d\d\b"
)
"""Days and times of day: their figures tell no number."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Occurrences:
    """An index over the rows of a state.

    Attributes:
        state: table to key to row.
    """

    def __init__(self, state: State) -> None:
        self.state = state

    @cached_property
    def columns(self) -> dict[str, set[tuple[str, str]]]:
        """Value (as text) to the columns (table, name) in which it stands by itself."""
        found: dict[str, set[tuple[str, str]]] = {}
        for table, rows in self.state.items():
            for row in rows.values():
                for column, value in row.items():
                    for leaf in leaves(value):
                        found.setdefault(plain(leaf), set()).add((table, column))
        return found

    @cached_property
    def words(self) -> str:
        """All texts of the rows, one a line, in small letters."""
        return "\n".join(text for rows in self.state.values() for row in rows.values() for text in _texts(row)).lower()

    @cached_property
    def texts(self) -> dict[str, dict[str, str]]:
        """Table to key to what the row says, in small letters."""
        return {
            table: {key: "\n".join(map(plain, leaves(row))).lower() for key, row in rows.items()}
            for table, rows in self.state.items()
        }

    def values(self, table: str, column: str) -> list[Any]:
        """The different values of a column, in the order of their keys."""
        found: dict[str, Any] = {}
        for row in self.state.get(table, {}).values():
            for leaf in leaves(row.get(column)):
                found.setdefault(plain(leaf), leaf)
        return list(found.values())

    def holding(self, value: Any, tables: set[str]) -> Iterator[tuple[str, str, str]]:
        """Table, key and column of each row of these tables that has a value, by itself or as a word of a text."""
        wanted = plain(value).lower()
        pattern = _bounded(wanted)
        number = as_number(value)
        figures = wanted if number is None else plain(number)
        for table in sorted(tables & self.state.keys()):
            for key, text in self.texts[table].items():
                if not (wanted in text or figures in text):
                    continue
                for column, held in self.state[table][key].items():
                    for leaf in leaves(held):
                        if isinstance(leaf, str):
                            if wanted in leaf.lower() and pattern.search(leaf):
                                yield table, key, column
                        elif number is not None and as_number(leaf) == number:
                            yield table, key, column


def leaves(value: Any) -> Iterator[Any]:
    """The texts, numbers and truth values in a JSON value."""
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif value is not None:
        yield value


def plain(value: Any) -> str:
    """A leaf as text; numbers that are equal give equal texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def as_number(value: Any) -> float | None:
    """A number, or a text that is nothing but one; else ``None``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        return float(value.replace(",", ""))
    return None


def mentions(text: str, value: Any) -> bool:
    """Whether a text tells a value: as a text, a number (in figures or in words) or a date, within word bounds."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, list | dict):
        parts = list(leaves(value))
        return bool(parts) and all(mentions(text, part) for part in parts)
    text = " ".join(text.split())
    number = as_number(value)
    if number is not None:
        return number in numbers_told(_CALENDAR.sub(" ", text))
    moment = as_moment(value)
    if moment is None:
        return bool(value.strip()) and any(pattern.search(text) for pattern in _writings(" ".join(value.split())))
    day = moment.date() if isinstance(moment, datetime) else moment
    if not _mentions_day(text, day):
        return False
    return not isinstance(moment, datetime) or (moment.hour, moment.minute) == (0, 0) or mentions_time(text, moment)


def occurs(words: str, wanted: str) -> bool:
    """Whether words in small letters hold others, within word bounds; an underscore bounds, as in identifiers."""
    place = words.find(wanted.lower())
    while place >= 0:
        end = place + len(wanted)
        if not (words[place - 1 : place].isalnum() or words[end : end + 1].isalnum()):
            return True
        place = words.find(wanted.lower(), place + 1)
    return False


def as_moment(value: Any) -> date | datetime | None:
    """The date or instant that an ISO text gives, or ``None``."""
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d", value):
        return None
    try:
        return date.fromisoformat(value) if len(value) == 10 else datetime.fromisoformat(value)
    except ValueError:
        return None


def _mentions_day(text: str, day: date) -> bool:
    month = MONTHS[day.month - 1]
    name = rf"{month[:3]}(?:{month[3:]})?\.?"
    number = rf"0?{day.day}(?:st|nd|rd|th)?"
    forms = (
        re.escape(day.isoformat()),
        rf"{number}(?: of)? {name}",
        rf"{name} (?:the )?{number}",
        rf"{day.day:02d}[/.]{day.month:02d}",
        rf"{day.month:02d}/{day.day:02d}",
    )
    return any(re.search(rf"(?<!\w){form}(?!\w)", text, re.IGNORECASE) for form in forms)


def mentions_time(text: str, moment: datetime) -> bool:
    """Whether a text tells a time of day."""
    hour = moment.hour % 12 or 12
    half = "am" if moment.hour < 12 else "pm"
    minutes = f":{moment:%M}" if moment.minute else "(?::00)?"
    forms = (rf"{moment:%H:%M}", rf"0?{hour}{minutes} ?{half[0]}\.?m")
    return any(re.search(rf"(?<!\d){form}(?!\d)", text, re.IGNORECASE) for form in forms)


def _bounded(words: str) -> re.Pattern[str]:
    """A pattern for words that do not go on before or behind; an underscore bounds, as in identifiers."""
    return re.compile(rf"(?<![^\W_]){re.escape(words)}(?![^\W_])", re.IGNORECASE)


def _writings(words: str) -> Iterator[re.Pattern[str]]:
    """Patterns for words as they stand, and for a code such as ``KX-44`` also with other stops or blanks in it."""
    yield _bounded(words)
    signs = re.findall(r"[^\W_]", words)
    if len(signs) > 3 and " " not in words and any(sign.isdigit() for sign in signs):
        spread = r"[\s_./-]*".join(signs)
        yield re.compile(rf"(?<![^\W_]){spread}(?![^\W_])", re.IGNORECASE)


def _texts(row: Mapping[str, Any]) -> Iterator[str]:
    return (leaf for leaf in leaves(row) if isinstance(leaf, str))
