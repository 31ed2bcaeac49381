"""What is left of an offer, its seats, and what a stay costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from sqlalchemy import and_, or_
from sqlmodel import col

from engine.kit import Context
from services.travel.state import Booking, Offer

MAX_NIGHTS = 30
HOLD = timedelta(hours=24)


def live(ctx: Context) -> list[object]:
    """Conditions of bookings that block a seat or room: lapsed holds and cancelled ones do not."""
    firm = col(Booking.status).in_(("confirmed", "ticketed"))
    return [or_(firm, and_(col(Booking.status) == "held", col(Booking.held_until) > ctx.now()))]


def is_expired(ctx: Context, booking: Booking) -> bool:
    """Whether a hold has lapsed."""
    return booking.status == "held" and booking.held_until is not None and booking.held_until <= ctx.now()


def nights(ctx: Context, check_in: date | None, check_out: date | None) -> int:
    """The length of a stay; refuses one that is none."""
    if check_in is None or check_out is None:
        ctx.fail("invalid", "A hotel needs both check_in and check_out.")
    length = (check_out - check_in).days
    if not 1 <= length <= MAX_NIGHTS:
        ctx.fail("invalid", f"check_out must be 1 to {MAX_NIGHTS} days after check_in.")
    return length


def left(
    ctx: Context, offers: Sequence[Offer], check_in: date | None, check_out: date | None, but: str = ""
) -> dict[str, int | None]:
    """Seats or rooms left by offer; for hotels the least of all nights, ``None`` without nights."""
    taken: dict[str, list[Booking]] = {}
    for booking in ctx.list(Booking, col(Booking.offer_id).in_({item.id for item in offers}), *live(ctx)):
        if booking.id != but:
            taken.setdefault(booking.offer_id, []).append(booking)
    out: dict[str, int | None] = {}
    for offer in offers:
        bookings = taken.get(offer.id, [])
        if offer.kind != "hotel":
            out[offer.id] = max(offer.capacity - len(bookings), 0)
        elif check_in is None or check_out is None:
            out[offer.id] = None
        elif check_in < offer.first_day or check_out > offer.last_day:
            out[offer.id] = 0
        else:
            used = Counter(
                day for booking in bookings for day in _days(max(booking.starts_on, check_in), booking.ends_on)
            )
            busiest = max((used[day] for day in _days(check_in, check_out)), default=0)
            out[offer.id] = max(offer.capacity - busiest, 0)
    return out


def _days(first: date, end: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((end - first).days)]


def free_seats(ctx: Context, offer: Offer, but: str = "") -> list[str]:
    """Seats of a flight or train that can still be chosen, front to back."""
    taken = {item.seat for item in ctx.list(Booking, Booking.offer_id == offer.id, *live(ctx)) if item.id != but}
    names = [f"{number // 4 + 1}{'ABCD'[number % 4]}" for number in range(offer.capacity)]
    return [name for name in names if name not in taken]


def starts_at(offer: Offer, starts_on: date) -> datetime:
    """When a booking of the offer begins: departure, or 15:00 UTC on the first night."""
    return offer.departs_at or datetime.combine(starts_on, time(15), UTC)


def price_of(offer: Offer, length: int) -> Decimal:
    """Price of a journey, or of that many nights."""
    return offer.price * length if offer.kind == "hotel" else offer.price
