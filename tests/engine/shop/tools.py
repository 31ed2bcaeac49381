"""The shop's tools: one that does any series of steps, a few that only look."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from engine.kit import Context, Entity, tool

from .state import BY_TABLE, Product


def typed(entity: type[Entity], values: dict[str, Any]) -> dict[str, Any]:
    """JSON values as the columns want them; what does not fit stays as it is, for the entity to refuse."""
    out = dict(values)
    for column in entity.table().columns:
        value, kind = values.get(column.name), column.type.python_type
        try:
            if isinstance(value, str) and kind in (date, datetime):
                out[column.name] = kind.fromisoformat(value)
            elif (isinstance(value, str) and kind is Decimal) or (isinstance(value, int | float) and kind is Decimal):
                out[column.name] = Decimal(str(value))
        except (ValueError, ArithmeticError):
            pass
    return out


def key_of(entity: type[Entity], key: list[Any]) -> list[Any]:
    """A key as Python values."""
    names = entity.key_columns()
    made = typed(entity, dict(zip(names, key, strict=True)))
    return [made[name] for name in names]


def take(ctx: Context, step: dict[str, Any]) -> Any:
    """Do one step."""
    entity = BY_TABLE[step["table"]] if "table" in step else None
    match step["op"]:
        case "add":
            assert entity
            return ctx.add(entity(**typed(entity, step["values"]))).out()
        case "set":
            assert entity
            row = ctx.require(entity, *key_of(entity, step["key"]))
            for name, value in typed(entity, step["values"]).items():
                setattr(row, name, value)
            ctx.flush()
            return row.out()
        case "drop":
            assert entity
            ctx.delete(ctx.require(entity, *key_of(entity, step["key"])))
        case "refuse":
            ctx.fail("conflict", "The shop says no.", why=step.get("why", ""))
        case "break":
            raise RuntimeError("the tool broke")
    return None


@tool
def apply(ctx: Context, steps: list[dict[str, Any]]) -> Any:
    return [take(ctx, step) for step in steps]


@tool
def look(ctx: Context, table: str) -> Any:
    entity = BY_TABLE.get(table)
    if entity is None:
        ctx.fail("not_found", f"There is no table {table!r}.")
    return {"items": ctx.list(entity), "count": ctx.count(entity)}


@tool
def page(ctx: Context, limit: int = 2, cursor: str | None = None, descending: bool = False) -> Any:
    order = Product.price.desc() if descending else Product.price  # type: ignore[attr-defined]
    return ctx.page(Product, order_by=[order], limit=limit, cursor=cursor).out("id", "price")


@tool
def peek(ctx: Context, steps: list[dict[str, Any]]) -> Any:
    return [take(ctx, step) for step in steps]


@tool
def make(ctx: Context, count: int = 1) -> Any:
    made = [
        ctx.add(
            Product(id=ctx.new_id("prd"), sku=ctx.new_id("sku"), title="Made", price=Decimal(1), added_at=ctx.now())
        )
        for _ in range(count)
    ]
    return {"ids": [item.id for item in made], "now": ctx.now(), "today": ctx.today(), "user": ctx.user.name}


@tool
def echo(ctx: Context, value: Any = None) -> Any:
    return {"value": value, "text": repr(value)}
