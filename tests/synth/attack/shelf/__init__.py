"""A small service for the tests of the attack: shelves with books, and faults that can be planted in it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.kit import Seed, Service
from engine.kit.entity import Entity
from tests.synth.attack.shelf import state, tools

Around = Callable[[Callable[..., Any], Any, dict[str, Any]], Any]


def _seed(seed: Seed) -> list[Entity]:
    rows: list[Entity] = [state.Shelf(id=f"shf_{place}", place=place.title()) for place in ("hall", "loft", "study")]
    for number in range(1, 10):
        rows.append(
            state.Book(
                id=f"bok_{number:04d}",
                shelf_id=("shf_hall", "shf_loft")[number % 2],
                title=f"Volume {number} of {('Birds', 'Ships', 'Clocks')[number % 3]}",
                genre=("science", "travel")[number % 2],
                signed=number % 3 == 0,
                pages=80 + 10 * number,
                state="lent" if number in (3, 6) else "in",
                added_at=seed.at(-number),
            )
        )
    return rows


def shelf() -> Service:
    """The service as it should be."""
    return Service(
        name="shelf",
        title="Book shelves",
        domain="education",
        summary="Books on shelves.",
        entities=[state.Shelf, state.Book],
        tools=tools,
        specification=Path(__file__).with_name("tools.json"),
        seed=_seed,
    )


def faulty(tool: str, around: Around) -> Service:
    """The service with something around the function of one tool."""
    service = shelf()
    right = service.tools[tool]
    made = copy(service)
    made.__dict__["tools"] = {
        **service.tools,
        tool: replace(right, function=lambda ctx, **given: around(right.function, ctx, given)),
    }
    return made
