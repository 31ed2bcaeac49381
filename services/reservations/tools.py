"""The reservation book's tools."""

from services.reservations.bookings import (
    cancel_booking,
    create_booking,
    get_booking,
    list_bookings,
    pay_deposit,
    set_booking_status,
    update_booking,
)
from services.reservations.people import (
    create_guest,
    create_waitlist_entry,
    delete_waitlist_entry,
    list_guests,
    list_waitlist_entries,
)
from services.reservations.places import (
    create_review,
    get_restaurant,
    list_reviews,
    list_slots,
    search_restaurants,
    set_favourite,
)

__all__ = [
    "cancel_booking",
    "create_booking",
    "create_guest",
    "create_review",
    "create_waitlist_entry",
    "delete_waitlist_entry",
    "get_booking",
    "get_restaurant",
    "list_bookings",
    "list_guests",
    "list_reviews",
    "list_slots",
    "list_waitlist_entries",
    "pay_deposit",
    "search_restaurants",
    "set_booking_status",
    "set_favourite",
    "update_booking",
]
