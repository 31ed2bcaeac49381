"""Tools that find offers and plan trips."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context, Money, tool
from services.travel.inventory import free_seats, left, live, nights, price_of
from services.travel.policy import breaches
from services.travel.state import Booking, Offer, Traveller, Trip
from services.travel.views import offer_views, trip_view, trip_views

MAX_TRIP = timedelta(days=60)
FINANCE = "elena.sorokina@larkspur.example"


@tool
def search_offers(
    ctx: Context,
    kind: str | None = None,
    origin: str | None = None,
    destination: str | None = None,
    date: date | None = None,
    check_in: date | None = None,
    check_out: date | None = None,
    travel_class: str | None = None,
    provider: str | None = None,
    currency: str | None = None,
    max_price: Money | None = None,
    refundable: bool | None = None,
    sort: str = "price",
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Offers that meet every filter."""
    equal = (
        (Offer.kind, kind),
        (Offer.origin, origin),
        (Offer.destination, destination),
        (Offer.travel_class, travel_class),
        (Offer.provider, provider),
        (Offer.currency, currency),
        (Offer.refundable, refundable),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if date is not None:
        where += [col(Offer.kind) != "hotel", col(Offer.first_day) == date]
    if check_in is not None or check_out is not None:
        nights(ctx, check_in, check_out)
        where += [col(Offer.kind) == "hotel", col(Offer.first_day) <= check_in, col(Offer.last_day) >= check_out]
    if max_price is not None:
        where.append(col(Offer.price) <= max_price)
    order = col(Offer.price) if sort == "price" else col(Offer.first_day)
    page = ctx.page(Offer, *where, order_by=order, limit=limit, cursor=cursor)
    return {"items": offer_views(ctx, page.items, check_in, check_out), "next_cursor": page.next_cursor}


@tool
def get_offer(ctx: Context, offer_id: str, check_in: date | None = None, check_out: date | None = None) -> Any:
    """One offer, what is left of it and what the policy says."""
    offer = ctx.require(Offer, offer_id)
    total = None
    if offer.kind != "hotel":
        if check_in is not None or check_out is not None:
            ctx.fail("invalid", f"{offer_id} is a {offer.kind}; check_in and check_out are for hotels.")
        total = offer.price
    elif check_in is not None or check_out is not None:
        total = price_of(offer, nights(ctx, check_in, check_out))
    found = breaches(ctx, offer)
    return offer.out() | {
        "left": left(ctx, [offer], check_in, check_out)[offer.id],
        "free_seats": [] if offer.kind == "hotel" else free_seats(ctx, offer),
        "total": total,
        "policy": {"within": not found, "breaches": found},
    }


@tool
def list_trips(
    ctx: Context,
    status: str | None = None,
    organizer_email: str | None = None,
    approver_email: str | None = None,
    starts_after: date | None = None,
    starts_before: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Trips, earliest first."""
    equal = ((Trip.status, status), (Trip.organizer_email, organizer_email), (Trip.approver_email, approver_email))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if starts_after is not None:
        where.append(col(Trip.starts_on) >= starts_after)
    if starts_before is not None:
        where.append(col(Trip.starts_on) <= starts_before)
    page = ctx.page(Trip, *where, order_by=col(Trip.starts_on), limit=limit, cursor=cursor)
    return {"items": trip_views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def get_trip(ctx: Context, trip_id: str) -> Any:
    """One trip with its itinerary."""
    return trip_view(ctx, ctx.require(Trip, trip_id))


@tool
def create_trip(
    ctx: Context,
    title: str,
    starts_on: date,
    ends_on: date,
    purpose: str = "",
    approver_email: str = FINANCE,
) -> Any:
    """Start planning a trip."""
    trip = Trip(
        id=ctx.new_id("trip"),
        title=title,
        purpose=purpose,
        organizer_email=ctx.user.email,
        approver_email=approver_email,
        starts_on=starts_on,
        ends_on=ends_on,
        created_at=ctx.now(),
    )
    _require_possible(ctx, trip)
    return trip_view(ctx, ctx.add(trip))


def _require_possible(ctx: Context, trip: Trip) -> None:
    if trip.starts_on < ctx.today():
        ctx.fail("invalid", f"starts_on {trip.starts_on} has passed; today is {ctx.today()}.")
    if not timedelta(0) <= trip.ends_on - trip.starts_on <= MAX_TRIP:
        ctx.fail("invalid", f"ends_on must be 0 to {MAX_TRIP.days} days after starts_on.")
    if trip.approver_email == trip.organizer_email:
        ctx.fail("invalid", "The organiser cannot approve the trip; name another approver_email.")
    if not ctx.exists(Traveller, Traveller.email == trip.approver_email):
        ctx.fail("not_found", f"Nobody with the address {trip.approver_email} has a profile; see list_travellers.")


@tool
def update_trip(
    ctx: Context,
    trip_id: str,
    title: str | None = None,
    purpose: str | None = None,
    starts_on: date | None = None,
    ends_on: date | None = None,
    approver_email: str | None = None,
    status: str | None = None,
    decision_note: str | None = None,
) -> Any:
    """Change a trip or move it on."""
    trip = ctx.require(Trip, trip_id)
    changes = {
        "title": title,
        "purpose": purpose,
        "starts_on": starts_on,
        "ends_on": ends_on,
        "approver_email": approver_email,
    }
    changes = {name: value for name, value in changes.items() if value is not None}
    if status in ("approved", "rejected"):
        if changes:
            ctx.fail("invalid", "A decision cannot change the trip; give only status and decision_note.")
        _decide(ctx, trip, status, decision_note or "")
        return trip_view(ctx, trip)
    if decision_note is not None:
        ctx.fail("invalid", "decision_note goes only with status approved or rejected.")
    require_organizer(ctx, trip)
    if changes:
        if trip.status not in ("planning", "submitted", "rejected"):
            ctx.fail("conflict", f"Trip {trip.id} is {trip.status}; its fields can no longer be changed.")
        for name, value in changes.items():
            setattr(trip, name, value)
        if changes.keys() - {"title", "purpose"}:
            _require_possible(ctx, trip)
        bookings = ctx.list(Booking, Booking.trip_id == trip.id, *live(ctx))
        outside = [b.id for b in bookings if b.starts_on < trip.starts_on or b.ends_on > trip.ends_on]
        if outside:
            ctx.fail("conflict", f"These bookings lie outside the new dates: {', '.join(outside)}.")
    if status is not None:
        _move(ctx, trip, status)
    return trip_view(ctx, trip)


def require_organizer(ctx: Context, trip: Trip) -> None:
    """Refuse whoever did not organise the trip."""
    if trip.organizer_email != ctx.user.email:
        ctx.fail("forbidden", f"Trip {trip.id} is organised by {trip.organizer_email}; only they may change it.")


def _decide(ctx: Context, trip: Trip, status: str, note: str) -> None:
    if trip.approver_email != ctx.user.email:
        ctx.fail("forbidden", f"Trip {trip.id} is decided by {trip.approver_email}, not by you.")
    if trip.status != "submitted":
        ctx.fail("conflict", f"Trip {trip.id} is {trip.status}; only submitted trips can be decided.")
    if status == "rejected" and not note.strip():
        ctx.fail("invalid", "Rejecting needs a decision_note that says why.")
    trip.status, trip.decision_note = status, note


def _move(ctx: Context, trip: Trip, status: str) -> None:
    bookings = ctx.exists(Booking, Booking.trip_id == trip.id, *live(ctx))
    if status == "submitted":
        if trip.status not in ("planning", "rejected"):
            ctx.fail("conflict", f"Trip {trip.id} is {trip.status}; only planning or rejected trips can be submitted.")
        if not bookings:
            ctx.fail("conflict", f"Trip {trip.id} has no live booking to decide on; add one with create_booking.")
        trip.decision_note = ""
    elif trip.status == "cancelled":
        ctx.fail("conflict", f"Trip {trip.id} is cancelled already.")
    elif bookings:
        ctx.fail("conflict", f"Trip {trip.id} has live bookings; cancel each with cancel_booking first.")
    trip.status = status
