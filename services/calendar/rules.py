"""Recurrence rules: which ones are understood, and the occurrences they give.

A rule runs on the wall clock of the event's time zone, so that a weekly nine o'clock stays nine o'clock when
daylight saving begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice

from dateutil.rrule import rrule, rrulestr  # type: ignore[import-untyped, unused-ignore]

from engine.errors import ToolError
from services.calendar.zones import from_wall, to_wall

MAX_OCCURRENCES = 1000
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_NUMBERS = {"INTERVAL": (1, 99), "COUNT": (1, 730), "BYSETPOS": (-4, 4)}
_KNOWN = ("FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "COUNT", "UNTIL", "WKST")


def _bad(problem: str) -> ToolError:
    return ToolError("invalid", f"recurrence: {problem}")


def _integers(name: str, text: str, low: int, high: int) -> list[int]:
    values = []
    for item in text.split(","):
        if not re.fullmatch(r"[+-]?[0-9]{1,3}", item) or not low <= int(item) <= high or int(item) == 0:
            raise _bad(f"{name} cannot be {item!r}.")
        values.append(int(item))
    return values


def parse(text: str) -> dict[str, str]:
    """The parts of a rule such as ``FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10``.

    Raises:
        ToolError: code ``invalid``, naming the part that is not understood.
    """
    parts: dict[str, str] = {}
    for item in text.strip().upper().removeprefix("RRULE:").rstrip(";").split(";"):
        name, _, value = item.partition("=")
        if name not in _KNOWN or not value:
            raise _bad(f"{item!r} is not understood; the parts are {', '.join(_KNOWN)}.")
        if name in parts:
            raise _bad(f"{name} stands twice.")
        parts[name] = value
    frequency = parts.get("FREQ")
    if frequency not in ("DAILY", "WEEKLY", "MONTHLY", "YEARLY"):
        raise _bad("FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY.")
    for name, (low, high) in _NUMBERS.items():
        if name in parts:
            _integers(name, parts[name], low, high)
    if "BYMONTH" in parts:
        _integers("BYMONTH", parts["BYMONTH"], 1, 12)
    if "BYMONTHDAY" in parts:
        _integers("BYMONTHDAY", parts["BYMONTHDAY"], -31, 31)
    if "COUNT" in parts and "UNTIL" in parts:
        raise _bad("give COUNT or UNTIL, not both.")
    if "BYSETPOS" in parts and "BYDAY" not in parts:
        raise _bad("BYSETPOS needs BYDAY.")
    if parts.get("WKST", "MO") not in _WEEKDAYS:
        raise _bad("WKST must be a weekday such as MO.")
    for item in parts.get("BYDAY", "MO").split(","):
        found = re.fullmatch(r"([+-]?[1-5])?([A-Z]{2})", item)
        if not found or found[2] not in _WEEKDAYS:
            raise _bad(f"BYDAY cannot be {item!r}; use weekdays such as MO or 1MO.")
        if found[1] and not (frequency == "MONTHLY" or (frequency == "YEARLY" and "BYMONTH" in parts)):
            raise _bad("a numbered weekday needs FREQ=MONTHLY, or FREQ=YEARLY with BYMONTH.")
    if "UNTIL" in parts:
        _until(parts["UNTIL"])
    return parts


def _until(text: str) -> tuple[datetime, bool]:
    """The last instant, and whether it was given in UTC (otherwise it is a wall-clock reading)."""
    for pattern, in_utc in (("%Y%m%dT%H%M%SZ", True), ("%Y%m%dT%H%M%S", False), ("%Y%m%d", False)):
        if len(text) == {"%Y%m%d": 8, "%Y%m%dT%H%M%S": 15, "%Y%m%dT%H%M%SZ": 16}[pattern]:
            try:
                value = datetime.strptime(text, pattern)
            except ValueError:
                break
            if not 2000 <= value.year < 2100:
                raise _bad("UNTIL must lie between 2000 and 2099.")
            return (value + timedelta(hours=23, minutes=59, seconds=59) if len(text) == 8 else value), in_utc
    raise _bad("UNTIL must look like 20260630 or 20260630T150000Z.")


def render(parts: dict[str, str]) -> str:
    """The rule's canonical text."""
    return ";".join(f"{name}={parts[name]}" for name in _KNOWN if name in parts)


