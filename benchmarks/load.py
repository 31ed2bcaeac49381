"""Synthetic services of a chosen size: as many entities and rows as a benchmark asks for."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import ModuleType, new_class
from typing import Any

from engine.kit import Context, Entity, Seed, Service, field, key, ref, tool
from engine.kit.seed import DEFAULT_START

ENTITIES_PER_SERVICE = 5

_TOOLS = {
    "tools": [
        {
            "name": "get_item",
            "description": "Read one item.",
            "inputSchema": {
                "type": "object",
                "properties": {"id": {"type": "string"}},
                "required": ["id"],
            },
            "annotations": {"readOnlyHint": True},
        },
        {
            "name": "change_item",
            "description": "Read one item and change its title.",
            "inputSchema": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "title": {"type": "string", "maxLength": 200}},
                "required": ["id", "title"],
            },
        },
    ]
}


def _annotations(namespace: dict[str, Any], number: int, service: str) -> None:
    first = number == 0
    namespace |= {
        "__annotations__": {
            "id": str,
            "title": str,
            "owner": str,
            "amount": Decimal,
            "changed_at": datetime,
            **({} if first else {"item_id": str}),
        },
        "__module__": f"{__name__}.{service}",  # a place of its own in SQLAlchemy's table of class names
        "id": key("item"),
        "title": field("title", max_length=200),
        "owner": field("email", index=True),
        "amount": field("money"),
        "changed_at": field("datetime"),
    }
    if not first:
        namespace["item_id"] = ref(f"{service}_item.id")


def _entities(service: str) -> list[type[Entity]]:
    base = new_class(
        f"{service.title()}Entity",
        (Entity,),
        exec_body=lambda body: body.update({"__service__": service, "__module__": __name__}),
    )
    names = ["Item", *(f"Part{number}" for number in range(1, ENTITIES_PER_SERVICE))]
    return [
        new_class(
            name,
            (base,),
            {"table": True},
            lambda body, number=number: _annotations(body, number, service),  # type: ignore[misc]
        )
        for number, name in enumerate(names)
    ]


def _tools(item: type[Entity]) -> ModuleType:
    module = ModuleType(f"{item.__service__}_tools")

    @tool
    def get_item(ctx: Context, id: str) -> Any:
        return ctx.require(item, id)

    @tool
    def change_item(ctx: Context, id: str, title: str) -> Any:
        found: Any = ctx.require(item, id)
        found.title = title
        return found

    module.__dict__.update(get_item=get_item, change_item=change_item)
    return module


def make_rows(service: str, entities: list[type[Entity]], rows: int) -> Iterator[Entity]:
    """``rows`` rows in each entity of a service."""
    for number, entity in enumerate(entities):
        for index in range(rows):
            values = {
                "id": f"{entity.__name__.lower()}_{index:06d}",
                "title": f"{service} number {index}",
                "owner": f"person{index % 97}@larkspur.example",
                "amount": Decimal(index % 5000) + Decimal("0.25"),
                "changed_at": DEFAULT_START - timedelta(minutes=index),
            }
            if number:
                values["item_id"] = f"item_{index:06d}"
            yield entity(**values)


@contextmanager
def synthetic_services(prefix: str, count: int, rows: int) -> Iterator[list[Service]]:
    """Services with 5 entities each and ``rows`` rows in every entity."""
    with tempfile.TemporaryDirectory() as folder:
        specification = Path(folder) / "tools.json"
        specification.write_text(json.dumps(_TOOLS))
        services = []
        for number in range(count):
            name = f"{prefix}{number}"
            entities = _entities(name)

            def seed(_: Seed, name: str = name, entities: list[type[Entity]] = entities) -> Iterable[Entity]:
                return make_rows(name, entities, rows)

            service = Service(
                name=name,
                title=name.title(),
                domain="operations",
                summary="A service made for measuring.",
                entities=entities,
                tools=_tools(entities[0]),
                specification=specification,
                seed=seed,
            )
            assert service.tools  # read while the file is there
            services.append(service)
        yield services
