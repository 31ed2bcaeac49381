"""Tools for guests and the waitlist."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.reservations.state import Booking, Guest, Restaurant, WaitlistEntry
from services.reservations.tables import free, is_bookable, require_start, tables, taken

MAX_WAITING = 5
DAY = timedelta(days=1)


@tool
def list_guests(
    ctx: Context,
    query: str | None = None,
    email: str | None = None,
    company: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Guests by name."""
    where: list[Any] = []
    if query is not None:
        where.append(contains(Guest.name, query) | contains(Guest.email, query))
    if email is not None:
        where.append(Guest.email == email)
    if company is not None:
        where.append(Guest.company == company)
    page = ctx.page(Guest, *where, order_by=col(Guest.name), limit=limit, cursor=cursor)
    return {"items": _guests(ctx, page.items), "next_cursor": page.next_cursor}


def _guests(ctx: Context, guests: Sequence[Guest]) -> list[dict[str, Any]]:
    statement = (
        select(col(Booking.guest_id), col(Booking.status), func.count())
        .where(col(Booking.guest_id).in_({item.id for item in guests}))
        .group_by(col(Booking.guest_id), col(Booking.status))
        .order_by(col(Booking.guest_id), col(Booking.status))
    )
    counts = {(guest_id, status): count for guest_id, status, count in ctx.rows(statement)}
    return [
        item.out() | {"visits": counts.get((item.id, "finished"), 0), "no_shows": counts.get((item.id, "no_show"), 0)}
        for item in guests
    ]


@tool
def create_guest(
    ctx: Context, name: str, email: str, phone: str = "", company: str | None = None, dietary_notes: str = ""
) -> Any:
    """Add a guest."""
    if ctx.exists(Guest, Guest.email == email):
        ctx.fail("conflict", f"{email} is a guest already; list_guests finds them by email.")
    made = Guest(
        id=ctx.new_id("gst"), name=name, email=email, phone=phone, company=company, dietary_notes=dietary_notes
    )
    return _guests(ctx, [ctx.add(made)])[0]


@tool
def list_waitlist_entries(
    ctx: Context,
    restaurant_id: str | None = None,
    guest_id: str | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Waitlist entries in order of time."""
    equal = (
        (WaitlistEntry.restaurant_id, restaurant_id),
        (WaitlistEntry.guest_id, guest_id),
        (WaitlistEntry.status, status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(WaitlistEntry, *where, order_by=col(WaitlistEntry.starts_at), limit=limit, cursor=cursor)
    return {"items": _entries(ctx, page.items), "next_cursor": page.next_cursor}


def _entries(ctx: Context, entries: Sequence[WaitlistEntry]) -> list[dict[str, Any]]:
    if not entries:
        return []
    ids = {item.restaurant_id for item in entries}
    places = {item.id: item for item in ctx.list(Restaurant, col(Restaurant.id).in_(ids))}
    guests = {item.id: item for item in ctx.list(Guest, col(Guest.id).in_({item.guest_id for item in entries}))}
    candidates = tables(ctx, ids)
    moments = [item.starts_at for item in entries]
    used = taken(ctx, ids, min(moments), max(moments) + DAY)
    return [
        item.out()
        | {
            "restaurant_name": places[item.restaurant_id].name,
            "guest_name": guests[item.guest_id].name,
            "guest_email": guests[item.guest_id].email,
            "table_free": item.status == "waiting"
            and is_bookable(ctx, item.starts_at)
            and bool(free(candidates, used, places[item.restaurant_id], item.starts_at, item.party_size)),
        }
        for item in entries
    ]


@tool
def create_waitlist_entry(
    ctx: Context, restaurant_id: str, guest_id: str, starts_at: Moment, party_size: int, note: str = ""
) -> Any:
    """Wait for a table."""
    restaurant = ctx.require(Restaurant, restaurant_id)
    guest = ctx.require(Guest, guest_id)
    require_start(ctx, restaurant, starts_at)
    candidates = tables(ctx, [restaurant.id])
    if not free(candidates, [], restaurant, starts_at, party_size):
        ctx.fail("limit", f"{restaurant.name} has no table for {party_size} at all; search_restaurants finds others.")
    used = taken(ctx, [restaurant.id], starts_at, starts_at + DAY)
    if free(candidates, used, restaurant, starts_at, party_size):
        ctx.fail("conflict", f"{restaurant.name} has a free table then; book it with create_booking.")
    waiting = ctx.list(WaitlistEntry, WaitlistEntry.guest_id == guest.id, WaitlistEntry.status == "waiting")
    for entry in waiting:
        if (entry.restaurant_id, entry.starts_at) == (restaurant.id, starts_at):
            ctx.fail("conflict", f"{guest.name} waits there for that time already: {entry.id}.")
    if len(waiting) >= MAX_WAITING:
        ctx.fail("limit", f"{guest.name} has {MAX_WAITING} waiting entries, the most allowed; delete one first.")
    entry = WaitlistEntry(
        id=ctx.new_id("wait"),
        restaurant_id=restaurant.id,
        guest_id=guest.id,
        added_by_email=ctx.user.email,
        starts_at=starts_at,
        party_size=party_size,
        note=note,
        created_at=ctx.now(),
    )
    return _entries(ctx, [ctx.add(entry)])[0]


@tool
def delete_waitlist_entry(ctx: Context, waitlist_entry_id: str) -> Any:
    """Stop waiting."""
    entry = ctx.require(WaitlistEntry, waitlist_entry_id)
    if entry.added_by_email != ctx.user.email:
        ctx.fail(
            "forbidden", f"Waitlist entry {entry.id} was added by {entry.added_by_email}; only they may delete it."
        )
    if entry.status != "waiting":
        ctx.fail("conflict", f"Waitlist entry {entry.id} has got its table; cancel the booking instead.")
    ctx.delete(entry)
    return {"id": waitlist_entry_id, "deleted": True}
