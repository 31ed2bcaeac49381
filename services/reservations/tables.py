"""Which tables are free when, and whether a time can be booked at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeAlias

from sqlmodel import col

from engine.kit import Context
from services.reservations.state import Booking, DiningTable, Guest, Restaurant

SLOT = 30
"""Minutes between two starts, and the notice that a booking needs."""

MAX_AHEAD = timedelta(days=120)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

Taken: TypeAlias = Sequence[tuple[str, datetime, datetime]]
"""Tables in use: id, from, until."""


def starts(restaurant: Restaurant, day: date) -> list[datetime]:
    """The starts that a restaurant offers on a day; none when it is closed."""
    if WEEKDAYS[day.weekday()] in restaurant.closed_days:
        return []
    midnight = datetime.combine(day, time(0), UTC)
    minutes = range(restaurant.opens, restaurant.last_seating + 1, SLOT)
    return [midnight + timedelta(minutes=minute) for minute in minutes]


def is_bookable(ctx: Context, start: datetime) -> bool:
    """Whether a start is neither too soon nor too far ahead."""
    return timedelta(minutes=SLOT) <= start - ctx.now() <= MAX_AHEAD


def require_start(ctx: Context, restaurant: Restaurant, start: datetime) -> None:
    """Refuse a time at which nobody can be booked in."""
    if not is_bookable(ctx, start):
        ctx.fail("invalid", f"starts_at must be {SLOT} minutes to {MAX_AHEAD.days} days ahead of {ctx.now()}.")
    offered = starts(restaurant, start.date())
    if not offered:
        ctx.fail("conflict", f"{restaurant.name} is closed on {WEEKDAYS[start.weekday()]}s; try another day.")
    if start not in offered:
        ctx.fail(
            "invalid",
            f"{restaurant.name} seats every half hour from {offered[0]:%H:%M} to {offered[-1]:%H:%M} UTC.",
        )


def taken(ctx: Context, restaurant_ids: Iterable[str], first: datetime, last: datetime, but: str = "") -> Taken:
    """Tables in use at any moment between two instants."""
    found = ctx.list(
        Booking,
        col(Booking.restaurant_id).in_(set(restaurant_ids)),
        col(Booking.status).in_(("booked", "seated")),
        col(Booking.starts_at) < last,
        col(Booking.ends_at) > first,
        Booking.id != but,
    )
    return [(item.table_id, item.starts_at, item.ends_at) for item in found]


def tables(ctx: Context, restaurant_ids: Iterable[str]) -> list[DiningTable]:
    """Tables of restaurants, smallest first."""
    where = col(DiningTable.restaurant_id).in_(set(restaurant_ids))
    return ctx.list(DiningTable, where, order_by=col(DiningTable.seats))


def free(
    candidates: Sequence[DiningTable],
    used: Taken,
    restaurant: Restaurant,
    start: datetime,
    party_size: int,
    area: str | None = None,
) -> list[DiningTable]:
    """Free tables that hold the party, smallest first."""
    end = start + timedelta(minutes=restaurant.dining_minutes)
    busy = {table for table, first, last in used if first < end and last > start}
    return [
        item
        for item in candidates
        if item.restaurant_id == restaurant.id
        and item.seats >= party_size
        and area in (None, item.area)
        and item.id not in busy
    ]


def find_table(
    ctx: Context, restaurant: Restaurant, start: datetime, party_size: int, area: str | None, but: str = ""
) -> DiningTable:
    """The table that a party gets; refuses when there is none."""
    require_start(ctx, restaurant, start)
    candidates = tables(ctx, [restaurant.id])
    if not free(candidates, [], restaurant, start, party_size, area):
        where = f" in the area {area}" if area else ""
        ctx.fail("limit", f"{restaurant.name} has no table for {party_size}{where}; get_restaurant lists its tables.")
    end = start + timedelta(minutes=restaurant.dining_minutes)
    found = free(candidates, taken(ctx, [restaurant.id], start, end, but), restaurant, start, party_size, area)
    if not found:
        ctx.fail(
            "conflict",
            f"{restaurant.name} is full then; list_slots shows free times, create_waitlist_entry waits for one.",
        )
    return found[0]


def require_guest_free(ctx: Context, guest: Guest, start: datetime, end: datetime, but: str = "") -> None:
    """Refuse a second table for a guest at the same time."""
    other = ctx.first(
        Booking,
        Booking.guest_id == guest.id,
        col(Booking.status).in_(("booked", "seated")),
        col(Booking.starts_at) < end,
        col(Booking.ends_at) > start,
        Booking.id != but,
    )
    if other is not None:
        ctx.fail("conflict", f"{guest.name} has booking {other.id} at that time; change or cancel it first.")
