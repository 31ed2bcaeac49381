"""A model that writes the toy task: what it says, message by message."""

from __future__ import annotations

from typing import Any

import httpx2
from sqlalchemy import text

from engine.world import World
from synth.dialogue.budget import Budget
from tasks.document import Task
from tasks.modelled import AuthorResult, Commission, author_task
from tasks.modelled.gate import Ruling
from tests.rl.messages_api import Api, says, wants
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


LOST = httpx2.ConnectError("no network")
LOOK: list[tuple[str, Any]] = [
    ("list_services", {}),
    ("list_tools", {"service": "notes"}),
    ("describe_tool", {"service": "parcels", "tool": "pack"}),
    ("tables", {"service": "notes"}),
    ("rows", {"table": "notes_note", "containing": "femke"}),
    ("call_tool", {"service": "parcels", "tool": "pack", "arguments": {"receiver": "Ulla Bok", "price": 1}}),
]
WHOLE: list[list[tuple[str, Any]]] = [
    LOOK,
    [("design", design())],
    probes(),
    [end(), criteria(), COUNTERFACTUAL],
    [("submit", {})],
]


def rows(world: World, sql: str) -> list[Any]:
    """What a query gives."""
    with world.database.transaction() as connection:
        return [tuple(row) for row in connection.execute(text(sql))]


def last(world: World, columns: str) -> Any:
    """Columns of the newest run."""
    return rows(world, f"SELECT {columns} FROM compoworld.task_authoring ORDER BY id DESC LIMIT 1")[0]


def script(*messages: list[tuple[str, Any]]) -> list[httpx2.Response]:
    """The model's messages."""
    return [says(*uses(*pairs)) for pairs in messages]


def author(world: World, api: Api, gate: Any = None, budget: Budget | None = None, **more: Any) -> AuthorResult:
    """Write the toy task with what the model's stand-in says."""
    gate = gate or Gatekeeper()
    return author_task(world, COMMISSION, "test-model", budget, client=api.client(), gate=gate, **more)


def told(api: Api, number: int) -> list[tuple[bool, str]]:
    """The results that a request brings to the model: whether each is an error, and its text."""
    return [(block["is_error"], block["content"]) for block in api.sent(number) if block["type"] == "tool_result"]
