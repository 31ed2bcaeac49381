"""The box office's standard initial state; what it holds is in ``seed_data.py``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from engine.kit import Entity, Person, Seed
from services.events.seats import cents, discount_of, shares
from services.events.seed_data import CHECKED_IN, CODES, EVENTS, ORDERS, REFUNDS, STAFF, TYPES, WAITLIST
from services.events.state import (
    Attendee,
    DiscountCode,
    Event,
    Order,
    Refund,
    Staff,
    TicketType,
    WaitlistEntry,
)

FIRST_ORDER = 1001


def rows(seed: Seed) -> Iterator[Entity]:
    """Events with staff, ticket types and codes, then orders, refunds and the waitlist."""
    office = _Office(seed)
    sold = list(office.orders())
    yield from office.events.values()
    yield from office.staff()
    yield from office.types.values()
    yield from office.codes.values()
    yield from sold
    yield from office.waitlist()


class _Office:
    """Sells the seed's tickets, so that counters and sums fit."""

    def __init__(self, seed: Seed) -> None:
        self.seed = seed
        self.cast: dict[str, Person] = {person.handle: person for person in (*seed.colleagues, *seed.contacts)}
        self.clock = seed.random("sales")
        self.events = {key: self._event(number, key) for number, key in enumerate(EVENTS, 1)}
        self.types = {(key, kind[0]): self._type(key, kind) for key, kinds in TYPES.items() for kind in kinds}
        self.codes = {
            (key, code): DiscountCode(
                id=f"dsc_{number:04d}",
                event_id=self.events[key].id,
                code=code,
                kind=kind,
                value=Decimal(value),
                max_uses=uses,
                valid_until=None if day is None else seed.at(day, 20),
                created_at=seed.at(-75 + number, 10),
            )
            for number, (key, code, kind, value, uses, day) in enumerate(CODES, 1)
        }

    def _event(self, number: int, key: str) -> Event:
        title, venue, city, day, hour, hours, status, currency, full, half, note, description = EVENTS[key]
        manager = self.cast[next(iter(STAFF[key]))]
        starts_at = self.seed.at(day, hour)
        return Event(
            id=f"evt_{number:04d}",
            code=f"EV-{number}",
            number=number,
            title=title,
            description=description,
            venue=venue,
            city=city,
            starts_at=starts_at,
            ends_at=starts_at + timedelta(hours=hours),
            status=status,
            currency=currency,
            organizer_name=manager.name,
            organizer_email=manager.email,
            full_refund_days=full,
            half_refund_days=half,
            status_note=note,
            created_at=self.seed.at(-90 + number, 9),
        )

    def staff(self) -> Iterator[Entity]:
        """Who works at which event."""
        for key, people in STAFF.items():
            for handle, role in people.items():
                person = self.cast[handle]
                yield Staff(event_id=self.events[key].id, email=person.email, name=person.name, role=role)

    def _type(self, key: str, kind: tuple[str, str, str, int, int, int, int]) -> TicketType:
        short, name, price, capacity, most, first, last = kind
        event = self.events[key]
        return TicketType(
            id=f"tty_{key}_{short}",
            event_id=event.id,
            name=name,
            price=Decimal(price),
            capacity=capacity,
            max_per_order=most,
            sales_start=self.seed.at(first, 8),
            sales_end=min(self.seed.at(last, 22), event.starts_at),
        )

    def orders(self) -> Iterator[Entity]:
        """Orders, each with its attendees and refunds."""
        given_back = {order: more for order, *more in REFUNDS}
        for place, (key, buyer, tickets, code, day) in enumerate(ORDERS, 1):
            made = self.seed.at(day, self.clock.randint(8, 17), self.clock.randrange(60))
            event, person = self.events[key], self.cast[buyer]
            prices = [self.types[key, kind].price for kind, _ in tickets]
            subtotal = sum(prices, Decimal(0))
            discount = self._discount(key, code, subtotal)
            number = FIRST_ORDER + place - 1
            order = Order(
                id=f"ord_{number}",
                code=f"EO-{number}",
                number=number,
                event_id=event.id,
                buyer_name=person.name,
                buyer_email=person.email,
                company=person.company,
                currency=event.currency,
                subtotal=subtotal,
                discount=discount,
                total=subtotal - discount,
                discount_code=code,
                created_at=made,
            )
            attendees = [
                Attendee(
                    id=f"att_{number}_{seat}",
                    code=f"EO-{number}-{seat}",
                    order_id=order.id,
                    event_id=event.id,
                    ticket_type_id=self.types[key, kind].id,
                    name=self.cast[guest].name,
                    email=self.cast[guest].email,
                    price_paid=paid,
                )
                for seat, ((kind, guest), paid) in enumerate(zip(tickets, shares(order.total, prices), strict=True), 1)
            ]
            refund = self._refund(order, attendees, key, given_back.get(place))
            if place in CHECKED_IN:
                for one in attendees:
                    one.status = "checked_in"
                    one.checked_in_at = event.starts_at + timedelta(minutes=self.clock.randint(0, 40))
            by_id = {self.types[key, kind].id: kind for kind, _ in tickets}
            taken = Counter(one.ticket_type_id for one in attendees if one.status != "refunded")
            for type_id, count in taken.items():
                self.types[key, by_id[type_id]].sold += count
            yield order
            yield from attendees
            if refund is not None:
                yield refund

    def _discount(self, key: str, code: str | None, subtotal: Decimal) -> Decimal:
        if code is None:
            return Decimal(0)
        self.codes[key, code].used += 1
        return discount_of(self.codes[key, code], subtotal)

    def _refund(self, order: Order, attendees: list[Attendee], key: str, more: list[object] | None) -> Refund | None:
        event = self.events[key]
        count, percent, reason, at = len(attendees), 100, event.status_note, event.starts_at - timedelta(days=1)
        if more is not None:
            count, percent, reason, at = _told(self.seed, more)
        elif event.status != "cancelled":
            return None
        for one in attendees[:count]:
            one.status = "refunded"
        order.refunded = sum((cents(one.price_paid * percent / 100) for one in attendees[:count]), Decimal(0))
        order.status = "refunded" if count == len(attendees) else "partly_refunded"
        return Refund(
            id=f"rfd_{order.number}",
            order_id=order.id,
            tickets=count,
            percent=percent,
            amount=order.refunded,
            reason=reason,
            refunded_by_email=event.organizer_email,
            created_at=at,
        )

    def waitlist(self) -> Iterator[Entity]:
        """Who waits."""
        for number, (key, kind, handle, quantity, status, day) in enumerate(WAITLIST, 1):
            person = self.cast[handle]
            yield WaitlistEntry(
                id=f"wle_{number:04d}",
                event_id=self.events[key].id,
                ticket_type_id=self.types[key, kind].id,
                name=person.name,
                email=person.email,
                quantity=quantity,
                status=status,
                created_at=self.seed.at(day, 12, number),
            )


def _told(seed: Seed, more: list[object]) -> tuple[int, int, str, datetime]:
    count, percent, reason, day = more
    assert isinstance(count, int) and isinstance(percent, int) and isinstance(reason, str) and isinstance(day, int)
    return count, percent, reason, seed.at(day, 11)
