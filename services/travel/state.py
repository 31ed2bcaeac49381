"""What the travel desk remembers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from engine.kit import HOME_COMPANY, Entity, field, key, ref

KINDS = ("flight", "train", "hotel")
CLASSES = ("economy", "premium", "business", "standard", "first")
TRIP_STATUSES = ("planning", "submitted", "approved", "rejected", "cancelled")
BOOKING_STATUSES = ("held", "confirmed", "ticketed", "cancelled")


class TravelEntity(Entity):
    """Base of the travel desk's entities."""

    __service__ = "travel"


class Traveller(TravelEntity, table=True):
    """Somebody who travels; the arranger may book for them."""

    id: str = key("trv")
    name: str = field("person", min_length=1, max_length=120)
    email: str = field("email", unique=True, max_length=200)
    company: str = field("company", default=HOME_COMPANY, min_length=1, max_length=120)
    arranger_email: str = field("email", max_length=200)
    phone: str = field("phone", default="", max_length=40)
    passport_number: str | None = field("code", default=None, max_length=20)
    passport_expires_on: date | None = field("date", default=None)
    frequent_flyer_number: str | None = field("code", default=None, max_length=30)
    railcard_number: str | None = field("code", default=None, max_length=30)
    seat_preference: str = field("category", choices=("window", "aisle", "none"), default="none")
    meal: str = field(
        "category", choices=("standard", "vegetarian", "vegan", "halal", "gluten_free"), default="standard"
    )


class PolicyRule(TravelEntity, table=True):
    """One rule of the travel policy; which of the values count depends on the kind."""

    id: str = key("rule")
    kind: str = field("category", choices=("night_cap", "flight_class", "train_class", "rail_first"))
    text: str = field("text", max_length=400)
    city: str | None = field("place", default=None, max_length=80)
    cap: Decimal | None = field("money", default=None, ge=0, description="highest price of a night")
    currency: str | None = field("currency", default=None, max_length=3)
    from_minutes: int | None = field("minutes", default=None, ge=0, description="journeys at least this long")
    travel_class: str | None = field("category", choices=CLASSES, default=None, description="highest class allowed")


class Offer(TravelEntity, table=True):
    """A fare on one flight or train, or a kind of room with its nights."""

    id: str = key("off")
    kind: str = field("category", choices=KINDS, index=True)
    provider: str = field("company", max_length=120)
    code: str = field("code", max_length=20, description="flight or train number, or the hotel's room code")
    origin: str | None = field("place", default=None, max_length=80)
    destination: str = field("place", max_length=80)
    address: str = field("address", default="", max_length=200)
    departs_at: datetime | None = field("datetime", default=None)
    arrives_at: datetime | None = field("datetime", default=None)
    first_day: date = field("date", description="day of departure, or the first night that can be booked")
    last_day: date = field("date", description="day of arrival, or the last day of departure from the hotel")
    minutes: int = field("minutes", default=0, ge=0)
    travel_class: str | None = field("category", choices=CLASSES, default=None)
    room_type: str | None = field("category", choices=("single", "double", "suite"), default=None)
    international: bool = field("flag", default=False)
    price: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)
    capacity: int = field("quantity", ge=1, le=80, description="seats of this fare, or rooms each night")
    refundable: bool = field("flag", default=False)
    refund_days: int = field("quantity", default=0, ge=0)
    change_fee: Decimal | None = field("money", default=None, ge=0)


class Trip(TravelEntity, table=True):
    """Bookings that belong together, and who decides on them."""

    id: str = key("trip")
    title: str = field("title", min_length=1, max_length=120)
    purpose: str = field("text", default="", max_length=1000)
    organizer_email: str = field("email", max_length=200)
    approver_email: str = field("email", max_length=200)
    starts_on: date = field("date")
    ends_on: date = field("date")
    status: str = field("status", choices=TRIP_STATUSES, default="planning")
    decision_note: str = field("text", default="", max_length=500)
    created_at: datetime = field("datetime")


class Booking(TravelEntity, table=True):
    """An offer taken for one traveller. What it costs is price + fees - refund."""

    id: str = key("bkg")
    reference: str = field("code", unique=True, max_length=12, description="booking reference")
    trip_id: str = ref("travel_trip.id")
    traveller_id: str = ref("travel_traveller.id")
    offer_id: str = ref("travel_offer.id")
    kind: str = field("category", choices=KINDS)
    status: str = field("status", choices=BOOKING_STATUSES, default="held")
    starts_on: date = field("date")
    ends_on: date = field("date")
    seat: str | None = field("code", default=None, max_length=4)
    price: Decimal = field("money", ge=0)
    fees: Decimal = field("money", default=Decimal(0), ge=0)
    refund: Decimal = field("money", default=Decimal(0), ge=0)
    currency: str = field("currency", max_length=3)
    held_until: datetime | None = field("datetime", default=None)
    ticket_number: str | None = field("code", default=None, max_length=30)
    cancel_reason: str = field("text", default="", max_length=500)
    created_at: datetime = field("datetime")
