"""A calendar: events and series, invitations, shared calendars, free time, meeting rooms."""

from pathlib import Path

from engine.kit import Service
from services.calendar import seed, tools
from services.calendar.state import Attendee, Calendar, Event, Exclusion, Profile, Reminder, Room, Share

service = Service(
    name="calendar",
    title="Calendar",
    domain="productivity",
    summary=(
        "The user's calendars and those shared with them: events, series, invitations and answers, "
        "colleagues' free time, meeting rooms, reminders."
    ),
    entities=[Profile, Calendar, Share, Room, Event, Exclusion, Attendee, Reminder],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
