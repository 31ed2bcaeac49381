"""Time zones and wall-clock times."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from engine.errors import ToolError


@cache
def _names() -> frozenset[str]:
    return frozenset(name for name in available_timezones() if "/" in name or name == "UTC")


@cache
def zone(name: str) -> ZoneInfo:
    """The time zone of that IANA name.

    Raises:
        ToolError: code ``invalid``.
    """
    if name not in _names():
        raise ToolError(
            "invalid", f"There is no time zone {name!r}; give an IANA name such as 'Europe/London' or 'UTC'."
        )
    return ZoneInfo(name)


def to_wall(moment: datetime, name: str) -> datetime:
    """The wall clock's reading (without offset) in that zone."""
    return moment.astimezone(zone(name)).replace(tzinfo=None, fold=0)


def from_wall(wall: datetime, name: str) -> datetime:
    """The instant, UTC, at which a wall clock in that zone reads this."""
    return wall.replace(tzinfo=zone(name)).astimezone(UTC)


def midnight(day: date, name: str) -> datetime:
    """The instant at which that day begins in that zone."""
    return from_wall(datetime.combine(day, time()), name)


def local_text(moment: datetime, name: str) -> str:
    """ISO 8601 with that zone's offset."""
    return moment.astimezone(zone(name)).isoformat(timespec="minutes")


def whole_days(first: date, last: date, name: str) -> tuple[datetime, datetime]:
    """The instants at which a stretch of whole days (both included) begins and ends."""
    return midnight(first, name), midnight(last + timedelta(days=1), name)
