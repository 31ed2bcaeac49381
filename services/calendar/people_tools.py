"""Tools for attendees, for the people of the organisation and for the user's own settings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.calendar import access
from services.calendar.availability import ensure_room
from services.calendar.editing import target
from services.calendar.event_tools import heads, invite, result
from services.calendar.state import Attendee, Profile, Reminder
from services.calendar.zones import local_text, zone


@tool
def add_attendees(
    ctx: Context,
    event_id: str,
    attendees: list[str] | None = None,
    optional_attendees: list[str] | None = None,
    scope: str | None = None,
    occurrence_start: Moment | None = None,
) -> Any:
    if not attendees and not optional_attendees:
        ctx.fail("invalid", "Name at least one address in attendees or optional_attendees.")
    event = access.event_to_edit(ctx, event_id)
    what = target(ctx, event, scope, occurrence_start)
    for row in what.rows:
        invite(ctx, row, attendees or [], optional_attendees or [])
        row.updated_at = ctx.now()
    ensure_room(ctx, what.rows, heads(ctx, what.main))
    return result(ctx, what.main)


@tool
def remove_attendees(
    ctx: Context,
    event_id: str,
    emails: list[str],
    scope: str | None = None,
    occurrence_start: Moment | None = None,
) -> Any:
    event = access.event_to_edit(ctx, event_id)
    what = target(ctx, event, scope, occurrence_start)
    for address in sorted({access.norm(item) for item in emails}):
        if address == what.main.organizer_email:
            ctx.fail("forbidden", "The organizer cannot be removed; cancel the event instead.")
        if ctx.get(Attendee, what.main.id, address) is None:
            ctx.fail("not_found", f"{address} is not invited to event {event_id!r}.")
        for row in what.rows:
            person = ctx.get(Attendee, row.id, address)
            if person is not None:
                ctx.delete(person)
            for item in ctx.list(Reminder, Reminder.event_id == row.id, Reminder.email == address):
                ctx.delete(item)
    for row in what.rows:
        row.updated_at = ctx.now()
    return result(ctx, what.main)


@tool
def list_people(
    ctx: Context,
    text: str | None = None,
    office: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    where = []
    if text is not None:
        where.append(or_(*(contains(item, text) for item in (Profile.name, Profile.email, Profile.job_title))))
    if office is not None:
        where.append(contains(Profile.office, office))
    found = ctx.page(Profile, *where, order_by=[col(Profile.name)], limit=limit, cursor=cursor)
    return {
        "items": [item.out() | {"local_time_now": local_text(ctx.now(), item.time_zone)} for item in found.items],
        "next_cursor": found.next_cursor,
    }


def _own(ctx: Context) -> Profile:
    return ctx.require(Profile, access.me(ctx))


def _settings(ctx: Context, profile: Profile) -> dict[str, Any]:
    primary = access.primary_of(ctx, profile.email)
    return profile.out() | {
        "primary_calendar_id": primary.id if primary else None,
        "now": ctx.now(),
        "now_local": local_text(ctx.now(), profile.time_zone),
    }


@tool
def get_settings(ctx: Context) -> Any:
    return _settings(ctx, _own(ctx))


@tool
def update_settings(
    ctx: Context,
    time_zone: str | None = None,
    work_start: str | None = None,
    work_end: str | None = None,
    work_days: list[str] | None = None,
) -> Any:
    profile = _own(ctx)
    if time_zone is None and work_start is None and work_end is None and work_days is None:
        ctx.fail("invalid", "Say what to change: time_zone, work_start, work_end or work_days.")
    if time_zone is not None:
        zone(time_zone)
        profile.time_zone = time_zone
    if work_start is not None:
        profile.work_start = work_start
    if work_end is not None:
        profile.work_end = work_end
    if profile.work_end <= profile.work_start:
        ctx.fail("invalid", "work_end must be after work_start.")
    if work_days is not None:
        order = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
        profile.work_days = sorted(set(work_days), key=order.index)
    return _settings(ctx, profile)
