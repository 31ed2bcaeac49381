"""Values that cross the border between JSON and Python: parsing, rendering, one canonical form."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel


def _utc(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("needs an offset from UTC, such as 2026-03-02T09:00:00Z")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("lies outside the years 1 to 9999 in UTC") from None


def _cents(value: Decimal) -> Decimal:
    if not value.is_finite():
        raise ValueError("must be a finite amount")
    if value.adjusted() > 20:
        raise ValueError("is too large an amount")
    rounded = value.quantize(Decimal("0.01"))
    if rounded != value:
        raise ValueError("has more than two decimals")
    return rounded


Moment = Annotated[datetime, AfterValidator(_utc)]
"""An instant: refused without an offset from UTC, kept in UTC."""

Money = Annotated[Decimal, AfterValidator(_cents)]
"""An amount in major units with at most two decimals."""


def moment_text(value: datetime) -> str:
    """RFC 3339 in UTC with ``Z``; fractions of a second only where there are any."""
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def jsonable(value: Any) -> Any:
    """Turn a tool's result into plain JSON values.

    Entities and pydantic models become objects, datetimes RFC 3339 in UTC, dates ISO, decimals numbers.

    Raises:
        TypeError: a value has no JSON form (a set, bytes, NaN, a non-text key, ...); the message says where.
    """
    return _jsonable(value, "result")


def _jsonable(value: Any, place: str) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise TypeError(f"{place} is {value}, which JSON cannot carry")
        return value
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise TypeError(f"{place} is {value}, which JSON cannot carry")
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime):
        return moment_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "__json__"):
        return _jsonable(value.__json__(), place)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"{place} has the key {key!r}, which is not text")
        return {key: _jsonable(item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item, f"{place}[{index}]") for index, item in enumerate(value)]
    raise TypeError(f"{place} is of type {type(value).__name__}, which has no JSON form")


def canonical_json(value: Any) -> str:
    """One text per JSON value: sorted keys, no spaces, and whole floats written as integers (as RFC 8785)."""
    return json.dumps(_canonical(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _canonical(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _canonical(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    return value


_encode = json.JSONEncoder(allow_nan=False).encode


def json_text(value: Any, place: str = "$") -> str:
    """A JSON value as text that Postgres can store.

    Raises:
        TypeError: something in it has no JSON form.
        ValueError: NaN, an infinity, NUL or a lone surrogate; the message says where.
    """
    try:
        text = _encode(value)
    except ValueError as error:
        raise ValueError(unstorable(value, place) or str(error)) from error
    if "\\u0000" in text or "\\ud" in text:  # rarely: then look closely, it may be an emoji or the text itself
        problem = unstorable(value, place)
        if problem:
            raise ValueError(problem)
    return text


def whole_numbers(value: Any) -> Any:
    """A JSON value with 1.0 written as 1, as the triggers store it."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:  # from there on Python writes 1e+16
        return int(value)
    if isinstance(value, Mapping):
        return {key: whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [whole_numbers(item) for item in value]
    return value


def no_json(value: Any, place: str = "$") -> str | None:
    """Where a value is no plain JSON (a set, a date, a key that is no text, ...), or ``None``."""
    if isinstance(value, dict):
        for key, item in value.items():
            found = f"{place} has the key {key!r}, which is not text" if not isinstance(key, str) else None
            if found or (found := no_json(item, f"{place}.{key}")):
                return found
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if found := no_json(item, f"{place}[{index}]"):
                return found
    elif value is not None and not isinstance(value, bool | int | float | str):
        return f"{place} is of type {type(value).__name__}, which has no JSON form"
    return None


def deeper(value: Any, most: int) -> bool:
    """Whether a JSON value is nested deeper than that."""
    level = [value]
    for _ in range(most):
        level = [
            inner
            for item in level
            if isinstance(item, dict | list | tuple)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return True


def unstorable(value: Any, place: str = "$") -> str | None:
    """Where a JSON value holds text that Postgres cannot store (NUL, a lone surrogate), or ``None``."""
    if isinstance(value, str):
        if "\x00" in value:
            return f"{place} contains a NUL character"
        if any("\ud800" <= char <= "\udfff" for char in value):
            return f"{place} contains a lone surrogate"
    elif isinstance(value, Mapping):
        for key, item in value.items():
            found = unstorable(key, f"a key of {place}") or unstorable(item, f"{place}.{key}")
            if found:
                return found
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            found = unstorable(item, f"{place}[{index}]")
            if found:
                return found
    elif isinstance(value, float) and not math.isfinite(value):
        return f"{place} is {value}, which JSON cannot carry"
    return None


MAX_BITS = 14_000
"""Bits of a whole number that Python turns into text."""


def printable(text: str) -> str:
    """A name as it can be stored: without NUL and lone surrogates, and of bounded length."""
    if text.isascii() and "\x00" not in text:
        return text[:200]
    return text.replace("\x00", "\\0").encode("utf-8", "backslashreplace").decode()[:200]


def shown(value: Any) -> Any:
    """Arguments as they can be stored: what Postgres cannot hold is spelled out."""
    if isinstance(value, str):
        return value.replace("\x00", "\\0").encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {shown(key): shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shown(item) for item in value]
    if isinstance(value, float) and unstorable(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        return f"a number of {value.bit_length()} bits"
    return value
