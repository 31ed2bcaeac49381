"""What the reservation book remembers."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref

CUISINES = ("british", "italian", "japanese", "indian", "levantine", "french", "grill", "seafood", "cafe")
AREAS = ("inside", "terrace", "private_room")
STATUSES = ("booked", "seated", "finished", "cancelled", "no_show")
DEPOSITS = ("none", "due", "paid", "refunded", "forfeited")
OCCASIONS = ("business", "birthday", "team", "celebration", "none")


class ReservationsEntity(Entity):
    """Base of the reservation book's entities."""

    __service__ = "reservations"


class Restaurant(ReservationsEntity, table=True):
    """A place to eat and its rules. Hours are minutes of the day, UTC."""

    id: str = key("rst")
    name: str = field("company", unique=True, max_length=120)
    description: str = field("text", default="", max_length=500)
    cuisine: str = field("category", choices=CUISINES)
    price_band: str = field("category", choices=("low", "mid", "high"))
    city: str = field("place", max_length=80)
    address: str = field("address", max_length=200)
    phone: str = field("phone", default="", max_length=40)
    opens: int = field("minutes", ge=0, le=1439)
    last_seating: int = field("minutes", ge=0, le=1439)
    closed_days: list[str] = field("tags", default_factory=list, description="days of the week, in lower case")
    diets: list[str] = field("tags", default_factory=list)
    dining_minutes: int = field("minutes", ge=30, le=240, description="how long a table is kept")
    cancel_hours: int = field("quantity", ge=0, le=168)
    deposit_from: int = field("quantity", ge=1, description="party size from which a deposit is due")
    deposit_per_guest: Decimal = field("money", ge=0)
    currency: str = field("currency", max_length=3)


class DiningTable(ReservationsEntity, table=True):
    """A table; parties never share one."""

    id: str = key("tbl")
    restaurant_id: str = ref("reservations_restaurant.id", on_delete="cascade")
    name: str = field("name", max_length=40)
    seats: int = field("quantity", ge=1, le=40)
    area: str = field("category", choices=AREAS, default="inside")


class Guest(ReservationsEntity, table=True):
    """Somebody in whose name tables are booked."""

    id: str = key("gst")
    name: str = field("person", min_length=1, max_length=120)
    email: str = field("email", unique=True, max_length=200)
    phone: str = field("phone", default="", max_length=40)
    company: str | None = field("company", default=None, max_length=120)
    dietary_notes: str = field("text", default="", max_length=500)


class Booking(ReservationsEntity, table=True):
    """A table kept for a party."""

    id: str = key("res")
    reference: str = field("code", unique=True, max_length=12)
    restaurant_id: str = ref("reservations_restaurant.id")
    table_id: str = ref("reservations_dining_table.id")
    guest_id: str = ref("reservations_guest.id")
    booked_by_email: str = field("email", max_length=200)
    party_size: int = field("quantity", ge=1, le=40)
    starts_at: datetime = field("datetime", index=True)
    ends_at: datetime = field("datetime")
    cancel_by: datetime = field("datetime", description="last instant of free cancellation")
    status: str = field("status", choices=STATUSES, default="booked")
    occasion: str = field("category", choices=OCCASIONS, default="none")
    special_requests: str = field("text", default="", max_length=500)
    dietary_notes: str = field("text", default="", max_length=500)
    deposit: Decimal = field("money", default=Decimal(0), ge=0)
    deposit_paid: Decimal = field("money", default=Decimal(0), ge=0)
    deposit_status: str = field("status", choices=DEPOSITS, default="none")
    payment_reference: str | None = field("code", default=None, max_length=40)
    currency: str = field("currency", max_length=3)
    cancel_reason: str = field("text", default="", max_length=500)
    created_at: datetime = field("datetime")


class WaitlistEntry(ReservationsEntity, table=True):
    """A guest who waits for a table at a time that is full."""

    id: str = key("wait")
    restaurant_id: str = ref("reservations_restaurant.id")
    guest_id: str = ref("reservations_guest.id")
    added_by_email: str = field("email", max_length=200)
    starts_at: datetime = field("datetime")
    party_size: int = field("quantity", ge=1, le=40)
    status: str = field("status", choices=("waiting", "booked"), default="waiting")
    note: str = field("text", default="", max_length=300)
    created_at: datetime = field("datetime")


class Review(ReservationsEntity, table=True):
    """What a guest thought of a meal."""

    id: str = key("rev")
    booking_id: str = ref("reservations_booking.id")
    restaurant_id: str = ref("reservations_restaurant.id")
    guest_id: str = ref("reservations_guest.id")
    rating: int = field("quantity", ge=1, le=5)
    text: str = field("text", default="", max_length=2000)
    created_at: datetime = field("datetime")


class Favourite(ReservationsEntity, table=True):
    """A restaurant that somebody likes."""

    restaurant_id: str = ref("reservations_restaurant.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=200)
    added_at: datetime = field("datetime")
