"""Travel: travellers, offers, trips and bookings of a scenario."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from engine.kit.cast import Person

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

MARA, ELENA = "mara.lindqvist@larkspur.example", "elena.sorokina@larkspur.example"


def traveller(d: Draft, person: Person, *, arranger: str = MARA) -> str:
    """Plant a profile of somebody for whom Mara may book; gives its id."""
    key = d.key("trv")
    d.plant("travel_traveller", id=key, name=person.name, email=person.email, arranger_email=arranger)
    return key


def hotel(
    d: Draft,
    provider: str,
    city: str,
    price: Decimal,
    currency: str,
    *,
    rooms: int = 6,
    change_fee: Decimal | None = None,
) -> str:
    """Plant a hotel's double room, free for the next quarter; gives the offer's id. Without a fee stays are not
    changed.
    """
    key = d.key("off")
    d.plant(
        "travel_offer",
        id=key,
        kind="hotel",
        provider=provider,
        code=d.draw.code("RM"),
        destination=city,
        address=f"{d.rng.randint(2, 90)} Station Road, {city}",
        first_day=d.on(-60),
        last_day=d.on(120),
        room_type="double",
        price=price,
        currency=currency,
        capacity=rooms,
        refundable=True,
        refund_days=2,
        change_fee=change_fee,
    )
    return key


def trip(
    d: Draft,
    title: str,
    starts: date,
    ends: date,
    *,
    purpose: str = "",
    status: str = "planning",
    organizer: str = MARA,
    approver: str = ELENA,
) -> str:
    """Plant a trip; gives its id."""
    key = d.key("trip")
    d.plant(
        "travel_trip",
        id=key,
        title=title,
        purpose=purpose,
        organizer_email=organizer,
        approver_email=approver,
        starts_on=starts,
        ends_on=ends,
        status=status,
        created_at=d.ago(25, 10),
    )
    return key


def stay(
    d: Draft,
    reference: str,
    of: str,
    who: str,
    offer: str,
    starts: date,
    ends: date,
    price: Decimal,
    currency: str,
    *,
    status: str = "confirmed",
) -> str:
    """Plant nights that were booked; ``price`` is that of the whole stay. Gives the booking's id."""
    key = d.key("bkg")
    gone = status == "cancelled"
    d.plant(
        "travel_booking",
        id=key,
        reference=reference,
        trip_id=of,
        traveller_id=who,
        offer_id=offer,
        kind="hotel",
        status=status,
        starts_on=starts,
        ends_on=ends,
        price=price,
        refund=price if gone else Decimal(0),
        currency=currency,
        cancel_reason="Not needed any more." if gone else "",
        created_at=d.ago(24, 11, d.rng.randint(0, 59)),
    )
    return key
