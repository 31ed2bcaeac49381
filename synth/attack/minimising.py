"""Cases: tried again from the beginning, and made shorter."""

from __future__ import annotations

import copy
import time
from dataclasses import replace
from typing import Any

from engine.kit.values import canonical_json
from synth.attack import laws_any, laws_lists, laws_things
from synth.attack.laws import LAWS, Finding, Seen
from synth.attack.laws_any import resolved
from synth.attack.report import Case, Step
from synth.attack.shapes import leaves
from synth.attack.target import Target

__all__ = ["laws_any", "laws_lists", "laws_things", "minimised", "replay_case", "run_case"]

_MOST_RUNS = 40
_PAUSE_SECONDS = 1.1
"""A clock of the machine that counts seconds shows only after one."""


class _Unresolved(Exception):
    """A step names a value that no earlier step gave."""


def replay_case(target: Target, case: Case) -> bool:
    """Whether a case still fails, tried from the initial state."""
    if run_case(target, case) is not None:
        return True
    if case.law != "repeatable":
        return False
    time.sleep(_PAUSE_SECONDS)
    return run_case(target, case, pause=_PAUSE_SECONDS) is not None


def run_case(target: Target, case: Case, pause: float = 0.0) -> Finding | None:
    """Make the calls of a case on a fresh fork and let its law judge; ``None`` where it is kept.

    Args:
        pause: seconds between the two times of a call that is made twice.
    """
    try:
        seen = _run(target, case.steps, pause)
    except _Unresolved:
        return None
    return LAWS[case.law].judge(seen[-int(case.about["core"]) :], case.about)


def _run(target: Target, steps: tuple[Step, ...], pause: float = 0.0) -> list[Seen]:
    branch = target.fork()
    seen: list[Seen] = []
    for step in steps:
        try:
            arguments = resolved(step.arguments, seen)
        except KeyError:
            raise _Unresolved from None
        again = again_after = None
        if step.twice:
            other = target.fork(branch)
            again = target.call(other, step.tool, arguments)
            again_after = target.digest(other)
            time.sleep(pause)
        before = target.digest(branch) if step.watch else None
        result = target.call(branch, step.tool, arguments)
        after = target.digest(branch) if step.watch or step.twice else None
        made = replace(step, arguments=arguments)
        seen.append(Seen(made, result, before, after, again, again_after))
    return seen


def minimised(target: Target, case: Case) -> Case:
    """The case without the steps that are not needed, and with references in place of values that steps gave."""
    core = int(case.about["core"])
    linked = _linked(target, case)
    if linked is None:
        return case
    best, runs = linked, 0
    place = len(best.steps) - core - 1
    while place >= 0 and runs < _MOST_RUNS:
        # Halves first where there are many: most of what went before has no part in it.
        for length in (place + 1, 1) if place > 1 else (1,):
            start = place + 1 - length
            shorter = _without(best, start, place + 1)
            runs += 1
            if shorter is not None and run_case(target, shorter) is not None:
                best = shorter
                place = start
                break
        place -= 1
    finding = run_case(target, best)
    if finding is None:
        return case
    return replace(best, expected=finding.expected, found=finding.found)


def _linked(target: Target, case: Case) -> Case | None:
    """The case with references, or ``None`` where it does not fail when it is tried again as it is."""
    try:
        seen = _run(target, case.steps)
    except _Unresolved:
        return None
    core = int(case.about["core"])
    if LAWS[case.law].judge(seen[-core:], case.about) is None:
        return None
    origin: dict[str, list[Any]] = {}
    known: set[str] = set()
    steps: list[Step] = []
    for index, item in enumerate(seen):
        steps.append(replace(case.steps[index], arguments=_referring(case.steps[index].arguments, origin)))
        for path, value in leaves(item.data):
            text = canonical_json(value)
            if isinstance(value, str) and len(value) > 5 and text not in known and text not in origin:
                if item.result.changes or "cursor" in str(path[-1:]):
                    origin[text] = [index, *path]
                else:
                    known.add(text)
    with_references = replace(case, steps=tuple(steps))
    return with_references if run_case(target, with_references) is not None else case


def _referring(value: Any, origin: dict[str, list[Any]]) -> Any:
    if isinstance(value, str):
        found = origin.get(canonical_json(value))
        return {"$from": found} if found else value
    if isinstance(value, dict):
        return {name: _referring(item, origin) for name, item in value.items()}
    if isinstance(value, list):
        return [_referring(item, origin) for item in value]
    return value


def _without(case: Case, start: int, end: int) -> Case | None:
    """The case without some steps; ``None`` where a later one needs what they gave."""
    moved: list[Step] = []
    for index, step in enumerate(case.steps):
        if start <= index < end:
            continue
        arguments = copy.deepcopy(step.arguments)
        if not _renumbered(arguments, start, end):
            return None
        moved.append(replace(step, arguments=arguments))
    return replace(case, steps=tuple(moved))


def _renumbered(value: Any, start: int, end: int) -> bool:
    if isinstance(value, dict):
        if value.keys() == {"$from"} and isinstance(value["$from"], list):
            place = value["$from"][0]
            if start <= place < end:
                return False
            if place >= end:
                value["$from"] = [place - (end - start), *value["$from"][1:]]
            return True
        return all(_renumbered(item, start, end) for item in value.values())
    if isinstance(value, list):
        return all(_renumbered(item, start, end) for item in value)
    return True
