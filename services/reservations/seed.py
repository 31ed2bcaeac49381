"""The reservation book as it stands when a story starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from engine.kit import HOME_COMPANY, Entity, Seed
from services.reservations.seed_data import BOOKINGS, DIETS, FAVOURITES, PLACES, REVIEWS, WAITLIST
from services.reservations.state import Booking, DiningTable, Favourite, Guest, Restaurant, Review, WaitlistEntry

AREAS = {"": "inside", "t": "terrace", "p": "private_room"}


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    places = {restaurant.id: restaurant for restaurant in _restaurants(seed)}
    yield from places.values()
    tables = list(_tables())
    yield from tables
    named = {row[0] for row in (*BOOKINGS, *WAITLIST)}
    guests = {item.handle: item for item in (*seed.colleagues, *seed.contacts)}
    for handle, person in guests.items():
        if handle in named or person.company == HOME_COMPANY:
            yield Guest(
                id=_guest(handle),
                name=person.name,
                email=person.email,
                phone=person.phone,
                company=person.company,
                dietary_notes=DIETS.get(handle, ""),
            )
    bookings = list(_bookings(seed, places, tables))
    yield from bookings
    for number, (guest, added_by, place, day, clock, party, status, note) in enumerate(WAITLIST, start=1):
        yield WaitlistEntry(
            id=f"wait_{number:04d}",
            restaurant_id=f"rst_{place}",
            guest_id=_guest(guest),
            added_by_email=guests[added_by].email,
            starts_at=_at(seed, day, clock),
            party_size=party,
            status=status,
            note=note,
            created_at=seed.at(-6 + number, 15),
        )
    for number, (place_in_list, rating, text) in enumerate(REVIEWS, start=1):
        booking = bookings[place_in_list - 1]
        yield Review(
            id=f"rev_{number:04d}",
            booking_id=booking.id,
            restaurant_id=booking.restaurant_id,
            guest_id=booking.guest_id,
            rating=rating,
            text=text,
            created_at=booking.ends_at + timedelta(hours=14),
        )
    for number, (handle, place) in enumerate(FAVOURITES):
        yield Favourite(restaurant_id=f"rst_{place}", email=guests[handle].email, added_at=seed.at(-90 + number))


def _guest(handle: str) -> str:
    return f"gst_{handle.replace('.', '_')}"


def _minutes(clock: str) -> int:
    hour, minute = map(int, clock.split(":"))
    return hour * 60 + minute


def _at(seed: Seed, day: int, clock: str) -> datetime:
    return seed.at(day, 0) + timedelta(minutes=_minutes(clock))


def _restaurants(seed: Seed) -> Iterator[Restaurant]:
    random = seed.random("phones")
    for place in PLACES:
        yield Restaurant(
            id=f"rst_{place.key}",
            name=place.name,
            description=place.about,
            cuisine=place.cuisine,
            price_band=place.band,
            city="London",
            address=place.address,
            phone=f"+44-20-5550-{random.randint(1000, 9999)}",
            opens=_minutes(place.hours[0]),
            last_seating=_minutes(place.hours[1]),
            closed_days=list(place.closed),
            diets=list(place.diets),
            dining_minutes=place.minutes,
            cancel_hours=place.cancel_hours,
            deposit_from=place.deposit[0],
            deposit_per_guest=Decimal(place.deposit[1]),
            currency="GBP",
        )


def _tables() -> Iterator[DiningTable]:
    for place in PLACES:
        number = 0
        for part in place.tables.split("|"):
            letter, seats = (part[0], part[1:]) if part[0] in AREAS else ("", part)
            for count in map(int, seats.split()):
                number += 1
                yield DiningTable(
                    id=f"tbl_{place.key}_{number}",
                    restaurant_id=f"rst_{place.key}",
                    name="Back room" if letter == "p" else f"Table {number}",
                    seats=count,
                    area=AREAS[letter],
                )


def _bookings(seed: Seed, places: dict[str, Restaurant], tables: list[DiningTable]) -> Iterator[Booking]:
    random = seed.random("references")
    used: list[Booking] = []
    for number, row in enumerate(BOOKINGS, start=1):
        guest, booked_by, place_key, day, clock, party, status, occasion, request, paid = row
        place = places[f"rst_{place_key}"]
        start = _at(seed, day, clock)
        end = start + timedelta(minutes=place.dining_minutes)
        busy = {item.table_id for item in used if item.starts_at < end and item.ends_at > start}
        fitting = [t for t in tables if t.restaurant_id == place.id and t.seats >= party and t.id not in busy]
        deposit = place.deposit_per_guest * party if party >= place.deposit_from else Decimal(0)
        booking = Booking(
            id=f"res_{number:04d}",
            reference=f"{random.choice('FGHT')}{random.randint(10_000, 99_999)}",
            restaurant_id=place.id,
            table_id=min(fitting, key=lambda item: item.seats).id,
            guest_id=_guest(guest),
            booked_by_email=f"{booked_by}@larkspur.example",
            party_size=party,
            starts_at=start,
            ends_at=end,
            cancel_by=start - timedelta(hours=place.cancel_hours),
            status=status,
            occasion=occasion,
            special_requests=request,
            dietary_notes=DIETS.get(guest, ""),
            deposit=deposit,
            deposit_paid=Decimal(paid),
            deposit_status=_deposit(status, deposit, Decimal(paid)),
            payment_reference=f"PAY-{random.randint(1000, 9999)}" if paid != "0" else None,
            currency=place.currency,
            cancel_reason="Plans changed." if status == "cancelled" else "",
            created_at=min(start, seed.start) - timedelta(days=random.randint(2, 12)),
        )
        if status in ("booked", "seated"):
            used.append(booking)
        yield booking


def _deposit(status: str, deposit: Decimal, paid: Decimal) -> str:
    if deposit == 0 or (status == "cancelled" and paid == 0):
        return "none"
    if status == "cancelled":
        return "refunded"
    return "paid" if paid == deposit else "due"
