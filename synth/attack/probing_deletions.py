"""Trying the laws of deletions."""

from __future__ import annotations

from typing import Any

from synth.attack.arguments import Path
from synth.attack.places import places_of, required_paths
from synth.attack.reading import normal
from synth.attack.scene import Look, Scene
from synth.attack.session import Session, Success
from synth.attack.shapes import identifier, record_of, rows_of


def deletion(session: Session, scene: Scene, tool: str, success: Success, target: tuple[str, Path, Any]) -> None:
    """All laws of one deletion."""
    noun, path, own = target
    mine = session.readings[tool].noun
    if noun.split("_")[-1] != mine.split("_")[-1]:
        return  # it takes something away from the thing, not the thing
    look = scene.look(mine, own) or scene.look(noun, own)
    asked = {item.name for item in places_of(session.makers[look.tool])} if look is not None else set()
    others = [item for item in required_paths(session.makers[tool]) if item != path]
    if any(normal(str(item[-1])) not in asked for item in others):
        return  # a member of a channel stays what it is elsewhere
    named = {mine, *(item for item in (noun,) if normal(str(path[-1])) in (item, f"{item}_id", f"{item}_key"))}
    if look is not None and _shows_it(session, look, named, own):
        branch = session.fork(success.branch)
        session.call(branch, look.tool, look.arguments)
        session.call(branch, tool, success.arguments)
        session.call(branch, look.tool, look.arguments)
        session.judge("deleted_gone", tool, branch, 3, {"noun": noun, "own": own})
    for lister in scene.listers_of(noun)[:2]:
        if lister.scope or noun not in named:
            continue
        branch = session.fork(success.branch)
        session.call(branch, lister.tool, lister.arguments)
        session.call(branch, tool, success.arguments)
        session.call(branch, lister.tool, lister.arguments)
        session.judge("deleted_unlisted", tool, branch, 3, {"noun": noun, "own": str(own)})
        session.judge("deleted_one", tool, branch, 3, {"noun": noun, "own": str(own)})
    if not session.target.specifications[tool].annotations.get("idempotentHint"):
        branch = session.fork(success.branch)
        session.call(branch, tool, success.arguments)
        session.call(branch, tool, success.arguments)
        session.judge("deleted_once", tool, branch, 2)


def _shows_it(session: Session, look: Look, nouns: set[str], own: Any) -> bool:
    """Whether a reading is of things of these nouns, or shows the thing as a part of another: not a namesake."""
    result = session.call(session.fork(session.stage), look.tool, look.arguments)
    shown = [*(rows_of(result.data) or []), record_of(result.data) or {}]
    return session.readings[look.tool].noun in nouns or all(identifier(record) != own for record in shown)
