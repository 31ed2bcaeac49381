"""Tools for bookings: hold, confirm, ticket, change, cancel."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.travel.inventory import HOLD, free_seats, is_expired, left, live, nights, price_of, starts_at
from services.travel.policy import breaches
from services.travel.state import Booking, Offer, Traveller, Trip
from services.travel.trips import require_organizer
from services.travel.views import bookable, booking_view, booking_views


@tool
def list_bookings(
    ctx: Context,
    trip_id: str | None = None,
    traveller_id: str | None = None,
    offer_id: str | None = None,
    status: str | None = None,
    kind: str | None = None,
    starts_after: date | None = None,
    starts_before: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Bookings in order of travel."""
    equal = (
        (Booking.trip_id, trip_id),
        (Booking.traveller_id, traveller_id),
        (Booking.offer_id, offer_id),
        (Booking.status, status),
        (Booking.kind, kind),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if starts_after is not None:
        where.append(col(Booking.starts_on) >= starts_after)
    if starts_before is not None:
        where.append(col(Booking.starts_on) <= starts_before)
    page = ctx.page(Booking, *where, order_by=col(Booking.starts_on), limit=limit, cursor=cursor)
    return {"items": booking_views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def get_booking(ctx: Context, booking_id: str) -> Any:
    """One booking in full."""
    return booking_view(ctx, ctx.require(Booking, booking_id))


@tool
def create_booking(
    ctx: Context,
    trip_id: str,
    traveller_id: str,
    offer_id: str,
    check_in: date | None = None,
    check_out: date | None = None,
    seat: str | None = None,
) -> Any:
    """Hold an offer."""
    trip = ctx.require(Trip, trip_id)
    traveller = ctx.require(Traveller, traveller_id)
    offer = ctx.require(Offer, offer_id)
    require_organizer(ctx, trip)
    if trip.status == "cancelled":
        ctx.fail("conflict", f"Trip {trip.id} is cancelled; create another one.")
    if not bookable(ctx, traveller):
        ctx.fail("forbidden", f"You may not book for {traveller.name}; {traveller.arranger_email} arranges for them.")
    booking_id = ctx.new_id("bkg")
    booking = Booking(
        id=booking_id,
        reference=ctx.new_id("")[:8].upper(),
        trip_id=trip.id,
        traveller_id=traveller.id,
        offer_id=offer.id,
        kind=offer.kind,
        starts_on=offer.first_day,
        ends_on=offer.last_day,
        price=offer.price,
        currency=offer.currency,
        created_at=ctx.now(),
    )
    _place(ctx, booking, trip, offer, check_in, check_out, seat)
    booking.held_until = min(ctx.now() + HOLD, starts_at(offer, booking.starts_on))
    ctx.add(booking)
    return booking_view(ctx, booking)


def _place(
    ctx: Context,
    booking: Booking,
    trip: Trip,
    offer: Offer,
    check_in: date | None,
    check_out: date | None,
    seat: str | None,
) -> None:
    """Put a booking on an offer's dates and seat, if there is room; its approval lapses when the policy says no."""
    length = 1
    starts_on, ends_on = offer.first_day, offer.last_day
    if offer.kind == "hotel":
        length = nights(ctx, check_in, check_out)
        starts_on, ends_on = check_in or starts_on, check_out or ends_on
        if starts_on < offer.first_day or ends_on > offer.last_day:
            ctx.fail("conflict", f"{offer.id} can be booked from {offer.first_day} to {offer.last_day} only.")
    elif check_in is not None or check_out is not None:
        ctx.fail("invalid", f"{offer.id} is a {offer.kind}; check_in and check_out are for hotels.")
    if starts_at(offer, starts_on) <= ctx.now():
        ctx.fail("conflict", f"{offer.id} on {starts_on} has begun already.")
    if starts_on < trip.starts_on or ends_on > trip.ends_on:
        ctx.fail("invalid", f"{starts_on} to {ends_on} lies outside trip {trip.id} ({trip.starts_on}, {trip.ends_on}).")
    same = ctx.first(
        Booking,
        Booking.offer_id == offer.id,
        Booking.traveller_id == booking.traveller_id,
        Booking.id != booking.id,
        *([col(Booking.starts_on) < ends_on, col(Booking.ends_on) > starts_on] if offer.kind == "hotel" else []),
        *live(ctx),
    )
    if same is not None:
        ctx.fail("conflict", f"The traveller has {offer.id} for these dates already: booking {same.id}.")
    if not left(ctx, [offer], starts_on, ends_on, but=booking.id)[offer.id]:
        ctx.fail("conflict", f"{offer.id} is sold out for these dates; search_offers shows others.")
    booking.offer_id, booking.starts_on, booking.ends_on = offer.id, starts_on, ends_on
    booking.price = price_of(offer, length)
    booking.seat = None if seat is None else _seat(ctx, booking, offer, seat)
    if trip.status == "approved" and breaches(ctx, offer):
        trip.status = "planning"


def _seat(ctx: Context, booking: Booking, offer: Offer, seat: str) -> str:
    if offer.kind == "hotel":
        ctx.fail("invalid", "Hotels have no seats; leave seat out.")
    if seat not in free_seats(ctx, offer, but=booking.id):
        ctx.fail("conflict", f"Seat {seat} of {offer.id} is taken or does not exist; get_offer shows free_seats.")
    return seat


def _mine(ctx: Context, booking_id: str) -> tuple[Booking, Trip, Offer]:
    booking = ctx.require(Booking, booking_id)
    trip = ctx.require(Trip, booking.trip_id)
    require_organizer(ctx, trip)
    return booking, trip, ctx.require(Offer, booking.offer_id)


def _require_changeable(ctx: Context, booking: Booking, offer: Offer) -> None:
    if booking.status == "cancelled":
        ctx.fail("conflict", f"Booking {booking.id} is cancelled already.")
    if starts_at(offer, booking.starts_on) <= ctx.now():
        ctx.fail("conflict", f"Booking {booking.id} has begun and can no longer be changed.")


def _require_not_lapsed(ctx: Context, booking: Booking) -> None:
    if is_expired(ctx, booking):
        ctx.fail("conflict", f"The hold of {booking.id} lapsed at {booking.held_until}; book the offer again.")


@tool
def confirm_booking(ctx: Context, booking_id: str) -> Any:
    """Turn a hold into a purchase."""
    booking, trip, offer = _mine(ctx, booking_id)
    _require_not_lapsed(ctx, booking)
    if booking.status != "held":
        ctx.fail("conflict", f"Booking {booking.id} is {booking.status}; only held ones can be confirmed.")
    found = breaches(ctx, offer)
    if found and trip.status != "approved":
        ctx.fail(
            "forbidden",
            f"Booking {booking.id} is outside the travel policy: {found[0]['problem']} Submit trip {trip.id} "
            f"with update_trip and wait for {trip.approver_email}, or choose another offer.",
            breaches=found,
        )
    booking.status, booking.held_until = "confirmed", None
    return booking_view(ctx, booking)


@tool
def ticket_booking(ctx: Context, booking_id: str) -> Any:
    """Issue the ticket or voucher."""
    booking, _, offer = _mine(ctx, booking_id)
    if booking.status != "confirmed":
        ctx.fail("conflict", f"Booking {booking.id} is {booking.status}; only confirmed ones can be ticketed.")
    _require_changeable(ctx, booking, offer)
    if offer.kind == "flight" and offer.international:
        traveller = ctx.require(Traveller, booking.traveller_id)
        expires = traveller.passport_expires_on
        if traveller.passport_number is None or expires is None or expires < booking.ends_on:
            ctx.fail(
                "conflict",
                f"{traveller.name} has no passport on file that is valid on {booking.ends_on}; "
                "enter it with update_traveller.",
            )
    if offer.kind != "hotel" and booking.seat is None:
        booking.seat = free_seats(ctx, offer, but=booking.id)[0]
    booking.status = "ticketed"
    booking.ticket_number = f"T-{ctx.new_id('')[:10].upper()}"
    return booking_view(ctx, booking)


@tool
def update_booking(
    ctx: Context,
    booking_id: str,
    offer_id: str | None = None,
    check_in: date | None = None,
    check_out: date | None = None,
    seat: str | None = None,
) -> Any:
    """Choose a seat, or move to another offer or other nights."""
    booking, trip, old = _mine(ctx, booking_id)
    _require_not_lapsed(ctx, booking)
    _require_changeable(ctx, booking, old)
    offer = ctx.require(Offer, offer_id) if offer_id is not None else old
    if offer.id == old.id and check_in is None and check_out is None:
        if seat is None:
            ctx.fail("invalid", f"Booking {booking.id} has this offer already; give another offer, nights or a seat.")
        booking.seat = _seat(ctx, booking, offer, seat)
        return booking_view(ctx, booking)
    fixed = ("kind", "provider", "origin", "destination", "currency")
    for name in fixed:
        if getattr(offer, name) != getattr(old, name):
            ctx.fail("invalid", f"A change must keep the {name}; cancel {booking.id} and book {offer.id} instead.")
    if booking.status != "held":
        if old.change_fee is None:
            ctx.fail("conflict", f"The fare of {booking.id} does not allow changes; cancel_booking still works.")
        if breaches(ctx, offer):
            ctx.fail("forbidden", f"{offer.id} is outside the travel policy; hold it with create_booking instead.")
        booking.fees += old.change_fee
    if offer.kind == "hotel":
        check_in, check_out = check_in or booking.starts_on, check_out or booking.ends_on
    _place(ctx, booking, trip, offer, check_in, check_out, seat)
    if booking.status == "ticketed":
        booking.status, booking.ticket_number = "confirmed", None
    elif booking.held_until is not None:
        booking.held_until = min(booking.held_until, starts_at(offer, booking.starts_on))
    return booking_view(ctx, booking)


@tool
def cancel_booking(ctx: Context, booking_id: str, reason: str = "") -> Any:
    """Give a booking back."""
    booking, _, offer = _mine(ctx, booking_id)
    if not is_expired(ctx, booking):
        _require_changeable(ctx, booking, offer)
    early = booking.starts_on - ctx.today() >= timedelta(days=offer.refund_days)
    free = booking.status == "held" or (offer.refundable and early)
    booking.refund = booking.price if free else Decimal(0)
    booking.status, booking.held_until, booking.cancel_reason = "cancelled", None, reason
    return booking_view(ctx, booking)
