"""The rogue service's one table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.kit import Entity, Seed, field, key


class RogueEntity(Entity):
    __service__ = "rogue"


class Thing(RogueEntity, table=True):
    id: str = key("thg")
    note: str | None = field("text", default=None)
    code: str | None = field("code", default=None, unique=True)
    count: int = field("quantity", default=0)
    tags: list[str] = field("tags", default_factory=list)
    data: Any = field("json", default_factory=dict)


def rows(seed: Seed) -> Iterator[Entity]:
    """Two things."""
    yield Thing(id="t1", note="one", code="x")
    yield Thing(id="t2", note="two")
