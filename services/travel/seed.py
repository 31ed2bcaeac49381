"""The travel desk as it stands when a story starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from decimal import Decimal

from engine.kit import Entity, Person, Seed
from services.travel.seed_data import BOOKINGS, CAPS, HOTELS, ROUTES, RULES, TRIPS
from services.travel.state import Booking, Offer, PolicyRule, Traveller, Trip

MARA_ARRANGES = ("hana.takeda", "dario.bianchi", "amara.diallo", "luis.herrera", "oscar.delacroix")
GUESTS = ("callum.reid", "joost.mulder", "etienne.roux", "talia.brooks")
MEALS = ("standard", "standard", "standard", "vegetarian", "vegan", "halal", "gluten_free")

PLANNED = {3: -5, 4: -18, 7: -3, 9: -5}
"""The days on which the story makes these trips."""


def _id(prefix: str, handle: str) -> str:
    return f"{prefix}_{handle.replace('.', '_')}"


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    yield from _travellers(seed)
    for name, kind, text, values in RULES:
        yield PolicyRule(id=f"rule_{name}", kind=kind, text=text, **values)
    for city, (cap, currency) in CAPS.items():
        yield PolicyRule(
            id=f"rule_cap_{city.lower()}",
            kind="night_cap",
            text=f"At most {cap} {currency} a night in {city}.",
            city=city,
            cap=Decimal(cap),
            currency=currency,
        )
    offers = {(item.code, item.first_day, item.travel_class): item for item in _offers(seed)}
    yield from offers.values()
    for number, (title, purpose, organizer, approver, first, last, status, note) in enumerate(TRIPS, start=1):
        yield Trip(
            id=f"trip_{number:04d}",
            title=title,
            purpose=purpose,
            organizer_email=f"{organizer}@larkspur.example",
            approver_email=f"{approver}@larkspur.example",
            starts_on=seed.at(first).date(),
            ends_on=seed.at(last).date(),
            status=status,
            decision_note=note,
            created_at=seed.at(PLANNED.get(number, -20 + number), 10),
        )
    yield from _bookings(seed, list(offers.values()))


def _travellers(seed: Seed) -> Iterator[Entity]:
    random = seed.random("profiles")
    guests = [item for item in seed.contacts if item.handle in GUESTS]
    for person in (*seed.colleagues, *guests):
        arranger = f"{'mara.lindqvist' if person.handle in MARA_ARRANGES else 'ruth.abernathy'}@larkspur.example"
        # Hana's passport ends before her trip to Dublin, and Amara's is not on file: their tickets wait for it.
        expires = seed.at(10 if person.handle == "hana.takeda" else random.randint(300, 2500)).date()
        number = f"{random.choice('BCKLP')}{random.randint(10_000_000, 99_999_999)}"
        known = person.company == "Larkspur Outfitters" and person.handle != "amara.diallo"
        yield Traveller(
            id=_id("trv", person.handle),
            name=person.name,
            email=person.email,
            company=person.company,
            arranger_email=person.email if person == seed.user else arranger,
            phone=person.phone,
            passport_number=number if known else None,
            passport_expires_on=expires if known else None,
            frequent_flyer_number=_flyer(person, random.randint(100_000, 999_999)),
            railcard_number=f"RC-{random.randint(10_000, 99_999)}" if random.random() < 0.4 else None,
            seat_preference=random.choice(("window", "aisle", "none")),
            meal=random.choice(MEALS),
        )


def _flyer(person: Person, number: int) -> str | None:
    return f"HA-{number}" if person.team in ("sales", "operations", "support") else None


def _offers(seed: Seed) -> Iterator[Offer]:
    number = 0
    for route in ROUTES:
        hour, minute = map(int, route.clock.split(":"))
        for day in route.days:
            departs = seed.at(day, hour, minute)
            arrives = departs + timedelta(minutes=route.minutes)
            for travel_class, price, seats, refundable, change_fee in route.fares:
                number += 1
                yield Offer(
                    id=f"off_{number:04d}",
                    kind=route.kind,
                    provider=route.provider,
                    code=route.code,
                    origin=route.origin,
                    destination=route.destination,
                    departs_at=departs,
                    arrives_at=arrives,
                    first_day=departs.date(),
                    last_day=arrives.date(),
                    minutes=route.minutes,
                    travel_class=travel_class,
                    international=route.international,
                    price=Decimal(price) * (3 if route.minutes > 1000 else 1),
                    currency=route.currency,
                    capacity=seats,
                    refundable=refundable,
                    refund_days=1 if route.kind == "flight" else 0,
                    change_fee=None if change_fee is None else Decimal(change_fee),
                )
    for provider, code, city, address, room_type, price, currency, rooms, refundable, days, fee in HOTELS:
        number += 1
        yield Offer(
            id=f"off_{number:04d}",
            kind="hotel",
            provider=provider,
            code=code,
            destination=city,
            address=f"{address}, {city}",
            first_day=seed.at(0).date(),
            last_day=seed.at(90).date(),
            room_type=room_type,
            price=Decimal(price),
            currency=currency,
            capacity=rooms,
            refundable=refundable,
            refund_days=days,
            change_fee=None if fee is None else Decimal(fee),
        )


def _bookings(seed: Seed, offers: list[Offer]) -> Iterator[Entity]:
    random = seed.random("references")
    for number, (trip, traveller, (code, day, more), status, seat, hours) in enumerate(BOOKINGS, start=1):
        hotel = isinstance(more, int)
        first = seed.at(day).date()
        offer = next(o for o in offers if o.code == code and (hotel or (o.first_day, o.travel_class) == (first, more)))
        last = seed.at(more).date() if isinstance(more, int) else offer.last_day
        price = offer.price * (last - first).days if hotel else offer.price
        created = seed.start - timedelta(hours=hours)
        yield Booking(
            id=f"bkg_{number:04d}",
            reference=f"{random.choice('KLMNPR')}{random.randint(100_000, 999_999)}",
            trip_id=f"trip_{trip:04d}",
            traveller_id=_id("trv", traveller),
            offer_id=offer.id,
            kind=offer.kind,
            status=status,
            starts_on=first,
            ends_on=last,
            seat=seat,
            price=price,
            refund=price if status == "cancelled" else Decimal(0),
            currency=offer.currency,
            held_until=created + timedelta(hours=24) if status == "held" else None,
            ticket_number=f"T-{random.randint(10**9, 10**10 - 1)}" if status == "ticketed" else None,
            cancel_reason="Not needed any more." if status == "cancelled" else "",
            created_at=created,
        )
