"""Tools for stock counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context, tool
from services.inventory.state import StockCount, StockLevel, Warehouse
from services.inventory.stock import level, move, named_lines, products_of, require_on_document


class CountedLine(TypedDict):
    """A product and how many of it were counted."""

    product_id: str
    counted: int


@tool
def create_stock_count(
    ctx: Context, warehouse_id: str, name: str, planned_on: date, product_ids: list[str] | None = None
) -> Any:
    """Plan a count of some or all products of a warehouse."""
    warehouse = ctx.require(Warehouse, warehouse_id)
    if planned_on < ctx.today():
        ctx.fail("invalid", f"planned_on {planned_on} is over; give today or a later day.")
    if product_ids is None:
        here = ctx.list(StockLevel, col(StockLevel.warehouse_id) == warehouse.id)
        product_ids = [place.product_id for place in here]
        if not product_ids:
            ctx.fail("conflict", f"{warehouse.name} keeps nothing; name the products to count in product_ids.")
    products_of(ctx, [{"product_id": item} for item in product_ids])
    count = ctx.add(
        StockCount(
            id=ctx.new_id("cnt"),
            warehouse_id=warehouse.id,
            name=name,
            planned_on=planned_on,
            lines=[{"product_id": item, "expected": None, "counted": None, "difference": None} for item in product_ids],
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    return _count_views(ctx, [count])[0]


def _count_views(ctx: Context, counts: Sequence[StockCount]) -> list[dict[str, Any]]:
    wanted = col(StockLevel.warehouse_id).in_({count.warehouse_id for count in counts})
    bins = {(place.warehouse_id, place.product_id): place.bin for place in ctx.list(StockLevel, wanted)}
    out = []
    for count, view in zip(counts, named_lines(ctx, counts), strict=True):
        lines = [line | {"bin": bins.get((count.warehouse_id, line["product_id"]), "")} for line in view["lines"]]
        out.append(view | {"lines": lines})
    return out


@tool
def list_stock_counts(
    ctx: Context,
    status: str | None = None,
    warehouse_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Stock counts, the newest first."""
    equal = ((StockCount.status, status), (StockCount.warehouse_id, warehouse_id))
    where = [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(StockCount, *where, order_by=[col(StockCount.created_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": _count_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(StockCount, *where),
    }


@tool
def post_stock_count(ctx: Context, stock_count_id: str, lines: list[CountedLine]) -> Any:
    """Take what was counted for true."""
    count = ctx.require(StockCount, stock_count_id)
    if count.status != "open":
        ctx.fail("conflict", f"Stock count {count.id} has been posted already.")
    products = products_of(ctx, lines)
    require_on_document(ctx, count, lines)
    counted = {line["product_id"]: line["counted"] for line in lines}
    missing = [line["product_id"] for line in count.lines if line["product_id"] not in counted]
    if missing:
        ctx.fail("invalid", f"{len(missing)} products have no number yet: {', '.join(missing[:10])}.")
    posted = []
    for line in count.lines:
        product_id = line["product_id"]
        place = level(ctx, product_id, count.warehouse_id)
        difference = counted[product_id] - place.on_hand
        posted.append(line | {"expected": place.on_hand, "counted": counted[product_id], "difference": difference})
        if difference:
            move(ctx, product_id, count.warehouse_id, "count", difference, reference=count.id, reason="difference")
    count.lines = posted
    count.status, count.posted_at = "posted", ctx.now()
    ctx.flush()
    value = sum((products[line["product_id"]].unit_cost * line["difference"] for line in posted), Decimal())
    return _count_views(ctx, [count])[0] | {"difference_value": value}
