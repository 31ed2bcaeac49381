"""Services of one table, made on the spot, for tests that need many or that change one."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from sqlmodel import SQLModel

from engine.kit import Context, Entity, Seed, Service, field, key, tool

_SPECIFICATION = {
    "tools": [
        {
            "name": "bump",
            "description": "Put the next number behind the last.",
            "inputSchema": {"type": "object", "properties": {"value": {}}},
        },
        {
            "name": "items",
            "description": "All items.",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
        },
    ]
}


@cache
def _specification() -> Path:
    path = Path(mkdtemp()) / "tools.json"
    path.write_text(json.dumps(_SPECIFICATION), encoding="utf-8")
    return path


@cache
def tiny(name: str, semantic: str = "quantity", kind: type = int) -> Service:
    """A service with the table ``<name>_item`` (id, value); the same name with another type is its next version."""
    table = f"{name}_item"
    if table in SQLModel.metadata.tables:
        SQLModel.metadata.remove(SQLModel.metadata.tables[table])
    namespace = {
        "__module__": __name__,
        "__qualname__": f"Item_{name}_{semantic}",
        "__annotations__": {"id": str, "value": kind},
        "__service__": name,
        "__tablename__": table,
        "id": key("itm"),
        "value": field(semantic),  # type: ignore[arg-type]
    }
    item = types.new_class(f"Item_{name}_{semantic}", (Entity,), {"table": True}, lambda made: made.update(namespace))
    tools = types.ModuleType(f"{name}_tools")

    @tool
    def bump(ctx: Context, value: Any = None) -> Any:
        given = ctx.count(item) if value is None else value
        return ctx.add(item(id=ctx.new_id("itm"), value=kind(given)))

    @tool
    def items(ctx: Context) -> Any:
        return ctx.list(item)

    tools.bump, tools.items = bump, items  # type: ignore[attr-defined]

    def rows(seed: Seed) -> Iterator[Entity]:
        yield item(id="first", value=kind(0))

    return Service(
        name=name,
        title=name,
        domain="operations",
        summary="Counts.",
        entities=[item],
        tools=tools,
        specification=_specification(),
        seed=rows,
    )
