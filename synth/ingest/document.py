"""Text into JSON values, and JSON values into what a database and a prompt can hold."""

from __future__ import annotations

import json
import math
import re
from typing import Any

MAX_DIGITS = 300
"""Digits of a whole number; one with more counts as infinite."""

MAX_VALUE_DEPTH = 30
"""Levels of a default, an example or any other value inside a schema."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


class Repeating(dict[str, Any]):
    """An object in which keys stood more than once; the last one counts.

    Attributes:
        repeated: those keys.
    """

    repeated: tuple[str, ...] = ()


def parse(text: str) -> Any:
    """A JSON value; ``NaN``, infinities and numbers too large come as floats that are not finite.

    Raises:
        ValueError: it is not JSON, or nested too deeply; the message says where.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=_integer)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if "\n" in text.strip() else f"column {error.colno}"
        raise ValueError(f"not JSON: {error.msg} at {place}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: set[str] = set()
    again = Repeating(made)
    again.repeated = tuple(dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return again


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MAX_DIGITS else math.copysign(math.inf, -1 if digits.startswith("-") else 1)


def repeated_keys(value: Any) -> tuple[str, ...]:
    """Keys that stood more than once in an object."""
    return value.repeated if isinstance(value, Repeating) else ()


def storable(text: str) -> bool:
    """Whether a database can hold the text: no NUL, no lone surrogate."""
    return _UNSTORABLE.search(text) is None


def clean(text: str) -> str:
    """Text with NUL and lone surrogates replaced by U+FFFD."""
    return _UNSTORABLE.sub(_REPLACEMENT, text)


def plain_text(value: Any, longest: int) -> str:
    """What stands where a text should: cleaned, of bounded length; a list of texts joined, all else empty."""
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        value = "\n".join(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = clean(str(value)).strip()
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


class Unusable(ValueError):
    """A value that cannot be stored as JSON: not finite, too deep, of no JSON type."""


def plain_value(value: Any, depth: int = 0) -> Any:
    """A JSON value made of plain dictionaries and lists, its texts cleaned.

    Raises:
        Unusable: a number is not finite, or it is nested too deeply.
    """
    if depth > MAX_VALUE_DEPTH:
        raise Unusable("nested too deeply")
    match value:
        case None | bool():
            return value
        case str():
            return clean(value)
        case int():
            if value.bit_length() > MAX_DIGITS * 3:
                raise Unusable("too large a number")
            return value
        case float():
            if not math.isfinite(value):
                raise Unusable("not a finite number")
            return value
        case dict():
            return {clean(str(key)): plain_value(item, depth + 1) for key, item in value.items()}
        case list() | tuple():
            return [plain_value(item, depth + 1) for item in value]
    raise Unusable("of no JSON type")
