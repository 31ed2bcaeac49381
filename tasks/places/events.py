"""The box office as a place of scenarios: events, kinds of tickets, orders with attendees, waitlists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from engine.kit.cast import COLLEAGUES, Person
from tasks.authoring.draft import Draft

OSCAR = COLLEAGUES[13]


@dataclass(frozen=True)
class Event:
    """A planted event.

    Attributes:
        kinds: the ids of its kinds of tickets, by name.
    """

    id: str
    code: str
    title: str
    kinds: dict[str, str]


def event(
    d: Draft,
    title: str,
    *,
    venue: str,
    city: str,
    starts: datetime,
    hours: int = 3,
    currency: str = "EUR",
    kinds: Sequence[tuple[str, str, int, int]] = (("Seat", "40.00", 40, 0),),
    status: str = "on_sale",
    role: str = "manager",
    description: str = "",
    full_refund_days: int = 14,
    half_refund_days: int = 7,
    number: int | None = None,
    sales_end: datetime | None = None,
) -> Event:
    """Plant an event at which the user has a role, with kinds of tickets (name, price, capacity, sold).

    ``sold`` is only a count; orders planted beside must be counted in it. Sales end with the event's start, or at
    ``sales_end``.
    """
    key = d.key("evt")
    place = number or event_number(d)
    d.plant(
        "events_event",
        id=key,
        code=f"EV-{place}",
        number=place,
        title=title,
        description=description,
        venue=venue,
        city=city,
        starts_at=starts,
        ends_at=starts + timedelta(hours=hours),
        status=status,
        currency=currency,
        organizer_name=OSCAR.name,
        organizer_email=OSCAR.email,
        full_refund_days=full_refund_days,
        half_refund_days=half_refund_days,
        created_at=d.ago(50, 9),
    )
    for who, does in ((d.user, role), (OSCAR, "manager")):
        d.plant("events_staff", event_id=key, email=who.email, name=who.name, role=does)
    ids = {}
    for name, price, capacity, sold in kinds:
        ids[name] = d.key("tty")
        d.plant(
            "events_ticket_type",
            id=ids[name],
            event_id=key,
            name=name,
            price=Decimal(price),
            capacity=capacity,
            sold=sold,
            max_per_order=10,
            sales_start=d.ago(40, 8),
            sales_end=sales_end or starts,
        )
    return Event(key, f"EV-{place}", title, ids)


def event_number(d: Draft) -> int:
    """A number that no event of the seed data has."""
    return d.draw.count(20, 99)


def order(
    d: Draft,
    at: Event,
    number: int,
    buyer: Person,
    guests: Sequence[Person],
    *,
    kind: str,
    price: str,
    currency: str = "EUR",
    code: str | None = None,
    discount: str = "0",
    days_ago: int = 6,
) -> str:
    """Plant a paid order with a ticket for each guest; a discount is shared by its tickets. Gives the id."""
    key = d.key("ord")
    subtotal = Decimal(price) * len(guests)
    total = subtotal - Decimal(discount)
    d.plant(
        "events_order",
        id=key,
        code=f"EO-{number}",
        number=number,
        event_id=at.id,
        buyer_name=buyer.name,
        buyer_email=buyer.email,
        company=buyer.company or None,
        currency=currency,
        subtotal=subtotal,
        discount=Decimal(discount),
        total=total,
        discount_code=code,
        created_at=d.ago(days_ago, 12, d.rng.randrange(60)),
    )
    for seat, guest in enumerate(guests, 1):
        d.plant(
            "events_attendee",
            id=d.key("att"),
            code=f"EO-{number}-{seat}",
            order_id=key,
            event_id=at.id,
            ticket_type_id=at.kinds[kind],
            name=guest.name,
            email=guest.email,
            price_paid=(total / len(guests)).quantize(Decimal("0.01")),
        )
    return key


def waiting(d: Draft, at: Event, kind: str, who: Person, quantity: int, days_ago: int) -> str:
    """Plant somebody who waits for tickets; gives the id."""
    key = d.key("wle")
    d.plant(
        "events_waitlist_entry",
        id=key,
        event_id=at.id,
        ticket_type_id=at.kinds[kind],
        name=who.name,
        email=who.email,
        quantity=quantity,
        created_at=d.ago(days_ago, 12, d.rng.randrange(60)),
    )
    return key


def discount_code(d: Draft, at: Event, code: str, percent: str, *, used: int = 0) -> None:
    """Plant a discount code in per cent."""
    d.plant(
        "events_discount_code",
        id=d.key("dsc"),
        event_id=at.id,
        code=code,
        kind="percent",
        value=Decimal(percent),
        max_uses=40,
        used=used,
        created_at=d.ago(30, 10),
    )
