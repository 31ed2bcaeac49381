"""The shapes of results."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.calendar import access
from services.calendar.occurrences import Occurrence
from services.calendar.state import Attendee, Calendar, Event, Reminder, Room
from services.calendar.zones import local_text, zone


def attendees_of(ctx: Context, event_ids: list[str]) -> dict[str, list[Attendee]]:
    """Attendees by event row, the organizer first."""
    found: dict[str, list[Attendee]] = defaultdict(list)
    if event_ids:
        for item in ctx.list(Attendee, col(Attendee.event_id).in_(event_ids)):
            found[item.event_id].append(item)
    for group in found.values():
        group.sort(key=lambda item: (item.role != "organizer", item.email))
    return found


def _times(occurrence: Occurrence) -> dict[str, Any]:
    event = occurrence.event
    out: dict[str, Any] = {
        "start": occurrence.start,
        "end": occurrence.end,
        "time_zone": event.time_zone,
        "start_local": local_text(occurrence.start, event.time_zone),
        "end_local": local_text(occurrence.end, event.time_zone),
        "all_day": event.all_day,
    }
    if event.all_day:
        where = zone(event.time_zone)
        first = occurrence.start.astimezone(where).date()
        last = (occurrence.end.astimezone(where) - timedelta(microseconds=1)).date()
        out |= {"start_date": first, "end_date": last}
    return out


def brief(
    ctx: Context, occurrence: Occurrence, level: str | None, attendees: list[Attendee], room: Room | None
) -> dict[str, Any]:
    """An item of a listing."""
    event = occurrence.event
    head = {
        "event_id": occurrence.family,
        "occurrence_start": occurrence.original_start,
        "calendar_id": event.calendar_id,
    }
    if level not in ("edit", "read"):
        return head | {
            "title": "Busy",
            "details_hidden": True,
            "show_as": event.show_as,
            **_times(occurrence),
        }
    own = next((item for item in attendees if item.email == access.me(ctx)), None)
    return head | {
        "title": event.title,
        "details_hidden": False,
        "show_as": event.show_as,
        **_times(occurrence),
        "location": event.location,
        "room": {"id": room.id, "name": room.name} if room else None,
        "organizer_email": event.organizer_email,
        "status": event.status,
        "repeats": event.recurrence is not None or event.series_id is not None,
        "attendee_count": len(attendees),
        "my_response": own.response if own else None,
    }


def briefs(ctx: Context, occurrences: list[Occurrence]) -> list[dict[str, Any]]:
    """Items of a listing, with what they need read at once."""
    known = access.roles(ctx)
    attendees = attendees_of(ctx, sorted({item.event.id for item in occurrences}))
    rooms = {room.id: room for room in ctx.list(Room)}
    out = []
    for item in occurrences:
        people = attendees.get(item.event.id, [])
        invited = any(person.email == access.me(ctx) for person in people)
        level = access.level_of(ctx, item.event, known, invited)
        out.append(brief(ctx, item, level, people, rooms.get(item.event.room_id or "")))
    return out


def full(ctx: Context, occurrence: Occurrence, series: Event | None = None) -> dict[str, Any]:
    """All of an event; its details must be the user's to see."""
    event = occurrence.event
    people = attendees_of(ctx, [event.id]).get(event.id, [])
    room = ctx.get(Room, event.room_id) if event.room_id else None
    level = access.level_of(ctx, event, access.roles(ctx), any(item.email == access.me(ctx) for item in people))
    reminders = ctx.list(Reminder, Reminder.event_id == event.id, Reminder.email == access.me(ctx))
    calendar = ctx.require(Calendar, event.calendar_id)
    return brief(ctx, occurrence, level, people, room) | {
        "calendar_name": calendar.name,
        "description": event.description,
        "meeting_url": event.meeting_url,
        "visibility": event.visibility,
        "recurrence": (series or event).recurrence,
        "changed_alone": event.series_id is not None,
        "attendees": [item.out("email", "name", "role", "response", "comment") for item in people],
        "reminders": [item.out("method", "minutes_before") for item in reminders],
        "can_edit": level == "edit" and event.status != "cancelled",
        "created_at": event.created_at,
        "updated_at": event.updated_at,
    }
