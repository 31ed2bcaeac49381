"""Stock levels: how they change, and how products look in results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context
from services.inventory.state import Movement, Product, PurchaseOrder, StockLevel, Transfer, Warehouse

OPEN_ORDERS = ("sent", "partly_received")


class Line(TypedDict):
    """A product and how many of it."""

    product_id: str
    quantity: int


def fresh(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Lines of a new document, of which nothing has arrived."""
    return [{**line, "received_quantity": 0} for line in lines]


def require_on_document(ctx: Context, document: Any, lines: Iterable[Any]) -> None:
    """Refuse lines whose products do not stand on the document."""
    known = {line["product_id"] for line in document.lines}
    for line in lines:
        if line["product_id"] not in known:
            ctx.fail("invalid", f"Product {line['product_id']} does not stand on {document.id}.")


def level(ctx: Context, product_id: str, warehouse_id: str) -> StockLevel:
    """The level of a product in a warehouse, with nothing in it if there was none."""
    found = ctx.get(StockLevel, product_id, warehouse_id)
    return found or ctx.add(StockLevel(product_id=product_id, warehouse_id=warehouse_id))


def move(
    ctx: Context,
    product_id: str,
    warehouse_id: str,
    kind: str,
    quantity: int,
    *,
    reason: str = "",
    reference: str = "",
    lot: str | None = None,
    note: str = "",
) -> Movement:
    """Change what is on hand and write the movement; what is reserved cannot be taken."""
    place = level(ctx, product_id, warehouse_id)
    if place.on_hand + quantity < place.reserved:
        product = ctx.require(Product, product_id)
        ctx.fail(
            "conflict",
            f"{product.sku} has {place.on_hand - place.reserved} available in {warehouse_id} ({place.on_hand} on hand, "
            f"{place.reserved} reserved); {-quantity} cannot be taken.",
            available=place.on_hand - place.reserved,
        )
    place.on_hand += quantity
    return ctx.add(
        Movement(
            id=ctx.new_id("mov"),
            product_id=product_id,
            warehouse_id=warehouse_id,
            kind=kind,
            quantity=quantity,
            balance=place.on_hand,
            reason=reason,
            reference=reference,
            lot=lot,
            note=note,
            moved_by=ctx.user.email,
            moved_at=ctx.now(),
        )
    )


def products_of(ctx: Context, lines: Iterable[Any]) -> dict[str, Product]:
    """The products of some lines by id; refuses unknown and repeated ones."""
    ids = [line["product_id"] for line in lines]
    found = {item.id: item for item in ctx.list(Product, col(Product.id).in_(ids))}
    for place, product_id in enumerate(ids):
        if product_id not in found:
            ctx.fail("not_found", f"There is no product {product_id!r}; list_products shows them.")
        if product_id in ids[:place]:
            ctx.fail("invalid", f"Product {product_id} ({found[product_id].sku}) is named twice; join its quantities.")
    return found


def named_lines(ctx: Context, documents: Sequence[Any]) -> list[dict[str, Any]]:
    """Documents with lines for results: each line with SKU and name of its product."""
    ids = {line["product_id"] for document in documents for line in document.lines}
    products = {item.id: item for item in ctx.list(Product, col(Product.id).in_(ids))}
    out = []
    for document in documents:
        lines = [
            line | {"sku": products[line["product_id"]].sku, "name": products[line["product_id"]].name}
            for line in document.lines
        ]
        out.append(document.out() | {"lines": lines})
    return out


def available() -> Any:
    """What is available of a product in all warehouses, as a column."""
    total = func.coalesce(func.sum(StockLevel.on_hand - StockLevel.reserved), 0)
    return select(total).where(col(StockLevel.product_id) == col(Product.id)).correlate(Product).scalar_subquery()


def _incoming(ctx: Context) -> dict[str, int]:
    """What is ordered and not yet received, or between two warehouses, by product."""
    coming: dict[str, int] = defaultdict(int)
    orders: list[Any] = [*ctx.list(PurchaseOrder, col(PurchaseOrder.status).in_(OPEN_ORDERS))]
    for document in [*orders, *ctx.list(Transfer, col(Transfer.status) == "in_transit")]:
        for line in document.lines:
            coming[line["product_id"]] += line["quantity"] - line["received_quantity"]
    return coming


def product_views(ctx: Context, products: Sequence[Product]) -> list[dict[str, Any]]:
    """Products for results, with their levels, totals and whether they run low."""
    coming = _incoming(ctx)
    warehouses = {item.id: item.name for item in ctx.list(Warehouse)}
    levels: dict[str, list[StockLevel]] = defaultdict(list)
    wanted = col(StockLevel.product_id).in_({item.id for item in products})
    for place in ctx.list(StockLevel, wanted):
        levels[place.product_id].append(place)
    out = []
    for product in products:
        places = levels[product.id]
        on_hand, reserved = sum(item.on_hand for item in places), sum(item.reserved for item in places)
        low = product.status == "active" and on_hand - reserved <= product.reorder_point
        enough = on_hand - reserved + coming[product.id] > product.reorder_point
        out.append(
            product.out()
            | {
                "on_hand": on_hand,
                "reserved": reserved,
                "available": on_hand - reserved,
                "incoming": coming[product.id],
                "low_stock": low,
                "suggested_order": product.reorder_quantity if low and not enough else 0,
                "levels": [
                    {
                        "warehouse_id": item.warehouse_id,
                        "warehouse_name": warehouses[item.warehouse_id],
                        "bin": item.bin,
                        "on_hand": item.on_hand,
                        "reserved": item.reserved,
                        "available": item.on_hand - item.reserved,
                    }
                    for item in places
                ],
            }
        )
    return out
