"""Trying the laws of deletions."""

from __future__ import annotations

from typing import Any

from synth.attack.arguments import Path
from synth.attack.places import required_paths
from synth.attack.scene import Scene
from synth.attack.session import Session, Success


def deletion(session: Session, scene: Scene, tool: str, success: Success, target: tuple[str, Path, Any]) -> None:
    noun, _, own = target
    required = required_paths(session.makers[tool])
    if len(required) > 1 or noun.split("_")[-1] != session.readings[tool].noun.split("_")[-1]:
        return  # it takes something away from the thing, not the thing
    look = scene.look(noun, own)
    if look is not None:
        branch = session.fork(success.branch)
        session.call(branch, look.tool, look.arguments)
        session.call(branch, tool, success.arguments)
        session.call(branch, look.tool, look.arguments)
        session.judge("deleted_gone", tool, branch, 3, {"noun": noun, "own": own})
    for lister in scene.listers_of(noun)[:2]:
        if lister.scope:
            continue
        branch = session.fork(success.branch)
        session.call(branch, lister.tool, lister.arguments)
        session.call(branch, tool, success.arguments)
        session.call(branch, lister.tool, lister.arguments)
        session.judge("deleted_unlisted", tool, branch, 3, {"noun": noun, "own": str(own)})
    if not session.target.specifications[tool].annotations.get("idempotentHint"):
        branch = session.fork(success.branch)
        session.call(branch, tool, success.arguments)
        session.call(branch, tool, success.arguments)
        session.judge("deleted_once", tool, branch, 2)
