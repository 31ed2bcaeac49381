"""Makes a set of tasks: candidates are judged in several processes, and decided on one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine.errors import DatabaseUnavailable, InputError
from engine.processes import see_main_guard
from engine.world import World
from tasks.sets.crew import Crew, crew
from tasks.sets.document import TaskSet
from tasks.sets.drafting import clear_left, forget_task, sweep
from tasks.sets.drafts import DraftRow, blank_draft, decide_draft, draft_task, drafts, drop_after, keep_draft
from tasks.sets.rules import BALANCE, Decider, Refusal, Rules
from tasks.sets.store import Clock, begin, finish, load_set, making
from tasks.sets.workshop import Candidate, Workshop

MOST_PER_TASK = 10
"""Candidates that are tried for each task that is wanted."""

AHEAD = 64
"""How far, in candidates, the processes may run ahead of the decisions."""

LARGEST_SET = 100_000


@dataclass(frozen=True)
class Progress:
    """How far the making of a set is.

    Attributes:
        candidates: that were decided on, in this run and before.
        here: that were decided on since this run began.
        seconds: since this run began.
    """

    wanted: int
    admitted: int
    rejected: int
    candidates: int
    here: int
    seconds: float
    last: DraftRow | None = None


Watcher = Callable[[Progress], None]


def make(
    world: World,
    n: int,
    *,
    name: str,
    seed: int = 0,
    workshop: Workshop,
    dials: Mapping[str, Any] | None = None,
    families: Sequence[str] | None = None,
    rules: Rules | None = None,
    jobs: int = 1,
    most: int | None = None,
    progress: Watcher = lambda _: None,
) -> TaskSet:
    """Make a set of n tasks, or go on with one of the same name, seed and settings.

    What is decided is committed candidate by candidate: interrupted in whatever way, it goes on where it stood, and
    the set is the same as without interruption and with any number of processes.

    Args:
        dials: of difficulty.
        families: those to take; by default all.
        rules: how varied the set is.
        jobs: how many processes judge candidates.
        most: how many candidates are tried at most; by default ten for each task.

    Returns:
        The set; it is not ``finished`` where the candidates gave too few tasks.

    Raises:
        InputError: a number, dial or family is wrong; or the program that calls this has no main guard, which its
            worker processes need.
        TaskSetError: a set of that name has another seed or other settings.
        Refused: another process makes this set.
        MakingFailed: a candidate could not be judged for a reason of ours.
        DatabaseUnavailable: the database was lost.
    """
    see_main_guard()
    _check(n, seed, jobs, most)
    rules = rules or Rules()
    settings = {**workshop.settings(dials or {}, families), **asdict(rules), "library": library_version(world)}
    number = begin(world, name, seed, settings, n)
    with making(world, number, name):
        left = clear_left(world)
        clock = Clock(world, number)
        run = _Run(world, number, n, Decider(rules, workshop.memory()), progress, clock)
        try:
            with crew(world, workshop, number, jobs) as workers:
                run.through(workers, workshop.plans(seed, dials or {}, families), most or MOST_PER_TASK * n)
        except BaseException:
            with suppress(DatabaseUnavailable):  # what ended it is worth more
                clock.book()
                finish(world, number, n, None)
            raise
        run.clear_up(left)
        made = load_set(world, name)
        enough = len(made.members) == n
        in_all = clock.book()
        finish(world, number, n, made.checksum if enough else None)
    return replace(made, wanted=n, finished=enough, seconds=in_all, seconds_here=clock.booked)


def library_version(world: World) -> str:
    """A digest of the services at hand: other services make other tasks."""
    import hashlib

    digest = hashlib.sha256()
    for name in world.library.names():
        digest.update(f"{name}@{world.library.version(world.library.get(name))[0]}\n".encode())
    return digest.hexdigest()[:16]


class _Run:
    """One run of making.

    Args:
        number: of the set.
        wanted: how many tasks it is to have.
    """

    def __init__(
        self, world: World, number: int, wanted: int, decider: Decider, progress: Watcher, clock: Clock
    ) -> None:
        self._world = world
        self._number = number
        self._wanted = wanted
        self._decider = decider
        self._progress = progress
        self._clock = clock
        self._judged = drafts(world, number)
        self._next = 0
        self._before: int | None = None

    def through(self, workers: Crew, plans: Any, most: int) -> None:
        """Go through the candidates until there are enough tasks or no more candidates."""
        coming: Candidate | None = next(plans, None)
        while True:
            self._decide()
            if self._decider.admitted >= self._wanted:
                return
            self._before = self._next if self._before is None else self._before
            while coming is not None and coming.ordinal < min(most, self._next + AHEAD) and workers.free():
                self._begin(workers, coming)
                coming = next(plans, None)
            if not workers.idle():
                row = workers.next()
                self._judged[row.ordinal] = row
            elif self._next not in self._judged:
                return

    def clear_up(self, left: set[int]) -> None:
        """Forget what was judged ahead and is not needed, and what rejected and killed candidates leave behind.

        Args:
            left: compositions on which those of an earlier run left something.
        """
        ahead = drop_after(self._world, self._number, self._next - 1)
        for row in ahead:
            self._forget(row)
        rows = [*ahead, *(row for row in self._judged.values() if row.status != "admitted")]
        compositions = {row.composition_id for row in rows if row.composition_id is not None}
        sweep(self._world, compositions | left | clear_left(self._world))

    def _begin(self, workers: Crew, plan: Candidate) -> None:
        if plan.ordinal in self._judged:
            return
        refusal = self._decider.surplus(plan)
        if refusal is None:
            workers.take(plan)
            return
        row = DraftRow(
            plan.ordinal,
            plan.family,
            plan.area,
            tuple(plan.services),
            tuple(plan.distractors),
            tuple(plan.walk),
            "rejected",
            refusal.stage,
            refusal.reason,
        )
        keep_draft(self._world, self._number, row)
        self._judged[plan.ordinal] = row

    def _decide(self) -> None:
        while self._next in self._judged and self._decider.admitted < self._wanted:
            row = self._judged[self._next]
            refusal = self._decider.decide(row, row.refusal, lambda: draft_task(self._world, self._number, self._next))
            self._write(row, refusal)
            self._next += 1
            self._tell(row)

    def _write(self, row: DraftRow, refusal: Refusal | None) -> None:
        if refusal == row.refusal and row.status != "sound":  # decided on in an earlier run
            return
        if refusal is not None and refusal.stage == BALANCE:
            blank_draft(self._world, self._number, row, refusal)
        else:
            decide_draft(self._world, self._number, row, refusal, self._decider.novelty)
        if refusal is not None:
            self._forget(row)
        stage, reason = (refusal.stage, refusal.reason) if refusal else (None, None)
        self._judged[row.ordinal] = replace(
            row, status="rejected" if refusal else "admitted", stage=stage, reason=reason
        )

    def _forget(self, row: DraftRow) -> None:
        if row.task_id is not None:
            forget_task(self._world, row.task_id)

    def _tell(self, row: DraftRow) -> None:
        self._clock.tick()
        admitted = self._decider.admitted
        self._progress(
            Progress(
                self._wanted,
                admitted,
                self._next - admitted,
                self._next,
                0 if self._before is None else self._next - self._before,
                self._clock.seconds,
                self._judged[row.ordinal],
            )
        )


def _check(n: int, seed: int, jobs: int, most: int | None) -> None:
    for value, what, lowest, highest in (
        (n, "a number of tasks", 1, LARGEST_SET),
        (seed, "a seed", 0, 2**31 - 1),
        (jobs, "a number of processes", 1, 1_000),
        (1 if most is None else most, "a number of candidates", 1, 1_000 * LARGEST_SET),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            raise InputError(f"{value!r} is not {what}, from {lowest} to {highest}")
