"""The calendar: events of a scenario; the description of one as a note, a new one as a record."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring.terms import Passage, Seen, Template, text
from tasks.places.base import Entry, Note

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

HOME, OPERATIONS, MINE = "cal_mara_home", "cal_operations", "cal_mara"
"""The calendars that Mara owns."""

_ZONE = "Europe/London"
_YEAR_BEFORE, _YEAR_AFTER = 200, 160
"""Days around the start in which scenarios keep what they plant; together less than a window may span."""


def _made(d: Draft, starts: datetime) -> datetime:
    """When an event was entered: some weeks ago, and before it took place."""
    return min(d.ago(30, 9), starts - timedelta(days=2))


def event(
    d: Draft,
    title: str,
    starts: datetime,
    *,
    minutes: int = 60,
    calendar: str = MINE,
    description: str = "",
    place: str = "",
    private: bool = False,
    who: tuple[Person, ...] = (),
) -> str:
    """Plant an event that Mara organizes; gives its id."""
    key = d.key("evt")
    d.plant(
        "calendar_event",
        id=key,
        calendar_id=calendar,
        organizer_email=d.user.email,
        title=title,
        description=description,
        location=place,
        start_at=starts,
        end_at=starts + timedelta(minutes=minutes),
        time_zone=_ZONE,
        visibility="private" if private else "normal",
        created_at=_made(d, starts),
        updated_at=_made(d, starts),
    )
    for person in (d.user, *who) if who else ():
        organizer = person.email == d.user.email
        d.plant(
            "calendar_attendee",
            event_id=key,
            email=person.email,
            name=person.name,
            role="organizer" if organizer else "required",
            response="accepted" if organizer else "needs_action",
        )
    return key


def whole_days(
    d: Draft, title: str, first: date, last: date, *, calendar: str = HOME, description: str = "", place: str = ""
) -> str:
    """Plant an event of whole days in Mara's zone, before summer time begins; gives its id."""
    key = d.key("evt")
    d.plant(
        "calendar_event",
        id=key,
        calendar_id=calendar,
        organizer_email=d.user.email,
        title=title,
        description=description,
        location=place,
        start_at=d.at(first, 0),
        end_at=d.at(last + timedelta(days=1), 0),
        all_day=True,
        start_date=first,
        end_date=last,
        time_zone=_ZONE,
        show_as="free",
        created_at=_made(d, d.at(first, 0)),
        updated_at=_made(d, d.at(first, 0)),
    )
    return key


def find(d: Draft, word: Template, *, past: bool = False) -> Seen:
    """The events with a word, by start: those to come, or those that are over."""
    today = d.at(d.start.date(), 0)
    first, last = (
        (today - timedelta(days=_YEAR_BEFORE), d.start) if past else (today, today + timedelta(days=_YEAR_AFTER))
    )
    return d.call("calendar", "list_events", after=first, before=last, text=word)


def read(d: Draft, found: Seen, *, newest: bool = False) -> Seen:
    """The first of the events that were found, whole; or the last."""
    return d.call("calendar", "get_event", event_id=found.at(f"data.items.{-1 if newest else 0}.event_id"))


class CalendarNote(Note):
    """What was noted in a meeting of the past: the description of an event."""

    service = "calendar"

    def leave(self, d: Draft, *, title: str, text: str, by: Person, days_ago: int) -> None:
        starts = d.ago(days_ago, d.rng.randint(8, 16), d.rng.choice((0, 15, 30)))
        colleague = by if by in COLLEAGUES and by != d.user else None
        noted = text if colleague is None else f"{text} ({by.name})"
        event(d, title, starts, minutes=30, description=noted, who=() if colleague is None else (colleague,))

    def find(self, d: Draft, word: Template) -> Passage:
        return Passage(read(d, find(d, word, past=True), newest=True), "data.description")

    def where(self, d: Draft) -> str:
        return d.either(
            "among the notes of past meetings in my calendar",
            "in my calendar, among the notes of past meetings",
            "among what was noted at past meetings in my calendar",
        )


class CalendarEntry(Entry):
    """A new entry in the calendar: for a whole day where one is named; else any time will do."""

    service = "calendar"

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        if day is not None:
            d.once("calendar/dated")
        made = d.act(
            goal,
            "calendar",
            "create_event",
            title=title,
            description=words,
            start_date=text(d.on(7).isoformat()) if day is None else day,
        )
        return made.at("data.event_id")

    def what(self, d: Draft) -> str:
        if d.asked("calendar/dated"):
            return d.either("an all-day entry in my calendar", "an all-day event in my calendar")
        return d.either("a new entry on any day of my calendar", "a new event on any day of my calendar")

    def reference(self, d: Draft) -> str:
        return d.either("the id of the entry", "the entry's id")


NOTE = CalendarNote()
ENTRY = CalendarEntry()
