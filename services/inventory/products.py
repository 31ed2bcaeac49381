"""Tools for products, warehouses, adjustments, movements and reservations."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.inventory.state import Movement, Product, Reservation, StockLevel, Warehouse
from services.inventory.stock import available, level, move, product_views

TAKING = ("damaged", "lost", "expired", "sample")
ADDING = ("found", "customer_return")


@tool
def list_warehouses(ctx: Context) -> Any:
    """Warehouses with the number of their products and pieces."""
    totals: dict[str, list[int]] = {}
    for place in ctx.list(StockLevel):
        total = totals.setdefault(place.warehouse_id, [0, 0])
        total[0] += place.on_hand > 0
        total[1] += place.on_hand
    items = []
    for warehouse in ctx.list(Warehouse):
        products, units = totals.get(warehouse.id, [0, 0])
        items.append(warehouse.out() | {"product_count": products, "units_on_hand": units})
    return {"items": items, "next_cursor": None}


@tool
def list_products(
    ctx: Context,
    query: str | None = None,
    sku: str | None = None,
    category: str | None = None,
    supplier: str | None = None,
    status: str | None = None,
    warehouse_id: str | None = None,
    bin: str | None = None,
    low_stock: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Products that meet every filter, with their stock."""
    equal = (
        (Product.sku, sku),
        (Product.category, category),
        (Product.supplier, supplier),
        (Product.status, status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(or_(*(contains(item, query) for item in (Product.sku, Product.name))))
    if warehouse_id is not None or bin is not None:
        places = ((StockLevel.warehouse_id, warehouse_id), (StockLevel.bin, bin))
        there = [col(column) == value for column, value in places if value is not None]
        where.append(col(Product.id).in_(select(col(StockLevel.product_id)).where(*there)))
    if low_stock is not None:
        low = (col(Product.status) == "active") & (available() <= col(Product.reorder_point))
        where.append(low if low_stock else ~low)
    page = ctx.page(Product, *where, order_by=[col(Product.sku)], limit=limit, cursor=cursor)
    return {
        "items": product_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Product, *where),
    }


@tool
def update_product(
    ctx: Context,
    product_id: str,
    name: str | None = None,
    supplier: str | None = None,
    reorder_point: int | None = None,
    reorder_quantity: int | None = None,
    status: str | None = None,
) -> Any:
    """Change when and from whom a product is ordered."""
    product = ctx.require(Product, product_id)
    changes = {
        "name": name,
        "supplier": supplier,
        "reorder_point": reorder_point,
        "reorder_quantity": reorder_quantity,
        "status": status,
    }
    given = {key: value for key, value in changes.items() if value is not None}
    if not given:
        ctx.fail("invalid", "Nothing to change: give at least one field.")
    for key, value in given.items():
        setattr(product, key, value)
    product.updated_at = ctx.now()
    ctx.flush()
    return product_views(ctx, [product])[0]


@tool
def create_adjustment(
    ctx: Context, product_id: str, warehouse_id: str, quantity: int, reason: str, reference: str = "", note: str = ""
) -> Any:
    """Correct what is on hand."""
    product = ctx.require(Product, product_id)
    warehouse = ctx.require(Warehouse, warehouse_id)
    if quantity == 0:
        ctx.fail("invalid", "quantity must not be 0; it is the change, not the new number.")
    if (reason in TAKING and quantity > 0) or (reason in ADDING and quantity < 0):
        sign = "negative" if reason in TAKING else "positive"
        ctx.fail("invalid", f"The reason {reason} needs a {sign} quantity.")
    if reason == "correction" and not note.strip():
        ctx.fail("invalid", "A correction needs a note that explains it.")
    return move(ctx, product.id, warehouse.id, "adjustment", quantity, reason=reason, reference=reference, note=note)


@tool
def list_movements(
    ctx: Context,
    product_id: str | None = None,
    warehouse_id: str | None = None,
    kind: str | None = None,
    reason: str | None = None,
    reference: str | None = None,
    lot: str | None = None,
    moved_after: Moment | None = None,
    moved_before: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Movements that meet every filter, the latest first."""
    equal = (
        (Movement.product_id, product_id),
        (Movement.warehouse_id, warehouse_id),
        (Movement.kind, kind),
        (Movement.reason, reason),
        (Movement.reference, reference),
        (Movement.lot, lot),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if moved_after is not None:
        where.append(col(Movement.moved_at) >= moved_after)
    if moved_before is not None:
        where.append(col(Movement.moved_at) < moved_before)
    page = ctx.page(Movement, *where, order_by=[col(Movement.moved_at).desc()], limit=limit, cursor=cursor)
    ids = {item.product_id for item in page.items}
    skus = {item.id: item.sku for item in ctx.list(Product, col(Product.id).in_(ids))}
    return {
        "items": [item.out() | {"sku": skus[item.product_id]} for item in page.items],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Movement, *where),
    }


@tool
def create_reservation(
    ctx: Context,
    product_id: str,
    warehouse_id: str,
    quantity: int,
    order_number: str,
    customer: str = "",
    needed_on: date | None = None,
) -> Any:
    """Hold stock for an order."""
    product = ctx.require(Product, product_id)
    warehouse = ctx.require(Warehouse, warehouse_id)
    if needed_on is not None and needed_on < ctx.today():
        ctx.fail("invalid", f"needed_on {needed_on} is over; give today or a later day.")
    place = level(ctx, product.id, warehouse.id)
    free = place.on_hand - place.reserved
    if quantity > free:
        ctx.fail(
            "conflict",
            f"{warehouse.name} has {free} of {product.sku} available, not {quantity}; reserve less, transfer some, or "
            "order more.",
            available=free,
        )
    place.reserved += quantity
    return ctx.add(
        Reservation(
            id=ctx.new_id("rsv"),
            product_id=product.id,
            warehouse_id=warehouse.id,
            quantity=quantity,
            order_number=order_number,
            customer=customer,
            needed_on=needed_on,
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )


@tool
def list_reservations(
    ctx: Context,
    status: str | None = None,
    order_number: str | None = None,
    customer: str | None = None,
    product_id: str | None = None,
    warehouse_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Reservations that meet every filter, the newest first."""
    equal = (
        (Reservation.status, status),
        (Reservation.order_number, order_number),
        (Reservation.customer, customer),
        (Reservation.product_id, product_id),
        (Reservation.warehouse_id, warehouse_id),
    )
    where = [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(Reservation, *where, order_by=[col(Reservation.created_at).desc()], limit=limit, cursor=cursor)
    ids = {item.product_id for item in page.items}
    skus = {item.id: item.sku for item in ctx.list(Product, col(Product.id).in_(ids))}
    return {
        "items": [item.out() | {"sku": skus[item.product_id]} for item in page.items],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Reservation, *where),
    }


@tool
def close_reservation(ctx: Context, reservation_id: str, status: str) -> Any:
    """Let held stock go, to its customer or back to the shelf."""
    found = ctx.require(Reservation, reservation_id)
    if found.status != "active":
        ctx.fail("conflict", f"Reservation {found.id} is {found.status} already.")
    place = level(ctx, found.product_id, found.warehouse_id)
    place.reserved -= found.quantity
    found.status, found.closed_at = status, ctx.now()
    if status == "fulfilled":
        move(ctx, found.product_id, found.warehouse_id, "shipment", -found.quantity, reference=found.order_number)
    return found
