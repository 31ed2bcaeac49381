"""The shop with tools that a world model answers, beside those that have code."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from engine.branches import Branch
from engine.kit import Service
from engine.simulation import Question
from engine.world import World
from synth.world_model.scripted import ScriptedWorldModel, delete, done, insert, update
from tests.engine import shop
from tests.engine.shop import seed, state, tools

Play = Callable[..., Branch]
"""``play(*answers)``: a branch of the shop whose world model gives these answers."""

PRODUCT = {"sku": "C-3", "title": "Cup", "price": 4.5, "added_at": "2026-03-02T09:01:00Z"}

_TEXT = {"type": "string"}
_MORE = [
    {
        "name": "advise",
        "description": "What fits a customer.",
        "inputSchema": {"type": "object", "properties": {"customer": _TEXT}, "required": ["customer"]},
        "annotations": {"readOnlyHint": True},
        "outputSchema": {"type": "object", "properties": {"advice": _TEXT}, "required": ["advice"]},
    },
    {
        "name": "arrange",
        "description": "Do whatever is asked for.",
        "inputSchema": {
            "type": "object",
            "properties": {"wish": _TEXT, "amount": {"type": "integer", "minimum": 1}},
            "required": ["wish"],
        },
    },
]


@cache
def _specification() -> Path:
    path = Path(mkdtemp()) / "tools.json"
    document = json.loads((Path(shop.__file__).with_name("tools.json")).read_text(encoding="utf-8"))
    document["tools"] += _MORE
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@cache
def oracle() -> Service:
    """The shop; ``advise`` (read-only, with an output schema) and ``arrange`` have no code."""
    return Service(
        name="shop",
        title="Shop",
        domain="commerce",
        summary="A shop for tests.",
        entities=state.ENTITIES,
        tools=tools,
        specification=_specification(),
        seed=seed.rows,
        simulated=["advise", "arrange"],
    )


def asked(branch: Branch) -> list[Question]:
    """What the branch's world model was asked."""
    model = branch.composition.world.world_model
    assert isinstance(model, ScriptedWorldModel)
    return model.questions


def mute(branch: Branch, make_world: Callable[..., World]) -> Branch:
    """The same branch in a world without a world model."""
    return make_world(oracle()).branch(branch.id)


def everything(question: Question) -> Any:
    """Every kind of change, with new identifiers, composite keys and rows that take others with them."""
    return done(
        {"id": "$new:product:1", "said": f"made $new:product:1 for {question.person.name}"},
        insert("product", id="$new:product:1", **PRODUCT, labels=["a"], extra={"n": 1.0}, discount=2.5),
        insert("purchase", id="$new:purchase:1", customer_id="c1"),
        insert("line", purchase_id="$new:purchase:1", product_id="$new:product:1", amount=3),
        update("line", {"purchase_id": "$new:purchase:1", "product_id": "$new:product:1"}, amount=4),
        update("product", "p1", stock=5, released=None, title="Apron ☃"),
        update("slot", {"day": "2026-03-02", "hour": 9}, customer_id=None),
        delete("customer", "c1"),
        insert("customer", id="$new:customer:1", email="eve@shop.example"),
    )
