"""Tools for the shopping list."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.home.access import me
from services.home.state import ShoppingItem


@tool
def list_shopping_items(
    ctx: Context,
    bought: bool | None = None,
    category: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """The list by name."""
    me(ctx)
    where: list[Any] = []
    if bought is not None:
        where.append(ShoppingItem.bought == bought)
    if category is not None:
        where.append(ShoppingItem.category == category)
    if query is not None:
        where.append(contains(ShoppingItem.name, query) | contains(ShoppingItem.note, query))
    return ctx.page(ShoppingItem, *where, order_by=col(ShoppingItem.name), limit=limit, cursor=cursor).out()


def _require_new(ctx: Context, name: str, but: str = "") -> None:
    same = ctx.first(
        ShoppingItem,
        func.lower(col(ShoppingItem.name)) == func.lower(name),
        col(ShoppingItem.bought).is_(False),
        ShoppingItem.id != but,
    )
    if same is not None:
        ctx.fail("conflict", f"{same.name} is on the list already ({same.id}); change its quantity instead.")


@tool
def create_shopping_item(
    ctx: Context, name: str, category: str = "other", quantity: int = 1, unit: str = "", note: str = ""
) -> Any:
    """Put something on the list."""
    me(ctx)
    _require_new(ctx, name)
    return ctx.add(
        ShoppingItem(
            id=ctx.new_id("shp"),
            name=name,
            category=category,
            quantity=quantity,
            unit=unit,
            note=note,
            added_by_email=ctx.user.email,
        )
    )


@tool
def update_shopping_item(
    ctx: Context,
    shopping_item_id: str,
    quantity: int | None = None,
    unit: str | None = None,
    note: str | None = None,
    bought: bool | None = None,
) -> Any:
    """Change an item or mark it as bought."""
    me(ctx)
    item = ctx.require(ShoppingItem, shopping_item_id)
    given = {"quantity": quantity, "unit": unit, "note": note}
    for name, value in given.items():
        if value is not None:
            setattr(item, name, value)
    if bought is not None and bought != item.bought:
        if not bought:
            _require_new(ctx, item.name, but=item.id)
        item.bought = bought
        item.bought_by_email = ctx.user.email if bought else None
        item.bought_at = ctx.now() if bought else None
    return item
