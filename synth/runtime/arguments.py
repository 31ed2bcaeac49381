"""Arguments of compiled tools: laid flat, and turned into what columns hold."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from dateutil.parser import isoparse
from sqlalchemy import BigInteger, Boolean, Column, Date, DateTime, Float, Text

from engine.errors import ToolError


def flat(arguments: dict[str, Any], *groups: str) -> dict[str, Any]:
    """The arguments with what stands in these groups beside the others; the first of a name counts."""
    found: dict[str, Any] = {}
    inner: list[dict[str, Any]] = []
    for name, value in arguments.items():
        if name in groups and isinstance(value, dict):
            inner.append(flat(value, *groups))
        else:
            found.setdefault(name, value)
    for items in inner:
        for name, value in items.items():
            found.setdefault(name, value)
    return found


def as_text(value: Any) -> str:
    """An identifier as its column holds it: 7, 7.0 and "7" are the same."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def as_column(column: Column[Any], value: Any, name: str) -> Any:
    """A JSON value as a column holds it.

    Raises:
        ToolError: code ``invalid``: it cannot be held there.
    """
    if value is None:
        return None
    kind = column.type
    try:
        if isinstance(kind, Text):
            return as_text(value)
        if isinstance(kind, BigInteger):
            number = int(value)
            if number != value or not -(2**63) <= number < 2**63:
                raise ValueError("is no whole number that can be kept")
            return number
        if isinstance(kind, Float):
            return float(value)
        if isinstance(kind, Boolean):
            return bool(value)
        if isinstance(kind, Date):
            return date.fromisoformat(value)
        if isinstance(kind, DateTime):
            moment: datetime = isoparse(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError) as error:
        raise ToolError("invalid", f"{name}: {error}"[:300]) from None
    return value


def values_of(value: Any) -> list[Any]:
    """A list as it is, anything else as the one value of a list; nothing as none."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
