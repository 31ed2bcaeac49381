"""Tools that read events and make new ones."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context, Moment, contains, tool
from services.calendar import access, rules
from services.calendar.availability import busy, ensure_room
from services.calendar.editing import check_times, times
from services.calendar.occurrences import Occurrence, collect, occurrence_at, page
from services.calendar.state import Attendee, Event, Profile, Reminder, Room
from services.calendar.views import attendees_of, briefs, full
from services.calendar.zones import whole_days, zone

MAX_WINDOW = timedelta(days=366)
MAX_ATTENDEES = 200


class ReminderArgument(TypedDict):
    """A reminder as a tool takes it."""

    method: str
    minutes_before: int


def check_window(ctx: Context, after: datetime, before: datetime, longest: timedelta = MAX_WINDOW) -> None:
    """Refuse a window that is empty or too long."""
    if before <= after:
        ctx.fail("invalid", "The end of the window must be after its start.")
    if before - after > longest:
        ctx.fail("limit", f"The window spans at most {longest.days} days; ask for a shorter one.")


@tool
def list_events(
    ctx: Context,
    after: Moment,
    before: Moment,
    calendar_ids: list[str] | None = None,
    text: str | None = None,
    attendee: str | None = None,
    room_id: str | None = None,
    my_response: str | None = None,
    include_cancelled: bool = False,
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    check_window(ctx, after, before)
    if calendar_ids is None:
        own = [calendar_id for calendar_id, role in access.roles(ctx).items() if role == "owner"]
        where = [access.mine(ctx, own)]
    else:
        for calendar_id in calendar_ids:
            access.calendar_with(ctx, calendar_id)
        where = [access.in_calendars(calendar_ids)]
    if text is not None:
        where.append(or_(*(contains(column, text) for column in (Event.title, Event.description, Event.location))))
    if attendee is not None:
        where.append(access.invited_to(access.norm(attendee)))
    if room_id is not None:
        ctx.require(Room, room_id)
        where.append(col(Event.room_id) == room_id)
    if my_response is not None:
        answered = select(col(Attendee.event_id)).where(
            col(Attendee.email) == access.me(ctx), col(Attendee.response) == my_response
        )
        where.append(col(Event.id).in_(answered))
    found = collect(ctx, after, before, *where, cancelled=include_cancelled)
    if text is not None or attendee is not None or room_id is not None:
        found = _readable(ctx, found)
    chosen, next_cursor = page(ctx, found, limit, cursor)
    return {"items": briefs(ctx, chosen), "next_cursor": next_cursor, "total": len(found)}


def _readable(ctx: Context, found: list[Occurrence]) -> list[Occurrence]:
    """Without events whose details are hidden: a filter must not tell what they say."""
    known = access.roles(ctx)
    rows = {item.event.id: item.event for item in found}
    invited = {
        row_id: any(person.email == access.me(ctx) for person in people)
        for row_id, people in attendees_of(ctx, sorted(rows)).items()
    }
    readable = {
        row_id
        for row_id, row in rows.items()
        if access.level_of(ctx, row, known, invited.get(row_id, False)) in ("edit", "read")
    }
    return [item for item in found if item.event.id in readable]


@tool
def get_event(ctx: Context, event_id: str, occurrence_start: Moment | None = None) -> Any:
    event = access.event_to_read(ctx, event_id)
    if occurrence_start is None:
        return full(
            ctx,
            Occurrence(event, event.series_id or event.id, event.original_start, event.start_at, event.end_at),
        )
    if event.recurrence is None:
        ctx.fail("invalid", f"Event {event_id!r} does not repeat; leave out occurrence_start.")
    found = occurrence_at(ctx, event, occurrence_start)
    if found.event.id != event.id:
        access.event_to_read(ctx, found.event.id)
    return full(ctx, found, event)


@tool
def list_invitations(ctx: Context, response: str = "needs_action", limit: int = 20, cursor: str | None = None) -> Any:
    answered = select(col(Attendee.event_id)).where(
        col(Attendee.email) == access.me(ctx),
        col(Attendee.role) != "organizer",
        col(Attendee.response) == response,
    )
    upcoming: dict[str, Occurrence] = {}
    window = collect(ctx, ctx.now(), ctx.now() + MAX_WINDOW, col(Event.id).in_(answered))
    for item in window:
        upcoming.setdefault(item.event.id, item)
    found = sorted(upcoming.values(), key=lambda item: item.order)
    chosen, next_cursor = page(ctx, found, limit, cursor)
    return {"items": briefs(ctx, chosen), "next_cursor": next_cursor, "total": len(found)}


def when(
    ctx: Context,
    start: datetime | None,
    end: datetime | None,
    start_date: date | None,
    end_date: date | None,
    zone_name: str,
) -> tuple[datetime, datetime, bool]:
    """The times that a caller gave, either as instants or as whole days."""
    zone(zone_name)
    if start is not None and end is not None and start_date is None and end_date is None:
        check_times(ctx, start, end)
        return start, end, False
    if start_date is not None and start is None and end is None:
        last = end_date or start_date
        if last < start_date:
            ctx.fail("invalid", "end_date must not be before start_date.")
        begins, ends = whole_days(start_date, last, zone_name)
        check_times(ctx, begins, ends)
        return begins, ends, True
    ctx.fail("invalid", "Give start and end, or for whole days start_date and, if it is another day, end_date.")


def invite(ctx: Context, event: Event, required: list[str], optional: list[str]) -> None:
    """Invite people to a row; whoever is already invited stays as they are."""
    people = {access.norm(item): "optional" for item in optional} | {access.norm(item): "required" for item in required}
    people.pop(event.organizer_email, None)
    present = {item.email for item in ctx.list(Attendee, Attendee.event_id == event.id)}
    if people and event.organizer_email not in present:
        ctx.add(
            Attendee(
                event_id=event.id,
                email=event.organizer_email,
                name=access.name_of(ctx, event.organizer_email),
                role="organizer",
                response="accepted",
                responded_at=ctx.now(),
            )
        )
    for address, role in people.items():
        if address not in present:
            name = access.name_of(ctx, address)
            ctx.add(Attendee(event_id=event.id, email=address, name=name, role=role))
    if len(present | set(people)) > MAX_ATTENDEES:
        ctx.fail("limit", f"An event has at most {MAX_ATTENDEES} attendees.")


def clashes(ctx: Context, event: Event) -> list[dict[str, Any]]:
    """Which attendees have something else at the event's first coming occurrence; told, not refused."""
    people = [item.email for item in ctx.list(Attendee, Attendee.event_id == event.id)] or [event.organizer_email]
    family = event.series_id or event.id
    found = busy(ctx, people, event.start_at, event.end_at, besides=family)
    return [
        {"email": email, "start": item.start, "end": item.end, "kind": item.kind}
        for email in people
        for item in found[email]
    ]


