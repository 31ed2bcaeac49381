"""The shop's first rows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from engine.kit import Entity, Seed

from .state import Customer, Line, Product, Purchase, Refund, Region, Slot


def rows(seed: Seed) -> Iterator[Entity]:
    """A few rows of every table."""
    yield Region(id="r1", name="North")
    yield Region(id="r2", name="Näs ☃ 'quoted'", parent_id="r1")
    yield Product(
        id="p1", sku="A-1", title="Apron", price=Decimal("12.50"), added_at=seed.at(-3), region_id="r2",
        released=date(2026, 2, 1), weight=0.25, discount=Decimal("7.5"), labels=["new", "cloth"],
        extra={"care": {"wash": 40.0, "iron": None}, "ü": [1, 2.5, True]},
    )  # fmt: skip
    yield Product(id="p2", sku="B-2", title="Bowl", price=Decimal("3"), added_at=seed.at(-2), stock=7)
    yield Customer(id="c1", email="ada@shop.example", region_id="r1")
    yield Customer(id="c2", boss_id="c1")
    yield Purchase(id="u1", customer_id="c1", order=1)
    yield Line(purchase_id="u1", product_id="p1", amount=2)
    yield Refund(id="f1", purchase_id="u1", product_id="p1", day=date(2026, 3, 1))
    yield Slot(day=date(2026, 3, 2), hour=9, customer_id="c2")