def _rule(text: str, start: datetime, zone_name: str) -> rrule:
    parts = parse(text)
    until = parts.pop("UNTIL", None)
    wall = to_wall(start, zone_name)
    rule = rrulestr(render(parts), dtstart=wall)
    assert isinstance(rule, rrule)
    if until is not None:
        last, in_utc = _until(until)
        rule = rule.replace(until=to_wall(last.replace(tzinfo=UTC), zone_name) if in_utc else last)
    return rule


def _begins_with(rule: rrule, parts: dict[str, str], wall: datetime) -> bool:
    # The cheap questions come first: a rule that the start does not fit might never match a day at all.
    if "BYMONTH" in parts and wall.month not in _integers("BYMONTH", parts["BYMONTH"], 1, 12):
        return False
    if "BYMONTHDAY" in parts:
        days_left = (wall.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        if not {wall.day, wall.day - days_left.day - 1} & set(_integers("BYMONTHDAY", parts["BYMONTHDAY"], -31, 31)):
            return False
    if "BYDAY" in parts and _WEEKDAYS[wall.weekday()] not in {day[-2:] for day in parts["BYDAY"].split(",")}:
        return False
    return next(iter(rule), None) == wall


def settle(text: str, start: datetime, zone_name: str) -> tuple[str, datetime | None]:
    """A rule in canonical form and the start of its last occurrence (``None``: it never ends).

    Raises:
        ToolError: code ``invalid`` where the start is not an occurrence, ``limit`` where there are too many.
    """
    parts = parse(text)
    rule = _rule(text, start, zone_name)
    if not _begins_with(rule, parts, to_wall(start, zone_name)):
        raise _bad(
            f"the start ({to_wall(start, zone_name):%A %Y-%m-%d %H:%M} in {zone_name}) is not one of its "
            "occurrences; change one of the two."
        )
    if "COUNT" not in parts and "UNTIL" not in parts:
        return render(parts), None
    walls = list(islice(rule, MAX_OCCURRENCES + 1))
    if len(walls) > MAX_OCCURRENCES:
        raise ToolError(
            "limit",
            f"recurrence: more than {MAX_OCCURRENCES} occurrences; end it earlier or leave its end open.",
        )
    return render(parts), from_wall(walls[-1], zone_name)


def starts(text: str, start: datetime, zone_name: str, after: datetime, before: datetime) -> Iterator[datetime]:
    """Starts of the occurrences from ``after`` (included) to ``before`` (not included), in order."""
    margin = timedelta(days=1)
    rule = _rule(text, start, zone_name)
    for wall in rule.xafter(to_wall(after, zone_name) - margin, inc=True):
        moment = from_wall(wall, zone_name)
        if moment >= before:
            return
        if moment >= after:
            yield moment


def ended_before(text: str, start: datetime, zone_name: str, cut: datetime) -> str:
    """The rule, ending with the last occurrence before that instant."""
    parts = parse(text)
    parts.pop("COUNT", None)
    parts["UNTIL"] = f"{cut.astimezone(UTC) - timedelta(seconds=1):%Y%m%dT%H%M%SZ}"
    return render(parts)


def remainder(text: str, start: datetime, zone_name: str, cut: datetime) -> str:
    """The rule for a series that goes on from that occurrence: its count is lowered by those before."""
    parts = parse(text)
    if "COUNT" in parts:
        before = sum(1 for _ in starts(text, start, zone_name, start, cut))
        parts["COUNT"] = str(int(parts["COUNT"]) - before)
    return render(parts)
