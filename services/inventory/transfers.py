"""Tools for transfers between warehouses."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.inventory.state import Transfer, Warehouse
from services.inventory.stock import Line, fresh, move, named_lines, products_of, require_on_document


@tool
def create_transfer(
    ctx: Context, from_warehouse_id: str, to_warehouse_id: str, lines: list[Line], note: str = ""
) -> Any:
    """Plan to bring stock from one warehouse to another."""
    ctx.require(Warehouse, from_warehouse_id)
    ctx.require(Warehouse, to_warehouse_id)
    if from_warehouse_id == to_warehouse_id:
        ctx.fail("invalid", "A transfer needs two different warehouses.")
    products_of(ctx, lines)
    transfer = ctx.add(
        Transfer(
            id=ctx.new_id("trf"),
            from_warehouse_id=from_warehouse_id,
            to_warehouse_id=to_warehouse_id,
            lines=fresh(lines),
            note=note,
            created_by=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    return named_lines(ctx, [transfer])[0]


@tool
def list_transfers(
    ctx: Context,
    status: str | None = None,
    from_warehouse_id: str | None = None,
    to_warehouse_id: str | None = None,
    product_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Transfers that meet every filter, the newest first."""
    equal = (
        (Transfer.status, status),
        (Transfer.from_warehouse_id, from_warehouse_id),
        (Transfer.to_warehouse_id, to_warehouse_id),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if product_id is not None:
        where.append(col(Transfer.lines).contains([{"product_id": product_id}]))
    page = ctx.page(Transfer, *where, order_by=[col(Transfer.created_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": named_lines(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Transfer, *where),
    }


@tool
def set_transfer_status(ctx: Context, transfer_id: str, status: str, received: list[Line] | None = None) -> Any:
    """Send a transfer off, take it in, or drop its plan."""
    transfer = ctx.require(Transfer, transfer_id)
    before = "in_transit" if status == "received" else "draft"
    if transfer.status != before:
        ctx.fail(
            "conflict", f"Transfer {transfer.id} is {transfer.status}; only one that is {before} becomes {status}."
        )
    if received is not None and status != "received":
        ctx.fail("invalid", "received goes with the status received only.")
    if status == "in_transit":
        for line in transfer.lines:
            start = transfer.from_warehouse_id
            move(ctx, line["product_id"], start, "transfer_out", -line["quantity"], reference=transfer.id)
        transfer.shipped_at = ctx.now()
    elif status == "received":
        _receive_transfer(ctx, transfer, received or [])
        transfer.received_at = ctx.now()
    transfer.status = status
    ctx.flush()
    return named_lines(ctx, [transfer])[0]


def _receive_transfer(ctx: Context, transfer: Transfer, received: list[Line]) -> None:
    products_of(ctx, received)
    require_on_document(ctx, transfer, received)
    came = {line["product_id"]: line["quantity"] for line in received}
    lines = []
    for line in transfer.lines:
        quantity = came.get(line["product_id"], line["quantity"])
        if quantity > line["quantity"]:
            ctx.fail(
                "invalid", f"Only {line['quantity']} of {line['product_id']} were sent, so {quantity} cannot arrive."
            )
        if quantity:
            end = transfer.to_warehouse_id
            move(ctx, line["product_id"], end, "transfer_in", quantity, reference=transfer.id)
        lines.append(line | {"received_quantity": quantity})
    transfer.lines = lines
