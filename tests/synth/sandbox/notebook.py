"""A small generated service: notes, and a tool ``probe`` whose body a test gives."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from engine.branches import Branch
from engine.calls import CallResult

NAME = "notebook"

_INIT = """
from pathlib import Path

from engine.kit import Service

from . import seed, state, tools

service = Service(
    name="notebook",
    title="Notebook",
    domain="productivity",
    summary="Notes.",
    entities=[state.Folder, state.Note],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
"""

_STATE = """
from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from engine.kit import Entity, field, key, ref


class NotebookEntity(Entity):
    __service__ = "notebook"


class Folder(NotebookEntity, table=True):
    id: str = key("fld")
    name: str = field("name", max_length=80, unique=True)


class Note(NotebookEntity, table=True):
    id: str = key("note")
    folder_id: str = ref("notebook_folder.id", on_delete="cascade")
    title: str = field("title", max_length=200)
    state: str = field("status", choices=("draft", "shared"), default="draft")
    budget: Decimal | None = field("money", default=None, ge=0)
    tags: list[str] = field("tags", default_factory=list)
    extra: dict[str, Any] | None = field("json", default=None)
    changed_at: datetime = field("datetime")
"""

_SEED = """
from decimal import Decimal

from .state import Folder, Note


def rows(seed):
    yield Folder(id="fld_1", name="Plans")
    for number in range(1, 4):
        yield Note(id=f"note_{number}", folder_id="fld_1", title=f"Note {number}", budget=Decimal("12.34") * number,
                   tags=["a", "b"], extra={"n": number}, changed_at=seed.at(-number, 14, 30))
"""

_TOOLS = """
from __future__ import annotations

from typing import Any

from engine.kit import Context, tool

from .state import Folder, Note


@tool
def list_notes(ctx: Context, limit: int = 20, cursor: str | None = None) -> Any:
    return ctx.page(Note, limit=limit, cursor=cursor).out()


@tool
def get_note(ctx: Context, note_id: str) -> Any:
    return ctx.require(Note, note_id)


@tool
def add_note(ctx: Context, title: str) -> Any:
    return ctx.add(Note(id=ctx.new_id("note"), folder_id="fld_1", title=title, changed_at=ctx.now()))


@tool
def drop_folder(ctx: Context, folder_id: str) -> Any:
    ctx.delete(ctx.require(Folder, folder_id))
    return {"deleted": True}


@tool
def probe(ctx: Context, word: str = "") -> Any:
{body}
"""

TESTS = """
import pytest


def test_it_adds(play):
    note = play.ok("add_note", title="Depot")
    assert play.ok("get_note", note_id=note["id"])["title"] == "Depot"
    assert len(play.ok("list_notes")["items"]) == 4


def test_each_test_has_its_own_branch(play):
    assert len(play.ok("list_notes")["items"]) == 3


def test_it_says_no(play):
    assert play.fails("get_note", note_id="lost")["code"] == "not_found"
    assert play.fails("get_note")["code"] == "invalid_arguments"
"""


def call(branch: Branch, tool: str, arguments: dict[str, Any]) -> CallResult:
    """Call a tool of the notebook."""
    return branch.call(NAME, tool, arguments)


def _tool(name: str, properties: dict[str, Any], required: list[str], read: bool) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": name, "inputSchema": schema, "annotations": {"readOnlyHint": read}}


_TEXT = {"type": "string"}
SPECIFICATION = {
    "tools": [
        _tool("list_notes", {"limit": {"type": "integer", "minimum": 1}, "cursor": _TEXT}, [], True),
        _tool("get_note", {"note_id": _TEXT}, ["note_id"], True),
        _tool("add_note", {"title": _TEXT}, ["title"], False),
        _tool("drop_folder", {"folder_id": _TEXT}, ["folder_id"], False),
        _tool("probe", {"word": _TEXT}, [], False),
    ]
}


def files(body: str = "return word", **more: str) -> dict[str, str]:
    """The service's folder, with the body of ``probe``; ``more``: other files by name without ``.py``."""
    indented = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    return {
        "__init__.py": _INIT,
        "state.py": _STATE,
        "seed.py": _SEED,
        "tools.py": _TOOLS.replace("{body}", indented),
        "tools.json": json.dumps(SPECIFICATION),
        **{f"{name}.py": text for name, text in more.items()},
    }
