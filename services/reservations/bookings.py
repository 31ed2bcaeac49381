"""Tools for bookings and their deposits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context, Moment, Money, tool
from services.reservations.state import Booking, DiningTable, Guest, Restaurant, WaitlistEntry
from services.reservations.tables import find_table, require_guest_free

DOOR = timedelta(minutes=15)
"""How early a party is seated, and how late it may come before it counts as a no-show."""


def _views(ctx: Context, bookings: Sequence[Booking]) -> list[dict[str, Any]]:
    places = ctx.list(Restaurant, col(Restaurant.id).in_({item.restaurant_id for item in bookings}))
    names = {item.id: item.name for item in places}
    guests = {item.id: item for item in ctx.list(Guest, col(Guest.id).in_({item.guest_id for item in bookings}))}
    found = ctx.list(DiningTable, col(DiningTable.id).in_({item.table_id for item in bookings}))
    tables = {item.id: item for item in found}
    return [
        item.out()
        | {
            "restaurant_name": names[item.restaurant_id],
            "guest_name": guests[item.guest_id].name,
            "guest_email": guests[item.guest_id].email,
            "table_name": tables[item.table_id].name,
            "area": tables[item.table_id].area,
        }
        for item in bookings
    ]


def _view(ctx: Context, booking: Booking) -> dict[str, Any]:
    return _views(ctx, [booking])[0]


def require_own(ctx: Context, booking: Booking) -> None:
    """Refuse whoever neither made the booking nor is its guest."""
    guest = ctx.require(Guest, booking.guest_id)
    if ctx.user.email not in (booking.booked_by_email, guest.email):
        ctx.fail("forbidden", f"Booking {booking.id} belongs to {booking.booked_by_email} and {guest.email}.")


def _own(ctx: Context, booking_id: str) -> Booking:
    booking = ctx.require(Booking, booking_id)
    require_own(ctx, booking)
    return booking


def _require_ahead(ctx: Context, booking: Booking) -> None:
    if booking.status != "booked":
        ctx.fail("conflict", f"Booking {booking.id} is {booking.status}; only booked ones can be changed.")
    if booking.starts_at <= ctx.now():
        ctx.fail("conflict", f"Booking {booking.id} has started; set_booking_status records what happened.")


@tool
def list_bookings(
    ctx: Context,
    restaurant_id: str | None = None,
    guest_id: str | None = None,
    booked_by_email: str | None = None,
    status: str | None = None,
    deposit_status: str | None = None,
    starts_after: Moment | None = None,
    starts_before: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Bookings in order of time."""
    equal = (
        (Booking.restaurant_id, restaurant_id),
        (Booking.guest_id, guest_id),
        (Booking.booked_by_email, booked_by_email),
        (Booking.status, status),
        (Booking.deposit_status, deposit_status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if starts_after is not None:
        where.append(col(Booking.starts_at) >= starts_after)
    if starts_before is not None:
        where.append(col(Booking.starts_at) < starts_before)
    page = ctx.page(Booking, *where, order_by=col(Booking.starts_at), limit=limit, cursor=cursor)
    return {"items": _views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def get_booking(ctx: Context, booking_id: str) -> Any:
    """One booking."""
    return _view(ctx, ctx.require(Booking, booking_id))


@tool
def create_booking(
    ctx: Context,
    restaurant_id: str,
    guest_id: str,
    starts_at: Moment,
    party_size: int,
    area: str | None = None,
    special_requests: str = "",
    dietary_notes: str | None = None,
    occasion: str = "none",
    waitlist_entry_id: str | None = None,
) -> Any:
    """Book a table."""
    restaurant = ctx.require(Restaurant, restaurant_id)
    guest = ctx.require(Guest, guest_id)
    booking_id = ctx.new_id("res")
    table = find_table(ctx, restaurant, starts_at, party_size, area)
    booking = Booking(
        id=booking_id,
        reference=ctx.new_id("")[:8].upper(),
        restaurant_id=restaurant.id,
        table_id=table.id,
        guest_id=guest.id,
        booked_by_email=ctx.user.email,
        party_size=party_size,
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=restaurant.dining_minutes),
        cancel_by=starts_at - timedelta(hours=restaurant.cancel_hours),
        occasion=occasion,
        special_requests=special_requests,
        dietary_notes=guest.dietary_notes if dietary_notes is None else dietary_notes,
        currency=restaurant.currency,
        created_at=ctx.now(),
    )
    require_guest_free(ctx, guest, booking.starts_at, booking.ends_at)
    _set_deposit(booking, restaurant)
    if waitlist_entry_id is not None:
        entry = ctx.require(WaitlistEntry, waitlist_entry_id)
        wanted = (entry.restaurant_id, entry.guest_id, entry.starts_at, entry.party_size)
        if wanted != (restaurant.id, guest.id, starts_at, party_size):
            ctx.fail("invalid", f"Waitlist entry {entry.id} asks for something else; see list_waitlist_entries.")
        if entry.status != "waiting":
            ctx.fail("conflict", f"Waitlist entry {entry.id} has got its table already.")
        entry.status = "booked"
    ctx.add(booking)
    return _view(ctx, booking)


def _set_deposit(booking: Booking, restaurant: Restaurant) -> None:
    wanted = Decimal(0)
    if booking.party_size >= restaurant.deposit_from:
        wanted = restaurant.deposit_per_guest * booking.party_size
    booking.deposit = max(wanted, booking.deposit_paid)
    if booking.deposit == 0:
        booking.deposit_status = "none"
    else:
        booking.deposit_status = "paid" if booking.deposit_paid == booking.deposit else "due"


@tool
def update_booking(
    ctx: Context,
    booking_id: str,
    starts_at: Moment | None = None,
    party_size: int | None = None,
    area: str | None = None,
    special_requests: str | None = None,
    dietary_notes: str | None = None,
    occasion: str | None = None,
) -> Any:
    """Change time, size, area or wishes."""
    booking = _own(ctx, booking_id)
    _require_ahead(ctx, booking)
    if starts_at not in (None, booking.starts_at) and ctx.now() > booking.cancel_by:
        ctx.fail(
            "conflict", f"Booking {booking.id} could be moved until {booking.cancel_by}; now it can only be cancelled."
        )
    if starts_at is not None or party_size is not None or area is not None:
        restaurant = ctx.require(Restaurant, booking.restaurant_id)
        start = starts_at or booking.starts_at
        size = party_size or booking.party_size
        table = find_table(ctx, restaurant, start, size, area, but=booking.id)
        end = start + timedelta(minutes=restaurant.dining_minutes)
        require_guest_free(ctx, ctx.require(Guest, booking.guest_id), start, end, but=booking.id)
        booking.table_id, booking.starts_at, booking.ends_at, booking.party_size = table.id, start, end, size
        booking.cancel_by = start - timedelta(hours=restaurant.cancel_hours)
        _set_deposit(booking, restaurant)
    given = {"special_requests": special_requests, "dietary_notes": dietary_notes, "occasion": occasion}
    for name, value in given.items():
        if value is not None:
            setattr(booking, name, value)
    return _view(ctx, booking)


@tool
def cancel_booking(ctx: Context, booking_id: str, reason: str = "") -> Any:
    """Give a table back."""
    booking = _own(ctx, booking_id)
    _require_ahead(ctx, booking)
    late = ctx.now() > booking.cancel_by
    booking.status, booking.cancel_reason = "cancelled", reason
    if booking.deposit_paid:
        booking.deposit_status = "forfeited" if late else "refunded"
    elif not late:
        booking.deposit_status = "none"
    return _view(ctx, booking) | {"late": late}


@tool
def pay_deposit(ctx: Context, booking_id: str, amount: Money, payment_reference: str) -> Any:
    """Pay what is due of a deposit."""
    booking = _own(ctx, booking_id)
    if booking.deposit_status != "due":
        ctx.fail("conflict", f"Booking {booking.id} owes no deposit; its deposit is {booking.deposit_status}.")
    due = booking.deposit - booking.deposit_paid
    if amount != due:
        ctx.fail("invalid", f"Booking {booking.id} owes exactly {due} {booking.currency}, not {amount}.", due=due)
    booking.deposit_paid = booking.deposit
    booking.deposit_status = "paid" if booking.status in ("booked", "seated") else "forfeited"
    booking.payment_reference = payment_reference
    return _view(ctx, booking)


@tool
def set_booking_status(ctx: Context, booking_id: str, status: str) -> Any:
    """Record what happened at the door."""
    booking = _own(ctx, booking_id)
    before = "seated" if status == "finished" else "booked"
    if booking.status != before:
        ctx.fail("conflict", f"Booking {booking.id} is {booking.status}; only {before} ones can become {status}.")
    if status == "seated":
        if not booking.starts_at - DOOR <= ctx.now() < booking.ends_at:
            ctx.fail("conflict", f"Booking {booking.id} runs from {booking.starts_at} to {booking.ends_at}.")
        if booking.deposit_status == "due":
            ctx.fail("conflict", f"Booking {booking.id} still owes a deposit; use pay_deposit first.")
    elif status == "no_show":
        if ctx.now() < booking.starts_at + DOOR:
            ctx.fail("conflict", f"Booking {booking.id} counts as a no-show 15 minutes after {booking.starts_at}.")
        if booking.deposit_paid:
            booking.deposit_status = "forfeited"
    booking.status = status
    return _view(ctx, booking)
