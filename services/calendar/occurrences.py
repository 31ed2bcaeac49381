"""From rows to what stands in the calendar: single events, and the occurrences of series."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import col

from engine.kit import Context
from services.calendar import rules
from services.calendar.state import Event, Exclusion
from services.calendar.zones import from_wall, to_wall

MAX_LENGTH = timedelta(days=31)
"""No event is longer."""


@dataclass(frozen=True)
class Occurrence:
    """One appearance of an event.

    Attributes:
        event: the row that describes it: a single event, the series, or a changed occurrence's own row.
        family: id of the single event or of the series.
        original_start: which occurrence of the series it is; ``None`` for a single event.
    """

    event: Event
    family: str
    original_start: datetime | None
    start: datetime
    end: datetime

    @property
    def order(self) -> tuple[datetime, str]:
        """Its place in a listing."""
        return self.start, f"{self.family}/{self.original_start or ''}"


def collect(
    ctx: Context,
    after: datetime,
    before: datetime,
    *where: ColumnElement[bool],
    cancelled: bool = False,
) -> list[Occurrence]:
    """Everything that overlaps the window and whose row satisfies the conditions, by start."""
    conditions = list(where) if cancelled else [Event.status != "cancelled", *where]
    begun = col(Event.start_at) < before
    overlaps = and_(begun, col(Event.end_at) > after)
    # The end of a series is the start of its last occurrence; no occurrence is longer than MAX_LENGTH.
    reaches = and_(begun, or_(col(Event.series_end).is_(None), col(Event.series_end) > after - MAX_LENGTH))
    rows = ctx.list(
        Event,
        *conditions,
        or_(and_(col(Event.recurrence).is_(None), overlaps), and_(col(Event.recurrence).is_not(None), reaches)),
    )
    series = [row for row in rows if row.recurrence is not None]
    skipped = _taken_out(ctx, [row.id for row in series])
    found = [
        Occurrence(row, row.series_id or row.id, row.original_start, row.start_at, row.end_at)
        for row in rows
        if row.recurrence is None
    ]
    for row in series:
        assert row.recurrence is not None
        earliest = after - (row.end_at - row.start_at) - timedelta(hours=3)
        for start in rules.starts(row.recurrence, row.start_at, row.time_zone, earliest, before):
            if (row.id, start) not in skipped and ends(row, start) > after:
                found.append(Occurrence(row, row.id, start, start, ends(row, start)))
    return sorted(found, key=lambda item: item.order)


def _taken_out(ctx: Context, series_ids: list[str]) -> set[tuple[str, datetime]]:
    """Occurrences that the rule gives but that were cancelled alone or have a row of their own."""
    if not series_ids:
        return set()
    excluded = ctx.list(Exclusion, col(Exclusion.series_id).in_(series_ids))
    changed = ctx.list(Event, col(Event.series_id).in_(series_ids))
    out = {(item.series_id, item.original_start) for item in excluded}
    out |= {(item.series_id, item.original_start) for item in changed if item.series_id and item.original_start}
    return out


def occurrence_at(ctx: Context, series: Event, original_start: datetime) -> Occurrence:
    """That occurrence of a series, changed or not.

    Raises:
        ToolError: code ``not_found``: the rule does not give it, or it was cancelled.
    """
    own = ctx.first(Event, Event.series_id == series.id, Event.original_start == original_start)
    if own is not None:
        return Occurrence(own, series.id, original_start, own.start_at, own.end_at)
    if ctx.get(Exclusion, series.id, original_start) is not None:
        ctx.fail("not_found", f"The occurrence of {series.id!r} at {original_start.isoformat()} was cancelled.")
    if not is_occurrence(series, original_start):
        ctx.fail(
            "not_found",
            f"The series {series.id!r} has no occurrence that starts at {original_start.isoformat()}; "
            "take occurrence_start from list_events.",
        )
    return Occurrence(series, series.id, original_start, original_start, ends(series, original_start))


def ends(series: Event, start: datetime) -> datetime:
    """When an occurrence that starts then ends; whole days follow the wall clock."""
    if not series.all_day:
        return start + (series.end_at - series.start_at)
    zone_name = series.time_zone
    length = to_wall(series.end_at, zone_name) - to_wall(series.start_at, zone_name)
    return from_wall(to_wall(start, zone_name) + length, zone_name)


def is_occurrence(series: Event, moment: datetime) -> bool:
    """Whether the series' rule gives an occurrence at that instant."""
    if series.recurrence is None or moment < series.start_at:
        return False
    found = rules.starts(
        series.recurrence, series.start_at, series.time_zone, moment, moment + timedelta(microseconds=1)
    )
    return next(found, None) is not None


def page(ctx: Context, items: list[Any], limit: int, cursor: str | None) -> tuple[list[Any], str | None]:
    """One page of things that have an ``order`` (an instant and a text)."""
    if cursor is not None:
        try:
            start, tie = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
            behind = (datetime.fromisoformat(start), str(tie))
            items = [item for item in items if item.order > behind]
        except (ValueError, TypeError, binascii.Error):
            ctx.fail("invalid", "cursor: not a cursor of this listing")
    chosen = items[:limit]
    if len(items) <= limit:
        return chosen, None
    moment, tie = chosen[-1].order
    text = json.dumps([moment.isoformat(), tie]).encode()
    return chosen, base64.urlsafe_b64encode(text).decode().rstrip("=")
