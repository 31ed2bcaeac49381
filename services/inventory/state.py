"""What the warehouse remembers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from engine.kit import Entity, field, key, ref

MOVEMENT_KINDS = ("receipt", "adjustment", "transfer_out", "transfer_in", "shipment", "count")
ORDER_STATUSES = ("draft", "sent", "partly_received", "closed", "cancelled")


class InventoryEntity(Entity):
    """Base of the service's entities."""

    __service__ = "inventory"


class Warehouse(InventoryEntity, table=True):
    """A place where stock lies."""

    id: str = key("whs")
    name: str = field("name", unique=True, max_length=80)
    address: str = field("address", max_length=200)
    manager: str = field("email", max_length=200)
    notes: str = field("text", default="", max_length=500)


class Product(InventoryEntity, table=True):
    """Something that we keep; reorder figures count all warehouses together."""

    id: str = key("prd")
    sku: str = field("code", unique=True, max_length=40)
    name: str = field("title", max_length=120)
    category: str = field("category", max_length=40)
    unit: str = field("category", choices=("piece", "pair"), default="piece")
    supplier: str = field("company", max_length=120)
    unit_cost: Decimal = field("money", ge=0)
    currency: str = field("currency", default="USD", max_length=3)
    reorder_point: int = field("quantity", ge=0, description="low when no more than this is available")
    reorder_quantity: int = field("quantity", ge=1)
    status: str = field("status", choices=("active", "discontinued"), default="active")
    updated_at: datetime = field("datetime")


class StockLevel(InventoryEntity, table=True):
    """How much of a product lies in a warehouse; what is available is ``on_hand - reserved``."""

    product_id: str = ref("inventory_product.id", key=True)
    warehouse_id: str = ref("inventory_warehouse.id", key=True)
    bin: str = field("code", default="", max_length=20)
    on_hand: int = field("quantity", default=0, ge=0)
    reserved: int = field("quantity", default=0, ge=0)


class Movement(InventoryEntity, table=True):
    """One change of a level's ``on_hand``."""

    id: str = key("mov")
    product_id: str = ref("inventory_product.id")
    warehouse_id: str = ref("inventory_warehouse.id")
    kind: str = field("category", choices=MOVEMENT_KINDS)
    quantity: int = field("quantity", description="negative when stock leaves")
    balance: int = field("quantity", ge=0, description="on_hand afterwards")
    reason: str = field("category", default="", max_length=40)
    reference: str = field("code", default="", max_length=200, description="order or document behind it")
    lot: str | None = field("code", default=None, max_length=40)
    note: str = field("text", default="", max_length=500)
    moved_by: str = field("email", max_length=200)
    moved_at: datetime = field("datetime", index=True)


class Reservation(InventoryEntity, table=True):
    """Stock held for an order."""

    id: str = key("rsv")
    product_id: str = ref("inventory_product.id")
    warehouse_id: str = ref("inventory_warehouse.id")
    quantity: int = field("quantity", ge=1)
    order_number: str = field("code", index=True, max_length=40)
    customer: str = field("company", default="", max_length=120)
    status: str = field("status", choices=("active", "fulfilled", "released"), default="active")
    needed_on: date | None = field("date", default=None)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
    closed_at: datetime | None = field("datetime", default=None)


class Transfer(InventoryEntity, table=True):
    """Stock on its way from one warehouse to another."""

    id: str = key("trf")
    from_warehouse_id: str = ref("inventory_warehouse.id")
    to_warehouse_id: str = ref("inventory_warehouse.id")
    lines: list[dict[str, Any]] = field("json", description="product_id, quantity, received_quantity")
    status: str = field("status", choices=("draft", "in_transit", "received", "cancelled"), default="draft")
    note: str = field("text", default="", max_length=500)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
    shipped_at: datetime | None = field("datetime", default=None)
    received_at: datetime | None = field("datetime", default=None)


class PurchaseOrder(InventoryEntity, table=True):
    """An order to a supplier."""

    id: str = key("pur")
    number: str = field("code", unique=True, max_length=40)
    supplier: str = field("company", max_length=120)
    warehouse_id: str = ref("inventory_warehouse.id")
    lines: list[dict[str, Any]] = field("json", description="product_id, quantity, received_quantity")
    total: Decimal = field("money", ge=0)
    currency: str = field("currency", default="USD", max_length=3)
    status: str = field("status", choices=ORDER_STATUSES, default="draft", index=True)
    expected_on: date | None = field("date", default=None)
    note: str = field("text", default="", max_length=500)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
    sent_at: datetime | None = field("datetime", default=None)
    closed_at: datetime | None = field("datetime", default=None)


class StockCount(InventoryEntity, table=True):
    """A count of some products in a warehouse; what was expected shows once it is posted."""

    id: str = key("cnt")
    warehouse_id: str = ref("inventory_warehouse.id")
    name: str = field("title", max_length=120)
    planned_on: date = field("date")
    lines: list[dict[str, Any]] = field("json", description="product_id, expected, counted, difference")
    status: str = field("status", choices=("open", "posted"), default="open")
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
    posted_at: datetime | None = field("datetime", default=None)
