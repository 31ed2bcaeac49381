"""What messages say: all that went to an addressee counts together, for people say things in two parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from engine.kit import Entity
from tasks.rubric.asked import Asked
from tasks.rubric.reference import semantics
from tasks.rubric.says import is_day, is_moment

SAID = "said.text"
"""How conditions call what was said to an addressee."""

MOST_OTHERS = 10
"""Other numbers, dates and codes, of each kind, that a message or an answer may give beside those asked for."""

SPOKEN = ("title", "text", "name", "place")
"""Semantic types of the columns in which people write."""

_MESSAGES = ("message", "comment", "reply")
_KINDS = ("number", "date", "code")
_WORD = re.compile(r"[A-Za-z_]*[-_]?[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*")


def is_message(table: str) -> bool:
    """Whether the rows of a table are what somebody says to somebody."""
    return any(word in table for word in _MESSAGES)


def words(entity: type[Entity], row: Iterable[str], alias: str) -> list[str]:
    """The columns of a row in which people write."""
    kinds = semantics(entity)
    return [f"{alias}.{name}" for name in row if kinds[name] in SPOKEN]


def together(entity: type[Entity], alias: str, source: str, where: Sequence[str], says: Sequence[str]) -> Asked:
    """That messages stand somewhere, and together say what they have to.

    Args:
        entity: of the messages.
        alias: of their table in ``source``.
        where: which messages.
        says: conditions on ``said.text``.
    """
    kinds = semantics(entity)
    order = [name for name, kind in kinds.items() if kind == "datetime"][:1]
    by = ", ".join(f"{alias}.{name}" for name in (*order, *entity.key_columns()))
    text = f"concat_ws(' ', {', '.join(words(entity, kinds, alias))})"
    said = (
        f"(SELECT string_agg({text}, E'\\n' ORDER BY {by}) AS text\n"
        f"        FROM {source}\n        WHERE {_joined(where)}) AS said"
    )
    label = f"{entity.table().name} to the addressee"
    return Asked(label, said, (f"{SAID} IS NOT NULL",), tuple(says), f"no {label}")


def no_list_of_guesses(column: str, values: Iterable[Any], made: int = 0) -> list[str]:
    """Conditions: a text gives no more than a few values of each kind beside those that it is asked for.

    Args:
        values: what it must say.
        made: how many identifiers of what the run made it must say besides.
    """
    asked = dict.fromkeys(_KINDS, 0) | {"code": made}
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool):
            asked["number"] += 1
        elif is_moment(value) or is_day(value):
            asked["date"] += 1
        elif isinstance(value, str):
            for word in _WORD.findall(value):
                asked["number" if word.isdigit() else "code"] += 1
    return [f"values_in({column}, '{kind}') <= {count + MOST_OTHERS}" for kind, count in asked.items()]


def _joined(conditions: Iterable[str]) -> str:
    return "\n        AND ".join(conditions)
