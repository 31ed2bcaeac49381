"""The toys, with notes that a world model answers and sorts, and a task over them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from engine.kit import Service
from engine.library import Library
from tasks.document import Task
from tasks.files import read_task
from tests import toys
from tests.toys import notes, state

HERE = Path(__file__).parent


def library() -> Library:
    """Notes, of which ``answer_note`` and ``sort_notes`` have no code, and parcels."""
    parcels, plain = toys.library().get("parcels"), toys.library().get("notes")
    tools = ModuleType("desk_tools")
    for name in ("find_notes", "get_note"):
        setattr(tools, name, getattr(notes, name))
    desk = Service(
        name="notes",
        title="Notes",
        domain="productivity",
        summary="Short notes, answered and sorted.",
        entities=[state.Note, state.Tag],
        tools=tools,
        specification=HERE / "desk.json",
        seed=plain.seed,
        simulated=["answer_note", "sort_notes"],
    )
    return Library([desk, parcels])


def desk_task() -> Task:
    """The task in ``task.yaml``; three of its calls are answered by the world model."""
    return read_task(HERE / "task.yaml")
