"""A service whose tools do whatever a test tells them to: see ``playing``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.kit import Context, Service

from . import state, tools
from .state import Thing

__all__ = ["Thing", "playing", "service"]

service = Service(
    name="rogue",
    title="Rogue",
    domain="operations",
    summary="Misbehaves on demand.",
    entities=[state.Thing],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=state.rows,
)


@contextmanager
def playing(action: Callable[[Context], Any], name: str = "act") -> Iterator[str]:
    """While the block runs, the tools ``act`` and ``spy`` (read-only), given this name, do the action."""
    tools.ACTIONS[name] = action
    try:
        yield name
    finally:
        del tools.ACTIONS[name]
