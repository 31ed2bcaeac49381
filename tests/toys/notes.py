"""Tools of the toy notes."""

from __future__ import annotations

import time
from typing import Any

from engine.kit import Context, contains, tool
from tests.toys.state import Note


@tool
def find_notes(ctx: Context, text: str = "") -> Any:
    return {"items": [note.out() for note in ctx.list(Note, contains(Note.title, text))]}


@tool
def get_note(ctx: Context, id: str) -> Any:
    return ctx.require(Note, id)


@tool
def add_note(ctx: Context, title: str, body: str = "") -> Any:
    return ctx.add(Note(id=ctx.new_id("note"), title=title, body=body, owner=ctx.user.email))


@tool
def finish_note(ctx: Context, id: str, because: str = "") -> Any:
    note = ctx.require(Note, id)
    if note.done:
        ctx.fail("conflict", f"{id} is done already.")
    note.done = True
    note.body = f"{note.body} ({because})" if because else note.body
    return note


@tool
def delete_note(ctx: Context, id: str) -> Any:
    ctx.delete(ctx.require(Note, id))
    return {"deleted": id}


@tool
def break_down(ctx: Context) -> Any:
    raise RuntimeError("the toy is broken")


@tool
def dawdle(ctx: Context, seconds: float) -> Any:
    time.sleep(seconds)
    return {}
