"""Checks of what callers give: one clear InputError instead of whatever would break further down."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from engine.errors import InputError
from engine.kit.values import unstorable

LONGEST_LABEL = 1_000
"""Characters of a label or a name."""

LONGEST_ANSWER = 1_000_000
"""Characters of an agent's answer."""


def number_given(value: Any, what: str, least: int = 0, most: int = 2**63 - 1) -> int:
    """A whole number within bounds.

    Raises:
        InputError: it is no number, or out of bounds.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{what} is a whole number, not {value!r}"[:300])
    if not least <= value <= most:
        raise InputError(f"{what} is {least} to {most}, not {value:.40g}" if abs(value) < 2**200 else f"{what} is huge")
    return value


def text_given(value: Any, what: str, longest: int = LONGEST_LABEL) -> str:
    """A text that can be stored.

    Raises:
        InputError: it is no text, too long, or contains NUL or a lone surrogate.
    """
    if not isinstance(value, str):
        raise InputError(f"{what} is a text, not {type(value).__name__}")
    if len(value) > longest:
        raise InputError(f"{what} has {len(value)} characters; at most {longest} are taken")
    if problem := unstorable(value, what):
        raise InputError(problem)
    return value


def moment_given(value: Any, what: str) -> datetime:
    """An instant, with its offset from UTC, between the years 1000 and 9000.

    Raises:
        InputError: it is none.
    """
    if not isinstance(value, datetime):
        raise InputError(f"{what} is a datetime, not {type(value).__name__}")
    if value.tzinfo is None:
        raise InputError(f"{what} needs an offset from UTC")
    if not 1000 <= value.year <= 9000:
        raise InputError(f"{what} is in the year {value.year}; 1000 to 9000 are taken")
    return value
