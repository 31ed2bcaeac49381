"""Trying the laws of the tools that write."""

from __future__ import annotations

from typing import Any

from synth.attack.laws import LAWS
from synth.attack.probing_creations import creation
from synth.attack.probing_deletions import deletion
from synth.attack.probing_updates import update
from synth.attack.scene import Lister, Scene, target_of
from synth.attack.session import Session, Success

_LAW = "others_unchanged"


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
    """What the listings show, before and after; a failure is shown again with the one listing that shows it."""
    reading = session.readings[tool]
    overview = scene.overview(reading.noun)
    if reading.kind == "delete":
        overview = [lister for lister in scene.overview(reading.noun, 16) if not lister.scope] + scene.parts()
    if not overview:
        return
    settable = scene.settable()
    parts = scene.belonging(reading.noun) if reading.kind == "delete" else []
    session.notes[tool].laws.add(_LAW)
    branch, core, about = _before_and_after(session, tool, success, overview, settable, parts)
    if LAWS[_LAW].judge(session.log(branch)[-core:], about) is None:
        return
    for lister in overview:
        branch, core, about = _before_and_after(session, tool, success, [lister], settable, parts)
        if session.judge(_LAW, tool, branch, core, about) is not None:
            return


def _before_and_after(
    session: Session,
    tool: str,
    success: Success,
    overview: list[Lister],
    settable: dict[str, list[str]],
    parts: list[str],
) -> tuple[int, int, dict[str, Any]]:
    branch = session.fork(success.branch)
    for lister in overview:
        session.call(branch, lister.tool, lister.arguments)
    session.call(branch, tool, success.arguments)
    for lister in overview:
        session.call(branch, lister.tool, lister.arguments)
    nouns = {lister.tool: lister.noun for lister in overview}
    about = {
        "count": len(overview),
        "nouns": nouns,
        "settable": {noun: settable.get(noun, []) for noun in nouns.values()},
        "of": session.readings[tool].noun,
        "parts": parts,
    }
    return branch, 2 * len(overview) + 1, about
