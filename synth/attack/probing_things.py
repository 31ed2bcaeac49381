"""Trying the laws of the tools that write."""

from __future__ import annotations

from synth.attack.probing_creations import creation
from synth.attack.probing_deletions import deletion
from synth.attack.probing_updates import update
from synth.attack.scene import Scene, target_of
from synth.attack.session import Session, Success


def thing(session: Session, scene: Scene, tool: str) -> None:
    """The laws of one tool that writes."""
    success = session.notes[tool].success
    if success is None:
        return
    reading = session.readings[tool]
    target = target_of(session, tool, scene, success.arguments)
    if reading.kind == "create":
        creation(session, scene, tool, success)
    if reading.kind == "update":
        update(session, scene, tool, success, target)
    if reading.kind == "delete" and target is not None:
        deletion(session, scene, tool, success, target)
    _others(session, scene, tool, success)


def _others(session: Session, scene: Scene, tool: str, success: Success) -> None:
    """What the listings show, before and after."""
    overview = scene.overview()
    if not overview:
        return
    branch = session.fork(success.branch)
    for lister in overview:
        session.call(branch, lister.tool, lister.arguments)
    session.call(branch, tool, success.arguments)
    for lister in overview:
        session.call(branch, lister.tool, lister.arguments)
    about = {
        "count": len(overview),
        "nouns": {lister.tool: lister.noun for lister in overview},
        "settable": scene.settable(),
    }
    session.judge("others_unchanged", tool, branch, 2 * len(overview) + 1, about)
