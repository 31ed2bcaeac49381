"""How offers, trips, bookings and profiles look in results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.travel.inventory import is_expired, left
from services.travel.policy import breaches, breaches_of
from services.travel.state import Booking, Offer, Traveller, Trip

PRIVATE = ("passport_number", "passport_expires_on", "frequent_flyer_number", "railcard_number")


def bookable(ctx: Context, traveller: Traveller) -> bool:
    """Whether the user may book for a traveller."""
    return ctx.user.email in (traveller.email, traveller.arranger_email)


def traveller_view(ctx: Context, traveller: Traveller) -> dict[str, Any]:
    """A profile, without the numbers of people whom the user does not arrange for."""
    mine = bookable(ctx, traveller)
    return traveller.out() | ({} if mine else dict.fromkeys(PRIVATE)) | {"bookable": mine}


def offer_views(
    ctx: Context, offers: Sequence[Offer], check_in: date | None = None, check_out: date | None = None
) -> list[dict[str, Any]]:
    """Offers with what is left of them."""
    remaining = left(ctx, offers, check_in, check_out)
    return [offer.out() | {"left": remaining[offer.id]} for offer in offers]


def booking_views(ctx: Context, bookings: Sequence[Booking]) -> list[dict[str, Any]]:
    """Bookings with the names a reader wants to see."""
    people = {
        item.id: item for item in ctx.list(Traveller, col(Traveller.id).in_({item.traveller_id for item in bookings}))
    }
    offers = {item.id: item for item in ctx.list(Offer, col(Offer.id).in_({item.offer_id for item in bookings}))}
    return [
        booking.out()
        | {
            "traveller_name": people[booking.traveller_id].name,
            "traveller_email": people[booking.traveller_id].email,
            "cost": booking.price + booking.fees - booking.refund,
            "expired": is_expired(ctx, booking),
            "check_in": booking.starts_on if booking.kind == "hotel" else None,
            "check_out": booking.ends_on if booking.kind == "hotel" else None,
        }
        | offers[booking.offer_id].out("provider", "code", "origin", "destination", "departs_at", "arrives_at")
        for booking in bookings
    ]


def booking_view(ctx: Context, booking: Booking) -> dict[str, Any]:
    """One booking in full."""
    offer = ctx.require(Offer, booking.offer_id)
    return booking_views(ctx, [booking])[0] | {"offer": offer.out(), "policy_breaches": breaches(ctx, offer)}


def trip_views(ctx: Context, trips: Sequence[Trip]) -> list[dict[str, Any]]:
    """Trips with what they cost, by currency; lapsed holds cost nothing, cancelled bookings what was not refunded."""
    sums: dict[str, dict[str, Decimal]] = {trip.id: defaultdict(Decimal) for trip in trips}
    counts: dict[str, int] = dict.fromkeys(sums, 0)
    for booking in ctx.list(Booking, col(Booking.trip_id).in_(sums)):
        if not is_expired(ctx, booking):
            cost = booking.price + booking.fees - booking.refund
            if cost or booking.status != "cancelled":
                sums[booking.trip_id][booking.currency] += cost
            counts[booking.trip_id] += booking.status != "cancelled"
    return [
        trip.out()
        | {
            "booking_count": counts[trip.id],
            "totals": [{"currency": name, "amount": sums[trip.id][name]} for name in sorted(sums[trip.id])],
        }
        for trip in trips
    ]


def trip_view(ctx: Context, trip: Trip) -> dict[str, Any]:
    """A trip with its itinerary."""
    bookings = ctx.list(Booking, Booking.trip_id == trip.id, order_by=col(Booking.starts_on))
    offers = ctx.list(
        Offer, col(Offer.id).in_({item.offer_id for item in bookings if item.status in ("held", "confirmed")})
    )
    return trip_views(ctx, [trip])[0] | {
        "needs_approval": trip.status != "approved" and any(breaches_of(ctx, offers).values()),
        "bookings": booking_views(ctx, bookings),
    }
