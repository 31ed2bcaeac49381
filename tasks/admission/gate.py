"""The gate: a task is admitted with evidence of every check, or refused with what its author can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.errors import EntityInvalid
from engine.world import World
from tasks.admission import broken, crossing, equivalent, instruction, novelty, revisit, sources
from tasks.admission.evidence import Evidence, Verdict, concluded
from tasks.admission.ground import Ground
from tasks.admission.novelty import Earlier
from tasks.checking import judge_untouched, play_reference, same_end
from tasks.document import Task
from tasks.errors import TaskError
from tasks.store import StoredTask, put

FEWEST, MOST = 4, 12
"""Criteria that a task has."""

FEWEST_OF_SHORT = 3
"""Criteria that a short task has at least."""


def admit(world: World, task: Task, *, earlier: Earlier | None = None) -> Verdict:
    """Hold a task against every check, the cheap ones first; the first that fails is the last that is made.

    The task is stored, unless it does not fit the library. Branches and snapshots that the checks take are deleted
    again. The verdict is not stored: see ``save_verdict``; nor is the task taken into ``earlier``.

    Args:
        earlier: what was admitted before; without it the task counts as the first.

    Raises:
        DatabaseUnavailable, InfrastructureError: the checks could not be made; that says nothing of the task.
    """
    form = _form(task)
    try:
        stored = put(world, task)
    except (TaskError, EntityInvalid) as error:
        return Verdict(None, [_document(task, [str(error), *form])])
    evidence = [_document(task, form)]
    if not evidence[0].passed:
        return Verdict(stored, evidence)
    with world.lease(stored.composition), Ground.of(world, stored) as ground:
        for item in _checks(ground, stored, earlier):
            evidence.append(item)
            if not item.passed:
                break
    return Verdict(stored, evidence)


def _checks(ground: Ground, stored: StoredTask, earlier: Earlier | None) -> Iterator[Evidence]:
    yield instruction.examine(ground)
    yield _reference(ground, stored)
    yield _untouched(ground, stored)
    yield sources.examine(ground)
    yield crossing.examine(ground)
    yield revisit.examine(ground)
    yield broken.examine(ground)
    yield equivalent.examine(ground)
    yield novelty.examine(stored.task, earlier)


def _form(task: Task) -> list[str]:
    """What the rubric lacks."""
    kinds = Counter(item.kind for item in task.criteria)
    findings = []
    fewest = FEWEST_OF_SHORT if task.short else FEWEST
    if not fewest <= len(task.criteria) <= MOST:
        findings.append(f"a task has {fewest} to {MOST} criteria, this one {len(task.criteria)}")
    if not kinds["state"]:
        findings.append("no criterion is of the kind state: say what must have been reached")
    if not kinds["must_not_change"]:
        findings.append("no criterion is of the kind must_not_change: say what must be left alone")
    if not (kinds["output"] or kinds["answer"]):
        findings.append("no criterion is of the kind output or answer: say what somebody must be told")
    first: dict[str, str] = {}
    for item in task.criteria:
        if (name := first.setdefault(" ".join(item.sql.split()), item.name)) != item.name:
            findings.append(f"the criteria {name} and {item.name} are the same SQL: leave one of them out")
    return findings


def _document(task: Task, findings: list[str]) -> Evidence:
    kinds = Counter(item.kind for item in task.criteria)
    shown_by = f"it fits the library; {len(task.criteria)} criteria over {len(task.services)} services"
    detail = {"criteria": dict(sorted(kinds.items())), "visits": len(task.walk), "calls": len(task.reference.calls)}
    return concluded("document", shown_by, findings, detail)


def _reference(ground: Ground, stored: StoredTask) -> Evidence:
    """Check 1: the reference solution runs and is accepted, twice, from fresh forks."""
    again, more = play_reference(stored, ground.fresh())
    runs = [run for run in (ground.run, again) if run is not None]
    findings = list(dict.fromkeys([*ground.problems, *more, *same_end(runs)]))
    shown_by = f"{len(ground.calls)} calls succeed and {len(stored.criteria)} criteria hold, twice, with the same end"
    detail: dict[str, Any] = {"runs": [{"digest": run.digest, "answer": run.answer} for run in runs]}
    if not findings:
        detail["tools"] = sorted({f"{call.service}.{call.tool}" for call in ground.calls})
    return concluded("reference", shown_by, findings, detail)


def _untouched(ground: Ground, stored: StoredTask) -> Evidence:
    """Check 2: doing nothing fails, and so does every criterion of what must be reached or said."""
    checks, findings = judge_untouched(stored, ground.fresh())
    holding = sum(item.passed for item in checks)
    shown_by = f"where nothing is done {len(checks) - holding} of {len(checks)} criteria fail, all but the guards"
    detail = {"checks": {item.criterion.name: item.passed for item in checks}}
    return concluded("untouched", shown_by, findings, detail)
