"""One job: run a group under its deadline, and decide what becomes of the job."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from engine.errors import CompoWorldError, DatabaseUnavailable, InfrastructureError, InputError
from engine.world import World
from rl.agents import Agent
from rl.errors import Interrupted, WorkerUnfit, WorldModelDiffers
from rl.groups import resume
from rl.jobs.telling import Kind
from rl.reports import GroupReport

# The first start counts for the group's own deadline, whatever became of it.
_BEGIN = """
UPDATE compoworld.collection_group k SET started_at = coalesce(k.started_at, now())
FROM compoworld.collection c, compoworld.rollout_group g
WHERE k.group_id = :group AND c.id = k.collection_id AND g.id = k.group_id
RETURNING g.finished_at, g.agent, g.options, k.failures,
    extract(epoch FROM least(c.deadline, k.started_at + make_interval(secs => c.group_seconds)) - now())::float8 AS left
"""


_NEVER = 1e6
"""Seconds: longer than a group without a deadline takes, and as much as a timer can wait everywhere."""


class Again(Exception):
    """The job goes back into the queue. Never leaves the worker.

    Attributes:
        seconds: after how long it is tried again.
        kind: what the worker says about it.
    """

    def __init__(self, kind: Kind, message: str, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.seconds = seconds


@dataclass(frozen=True)
class Done:
    """The job is over: the group has finished, or is given up."""

    kind: Kind
    detail: str


class Job:
    """One try at a group.

    Args:
        make: makes the agent from its name and options.
        rollouts: how many at once.
        tries_after: seconds to wait after each failure of the infrastructure; after one more the group is final.
        elsewhere: seconds until a group is looked at again of which another process still runs rollouts.
    """

    def __init__(
        self,
        world: World,
        group: int,
        make: Callable[[str, dict[str, Any]], Agent],
        *,
        rollouts: int | None,
        tries_after: tuple[float, ...],
        elsewhere: float,
    ) -> None:
        self._world = world
        self._group = group
        self._make = make
        self._rollouts = rollouts
        self._tries_after = tries_after
        self._elsewhere = elsewhere
        self.stop = threading.Event()
        self._late = False

    def run(self) -> Done:
        """Run what is missing of the group.

        Raises:
            Again: the job shall be tried again.
            WorkerUnfit: not by this worker.
            Interrupted: ``stop`` was set.
            CompoWorldError: nobody can run the group as it is; the message is kept with it.
        """
        try:
            return self._run()
        except (DatabaseUnavailable, InfrastructureError) as error:
            raise self._failed(str(error)) from error
        except (Again, WorkerUnfit, Interrupted):
            raise
        except Exception as error:
            self._note(f"{type(error).__name__}: {error}" if not isinstance(error, CompoWorldError) else str(error))
            raise

    def _run(self) -> Done:
        with self._world.database.transaction() as connection:
            row = connection.execute(text(_BEGIN), {"group": self._group}).first()
        if row is None:
            return Done("given up", "it was deleted")
        if row.finished_at is not None:
            return Done("finished", "it was finished already")
        if row.left is not None and row.left <= 0:
            return self._give_up("the deadline has passed")
        if row.failures > len(self._tries_after):
            return self._give_up(f"{row.failures} tries at it have failed")
        try:
            agent = self._make(row.agent, row.options)
        except (InputError, ImportError) as error:
            raise WorkerUnfit(f"cannot make agent {row.agent!r} of group {self._group} here: {error}") from error
        clock = self._clock(min(row.left or _NEVER, _NEVER))
        try:
            report = resume(
                self._world,
                self._group,
                agent=agent,
                concurrency=self._rollouts,
                retry_failed=True,
                open_with_failures=row.failures < len(self._tries_after),
                stop=self.stop,
            )
        except WorldModelDiffers as error:
            raise WorkerUnfit(str(error)) from error
        except Interrupted:
            if self._late:
                return self._give_up("the deadline has passed")
            raise
        finally:
            clock.cancel()
        return self._outcome(report)

    def _clock(self, seconds: float) -> threading.Timer:
        """Stops the group at its deadline."""

        def ring() -> None:
            self._late = True
            self.stop.set()

        clock = threading.Timer(seconds, ring)
        clock.daemon = True
        clock.start()
        return clock

    def _outcome(self, report: GroupReport) -> Done:
        ended = [item for item in report.rollouts if item.status in ("finished", "failed")]
        failed = [item for item in ended if item.status == "failed"]
        if report.finished:
            solved = sum(item.success for item in ended)
            more = f", {len(failed)} failed" if failed else ""
            return Done("finished", f"{solved} of {report.size} rollouts of {report.task} succeed{more}")
        if len(ended) == report.size and failed:
            raise self._failed(f"{len(failed)} of {report.size} rollouts failed: {failed[0].error}")
        raise Again("again", "another process runs rollouts of it", self._elsewhere)

    def _failed(self, problem: str) -> Again:
        """Count a failure of the infrastructure; after how long the group is tried again."""
        failures = 1
        try:
            with self._world.database.transaction() as connection:
                counted = connection.execute(
                    text(
                        "UPDATE compoworld.collection_group SET failures = failures + 1, error = :error"
                        " WHERE group_id = :group RETURNING failures"
                    ),
                    {"group": self._group, "error": problem},
                ).scalar()
                failures = int(counted or 1)
        except DatabaseUnavailable:
            pass  # the wait is the same; the worker says what is wrong
        seconds = self._tries_after[min(failures, len(self._tries_after)) - 1] if self._tries_after else 0.0
        return Again("again", problem, seconds)

    def _give_up(self, why: str) -> Done:
        with self._world.database.transaction() as connection:
            connection.execute(
                text("SELECT compoworld.give_up_group(:group, :why)"), {"group": self._group, "why": why}
            )
        return Done("given up", why)

    def _note(self, problem: str) -> None:
        with self._world.database.transaction() as connection:
            connection.execute(
                text("UPDATE compoworld.collection_group SET error = :error WHERE group_id = :group"),
                {"group": self._group, "error": problem[:2000]},
            )
