"""Which rows a change of an event touches: the event, one occurrence, the rest of a series, or all of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.calendar import rules
from services.calendar.occurrences import MAX_LENGTH, ends, is_occurrence, occurrence_at
from services.calendar.state import Attendee, Event, Exclusion, Reminder
from services.calendar.zones import from_wall, to_wall


@dataclass
class Target:
    """What a change touches.

    Attributes:
        main: the row whose times a change of time speaks of.
        rows: every row to which other changes apply, ``main`` first.
        base: the start that ``main`` shows for the occurrence named (its own start if none was).
    """

    main: Event
    rows: list[Event]
    base: datetime

    @property
    def family(self) -> str:
        """Id of the single event or of the series."""
        return self.main.series_id or self.main.id

    @property
    def is_series(self) -> bool:
        """Whether the change concerns a series."""
        return self.main.recurrence is not None


def check_scope(ctx: Context, event: Event, scope: str | None, occurrence_start: datetime | None) -> str:
    """The scope that applies, refused where it does not fit the event."""
    if event.series_id is not None:
        ctx.fail(
            "invalid",
            f"{event.id!r} is one occurrence of {event.series_id!r}; name the series and occurrence_start.",
        )
    if event.recurrence is None:
        if occurrence_start is not None or scope == "following":
            ctx.fail("invalid", f"Event {event.id!r} does not repeat; leave out scope and occurrence_start.")
        return "single"
    if scope is None:
        ctx.fail("invalid", f"Event {event.id!r} repeats; say with scope which occurrences you mean.")
    if scope != "all" and occurrence_start is None:
        ctx.fail("invalid", f"The scope {scope!r} needs occurrence_start; take it from list_events.")
    return scope


def target(ctx: Context, event: Event, scope: str | None, occurrence_start: datetime | None) -> Target:
    """The rows to change; an occurrence gets a row of its own, a series is split where the change begins."""
    chosen = check_scope(ctx, event, scope, occurrence_start)
    if chosen == "single":
        return Target(event, [event], event.start_at)
    if occurrence_start is None:
        return Target(event, [event, *overrides(ctx, event)], event.start_at)
    found = occurrence_at(ctx, event, occurrence_start)
    if chosen == "this":
        own = found.event if found.event.series_id else _own_row(ctx, event, occurrence_start)
        return Target(own, [own], own.start_at)
    if chosen == "following" and occurrence_start > event.start_at:
        event = split(ctx, event, occurrence_start)
    return Target(event, [event, *overrides(ctx, event)], occurrence_start)


def overrides(ctx: Context, series: Event) -> list[Event]:
    """The rows of occurrences that were changed alone."""
    return ctx.list(Event, Event.series_id == series.id, order_by=col(Event.original_start))


def _copy(ctx: Context, event: Event, **changes: Any) -> Event:
    values = event.values() | {"id": ctx.new_id("evt"), "updated_at": ctx.now()} | changes
    row = ctx.add(Event(**values))
    for person in ctx.list(Attendee, Attendee.event_id == event.id):
        ctx.add(Attendee(**(person.values() | {"event_id": row.id})))
    for item in ctx.list(Reminder, Reminder.event_id == event.id):
        ctx.add(Reminder(**(item.values() | {"event_id": row.id})))
    return row


def _own_row(ctx: Context, series: Event, original_start: datetime) -> Event:
    end = ends(series, original_start)
    return _copy(
        ctx,
        series,
        series_id=series.id,
        original_start=original_start,
        recurrence=None,
        series_end=None,
        **times(series.all_day, original_start, end, series.time_zone),
    )


def times(all_day: bool, start: datetime, end: datetime, zone_name: str) -> dict[str, Any]:
    """The columns that say when an event is."""
    first = to_wall(start, zone_name).date() if all_day else None
    last = (to_wall(end, zone_name) - timedelta(microseconds=1)).date() if all_day else None
    return {
        "start_at": start,
        "end_at": end,
        "all_day": all_day,
        "start_date": first,
        "end_date": last,
        "time_zone": zone_name,
    }


def split(ctx: Context, series: Event, cut: datetime) -> Event:
    """End a series before that occurrence; a new one goes on from there. Returns the new one."""
    assert series.recurrence is not None
    rule = rules.remainder(series.recurrence, series.start_at, series.time_zone, cut)
    end = ends(series, cut)
    rest = _copy(
        ctx,
        series,
        recurrence=rule,
        created_at=ctx.now(),
        **times(series.all_day, cut, end, series.time_zone),
    )
    for row in overrides(ctx, series):
        if row.original_start and row.original_start >= cut:
            row.series_id = rest.id
    for item in ctx.list(Exclusion, Exclusion.series_id == series.id, col(Exclusion.original_start) >= cut):
        ctx.add(Exclusion(series_id=rest.id, original_start=item.original_start))
    shorten(ctx, series, cut)
    return rest


def shorten(ctx: Context, series: Event, cut: datetime) -> None:
    """End a series before that occurrence; what was cancelled or changed from there on is forgotten."""
    assert series.recurrence is not None
    rule = rules.ended_before(series.recurrence, series.start_at, series.time_zone, cut)
    series.recurrence, series.series_end = rules.settle(rule, series.start_at, series.time_zone)
    series.updated_at = ctx.now()
    ctx.flush()
    for row in overrides(ctx, series):
        if row.original_start and row.original_start >= cut:
            ctx.delete(row)
    for item in ctx.list(Exclusion, Exclusion.series_id == series.id, col(Exclusion.original_start) >= cut):
        ctx.delete(item)


def retime(ctx: Context, what: Target, start: datetime, end: datetime, zone_name: str, all_day: bool) -> None:
    """Give the target new times; in a series every occurrence moves by the same wall-clock time."""
    check_times(ctx, start, end)
    row = what.main
    if not what.is_series:
        _set(row, times(all_day, start, end, zone_name))
        return
    assert row.recurrence is not None
    old_zone = row.time_zone
    shift = to_wall(start, zone_name) - to_wall(what.base, old_zone)

    def moved(moment: datetime) -> datetime:
        return from_wall(to_wall(moment, old_zone) + shift, zone_name)

    first = moved(row.start_at)
    length = to_wall(end, zone_name) - to_wall(start, zone_name) if all_day else end - start
    last = from_wall(to_wall(first, zone_name) + length, zone_name) if all_day else first + length
    excluded = ctx.list(Exclusion, Exclusion.series_id == row.id)
    _set(row, times(all_day, first, last, zone_name))
    for changed in what.rows[1:]:
        assert changed.original_start is not None
        if changed.start_at == changed.original_start:
            _set(
                changed,
                times(all_day, moved(changed.start_at), moved(changed.start_at) + (last - first), zone_name),
            )
        changed.original_start = moved(changed.original_start)
    for item in excluded:
        ctx.delete(item)
    for item in excluded:
        ctx.add(Exclusion(series_id=row.id, original_start=moved(item.original_start)))


def resettle(ctx: Context, what: Target, rule: str | None) -> None:
    """Give a series (or an event that becomes one) its rule; exceptions that it no longer meets go."""
    row = what.main
    text = row.recurrence if rule is None else rule
    assert text is not None
    row.recurrence, row.series_end = rules.settle(text, row.start_at, row.time_zone)
    ctx.flush()
    for changed in list(what.rows[1:]):
        if changed.original_start is not None and not is_occurrence(row, changed.original_start):
            what.rows.remove(changed)
            ctx.delete(changed)
    for item in ctx.list(Exclusion, Exclusion.series_id == row.id):
        if not is_occurrence(row, item.original_start):
            ctx.delete(item)


def _set(row: Event, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)


def check_times(ctx: Context, start: datetime, end: datetime) -> None:
    """Refuse an event that ends before it starts or lasts too long."""
    if end <= start:
        ctx.fail("invalid", "The end must be after the start.")
    if end - start > MAX_LENGTH:
        ctx.fail("limit", f"An event lasts at most {MAX_LENGTH.days} days; use a series for more.")
