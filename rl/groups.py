"""Groups: N rollouts of one task, run at once in one process, each on its own fork; interrupted ones are resumed."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeVar

from psycopg.types.json import Jsonb
from sqlalchemy import text

from engine.errors import CompoWorldError, DatabaseUnavailable, InfrastructureError, InputError, NotFound
from engine.postgres import URL_VARIABLE, EmbeddedServer, database_url
from engine.world import World
from rl.agents import Agent, make_agent
from rl.claims import Claim, Claims
from rl.errors import Interrupted, ModelUnavailable, RolloutStopped, Superseded
from rl.limits import Limits
from rl.reports import GroupReport, group_report
from rl.rollouts import judge_and_store, run_agent, store_failure, store_interruption
from tasks.document import Task
from tasks.store import StoredTask, load, put

TRIES = 3
"""How often a rollout is begun in one run of its group before the infrastructure's failure is final."""

DATABASE_PATIENCE_SECONDS = 60.0
LARGEST_GROUP = 10_000


@dataclass(frozen=True)
class Progress:
    """Something happened to a rollout.

    Attributes:
        ordinal: which rollout of the group, from 1.
        steps: uses of a meta-tool so far.
        detail: the stop reason, or what failed.
    """

    group: int
    rollout: int
    ordinal: int
    kind: Literal["started", "step", "finished", "retrying", "failed", "interrupted"]
    steps: int = 0
    passed: int = 0
    criteria: int = 0
    detail: str | None = None


_T = TypeVar("_T")

Watcher = Callable[[Progress], None]


def run_group(
    world: World,
    task: Task | StoredTask,
    agent: Agent,
    *,
    size: int = 8,
    seed: int = 0,
    limits: Limits | None = None,
    concurrency: int | None = None,
    progress: Watcher | None = None,
) -> GroupReport:
    """Run a group of rollouts and judge each when it ends.

    A crash of the agent is data and judged as it stands. A rollout that the infrastructure fails is begun again on a
    fresh fork, at most ``TRIES`` times in all, and is then ``failed``: never judged, never scored.

    Args:
        size: how many rollouts, N.
        seed: agents that draw lots derive one for each rollout from it.
        concurrency: how many at once; by default all, at most 16.
        progress: called from several threads, one call at a time.

    Raises:
        TaskError: the task does not fit the library.
        InputError: a size, seed or limit is wrong.
        DatabaseUnavailable: the database was lost and did not come back; resume the group.
    """
    number = create_group(world, task, agent, size=size, seed=seed, limits=limits)
    return resume(world, number, agent=agent, concurrency=concurrency, progress=progress)


