"""Tools that change events, cancel them and answer invitations."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from engine.kit import Context, Moment, tool
from services.calendar import access
from services.calendar.availability import ensure_room
from services.calendar.editing import Target, check_scope, overrides, resettle, retime, shorten, target
from services.calendar.event_tools import ReminderArgument, clean_title, heads, put_reminders, result, when
from services.calendar.occurrences import Occurrence, ends, occurrence_at
from services.calendar.state import Attendee, Event, Exclusion
from services.calendar.views import attendees_of, full


@tool
def update_event(
    ctx: Context,
    event_id: str,
    scope: str | None = None,
    occurrence_start: Moment | None = None,
    title: str | None = None,
    start: Moment | None = None,
    end: Moment | None = None,
    start_date: date | None = None,
    end_date: date | None = None,
    time_zone: str | None = None,
    description: str | None = None,
    location: str | None = None,
    meeting_url: str | None = None,
    recurrence: str | None = None,
    status: str | None = None,
    visibility: str | None = None,
    show_as: str | None = None,
) -> Any:
    event = access.event_to_edit(ctx, event_id)
    moves = any(item is not None for item in (start, end, start_date, end_date, time_zone))
    texts = {"description": description, "location": location, "status": status, "visibility": visibility}
    changes: dict[str, str | None] = {
        name: value for name, value in (texts | {"show_as": show_as}).items() if value is not None
    }
    if title is not None:
        changes["title"] = clean_title(ctx, title)
    if meeting_url is not None:
        changes["meeting_url"] = meeting_url or None
    if not changes and not moves and recurrence is None:
        ctx.fail("invalid", "Say what to change; no field was given.")
    if recurrence is not None and scope == "this":
        ctx.fail("invalid", "One occurrence cannot repeat; use scope 'following' or 'all' to change the rule.")
    what = target(ctx, event, scope, occurrence_start)
    for row in what.rows:
        row.updated_at = ctx.now()
        for name, value in changes.items():
            setattr(row, name, value)
    if moves:
        _move(ctx, what, start, end, start_date, end_date, time_zone)
    if recurrence is not None or (moves and what.is_series):
        resettle(ctx, what, recurrence)
    if moves or recurrence is not None:
        ensure_room(ctx, what.rows, heads(ctx, what.main))
    return result(ctx, what.main)


def _move(
    ctx: Context,
    what: Target,
    start: datetime | None,
    end: datetime | None,
    start_date: date | None,
    end_date: date | None,
    time_zone: str | None,
) -> None:
    row = what.main
    zone_name = time_zone or row.time_zone
    before = [(item, item.start_at, item.end_at) for item in what.rows]
    until = ends(row, what.base) if what.is_series else row.end_at
    if start_date is None and end_date is None and not row.all_day:
        start = start or what.base
        end = end or start + (until - what.base)
    elif start_date is None and end_date is None and start is None and end is None:
        start_date, end_date = row.start_date, row.end_date
    begins, finishes, all_day = when(ctx, start, end, start_date, end_date, zone_name)
    retime(ctx, what, begins, finishes, zone_name, all_day)
    for item, old_start, old_end in before:
        if (item.start_at, item.end_at) != (old_start, old_end):
            for person in ctx.list(Attendee, Attendee.event_id == item.id, Attendee.role != "organizer"):
                person.response = "needs_action"
                person.responded_at = None


@tool
def cancel_event(ctx: Context, event_id: str, scope: str | None = None, occurrence_start: Moment | None = None) -> Any:
    event = access.event_to_edit(ctx, event_id)
    people = [item.email for item in attendees_of(ctx, [event.id]).get(event.id, [])]
    cancelled = _cancel(ctx, event, scope, occurrence_start)
    return {
        "event_id": event.id,
        "cancelled": cancelled,
        "occurrence_start": None if cancelled in ("event", "series") else occurrence_start,
        "notified": [item for item in people if item != access.me(ctx)],
    }


def _cancel(ctx: Context, event: Event, scope: str | None, occurrence_start: datetime | None) -> str:
    chosen = check_scope(ctx, event, scope, occurrence_start)
    if occurrence_start is not None and chosen != "single":
        found = occurrence_at(ctx, event, occurrence_start)
        if chosen == "this":
            if found.event.id != event.id:
                ctx.delete(found.event)
            ctx.add(Exclusion(series_id=event.id, original_start=occurrence_start))
            event.updated_at = ctx.now()
            return "occurrence"
        if chosen == "following" and occurrence_start > event.start_at:
            shorten(ctx, event, occurrence_start)
            return "following"
    for row in [event, *overrides(ctx, event)]:
        row.status = "cancelled"
        row.updated_at = ctx.now()
    return "event" if chosen == "single" else "series"


@tool
def move_event(ctx: Context, event_id: str, calendar_id: str) -> Any:
    event = access.event_to_edit(ctx, event_id)
    if event.series_id is not None:
        ctx.fail("invalid", f"{event.id!r} is one occurrence of {event.series_id!r}; move the series.")
    access.calendar_with(ctx, event.calendar_id, *access.EDITORS)
    destination = access.calendar_with(ctx, calendar_id, *access.EDITORS)
    if destination.id == event.calendar_id:
        ctx.fail("conflict", f"Event {event_id!r} is already in the calendar {destination.name!r}.")
    if destination.owner_email != event.organizer_email:
        ctx.fail(
            "forbidden",
            f"The organizer {event.organizer_email} cannot change; move it to a calendar that they own.",
        )
    for row in [event, *overrides(ctx, event)]:
        row.calendar_id = destination.id
        row.updated_at = ctx.now()
    return full(ctx, Occurrence(event, event.id, None, event.start_at, event.end_at))


@tool
def respond_to_invitation(
    ctx: Context,
    event_id: str,
    response: str,
    comment: str | None = None,
    scope: str | None = None,
    occurrence_start: Moment | None = None,
) -> Any:
    event, _ = access.event_seen(ctx, event_id)
    if event.status == "cancelled":
        ctx.fail("conflict", f"Event {event_id!r} is cancelled; there is nothing to answer.")
    what = target(ctx, event, scope, occurrence_start)
    if not what.is_series and what.main.end_at <= ctx.now():
        ctx.fail("conflict", f"Event {event_id!r} is over; it can no longer be answered.")
    mine = [found for row in what.rows if (found := ctx.get(Attendee, row.id, access.me(ctx)))]
    if not mine:
        ctx.fail("forbidden", f"You are not invited to event {event_id!r}, so you cannot answer it.")
    if mine[0].role == "organizer":
        ctx.fail("forbidden", "You organize this event; cancel or change it instead of answering.")
    for answer in mine:
        answer.response = response
        answer.responded_at = ctx.now()
        if comment is not None:
            answer.comment = comment
    return result(ctx, what.main)


@tool
def set_reminders(ctx: Context, event_id: str, reminders: list[ReminderArgument]) -> Any:
    event = access.event_to_read(ctx, event_id)
    if event.status == "cancelled":
        ctx.fail("conflict", f"Event {event_id!r} is cancelled; it needs no reminders.")
    for row in [event, *overrides(ctx, event)]:
        put_reminders(ctx, row, reminders)
    return full(
        ctx,
        Occurrence(event, event.series_id or event.id, event.original_start, event.start_at, event.end_at),
    )
