"""Addresses, zones and prices: what can be worked out without asking anybody."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from services.shipping.state import Address, Rate

POSTAL_CODES = {
    "AU": r"\d{4}",
    "CA": r"[A-Z]\d[A-Z] \d[A-Z]\d",
    "FR": r"\d{5}",
    "GB": r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}",
    "IE": r"[A-Z]\d[\dW] [A-Z\d]{4}",
    "NL": r"\d{4} [A-Z]{2}",
    "NO": r"\d{4}",
    "US": r"\d{5}(-\d{4})?",
}
"""Postal codes of the countries that we know; others are not checked."""
WITH_REGION = ("AU", "CA", "US")
EUROPE = frozenset(("BE", "DE", "DK", "ES", "FR", "GB", "IE", "IT", "NL", "NO", "SE"))
VOLUME_PER_KG = 5000
"""Cubic centimetres that count as a kilogram."""


def problem_of(address: Address) -> str:
    """What keeps a carrier from finding the address; empty if nothing does."""
    pattern = POSTAL_CODES.get(address.country)
    if pattern and not re.fullmatch(pattern, address.postal_code, re.ASCII):
        return f"The postal code {address.postal_code!r} is none of {address.country}."
    if address.country in WITH_REGION and not re.fullmatch(r"[A-Z]{2,3}", address.region):
        return f"An address in {address.country} needs a region as two or three capital letters, such as WA."
    if not any(char.isdigit() for char in address.street):
        return "The street has no house number."
    return ""


def zone_between(start: Address, end: Address) -> str:
    """The zone whose rates hold between two addresses."""
    if start.country == end.country:
        return "domestic"
    return "europe" if {start.country, end.country} <= EUROPE else "world"


def billable_kg(parcel: dict[str, Any]) -> int:
    """Whole kilograms that are charged: the weight or, if it is more, the volume."""
    volume = parcel["length_cm"] * parcel["width_cm"] * parcel["height_cm"]
    return int(max(-(-parcel["weight_grams"] // 1000), -(-volume // VOLUME_PER_KG)))


def price_of(rate: Rate, parcels: Iterable[dict[str, Any]]) -> Decimal:
    """What a rate takes for the parcels together."""
    return sum((rate.base_price + rate.price_per_kg * billable_kg(parcel) for parcel in parcels), Decimal())


def too_heavy(rate: Rate, parcels: Iterable[dict[str, Any]]) -> bool:
    """Whether one of the parcels weighs more than the rate allows."""
    return any(parcel["weight_grams"] > rate.max_weight_grams for parcel in parcels)
