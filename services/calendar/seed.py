"""The calendars' standard initial state."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from engine.kit import Entity, Seed
from services.calendar import rules
from services.calendar.editing import times
from services.calendar.seed_data import (
    CALENDARS,
    OFFICES,
    PLACES,
    ROOMS,
    SHARES,
    WHOLE_DAYS,
    Meeting,
    meetings,
)
from services.calendar.state import Attendee, Calendar, Event, Exclusion, Profile, Reminder, Room, Share
from services.calendar.zones import from_wall, whole_days

_ANSWERS = {"+": "accepted", "-": "declined", "~": "tentative"}


def rows(seed: Seed) -> Iterator[Entity]:
    """Profiles, calendars, rooms and what is planned around the start."""
    by_handle = {person.handle: person for person in seed.colleagues}
    names = {person.email: person.name for person in (*seed.colleagues, *seed.contacts)}
    for handle, office in PLACES.items():
        person = by_handle[handle]
        zone_name, work_start, work_end = OFFICES[office]
        yield Profile(
            email=person.email,
            name=person.name,
            job_title=person.title,
            office=office,
            time_zone=zone_name,
            work_start=work_start,
            work_end=work_end,
        )
    for handle, office in PLACES.items():
        yield Calendar(
            id=_primary(handle),
            owner_email=by_handle[handle].email,
            name=by_handle[handle].name,
            time_zone=OFFICES[office][0],
            is_primary=True,
        )
    for key, handle, name, description, color in CALENDARS:
        yield Calendar(
            id=key,
            owner_email=by_handle[handle].email,
            name=name,
            description=description,
            color=color,
            time_zone=OFFICES[PLACES[handle]][0],
        )
    for key, handle, role in SHARES:
        yield Share(calendar_id=key, email=by_handle[handle].email, role=role)
    for key, name, building, floor, capacity, equipment, open_ in ROOMS:
        yield Room(
            id=key,
            name=name,
            building=building,
            floor=floor,
            capacity=capacity,
            equipment=list(equipment),
            time_zone=OFFICES[building.split(",")[0]][0],
            status="available" if open_ else "out_of_service",
        )
    for meeting in meetings():
        yield from _meeting(seed, meeting, names)
    for key, calendar_id, handle, first, last, title in WHOLE_DAYS:
        zone_name = OFFICES[PLACES[handle]][0]
        begins, ends = whole_days(seed.at(first).date(), seed.at(last).date(), zone_name)
        yield Event(
            id=f"evt_{key}",
            calendar_id=calendar_id,
            organizer_email=by_handle[handle].email,
            title=title,
            show_as="free",
            created_at=seed.at(-30),
            updated_at=seed.at(-30),
            **times(True, begins, ends, zone_name),
        )
    # Last Wednesday's pipeline review fell out for the outage's eve.
    yield Exclusion(series_id="evt_sales_pipeline", original_start=_clock(seed, -5, "08:30", "America/Los_Angeles"))
    yield Exclusion(series_id="evt_ops_standup", original_start=_clock(seed, 5 - 1, "09:30", "Europe/London"))


def _primary(handle: str) -> str:
    return f"cal_{handle.split('.', maxsplit=1)[0]}"


def _clock(seed: Seed, day: int, clock: str, zone_name: str) -> datetime:
    hour, minute = map(int, clock.split(":"))
    return from_wall(seed.at(day, hour, minute).replace(tzinfo=None), zone_name)


def _meeting(seed: Seed, meeting: Meeting, names: dict[str, str]) -> Iterator[Entity]:
    random = seed.random(meeting.key)
    zone_name = OFFICES[PLACES[meeting.owner]][0]
    start = _clock(seed, meeting.day, meeting.clock, zone_name)
    drawn = min(meeting.day, 0) - random.randint(2, 12)
    day = drawn if meeting.made is None else meeting.made
    created = seed.at(day, random.randint(8, 16), random.randrange(60))
    rule, series_end = rules.settle(meeting.rule, start, zone_name) if meeting.rule else (None, None)
    owner = _address(meeting.owner)
    event = Event(
        id=f"evt_{meeting.key}",
        calendar_id=meeting.calendar or _primary(meeting.owner),
        organizer_email=owner,
        title=meeting.title,
        description=meeting.notes,
        location=meeting.place,
        meeting_url=f"https://meet.larkspur.example/{meeting.key.replace('_', '-')}" if "@" in meeting.who else None,
        recurrence=rule,
        series_end=series_end,
        status="tentative" if meeting.tentative else "confirmed",
        visibility="private" if meeting.private else "normal",
        room_id=meeting.room,
        created_at=created,
        updated_at=created,
        **times(False, start, start + timedelta(minutes=meeting.minutes), zone_name),
    )
    yield event
    if meeting.who:
        yield Attendee(
            event_id=event.id,
            email=owner,
            name=names[owner],
            role="organizer",
            response="accepted",
            responded_at=created,
        )
    for item in meeting.who:
        bare = item.strip("?+-~")
        answer = _ANSWERS.get(item[-1], "needs_action")
        answered = answer != "needs_action"
        yield Attendee(
            event_id=event.id,
            email=_address(bare),
            name=names[_address(bare)],
            role="optional" if item.startswith("?") else "required",
            response=answer,
            responded_at=created + timedelta(hours=random.randint(1, 30)) if answered else None,
        )
    if "mara.lindqvist" in (meeting.owner, *(item.strip("?+-~") for item in meeting.who)):
        yield Reminder(
            event_id=event.id,
            email=seed.user.email,
            method="notification",
            minutes_before=random.choice((5, 10, 15, 30)),
        )


def _address(who: str) -> str:
    return who if "@" in who else f"{who}@larkspur.example"