def create_group(
    world: World,
    task: Task | StoredTask,
    agent: Agent,
    *,
    size: int = 8,
    seed: int = 0,
    limits: Limits | None = None,
) -> int:
    """Write down a group without running it; its number. ``resume`` runs it.

    Raises:
        TaskError: the task does not fit the library.
        InputError: a size or seed is wrong.
    """
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= LARGEST_GROUP:
        raise InputError(f"a group has 1 to {LARGEST_GROUP} rollouts, not {size!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not -(2**63) <= seed < 2**63:
        raise InputError(f"a seed is a whole number of 64 bits, not {seed!r}")
    stored = task if isinstance(task, StoredTask) else put(world, task)
    with world.database.transaction() as connection:
        number = connection.execute(
            text(
                "INSERT INTO compoworld.rollout_group (task_id, agent, model, size, seed, options, limits)"
                " VALUES (:task, :agent, :model, :size, :seed, :options, :limits) RETURNING id"
            ),
            {
                "task": stored.id,
                "agent": agent.name,
                "model": agent.model,
                "size": size,
                "seed": seed,
                "options": Jsonb(agent.options()),
                "limits": Jsonb((limits or Limits()).as_json()),
            },
        ).scalar_one()
        connection.execute(
            text(
                "INSERT INTO compoworld.rollout (group_id, ordinal)"
                " SELECT :group, n FROM generate_series(1, CAST(:size AS int)) n"
            ),
            {"group": number, "size": size},
        )
    return int(number)


def resume(
    world: World,
    group: int,
    *,
    agent: Agent | None = None,
    concurrency: int | None = None,
    progress: Watcher | None = None,
    retry_failed: bool = False,
) -> GroupReport:
    """Run what is missing of a group: rollouts not begun, and those whose process died. Finished ones stay.

    Several processes may resume the same group; each rollout is run by one of them.

    Args:
        agent: by default made again from what the group says.
        retry_failed: also run again what the infrastructure failed.

    Returns:
        The report; it is not ``finished`` where other processes still run some of the rollouts.

    Raises:
        NotFound: there is no such group.
        InputError: another agent is given than the group's.
        Refused: a service has changed since the task was stored.
        DatabaseUnavailable: the database was lost and did not come back.
        KeyboardInterrupt: passed on; what was under way is left to be resumed.
    """
    with world.database.transaction() as connection:
        row = connection.execute(
            text(
                "SELECT task_id, agent, size, seed, options, limits FROM compoworld.rollout_group WHERE id = :id"
            ),
            {"id": group},
        ).first()
    if row is None:
        raise NotFound(f"there is no group {group}")
    if agent is not None and agent.name != row.agent:
        raise InputError(f"group {group} is one of agent {row.agent!r}, not {agent.name!r}")
    if concurrency is not None and (isinstance(concurrency, bool) or concurrency < 1):
        raise InputError(f"at least one rollout runs at a time, not {concurrency!r}")
    task = load(world, row.task_id)
    runner = _Runner(
        world,
        task,
        group,
        agent or make_agent(row.agent, **row.options),
        Limits(**row.limits),
        row.seed,
        progress,
    )
    if retry_failed:
        runner.revive()
    runner.run(concurrency or min(row.size, 16))
    return group_report(world, group)


class _Runner:
    """One run of a group in this process."""

    def __init__(
        self,
        world: World,
        task: StoredTask,
        group: int,
        agent: Agent,
        limits: Limits,
        seed: int,
        progress: Watcher | None,
    ) -> None:
        self._world = world
        self._task = task
        self._group = group
        self._agent = agent
        self._limits = limits
        self._seed = seed
        self._progress = progress
        self._telling = threading.Lock()
        self._stopping = threading.Event()
        self._errors: list[BaseException] = []

    def revive(self) -> None:
        with self._world.database.transaction() as connection:
            revived = connection.execute(
                text(
                    "UPDATE compoworld.rollout SET status = 'pending', finished_at = NULL"
                    " WHERE group_id = :group AND status = 'failed'"
                ),
                {"group": self._group},
            ).rowcount
            if revived:
                connection.execute(
                    text("UPDATE compoworld.rollout_group SET finished_at = NULL WHERE id = :group"),
                    {"group": self._group},
                )

    def run(self, concurrency: int) -> None:
        with Claims(self._task, self._group) as claims:
            # Daemons: an agent that waits for a model must not keep an interrupted program from ending.
            threads = [
                threading.Thread(target=self._work, args=(claims,), name=f"rollout-{number}", daemon=True)
                for number in range(concurrency)
            ]
            for thread in threads:
                thread.start()
            try:
                for thread in threads:
                    while thread.is_alive():
                        thread.join(0.2)
            except BaseException:
                self._stopping.set()
                deadline = time.monotonic() + 3
                for thread in threads:
                    thread.join(max(0, deadline - time.monotonic()))
                raise
        if self._errors:
            raise self._errors[0]
        self._finish_group()

    def _work(self, claims: Claims) -> None:
        try:
            while not self._stopping.is_set():
                claim = self._patiently(claims.next)
                if claim is None:
                    return
                try:
                    self._rollout(claims, claim)
                finally:
                    claims.release(claim)
        except BaseException as error:
            # Whatever it is, it stops the group and is raised by the thread that runs it.
            self._errors.append(error)
            self._stopping.set()

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
            except Superseded:
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
                        " compoworld.rollout r WHERE r.group_id = g.id AND r.status IN ('pending', 'running'))"
                    ),
                    {"group": self._group},
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
        kind: Literal["started", "step", "finished", "retrying", "failed", "interrupted"],
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


def rollout_seed(seed: int, ordinal: int) -> int:
    """The seed of a rollout, from its group's seed and its place in the group: the same for every attempt."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{ordinal}".encode()).digest()[:7], "big")


def wait_for_database(
    world: World, seconds: float = DATABASE_PATIENCE_SECONDS, stopping: threading.Event | None = None
) -> None:
    """Wait until the database answers; the embedded server is started again.

    Raises:
        DatabaseUnavailable: it did not come back in that time.
        Interrupted: the program is asked to stop.
    """
    deadline = time.monotonic() + seconds
    pause = 0.05
    while True:
        try:
            with world.database.transaction() as connection:
                connection.exec_driver_sql("SELECT 1")
            return
        except DatabaseUnavailable:
            if time.monotonic() > deadline:
                raise
        if stopping is not None and stopping.wait(pause):
            raise Interrupted("the program was asked to stop")
        if stopping is None:
            time.sleep(pause)
        pause = min(pause * 2, 2.0)
        if not os.environ.get(URL_VARIABLE) and EmbeddedServer().url == world.database.url:
            with suppress(DatabaseUnavailable):
                database_url()
