"""The workshop of the scenario families and the admission gate."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import tasks
from engine.near import did_you_mean
from engine.world import World
from tasks.admission import Earlier, Evidence, admit, save_verdict
from tasks.admission.novelty import examine
from tasks.authoring import Plan, all_families, families, plans, write
from tasks.document import Task
from tasks.errors import SamplingError
from tasks.sampling import LEVELS, Dials
from tasks.sets.workshop import Judgement

LEVEL = "level"
"""Among the dials: the level that the others turn away from."""

_DECIDING = ("admission", "authoring", "families", "places", "rubric", "sampling")


class FamilyWorkshop:
    """Candidates are told by the scenario families, and judged by the gate."""

    def settings(self, dials: Mapping[str, Any], families: Sequence[str] | None) -> dict[str, Any]:
        """The dials, the families and the version of the program that tells them."""
        turned = dials_of(dials)
        return {
            "dials": None if turned is None else turned.document(),
            "families": families_of(families, short=turned is not None and turned.short),
            "program": program_version(),
        }

    def plans(self, seed: int, dials: Mapping[str, Any], families: Sequence[str] | None) -> Iterator[Plan]:
        """Plans without end."""
        return plans(seed, dials_of(dials), families_of(families) if families else None)

    def write(self, world: World, plan: Plan) -> Task:
        """What the family tells.

        Raises:
            DraftError: it cannot tell this plan.
        """
        return write(world, plan)

    def judge(self, world: World, task: Task) -> Judgement:
        """The gate's verdict, kept with the task where that is admitted."""
        verdict = admit(world, task)
        if verdict.stage is None:
            save_verdict(world, verdict)
        number = None if verdict.stored is None else verdict.stored.id
        return Judgement(verdict.stage, verdict.reason, [_plain(item) for item in verdict.evidence], number)

    def memory(self) -> FamilyMemory:
        """An empty memory."""
        return FamilyMemory()


class FamilyMemory:
    """What was admitted, for the gate's check of novelty."""

    def __init__(self) -> None:
        self._earlier = Earlier()

    def judge(self, task: Task) -> dict[str, Any]:
        """The gate's evidence."""
        return _plain(examine(task, self._earlier))

    def add(self, task: Task) -> None:
        """Know one more."""
        self._earlier.add(task)


def dials_of(dials: Mapping[str, Any]) -> Dials | None:
    """The dials for every candidate; ``None`` where each draws its own.

    Args:
        dials: by name; ``level`` is what the others turn away from.

    Raises:
        SamplingError: there is no such dial or level, or a value is out of range.
    """
    if not dials:
        return None
    level = str(dials.get(LEVEL, "medium"))
    if level not in LEVELS:
        raise SamplingError(f"there is no level {level!r}", did_you_mean(level, LEVELS, f"use {', '.join(LEVELS)}"))
    turned = {name: value for name, value in dials.items() if name != LEVEL}
    for name in turned:
        if name not in Dials.model_fields:
            known = [*Dials.model_fields, LEVEL]
            raise SamplingError(f"there is no dial {name!r}", did_you_mean(name, known, f"use {', '.join(known)}"))
    return Dials.level(level).but(**turned)


def families_of(names: Sequence[str] | None, *, short: bool = False) -> list[str]:
    """The families that are named, or all of whole tasks, or all of short ones.

    Raises:
        SamplingError: there is no such family.
    """
    known = all_families()
    for name in names or ():
        if name not in known:
            others = "compoworld tasks families lists those there are"
            raise SamplingError(f"there is no family {name!r}", hint=did_you_mean(name, known, others))
    return sorted(set(names or families(short=short)))


@cache
def program_version() -> str:
    """A digest of the program that tells and judges: another one may make other tasks of the same plans."""
    digest = hashlib.sha256()
    for root in map(Path, tasks.__path__):
        for folder in _DECIDING:
            for path in sorted((root / folder).rglob("*.py")):
                digest.update(f"{path.relative_to(root).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _plain(item: Evidence) -> dict[str, Any]:
    return {"check": item.check, "passed": item.passed, "summary": item.summary, "detail": item.detail}
