"""Tables: restaurants, guests and bookings of a scenario."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from engine.kit.cast import Person

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft


def restaurant(d: Draft, name: str, *, per_guest: str, deposit_from: int = 6, cuisine: str = "italian") -> str:
    """Plant a place to eat with tables for up to sixteen, open every day from noon; gives its id."""
    key = d.key("rst")
    d.plant(
        "reservations_restaurant",
        id=key,
        name=name,
        cuisine=cuisine,
        price_band="mid",
        city="London",
        address=f"{d.rng.randint(2, 90)} Maltby Row, London",
        opens=12 * 60,
        last_seating=22 * 60,
        diets=["vegetarian"],
        dining_minutes=120,
        cancel_hours=24,
        deposit_from=deposit_from,
        deposit_per_guest=Decimal(per_guest),
        currency="GBP",
    )
    for number, seats in enumerate((4, 6, 10, 16), 1):
        d.plant(
            "reservations_dining_table", id=f"{key}_{number}", restaurant_id=key, name=f"Table {number}", seats=seats
        )
    return key


def guest(d: Draft, person: Person) -> str:
    """Plant somebody in whose name tables are booked; gives the id."""
    key = d.key("gst")
    d.plant("reservations_guest", id=key, name=person.name, email=person.email, company=person.company or None)
    return key


def booking(
    d: Draft, at: str, of: str, reference: str, size: int, starts: datetime, *, status: str = "booked", table: int = 1
) -> str:
    """Plant a table kept for a party too small for a deposit; gives its id."""
    key = d.key("res")
    d.plant(
        "reservations_booking",
        id=key,
        reference=reference,
        restaurant_id=at,
        table_id=f"{at}_{table}",
        guest_id=of,
        booked_by_email=d.user.email,
        party_size=size,
        starts_at=starts,
        ends_at=starts + timedelta(minutes=120),
        cancel_by=starts - timedelta(hours=24),
        status=status,
        occasion="celebration",
        currency="GBP",
        created_at=d.ago(9, 12),
    )
    return key