def heads(ctx: Context, event: Event) -> int:
    """How many people an event brings into a room."""
    return max(1, ctx.count(Attendee, Attendee.event_id == event.id, Attendee.response != "declined"))


def clean_title(ctx: Context, title: str) -> str:
    """The title without blanks around it; it cannot be blank."""
    if not title.strip():
        ctx.fail("invalid", "The title cannot be blank.")
    return title.strip()


def put_reminders(ctx: Context, event: Event, reminders: list[ReminderArgument]) -> None:
    """Make these the user's reminders of a row."""
    for old in ctx.list(Reminder, Reminder.event_id == event.id, Reminder.email == access.me(ctx)):
        ctx.delete(old)
    wanted = sorted({(item["method"], item["minutes_before"]) for item in reminders})
    for method, minutes in wanted:
        ctx.add(Reminder(event_id=event.id, email=access.me(ctx), method=method, minutes_before=minutes))


@tool
def create_event(
    ctx: Context,
    title: str,
    start: Moment | None = None,
    end: Moment | None = None,
    start_date: date | None = None,
    end_date: date | None = None,
    calendar_id: str | None = None,
    time_zone: str | None = None,
    description: str = "",
    location: str = "",
    meeting_url: str | None = None,
    attendees: list[str] | None = None,
    optional_attendees: list[str] | None = None,
    recurrence: str | None = None,
    room_id: str | None = None,
    status: str = "confirmed",
    visibility: str = "normal",
    show_as: str = "busy",
    reminders: list[ReminderArgument] | None = None,
) -> Any:
    if calendar_id is None:
        calendar = access.primary_of(ctx, access.me(ctx))
        if calendar is None:
            ctx.fail("not_found", "You have no primary calendar; name a calendar_id.")
    else:
        calendar = access.calendar_with(ctx, calendar_id, *access.EDITORS)
    profile = ctx.get(Profile, access.me(ctx))
    zone_name = time_zone or (profile.time_zone if profile else calendar.time_zone)
    begins, ends, all_day = when(ctx, start, end, start_date, end_date, zone_name)
    rule, series_end = (None, None) if recurrence is None else rules.settle(recurrence, begins, zone_name)
    if room_id is not None:
        ctx.require(Room, room_id)
    event = ctx.add(
        Event(
            id=ctx.new_id("evt"),
            calendar_id=calendar.id,
            organizer_email=calendar.owner_email,
            title=clean_title(ctx, title),
            description=description,
            location=location,
            meeting_url=meeting_url,
            recurrence=rule,
            series_end=series_end,
            status=status,
            visibility=visibility,
            show_as=show_as,
            room_id=room_id,
            created_at=ctx.now(),
            updated_at=ctx.now(),
            **times(all_day, begins, ends, zone_name),
        )
    )
    invite(ctx, event, attendees or [], optional_attendees or [])
    put_reminders(ctx, event, reminders or [])
    ensure_room(ctx, [event], heads(ctx, event))
    return result(ctx, event)


def result(ctx: Context, event: Event) -> dict[str, Any]:
    """A changed event for a tool's result, with its attendees' clashes."""
    series = ctx.get(Event, event.series_id) if event.series_id else None
    shown = Occurrence(event, event.series_id or event.id, event.original_start, event.start_at, event.end_at)
    return full(ctx, shown, series) | {"attendee_conflicts": clashes(ctx, event)}
