"""The processes that draft a set's candidates, and what happens when one of them dies."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Protocol

from engine.processes import process_pool
from engine.world import World
from tasks.errors import MakingFailed
from tasks.sets.drafting import draft, draft_here, settle_down
from tasks.sets.drafts import DraftRow
from tasks.sets.workshop import Candidate, Workshop


class Crew(Protocol):
    """Takes candidates, and gives each back, judged, in whatever order."""

    def free(self) -> bool:
        """Whether it takes another one."""

    def idle(self) -> bool:
        """Whether it has none."""

    def take(self, plan: Candidate) -> None:
        """Begin with a candidate."""

    def next(self) -> DraftRow:
        """Wait for one of those that it has.

        Raises:
            MakingFailed, DatabaseUnavailable: one could not be judged.
        """


@contextmanager
def crew(world: World, workshop: Workshop, number: int, jobs: int) -> Iterator[Crew]:
    """A crew of so many processes; of one, the work is done in this process."""
    if jobs <= 1:
        yield _Alone(world, workshop, number)
        return
    several = _Several(world.database.url, workshop, number, jobs)
    try:
        yield several
    except BaseException as error:
        several.close(error)
        raise
    several.close(None)


class _Alone:
    def __init__(self, world: World, workshop: Workshop, number: int) -> None:
        self._work = (world, workshop, number)
        self._plan: Candidate | None = None

    def free(self) -> bool:
        return self._plan is None

    def idle(self) -> bool:
        return self._plan is None

    def take(self, plan: Candidate) -> None:
        self._plan = plan

    def next(self) -> DraftRow:
        assert self._plan is not None
        plan, self._plan = self._plan, None
        return draft(*self._work, plan)


class _Several:
    def __init__(self, url: str, workshop: Workshop, number: int, jobs: int) -> None:
        self._arguments = (url, workshop, number)
        self._jobs = jobs
        self._stack = ExitStack()
        self._pool: ProcessPoolExecutor | None = None
        self._plans: dict[Future[DraftRow], Candidate] = {}

    def close(self, error: BaseException | None) -> None:
        """End the processes without what has not begun; what is under way is waited for, but at an error."""
        if self._pool is not None:
            self._pool.shutdown(wait=error is None, cancel_futures=True)
        self._pool = None
        self._stack.__exit__(type(error) if error else None, error, None)

    def free(self) -> bool:
        # One more for each: a process that has done should not have to wait for the next.
        return len(self._plans) < 2 * self._jobs

    def idle(self) -> bool:
        return not self._plans

    def take(self, plan: Candidate) -> None:
        if self._pool is None:
            self._pool = self._stack.enter_context(self._open(self._jobs))
        try:
            future = self._pool.submit(draft_here, plan)
        except BrokenProcessPool as error:  # one has just died: this candidate is tried again with the others
            future = Future()
            future.set_exception(error)
        self._plans[future] = plan

    def next(self) -> DraftRow:
        done, _ = wait(self._plans, return_when=FIRST_COMPLETED)
        future = min(done, key=lambda item: self._plans[item].ordinal)
        try:
            row = future.result()
        except BrokenProcessPool:
            return self._after_death()
        del self._plans[future]
        return row

    def _after_death(self) -> DraftRow:
        """Whoever died takes the whole pool along. Each candidate that was under way is tried again, by itself."""
        wait(self._plans)
        lost = [item for item in self._plans if isinstance(item.exception(), BrokenProcessPool)]
        lost.sort(key=lambda item: self._plans[item].ordinal)
        self._pool = None
        self._stack.close()
        for future in lost:
            plan = self._plans.pop(future)
            try:
                with self._open(1) as pool:
                    again = pool.submit(draft_here, plan)
                    wait([again])
                    if isinstance(error := again.exception(), BrokenProcessPool):
                        raise error
            except BrokenProcessPool as error:
                raise MakingFailed(
                    f"candidate {plan.ordinal} (family {plan.family}, over {', '.join(plan.services)}): the process"
                    " that judged it ended twice without a word",
                    hint="was it out of memory? make the set again, with fewer jobs, to go on",
                ) from error
            self._plans[again] = plan
        return self.next()

    def _open(self, jobs: int) -> AbstractContextManager[ProcessPoolExecutor]:
        return process_pool(jobs, settle_down, self._arguments)
