"""Tools that do what a test has put into ``ACTIONS``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.kit import Context, tool

from .state import Thing

ACTIONS: dict[str, Callable[[Context], Any]] = {}


@tool
def act(ctx: Context, name: str = "act") -> Any:
    return ACTIONS[name](ctx)


@tool
def spy(ctx: Context, name: str = "act") -> Any:
    return ACTIONS[name](ctx)


@tool
def put(ctx: Context, id: str, note: str | None = None, data: Any = None) -> Any:
    found = ctx.get(Thing, id)
    if found is None:
        return ctx.add(Thing(id=id, note=note, data={} if data is None else data))
    found.note = note
    return found


@tool
def things(ctx: Context) -> Any:
    return ctx.list(Thing)
