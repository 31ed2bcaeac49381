"""The box office's tools, each in the module of its subject."""

from services.events.codes import create_discount_code, list_discount_codes
from services.events.guests import (
    check_in_attendee,
    create_waitlist_entry,
    list_attendees,
    list_waitlist_entries,
)
from services.events.planning import (
    create_event,
    create_ticket_type,
    get_event,
    list_events,
    set_event_status,
    update_event,
    update_ticket_type,
)
from services.events.refunds import refund_order
from services.events.sales import create_order, get_order, get_sales_summary, list_orders

__all__ = [
    "check_in_attendee",
    "create_discount_code",
    "create_event",
    "create_order",
    "create_ticket_type",
    "create_waitlist_entry",
    "get_event",
    "get_order",
    "get_sales_summary",
    "list_attendees",
    "list_discount_codes",
    "list_events",
    "list_orders",
    "list_waitlist_entries",
    "refund_order",
    "set_event_status",
    "update_event",
    "update_ticket_type",
]
