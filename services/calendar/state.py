"""Entities of the calendar."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit import Entity, field, key, ref

CLOCK = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
EMAIL_LENGTH = 254


class CalendarEntity(Entity):
    """Base of the calendar's entities."""

    __service__ = "calendar"


class Profile(CalendarEntity, table=True):
    """A person of the organisation: where they work and when."""

    email: str = field("email", key=True, max_length=EMAIL_LENGTH)
    name: str = field("person", max_length=120)
    job_title: str = field("text", default="", max_length=120)
    office: str = field("place", default="", max_length=80)
    time_zone: str = field("code", max_length=64)
    work_start: str = field("code", default="09:00", pattern=CLOCK)
    work_end: str = field("code", default="17:30", pattern=CLOCK)
    work_days: list[str] = field("tags", default_factory=lambda: ["MO", "TU", "WE", "TH", "FR"])


class Calendar(CalendarEntity, table=True):
    """A calendar; each person has one primary calendar."""

    id: str = key("cal")
    owner_email: str = field("email", index=True, max_length=EMAIL_LENGTH)
    name: str = field("name", min_length=1, max_length=100)
    description: str = field("text", default="", max_length=1000)
    color: str = field(
        "category",
        default="blue",
        choices=("blue", "green", "red", "yellow", "orange", "purple", "teal", "grey"),
    )
    time_zone: str = field("code", max_length=64)
    is_primary: bool = field("flag", default=False)


class Share(CalendarEntity, table=True):
    """What somebody who does not own a calendar may do with it."""

    calendar_id: str = ref("calendar_calendar.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=EMAIL_LENGTH)
    role: str = field("category", choices=("writer", "reader", "free_busy"))


class Room(CalendarEntity, table=True):
    """A meeting room."""

    id: str = key("room")
    name: str = field("name", unique=True, max_length=80)
    building: str = field("place", max_length=80)
    floor: str = field("text", default="", max_length=40)
    capacity: int = field("quantity", ge=1)
    equipment: list[str] = field("tags", default_factory=list)
    time_zone: str = field("code", max_length=64)
    status: str = field("status", choices=("available", "out_of_service"), default="available")


class Event(CalendarEntity, table=True):
    """A single event, a series (has a recurrence), or a changed occurrence of one (has a series_id)."""

    id: str = key("evt")
    calendar_id: str = ref("calendar_calendar.id", on_delete="cascade")
    series_id: str | None = ref("calendar_event.id", default=None, on_delete="cascade")
    original_start: datetime | None = field("datetime", default=None)
    organizer_email: str = field("email", index=True, max_length=EMAIL_LENGTH)
    title: str = field("title", min_length=1, max_length=200)
    description: str = field("text", default="", max_length=8000)
    location: str = field("place", default="", max_length=300)
    meeting_url: str | None = field("url", default=None, max_length=500)
    start_at: datetime = field("datetime", index=True)
    end_at: datetime = field("datetime")
    all_day: bool = field("flag", default=False)
    start_date: date | None = field("date", default=None)
    end_date: date | None = field("date", default=None)
    time_zone: str = field("code", max_length=64)
    recurrence: str | None = field("code", default=None, max_length=300)
    series_end: datetime | None = field("datetime", default=None)
    status: str = field("status", choices=("confirmed", "tentative", "cancelled"), default="confirmed")
    visibility: str = field("category", choices=("normal", "private"), default="normal")
    show_as: str = field("category", choices=("busy", "free"), default="busy")
    room_id: str | None = ref("calendar_room.id", default=None, on_delete="set null")
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")


class Exclusion(CalendarEntity, table=True):
    """An occurrence of a series that was cancelled alone."""

    series_id: str = ref("calendar_event.id", key=True, on_delete="cascade")
    original_start: datetime = field("datetime", key=True)


class Attendee(CalendarEntity, table=True):
    """Somebody invited to an event, with their answer."""

    event_id: str = ref("calendar_event.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=EMAIL_LENGTH)
    name: str = field("person", default="", max_length=120)
    role: str = field("category", choices=("organizer", "required", "optional"), default="required")
    response: str = field(
        "status", choices=("needs_action", "accepted", "tentative", "declined"), default="needs_action"
    )
    comment: str = field("text", default="", max_length=500)
    responded_at: datetime | None = field("datetime", default=None)


class Reminder(CalendarEntity, table=True):
    """When somebody wants to be reminded of an event."""

    event_id: str = ref("calendar_event.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=EMAIL_LENGTH)
    method: str = field("category", key=True, choices=("notification", "email"))
    minutes_before: int = field("minutes", key=True, ge=0, le=40320)
