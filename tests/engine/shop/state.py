"""The shop's tables."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ForeignKeyConstraint, UniqueConstraint

from engine.kit import Entity, field, key, ref


class ShopEntity(Entity):
    __service__ = "shop"


class Region(ShopEntity, table=True):
    """A tree: what is below goes with what is above."""

    id: str = key("reg")
    name: str = field("name", max_length=40, unique=True)
    parent_id: str | None = ref("shop_region.id", default=None, on_delete="cascade")


class Product(ShopEntity, table=True):
    """One field of every type."""

    id: str = key("prd")
    sku: str = field("code", max_length=40, unique=True)
    title: str = field("title", min_length=1, max_length=80)
    status: str = field("status", choices=("draft", "listed", "it's gone"), default="draft")
    price: Decimal = field("money", ge=0)
    discount: Decimal | None = field("percent", default=None, ge=0, le=100)
    weight: float | None = field("ratio", default=None)
    stock: int = field("quantity", default=0, ge=0)
    minutes: int | None = field("minutes", default=None)
    active: bool = field("flag", default=True)
    released: date | None = field("date", default=None)
    added_at: datetime = field("datetime")
    labels: list[str] = field("tags", default_factory=list)
    extra: dict[str, Any] | None = field("json", default=None)
    region_id: str | None = ref("shop_region.id", default=None)


class Customer(ShopEntity, table=True):
    """Refers to itself and to a region; both are forgotten when they go."""

    id: str = key("cus")
    email: str | None = field("email", default=None, unique=True)
    boss_id: str | None = ref("shop_customer.id", default=None, on_delete="set null")
    region_id: str | None = ref("shop_region.id", default=None, on_delete="set null")


class Purchase(ShopEntity, table=True):
    """Goes with its customer; its columns are words of SQL."""

    id: str = key("pur")
    customer_id: str = ref("shop_customer.id", on_delete="cascade")
    order: int = field("quantity", default=0, index=True)
    user: str = field("text", default="")


class Line(ShopEntity, table=True):
    """A key of two references: one cascades, one restricts."""

    purchase_id: str = ref("shop_purchase.id", key=True, on_delete="cascade")
    product_id: str = ref("shop_product.id", key=True)
    amount: int = field("quantity", default=1, ge=1)


class Refund(ShopEntity, table=True):
    """Refers to a row with a composite key; one refund per purchase and day."""

    __table_args__ = (
        ForeignKeyConstraint(
            ["purchase_id", "product_id"],
            ["shop_line.purchase_id", "shop_line.product_id"],
            ondelete="CASCADE",
        ),
        UniqueConstraint("purchase_id", "day"),
    )

    id: str = key("ref")
    purchase_id: str | None = field("reference", default=None)
    product_id: str | None = field("reference", default=None)
    day: date | None = field("date", default=None)


class Slot(ShopEntity, table=True):
    """A key of a date and a number."""

    day: date = field("date", key=True)
    hour: int = field("quantity", key=True)
    customer_id: str | None = ref("shop_customer.id", default=None, on_delete="set null")


ENTITIES: list[type[Entity]] = [Region, Product, Customer, Purchase, Line, Refund, Slot]
BY_TABLE: dict[str, type[Entity]] = {entity.table().name: entity for entity in ENTITIES}
