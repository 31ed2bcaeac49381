"""One run of a group in this process: threads that claim rollouts, run them, and store how they ended."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from sqlalchemy import Connection, text

from engine.errors import CompoWorldError, DatabaseUnavailable, InfrastructureError, NotFound
from engine.world import World
from rl.agents import Agent
from rl.claims import Claim, Claims
from rl.errors import Interrupted, ModelUnavailable, RolloutStopped, Superseded
from rl.limits import Limits
from rl.progress import Kind, Progress, Watcher
from rl.rollouts import judge_and_store, run_agent, store_failure, store_interruption
from rl.threads import at_once
from rl.waiting import wait_for_database
from tasks.store import StoredTask

TRIES = 3
"""How often a rollout is begun in one run of its group before the infrastructure's failure is final."""

GRACE_SECONDS = 3.0
"""How long rollouts that are told to stop are waited for."""

_T = TypeVar("_T")


class Runner:
    """One run of a group; see ``rl.groups.resume``.

    Args:
        seed: the group's.
        progress: called from several threads, one call at a time.
        stop: set from outside to end the run; what is under way is left to be resumed.
        open_with_failures: do not finish the group while rollouts of it are failed; they will be tried again.
    """

    def __init__(
        self,
        world: World,
        task: StoredTask,
        group: int,
        agent: Agent,
        limits: Limits,
        seed: int,
        progress: Watcher | None,
        *,
        stop: threading.Event | None = None,
        open_with_failures: bool = False,
    ) -> None:
        self._world = world
        self._task = task
        self._group = group
        self._agent = agent
        self._limits = limits
        self._seed = seed
        self._progress = progress
        self._stop = stop or threading.Event()
        self._open_with_failures = open_with_failures
        self._telling = threading.Lock()
        self._stopping = threading.Event()

    def revive(self) -> None:
        """Make failed rollouts pending again."""
        with self._world.database.transaction() as connection:
            revive(connection, [self._group])

    def run(self, concurrency: int) -> None:
        """Run every rollout that is missing and that nobody else runs, then finish the group if all have ended.

        Raises:
            DatabaseUnavailable: the database was lost and did not come back.
            Interrupted: it was stopped from outside.
            KeyboardInterrupt: passed on.
        """
        with Claims(self._task, self._group) as claims:
            at_once(
                [lambda: self._work(claims)] * concurrency,
                self._stopping,
                called="rollout",
                grace=GRACE_SECONDS,
                look=self._see_stop,
            )
        self._finish_group()

    def _see_stop(self) -> None:
        if self._stop.is_set():
            raise Interrupted("the group was stopped")

    def _work(self, claims: Claims) -> None:
        while not self._stopping.is_set():
            claim = self._patiently(claims.next)
            if claim is None:
                return
            try:
                self._rollout(claims, claim)
            finally:
                claims.release(claim)

    def _rollout(self, claims: Claims, claim: Claim) -> None:
        for attempt in range(1, TRIES + 1):
            try:
                self._attempt(claim)
                return
            except Interrupted:
                with suppress(DatabaseUnavailable):
                    store_interruption(self._task, claim)
                self._tell(claim, "interrupted")
                return
            except (Superseded, NotFound):
                # Whoever took the rollout over deletes this attempt's branch.
                return
            except (InfrastructureError, DatabaseUnavailable, RolloutStopped) as error:
                failure: CompoWorldError = error
            final = attempt == TRIES or (isinstance(failure, ModelUnavailable) and not failure.again)
            if final:
                self._patiently(lambda: store_failure(self._task, claim, failure))  # noqa: B023 - called at once
                self._tell(claim, "failed", detail=str(failure))
                return
            self._tell(claim, "retrying", detail=str(failure))
            again = self._patiently(lambda: claims.again(claim))  # noqa: B023 - called at once
            if again is None:
                return
            claim = again

    def _attempt(self, claim: Claim) -> None:
        self._tell(claim, "started")
        run = run_agent(
            self._task,
            self._agent,
            claim,
            limits=self._limits,
            seed=rollout_seed(self._seed, claim.ordinal),
            stopping=self._stopping,
            step=(lambda steps: self._tell(claim, "step", steps)) if self._progress else (lambda steps: None),
        )
        # The agent's work is done: a database that goes away now costs a wait, not the rollout.
        checks = self._patiently(lambda: judge_and_store(self._task, claim, run))
        passed = sum(item.passed for item in checks)
        self._tell(claim, "finished", run.steps, passed, len(checks), run.stop_reason)

    def _finish_group(self) -> None:
        # A transaction of its own: only after the commit of the last rollout does somebody see that all have ended.
        def finish() -> None:
            with self._world.database.transaction() as connection:
                connection.execute(
                    text(
                        "UPDATE compoworld.rollout_group g SET finished_at = clock_timestamp()"
                        " WHERE g.id = :group AND g.finished_at IS NULL AND NOT EXISTS (SELECT 1 FROM"
                        " compoworld.rollout r WHERE r.group_id = g.id AND r.status = ANY (:missing))"
                    ),
                    {
                        "group": self._group,
                        "missing": ["pending", "running", *(["failed"] if self._open_with_failures else [])],
                    },
                )

        self._patiently(finish)

    def _patiently(self, action: Callable[[], _T]) -> _T:
        for _ in range(TRIES):
            try:
                return action()
            except DatabaseUnavailable:
                wait_for_database(self._world, stopping=self._stopping)
        return action()

    def _tell(
        self,
        claim: Claim,
        kind: Kind,
        steps: int = 0,
        passed: int = 0,
        criteria: int = 0,
        detail: str | None = None,
    ) -> None:
        if self._progress is not None:
            with self._telling:
                self._progress(
                    Progress(self._group, claim.rollout, claim.ordinal, kind, steps, passed, criteria, detail)
                )


def revive(connection: Connection, groups: Sequence[int]) -> None:
    """Make the failed rollouts of groups pending again, and groups with such rollouts unfinished."""
    connection.execute(
        text(
            "WITH revived AS (UPDATE compoworld.rollout SET status = 'pending', finished_at = NULL"
            " WHERE group_id = ANY (:groups) AND status = 'failed' RETURNING group_id)"
            " UPDATE compoworld.rollout_group SET finished_at = NULL WHERE id IN (SELECT group_id FROM revived)"
        ),
        {"groups": list(groups)},
    )


def rollout_seed(seed: int, ordinal: int) -> int:
    """The seed of a rollout, from its group's seed and its place in the group: the same for every attempt."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{ordinal}".encode()).digest()[:7], "big")
