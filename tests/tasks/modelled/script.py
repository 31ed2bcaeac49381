"""A model that writes the toy task: what it says, message by message."""

from __future__ import annotations

from typing import Any

from engine.world import World
from tasks.document import Task
from tasks.modelled import Commission
from tasks.modelled.gate import Ruling
from tests.rl.messages_api import wants
from tests.toys import toy_task

COMMISSION = Commission(
    services=("notes", "parcels"),
    walk=("notes", "parcels", "notes", "parcels", "notes", "parcels", "notes"),
    distractors=("weather",),
    seed=3,
)
INSTRUCTION = (
    "The note about the pallets: send what it asks for to the person it names, for 20. Then write down the parcel's "
    "number in a new note and finish both notes."
)


def uses(*pairs: tuple[str, Any]) -> list[dict[str, Any]]:
    """Uses of tools, with identifiers of their own."""
    return [wants(name, given, f"toolu_{name}_{place}") for place, (name, given) in enumerate(pairs)]


def design(**other: Any) -> dict[str, Any]:
    """The arguments of the design; a part given as ``None`` is left out."""
    document = toy_task().s0.model_dump(exclude={"seed"})
    whole = {
        "name": "toy-modelled",
        "title": "A note becomes a parcel",
        "family": "note-to-parcel",
        "area": "operations",
        "scenario": "The note names a person; the parcel's number goes back into a note.",
        "instruction": INSTRUCTION,
        "s0": document,
        "rubric": [{"kind": kind, "holds": "x"} for kind in ("state", "state", "must_not_change", "output", "answer")],
        **other,
    }
    return {name: value for name, value in whole.items() if value is not None}


def probes() -> list[tuple[str, Any]]:
    """The calls of the toy task's reference solution."""
    return [("probe", call.model_dump(exclude_none=True)) for call in toy_task().reference.calls]


def end() -> tuple[str, Any]:
    """The end of the probe."""
    return "probe_end", {"answer": toy_task().reference.answer}


def criteria() -> tuple[str, Any]:
    """The toy task's criteria."""
    return "criteria", {"criteria": [item.model_dump() for item in toy_task().criteria]}


COUNTERFACTUAL = (
    "counterfactual",
    {"fact": "receiver", "change": {"update": {"notes_note": {"note_1": {"body": "Joost Mulder"}}}}},
)


class Gatekeeper:
    """A gate that refuses as often as it is told, and keeps what it saw."""

    def __init__(self, refusals: int = 0) -> None:
        self.refusals = refusals
        self.seen: list[Task] = []

    def __call__(self, world: World, task: Task) -> Ruling:
        self.seen.append(task)
        if len(self.seen) <= self.refusals:
            return Ruling(False, None, "crossing", ("visit 3 (notes) takes nothing from visit 2 (parcels)",))
        return Ruling(True, None)
