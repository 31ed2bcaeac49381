"""Is a task sound? Its reference solution is played twice, and its untouched initial state is judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby

from engine.branches import Branch
from engine.calls import CallResult
from engine.verifiers import Check, judge
from engine.world import World
from tasks.document import ReferenceCall, Task
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
    runs = []
    for _ in range(RUNS):
        with _forked(found) as branch:
            run, wrong = play_reference(found, branch)
        problems.extend(wrong)
        if run is not None:
            runs.append(run)
    problems.extend(same_end(runs))
    with _forked(found) as branch:
        untouched, wrong = judge_untouched(found, branch)
    problems.extend(wrong)
    problems.extend(
        f"visit {visit} of the walk takes nothing from the one before" for visit in loose_visits(found.task)
    )
    return CheckReport(found, runs, untouched, list(dict.fromkeys(problems)))


def play_reference(task: StoredTask, branch: Branch) -> tuple[ReferenceRun | None, list[str]]:
    """Play the reference solution on a fresh fork and judge it.

    Returns:
        The run, ``None`` where a call could not be made or failed; and what is wrong, one sentence each.
    """
    try:
        player = Player(task.task)
        calls = player.play(branch)
    except UnresolvedReference as error:
        return None, [f"reference: {error}"]
    if not calls[-1].ok:
        call = task.task.reference.calls[len(calls) - 1]
        error_text = (calls[-1].error or {}).get("message")
        return None, [f"reference, call {len(calls) - 1} ({call.service}.{call.tool}): {error_text}"]
    checks = judge(branch, task.criteria)
    problems = []
    for item in checks:
        if not item.passed:
            seen = item.error or f"expected {item.expected!r}, actual {item.actual!r}"
            problems.append(f"criterion {item.criterion.name} does not hold after the reference solution: {seen}")
    return ReferenceRun(calls, checks, branch.digest(), player.answer()), problems


def same_end(runs: Sequence[ReferenceRun]) -> list[str]:
    """What is wrong where playings of one reference solution do not end alike."""
    if len({run.digest for run in runs}) > 1:
        return ["two playings of the reference solution end in different states"]
    return []


def judge_untouched(task: StoredTask, branch: Branch) -> tuple[list[Check], list[str]]:
    """The criteria on a fresh fork, where nothing was done and nothing said; and what is wrong, one sentence each."""
    problems = []
    untouched = judge(branch, task.criteria)
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
    return untouched, problems


def loose_visits(task: Task) -> list[int]:
    """The visits (from 1) that use no observation of the visit before them: an edge of the walk is missing there."""
    return loose_in(task.reference.calls)


def loose_in(reference: Sequence[ReferenceCall]) -> list[int]:
    """``loose_visits`` of the calls of a reference solution."""
    made_in: dict[str, int] = {}
    loose = []
    visits = groupby(reference, key=lambda call: call.service)
    for number, (_, calls) in enumerate(visits, 1):
        sources = set()
        for call in calls:
            sources |= {made_in[name] for name in names_used(call.arguments)}
            if call.save:
                made_in[call.save] = number
        if number > 1 and number - 1 not in sources:
            loose.append(number)
    return loose


@contextmanager
def _forked(task: StoredTask) -> Iterator[Branch]:
    with task.composition.world.lease(task.composition):
        branch = task.snapshot.fork(label="task check")
        try:
            yield branch
        finally:
            branch.delete()
