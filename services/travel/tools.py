"""The travel desk's tools."""

from services.travel.bookings import (
    cancel_booking,
    confirm_booking,
    create_booking,
    get_booking,
    list_bookings,
    ticket_booking,
    update_booking,
)
from services.travel.people import (
    create_traveller,
    get_traveller,
    list_policy_rules,
    list_travellers,
    update_traveller,
)
from services.travel.trips import create_trip, get_offer, get_trip, list_trips, search_offers, update_trip

__all__ = [
    "cancel_booking",
    "confirm_booking",
    "create_booking",
    "create_traveller",
    "create_trip",
    "get_booking",
    "get_offer",
    "get_traveller",
    "get_trip",
    "list_bookings",
    "list_policy_rules",
    "list_travellers",
    "list_trips",
    "search_offers",
    "ticket_booking",
    "update_booking",
    "update_traveller",
    "update_trip",
]
