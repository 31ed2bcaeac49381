"""Tools for discount codes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func
from sqlmodel import col

from engine.kit import Context, Moment, Money, tool
from services.events.access import event_for, open_event
from services.events.state import DiscountCode

MAX_CODES = 100


@tool
def create_discount_code(
    ctx: Context,
    event_id: str,
    code: str,
    kind: str,
    value: Money,
    max_uses: int | None = None,
    valid_until: Moment | None = None,
) -> Any:
    """A code for orders at one event."""
    event = open_event(ctx, event_id, "manager")
    if ctx.exists(DiscountCode, col(DiscountCode.event_id) == event.id, col(DiscountCode.code) == code):
        ctx.fail("conflict", f"Event {event.code} has a code {code} already; choose another one.")
    if ctx.count(DiscountCode, col(DiscountCode.event_id) == event.id) >= MAX_CODES:
        ctx.fail("limit", f"Event {event.code} has {MAX_CODES} codes, the most allowed.")
    if kind == "percent" and value > 100:
        ctx.fail("invalid", "value: a percentage is at most 100.")
    if valid_until is not None and valid_until <= ctx.now():
        ctx.fail("invalid", "valid_until must lie in the future.")
    added = ctx.add(
        DiscountCode(
            id=ctx.new_id("dsc"),
            event_id=event.id,
            code=code,
            kind=kind,
            value=value,
            max_uses=max_uses,
            valid_until=valid_until,
            created_at=ctx.now(),
        )
    )
    return _code_view(ctx, added)


def usable(ctx: Context, code: DiscountCode) -> bool:
    """Whether a code still works."""
    spent = code.max_uses is not None and code.used >= code.max_uses
    return not spent and (code.valid_until is None or code.valid_until > ctx.now())


def _code_view(ctx: Context, code: DiscountCode) -> dict[str, Any]:
    return code.out() | {"active": usable(ctx, code)}


@tool
def list_discount_codes(
    ctx: Context,
    event_id: str,
    code: str | None = None,
    active: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Discount codes of an event."""
    event = event_for(ctx, event_id, "seller")
    where: list[Any] = [col(DiscountCode.event_id) == event.id]
    if code is not None:
        where.append(col(DiscountCode.code) == code)
    if active is not None:
        spent = func.coalesce(col(DiscountCode.used) >= col(DiscountCode.max_uses), False)
        ended = func.coalesce(col(DiscountCode.valid_until) <= ctx.now(), False)
        where.append(~(spent | ended) if active else spent | ended)
    page = ctx.page(DiscountCode, *where, order_by=[col(DiscountCode.code)], limit=limit, cursor=cursor)
    return {"items": [_code_view(ctx, item) for item in page.items], "next_cursor": page.next_cursor}
