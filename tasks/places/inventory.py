"""The warehouses: products, reservations, orders and counts of a scenario whose figures agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from tasks.authoring.terms import Seen, Template

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

WEST, TANNER, LEEDS, SEATTLE = "whs_west", "whs_tanner", "whs_leeds", "whs_seattle"
"""Warehouses of the seed data."""

_MARA = "mara.lindqvist@larkspur.example"


def product(
    d: Draft,
    sku: str,
    name: str,
    supplier: str,
    *,
    levels: Mapping[str, int],
    cost: Decimal = Decimal("12.00"),
    reorder_point: int = 40,
    reorder_quantity: int = 60,
    category: str = "workwear",
    status: str = "active",
    held: Mapping[str, int] | None = None,
) -> str:
    """Plant a product with what lies in each warehouse, and the receipts it came with; gives the id.

    Args:
        held: what is reserved there; the reservations are planted by themselves.
    """
    key = d.key("prd")
    d.plant(
        "inventory_product",
        id=key,
        sku=sku,
        name=name,
        category=category,
        supplier=supplier,
        unit_cost=cost,
        reorder_point=reorder_point,
        reorder_quantity=reorder_quantity,
        status=status,
        updated_at=d.ago(60),
    )
    for warehouse, on_hand in levels.items():
        d.plant(
            "inventory_stock_level",
            product_id=key,
            warehouse_id=warehouse,
            bin=f"{d.rng.choice('BCDEFG')}-{d.rng.randint(10, 39)}",
            on_hand=on_hand,
            reserved=(held or {}).get(warehouse, 0),
        )
        if on_hand:
            movement(d, key, warehouse, "receipt", on_hand, on_hand, reference="OPENING", days_ago=120)
    return key


def movement(
    d: Draft,
    product_id: str,
    warehouse: str,
    kind: str,
    quantity: int,
    balance: int,
    *,
    reference: str = "",
    reason: str = "",
    note: str = "",
    days_ago: int = 20,
) -> None:
    """Plant a movement of stock."""
    d.plant(
        "inventory_movement",
        id=d.key("mov"),
        product_id=product_id,
        warehouse_id=warehouse,
        kind=kind,
        quantity=quantity,
        balance=balance,
        reason=reason,
        reference=reference,
        note=note,
        moved_by=_MARA,
        moved_at=d.ago(days_ago, 13, d.rng.randint(1, 50)),
    )


def reservation(
    d: Draft,
    product_id: str,
    warehouse: str,
    quantity: int,
    order: str,
    customer: str,
    *,
    days_ago: int = 3,
    needed: date | None = None,
    status: str = "active",
) -> str:
    """Plant a reservation; the level's ``reserved`` is the planter's matter. Gives the id."""
    key = d.key("rsv")
    d.plant(
        "inventory_reservation",
        id=key,
        product_id=product_id,
        warehouse_id=warehouse,
        quantity=quantity,
        order_number=order,
        customer=customer,
        status=status,
        needed_on=needed,
        created_by=_MARA,
        created_at=d.ago(days_ago, 14, d.rng.randint(1, 50)),
        closed_at=None if status == "active" else d.ago(days_ago - 1, 15),
    )
    return key


def purchase_order(
    d: Draft,
    number: str,
    supplier: str,
    lines: Sequence[tuple[str, int, Decimal]],
    *,
    warehouse: str = WEST,
    status: str = "sent",
    days_ago: int = 9,
    expected: date | None = None,
    note: str = "",
) -> str:
    """Plant a purchase order with lines of product, quantity and unit cost; gives the id."""
    key = d.key("pur")
    d.plant(
        "inventory_purchase_order",
        id=key,
        number=number,
        supplier=supplier,
        warehouse_id=warehouse,
        lines=[{"product_id": one, "quantity": quantity, "received_quantity": 0} for one, quantity, _ in lines],
        total=sum((cost * quantity for _, quantity, cost in lines), Decimal()),
        status=status,
        expected_on=expected,
        note=note,
        created_by=_MARA,
        created_at=d.ago(days_ago, 11, d.rng.randint(1, 50)),
        sent_at=None if status in ("draft", "cancelled") else d.ago(days_ago, 16),
    )
    return key


def stock_count(
    d: Draft, name: str, warehouse: str, products: Sequence[str], planned: date, *, days_ago: int = 4
) -> str:
    """Plant an open count of some products; gives the id."""
    key = d.key("cnt")
    d.plant(
        "inventory_stock_count",
        id=key,
        warehouse_id=warehouse,
        name=name,
        planned_on=planned,
        lines=[{"product_id": one, "expected": None, "counted": None, "difference": None} for one in products],
        created_by=_MARA,
        created_at=d.ago(days_ago, 9, d.rng.randint(1, 50)),
    )
    return key


def by_sku(d: Draft, sku: Template) -> Seen:
    """The product with an article number."""
    return d.call("inventory", "list_products", sku=sku)


def skus(d: Draft, count: int) -> list[str]:
    """Article numbers that are easily taken for each other: ``KLV-204``, ``KLV-240``, ``KVL-204`` ..."""
    letters = "".join(d.rng.sample("BDFGHKLMNPRTVZ", 3))
    base = d.rng.randint(2, 8)
    swapped = letters[0] + letters[2] + letters[1]
    forms = [f"{stem}-{base}{tail}" for stem in (letters, swapped) for tail in ("06", "60", "16", "61", "09", "90")]
    first, *rest = forms
    return [first, *d.rng.sample(rest, count - 1)]
