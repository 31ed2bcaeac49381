"""The shipping desk: shipments of a scenario with labels at the carriers' prices, and claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.kit.cast import Person
from services.shipping.rules import price_of
from services.shipping.state import Rate
from tasks.authoring.draw import workdays
from tasks.authoring.terms import Seen, Template

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

_TOWNS = (
    ("Bristol", "BS1 6QH"),
    ("Sheffield", "S3 8PB"),
    ("Norwich", "NR3 1LT"),
    ("Cardiff", "CF10 5AL"),
    ("Preston", "PR1 2HE"),
    ("Exeter", "EX4 3SR"),
    ("Hull", "HU1 2BN"),
    ("Derby", "DE1 3AF"),
    ("Lincoln", "LN5 7JN"),
    ("Reading", "RG1 8DJ"),
)
_STREETS = ("Foundry Lane", "Station Approach", "Quay Street", "Mill Road", "Albion Yard", "Castle Gate", "Market Row")
_MARA = "mara.lindqvist@larkspur.example"


@dataclass(frozen=True)
class Label:
    """What a carrier sells: a rate, and how its tracking numbers begin."""

    rate: Rate
    prefix: str


def address(d: Draft, who: Person) -> tuple[str, str]:
    """Plant an address in a British town for somebody; gives the id and the town."""
    key = d.key("adr")
    taken = {one["city"] for one in d.s0().insert.get("shipping_address", [])}
    town, code = d.rng.choice([one for one in _TOWNS if one[0] not in taken] or list(_TOWNS))
    d.plant(
        "shipping_address",
        id=key,
        name=who.name,
        company=who.company,
        email=who.email,
        street=f"{d.rng.randint(2, 90)} {d.rng.choice(_STREETS)}",
        city=town,
        postal_code=code,
        country="GB",
        valid=True,
        created_at=d.ago(120),
    )
    return key, town


def shipment(
    d: Draft,
    number: str,
    to_address: str,
    customer: str,
    *,
    contents: str,
    cartons: int = 2,
    grams: int = 9000,
    value: Decimal = Decimal("900.00"),
    label: Label | None = None,
    status: str = "created",
    days_ago: int = 3,
    delivered: int | None = None,
    notes: str = "",
) -> str:
    """Plant a shipment from West Hall, with a label and its tracking where it has one; gives the id.

    Args:
        days_ago: when the label was bought.
        delivered: days before the start on which it was delivered.
    """
    key = d.key("shp")
    parcels = [
        {"weight_grams": grams, "length_cm": 40, "width_cm": 30, "height_cm": 30, "contents": contents}
        for _ in range(cartons)
    ]
    row: dict[str, Any] = {
        "number": number,
        "from_address_id": "adr_west",
        "to_address_id": to_address,
        "customer": customer,
        "parcels": parcels,
        "declared_value": value,
        "currency": "GBP",
        "notes": notes,
        "status": status,
        "created_by": _MARA,
        "created_at": d.ago(days_ago, 11, d.rng.randint(1, 50)),
    }
    tracking = d.rng.randint(10**9, 10**10 - 1)
    if label is not None:
        row |= {
            "label_status": "bought",
            "rate_id": label.rate.id,
            "carrier_id": label.rate.carrier_id,
            "tracking_number": f"{label.prefix}{tracking}",
            "label_price": price_of(label.rate, parcels),
            "label_currency": "GBP",
            "label_bought_at": d.ago(days_ago, 12),
            "promised_on": workdays(d.on(-days_ago), label.rate.transit_days),
        }
    if delivered is not None:
        row |= {"status": "delivered", "delivered_on": d.on(-delivered)}
    d.plant("shipping_shipment", id=key, **row)
    for status_, place, at in _way(d, row, days_ago, delivered):
        d.plant(
            "shipping_tracking_event", id=d.key("trk"), shipment_id=key, status=status_, place=place, happened_at=at
        )
    return key


def _way(d: Draft, row: dict[str, Any], days_ago: int, delivered: int | None) -> list[tuple[str, str, datetime]]:
    if row["status"] == "created":
        return []
    steps = [("picked_up", "London", d.ago(days_ago, 15)), ("in_transit", "Coventry", d.ago(days_ago, 22))]
    if delivered is not None:
        steps += [("out_for_delivery", "", d.ago(delivered, 7)), ("delivered", "", d.ago(delivered, 11))]
    return steps


def by_number(d: Draft, number: Template) -> Seen:
    """The shipment with a number."""
    return d.call("shipping", "list_shipments", number=number)


def read(d: Draft, shipment_id: Template) -> Seen:
    """One shipment in full."""
    return d.call("shipping", "get_shipment", shipment_id=shipment_id)


def numbers(d: Draft, count: int) -> list[str]:
    """Numbers of consignments that are easily taken for each other."""
    letters = "".join(d.rng.sample("BDGKLMNRTVW", 2))
    base = d.rng.randint(3, 8)
    tails = ["118", "181", "108", "811", "180", "810", "101", "188", "881", "801"]
    forms = [f"{letters}-{base}{tail}" for tail in tails]
    return d.rng.sample(forms, count)


def carrier(d: Draft, name: str, levels: dict[str, tuple[str, str, int]], *, claim_days: int = 10) -> dict[str, Label]:
    """Plant a carrier with its rates within a country; gives what it sells by service level.

    Args:
        levels: service level to base price, price for a kilogram and days on the way.
    """
    key = d.key("car")
    prefix = next(mark for mark in _marks(name) if d.once(f"prefix {mark}"))
    d.plant(
        "shipping_carrier",
        id=key,
        name=name,
        prefix=prefix,
        claims_email=f"claims@{name.lower().replace(' ', '')}.example",
        claim_days=claim_days,
    )
    sold = {}
    for level, (base, per_kg, days) in levels.items():
        rate = Rate(
            id=d.key("rat"),
            carrier_id=key,
            service_level=level,
            zone="domestic",
            base_price=Decimal(base),
            price_per_kg=Decimal(per_kg),
            currency="GBP",
            max_weight_grams=50000,
            transit_days=days,
        )
        d.plant("shipping_rate", **rate.values())
        sold[level] = Label(rate, prefix)
    return sold


def _marks(name: str) -> Iterator[str]:
    letters = name.upper().replace(" ", "")
    return (letters[0] + one for one in letters[1:] + "QXZJ" if letters[0] + one not in ("CF", "NP", "PX", "HA"))
