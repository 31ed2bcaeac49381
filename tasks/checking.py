"""Is a task sound? Its reference solution is played twice, and its untouched initial state is judged."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from engine.branches import Branch
from engine.calls import CallResult
from engine.verifiers import Check, judge
from engine.world import World
from tasks.document import Task
from tasks.errors import UnresolvedReference
from tasks.player import Player
from tasks.store import StoredTask, put
from tasks.templates import names_used

RUNS = 2


@dataclass(frozen=True)
class ReferenceRun:
    """One playing of the reference solution on a fresh fork.

    Attributes:
        calls: what each call gave; fewer than the solution has where one failed.
        digest: of the final state.
    """

    calls: list[CallResult]
    checks: list[Check]
    digest: str
    answer: str | None


@dataclass(frozen=True)
class CheckReport:
    """What ``check`` found.

    Attributes:
        untouched: the criteria on s0, where nothing was done and nothing said.
        problems: what is wrong, one sentence each.
    """

    task: StoredTask
    runs: list[ReferenceRun]
    untouched: list[Check]
    problems: list[str]

    @property
    def ok(self) -> bool:
        """Whether the task is sound."""
        return not self.problems


def check(world: World, task: Task | StoredTask) -> CheckReport:
    """Show that the reference solution solves the task, the same way each time, and that doing nothing does not.

    Every call of the reference must succeed, every criterion must hold after it, and two playings must end in the
    same state. On the untouched s0 every criterion of what must be reached, called or said must fail, and every
    criterion of what must not change must hold. Every edge of the walk must carry something.

    The branches that this takes are deleted again.

    Raises:
        TaskError: the task does not fit the library of services.
        DatabaseUnavailable: the database was lost.
    """
    found = task if isinstance(task, StoredTask) else put(world, task)
    problems: list[str] = []
    runs = [run for run in (_run(found, problems) for _ in range(RUNS)) if run is not None]
    if len({run.digest for run in runs}) > 1:
        problems.append("two playings of the reference solution end in different states")
    untouched = _untouched(found)
    for item in untouched:
        name, kind = item.criterion.name, item.criterion.kind
        if item.error:
            problems.append(f"criterion {name}: {item.error}")
        elif item.passed and kind != "must_not_change":
            problems.append(f"criterion {name} ({kind}) holds on the untouched initial state")
        elif not item.passed and kind == "must_not_change":
            problems.append(f"criterion {name} (must_not_change) does not hold on the untouched initial state")
    if all(item.passed for item in untouched):
        problems.append("doing nothing passes")
    problems.extend(
        f"visit {visit} of the walk takes nothing from the one before" for visit in loose_visits(found.task)
    )
    return CheckReport(found, runs, untouched, list(dict.fromkeys(problems)))


def loose_visits(task: Task) -> list[int]:
    """The visits (from 1) that use no observation of the visit before them: an edge of the walk is missing there."""
    made_in: dict[str, int] = {}
    loose = []
    visits = groupby(task.reference.calls, key=lambda call: call.service)
    for number, (_, calls) in enumerate(visits, 1):
        sources = set()
        for call in calls:
            sources |= {made_in[name] for name in names_used(call.arguments)}
            if call.save:
                made_in[call.save] = number
        if number > 1 and number - 1 not in sources:
            loose.append(number)
    return loose


def _run(task: StoredTask, problems: list[str]) -> ReferenceRun | None:
    branch = task.snapshot.fork(label="task check")
    try:
        player = Player(task.task)
        try:
            calls = player.play(branch)
        except UnresolvedReference as error:
            problems.append(f"reference: {error}")
            return None
        if not calls[-1].ok:
            call = task.task.reference.calls[len(calls) - 1]
            error_text = (calls[-1].error or {}).get("message")
            problems.append(f"reference, call {len(calls) - 1} ({call.service}.{call.tool}): {error_text}")
            return None
        checks = judge(branch, task.criteria)
        for item in checks:
            if not item.passed:
                seen = item.error or f"expected {item.expected!r}, actual {item.actual!r}"
                problems.append(f"criterion {item.criterion.name} does not hold after the reference solution: {seen}")
        return ReferenceRun(calls, checks, branch.digest(), player.answer())
    finally:
        branch.delete()


def _untouched(task: StoredTask) -> list[Check]:
    branch: Branch = task.snapshot.fork(label="task check")
    try:
        return judge(branch, task.criteria)
    finally:
        branch.delete()
