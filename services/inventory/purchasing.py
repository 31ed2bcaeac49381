"""Tools for purchase orders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NotRequired

from sqlmodel import col

from engine.kit import Context, contains, tool
from services.inventory.state import PurchaseOrder, Warehouse
from services.inventory.stock import OPEN_ORDERS, Line, fresh, move, named_lines, products_of, require_on_document

SEND_LIMIT = Decimal(10_000)
"""Total up to which anybody may send a purchase order; above it Finance sends it."""


class ReceivedLine(Line):
    """What came in, perhaps with its lot."""

    lot: NotRequired[str]


def _order_views(ctx: Context, orders: Sequence[PurchaseOrder]) -> list[dict[str, Any]]:
    today = ctx.today()
    return [
        view | {"overdue": order.status in OPEN_ORDERS and order.expected_on is not None and order.expected_on < today}
        for order, view in zip(orders, named_lines(ctx, orders), strict=True)
    ]


@tool
def create_purchase_order(
    ctx: Context,
    supplier: str,
    warehouse_id: str,
    lines: list[Line],
    expected_on: date | None = None,
    note: str = "",
) -> Any:
    """Draft an order to a supplier."""
    ctx.require(Warehouse, warehouse_id)
    products = products_of(ctx, lines)
    for product in products.values():
        if product.supplier != supplier:
            ctx.fail("conflict", f"{product.sku} is supplied by {product.supplier}, not by {supplier}.")
        if product.status != "active":
            ctx.fail("conflict", f"{product.sku} is discontinued and cannot be ordered.")
    if expected_on is not None and expected_on < ctx.today():
        ctx.fail("invalid", f"expected_on {expected_on} is over; give today or a later day.")
    order = ctx.add(
        PurchaseOrder(
            id=ctx.new_id("pur"),
            number=f"PO-{1001 + ctx.count(PurchaseOrder)}",
            supplier=supplier,
            warehouse_id=warehouse_id,
            lines=fresh(lines),
            total=sum((products[line["product_id"]].unit_cost * line["quantity"] for line in lines), Decimal()),
            expected_on=expected_on,
            note=note,
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    return _order_views(ctx, [order])[0]


@tool
def list_purchase_orders(
    ctx: Context,
    status: str | None = None,
    supplier: str | None = None,
    warehouse_id: str | None = None,
    number: str | None = None,
    product_id: str | None = None,
    overdue: bool | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Purchase orders that meet every filter, the newest first."""
    equal = (
        (PurchaseOrder.status, status),
        (PurchaseOrder.supplier, supplier),
        (PurchaseOrder.warehouse_id, warehouse_id),
        (PurchaseOrder.number, number),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if product_id is not None:
        where.append(col(PurchaseOrder.lines).contains([{"product_id": product_id}]))
    if overdue is not None:
        # Without a date the comparison is unknown, and so would be its opposite.
        dated = col(PurchaseOrder.expected_on).is_not(None)
        late = col(PurchaseOrder.status).in_(OPEN_ORDERS) & dated & (col(PurchaseOrder.expected_on) < ctx.today())
        where.append(late if overdue else ~late)
    if query is not None:
        where.append(contains(PurchaseOrder.number, query) | contains(PurchaseOrder.note, query))
    order = [col(PurchaseOrder.created_at).desc()]
    page = ctx.page(PurchaseOrder, *where, order_by=order, limit=limit, cursor=cursor)
    return {
        "items": _order_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(PurchaseOrder, *where),
    }


@tool
def set_purchase_order_status(ctx: Context, purchase_order_id: str, status: str) -> Any:
    """Send a purchase order, call it off, or close it with less than was ordered."""
    order = ctx.require(PurchaseOrder, purchase_order_id)
    before = {"sent": ("draft",), "cancelled": ("draft", "sent"), "closed": ("partly_received",)}[status]
    if order.status not in before:
        ctx.fail(
            "conflict", f"{order.number} is {order.status}; only one that is {' or '.join(before)} becomes {status}."
        )
    if status == "sent":
        if order.total > SEND_LIMIT:
            ctx.fail(
                "forbidden",
                f"{order.number} is over {order.total} {order.currency}; above {SEND_LIMIT} Finance sends it. It stays "
                "a draft.",
            )
        order.sent_at = ctx.now()
    else:
        order.closed_at = ctx.now()
    order.status = status
    ctx.flush()
    return _order_views(ctx, [order])[0]


@tool
def receive_purchase_order(ctx: Context, purchase_order_id: str, lines: list[ReceivedLine]) -> Any:
    """Take in what a supplier has delivered."""
    order = ctx.require(PurchaseOrder, purchase_order_id)
    if order.status not in OPEN_ORDERS:
        ctx.fail("conflict", f"{order.number} is {order.status}; only one that was sent is received.")
    products_of(ctx, lines)
    require_on_document(ctx, order, lines)
    came = {line["product_id"]: line for line in lines}
    updated = []
    for line in order.lines:
        delivery = came.get(line["product_id"])
        if delivery is not None:
            quantity, left = delivery["quantity"], line["quantity"] - line["received_quantity"]
            if quantity > left:
                ctx.fail("conflict", f"{order.number} has {left} of {line['product_id']} outstanding, not {quantity}.")
            end, lot = order.warehouse_id, delivery.get("lot")
            move(ctx, line["product_id"], end, "receipt", quantity, reference=order.number, lot=lot)
            line = line | {"received_quantity": line["received_quantity"] + quantity}  # noqa: PLW2901
        updated.append(line)
    order.lines = updated
    done = all(line["received_quantity"] == line["quantity"] for line in updated)
    order.status = "closed" if done else "partly_received"
    order.closed_at = ctx.now() if done else None
    ctx.flush()
    return _order_views(ctx, [order])[0]
