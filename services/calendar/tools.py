"""The calendar's tools."""

from services.calendar.change_tools import (
    cancel_event,
    move_event,
    respond_to_invitation,
    set_reminders,
    update_event,
)
from services.calendar.event_tools import create_event, get_event, list_events, list_invitations
from services.calendar.people_tools import (
    add_attendees,
    get_settings,
    list_people,
    remove_attendees,
    update_settings,
)
from services.calendar.sharing_tools import (
    create_calendar,
    delete_calendar,
    get_calendar,
    list_calendars,
    share_calendar,
    unshare_calendar,
    update_calendar,
)
from services.calendar.time_tools import (
    book_room,
    find_common_slots,
    find_conflicts,
    get_free_busy,
    list_due_reminders,
    list_rooms,
    release_room,
)

__all__ = [
    "add_attendees",
    "book_room",
    "cancel_event",
    "create_calendar",
    "create_event",
    "delete_calendar",
    "find_common_slots",
    "find_conflicts",
    "get_calendar",
    "get_event",
    "get_free_busy",
    "get_settings",
    "list_calendars",
    "list_due_reminders",
    "list_events",
    "list_invitations",
    "list_people",
    "list_rooms",
    "move_event",
    "release_room",
    "remove_attendees",
    "respond_to_invitation",
    "set_reminders",
    "share_calendar",
    "unshare_calendar",
    "update_calendar",
    "update_event",
    "update_settings",
]
