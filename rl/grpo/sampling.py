"""Samples whole groups for a trainer: rollouts on forks, their tokens and rewards as they are stored."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from engine.errors import InfrastructureError
from engine.world import World
from rl.agents import Agent
from rl.errors import TrainingFailed
from rl.groups import insert_group, resume
from rl.grpo.plan import group_seed
from rl.grpo.record import Row, group_at, not_given, put_given, put_group, rows_of, see_whole
from rl.grpo.rewards import WRITTEN, group_scores
from rl.grpo.settings import GrpoSettings
from rl.limits import Limits
from rl.progress import Progress
from rl.threads import at_once
from rl.training.progress import TrainingProgress, TrainingWatcher
from rl.training.runs import Run, see_mine
from tasks.store import load

GRACE_SECONDS = 5.0
"""How long groups that are told to stop are waited for: longer than each waits for its rollouts."""

PAUSES = (5.0, 30.0)
"""Seconds that are waited before groups with nothing to train on are tried again, each time after all tries that a
rollout has."""

_FOUND = f"""
SELECT count(*) FILTER (WHERE {WRITTEN}) AS trainable, max(r.error) FILTER (WHERE r.status = 'failed') AS failure,
    min(r.id) FILTER (WHERE r.status = 'finished' AND NOT ({WRITTEN})) AS silent
FROM compoworld.rollout r WHERE r.group_id = ANY (:groups)
"""
_LOST = f"""
SELECT r.group_id FROM compoworld.rollout r WHERE r.group_id = ANY (:groups)
GROUP BY r.group_id HAVING NOT bool_or({WRITTEN}) ORDER BY 1
"""
_AGAIN = f"""
WITH revived AS (
    UPDATE compoworld.rollout r SET status = 'pending', finished_at = NULL
    WHERE r.group_id = ANY (:groups) AND r.status IN ('failed', 'finished') AND NOT ({WRITTEN}) RETURNING r.group_id
)
UPDATE compoworld.rollout_group SET finished_at = NULL WHERE id IN (SELECT group_id FROM revived)
"""


@dataclass(frozen=True)
class Asked:
    """One group that a trainer asks for.

    Attributes:
        place: of the prompt in the run, from 0.
        task: the number of the stored task.
    """

    place: int
    task: int


@dataclass(frozen=True)
class Sampled:
    """What one process sampled for a step.

    Attributes:
        groups: by number, in the order in which they were asked for.
        trainable: rollouts with a reward and tokens that the policy wrote.
        obstacle: what is wrong where there is none.
    """

    groups: list[int]
    trainable: int
    obstacle: str


def whole_groups(prompts: Sequence[Any], size: int) -> list[Asked]:
    """The groups that a trainer's prompts ask for. Each prompt carries its place and its task, N times in a row.

    Raises:
        TrainingFailed: they are not whole groups.
    """
    carried = [Asked(prompt[0]["place"], prompt[0]["task"]) for prompt in prompts]
    asked = carried[::size]
    if carried != [item for item in asked for _ in range(size)] or len({item.place for item in asked}) != len(asked):
        raise TrainingFailed(
            f"this process was given {len(carried)} prompts that are not whole groups of {size}: a reward would be"
            " relative to some rollouts of its group only"
        )
    return asked


def see_trainable(sampled: Sequence[Sampled], step: int) -> None:
    """See that there is something to train on for a step, in what all processes sampled: one may have nothing.

    Raises:
        InfrastructureError: there is nothing.
    """
    if any(part.trainable for part in sampled):
        return
    raise InfrastructureError(
        f"there is nothing to train on for step {step}: {sampled[0].obstacle}",
        hint="go on with the same command once it is mended",
    )


class Groups:
    """The groups of one run, in one of its processes.

    A group that was begun before the run was interrupted is gone on with. Its rollouts were sampled by the same policy:
    a batch of groups begins where the run has a checkpoint, or is reached from one by the same steps.

    Args:
        process: the number of this process.
        told: called from several threads, one call at a time.
    """

    def __init__(
        self,
        world: World,
        run: Run,
        settings: GrpoSettings,
        process: int,
        told: TrainingWatcher = lambda progress: None,
    ) -> None:
        self._world = world
        self._run = run
        self._settings = settings
        self._process = process
        self._told = told
        self._ended = 0
        self._lock = threading.Lock()

    def sample(self, asked: Sequence[Asked], agent: Agent, step: int) -> Sampled:
        """Run these groups at once, each to its end.

        Rollouts of an earlier call that give nothing to train on (the infrastructure failed them, or the policy wrote
        nothing) are begun again, unless the trainer was given their group.

        Args:
            agent: around the policy as it is now.
            step: the first optimizer step that trains on them.

        Raises:
            TrainingFailed: rollouts of a group were deleted.
            Refused: another process trains the run.
            DatabaseUnavailable: the database was lost and did not come back.
            KeyboardInterrupt: passed on; what was under way is gone on with later.
        """
        numbers = [self._group(item, agent, step) for item in asked]
        with self._world.database.transaction() as connection:
            see_whole(connection, self._run, numbers, self._settings.rollouts)
            connection.execute(text(_AGAIN), {"groups": not_given(connection, numbers)})
        self._together(numbers, agent, step)
        for seconds in PAUSES:
            with self._world.database.transaction() as connection:
                lost = connection.execute(text(_LOST), {"groups": not_given(connection, numbers)}).scalars().all()
            if not lost:
                break
            time.sleep(seconds)
            with self._world.database.transaction() as connection:
                connection.execute(text(_AGAIN), {"groups": lost})
            self._together(lost, agent, step)
        with self._world.database.transaction() as connection:
            row = connection.execute(text(_FOUND), {"groups": numbers}).one()
        why = (
            f"in rollout {row.silent} the policy wrote nothing"
            if row.silent
            else f"every rollout failed: {row.failure}"
        )
        return Sampled(numbers, row.trainable, why)

    def rows(self, groups: Sequence[int]) -> list[Row]:
        """The rollouts of groups that have ended as the trainer gets them; that is written down, and stays.

        Returns:
            N rows for each group, by ordinal, in the order of ``groups``.

        Raises:
            TrainingFailed: rollouts of a group were deleted.
            Refused: another process trains the run.
        """
        rows: list[Row] = []
        for group in groups:
            with self._world.database.transaction() as connection:
                see_whole(connection, self._run, [group], self._settings.rollouts)
                if not_given(connection, [group]):
                    see_mine(connection, self._run)
                    scores = group_scores(connection, group, self._settings.reward, self._settings.lambda_)
                    put_given(connection, group, scores)
                rows += rows_of(connection, group)
        return rows

    def _group(self, asked: Asked, agent: Agent, step: int) -> int:
        """The number of a group, made and written down if there is none yet."""
        with self._world.database.transaction() as connection:
            found = group_at(connection, self._run, asked.place)
        if found is not None:
            return found
        task = load(self._world, asked.task)
        with self._world.database.transaction() as connection:
            see_mine(connection, self._run)
            number = insert_group(
                connection,
                self._world,
                task,
                agent,
                size=self._settings.rollouts,
                seed=group_seed(self._settings.seed, asked.place),
                limits=Limits(**self._settings.limits.model_dump()),
            )
            put_group(connection, self._run, asked.place, step, self._process, task.task.name, number)
        return number

    def _together(self, groups: Sequence[int], agent: Agent, step: int) -> None:
        self._ended = 0
        stop = threading.Event()
        running = [self._running(number, agent, step, len(groups), stop) for number in groups]
        at_once(running, stop, called="group", grace=GRACE_SECONDS)

    def _running(self, number: int, agent: Agent, step: int, groups: int, stop: threading.Event) -> Callable[[], None]:
        total = groups * self._settings.rollouts

        def heard(event: Progress) -> None:
            if event.kind in ("finished", "failed"):
                with self._lock:
                    self._ended += 1
                    self._told(TrainingProgress("rollouts", step - 1, self._settings.steps, self._ended, total))

        def run() -> None:
            report = resume(self._world, number, agent=agent, progress=heard, stop=stop)
            if not report.finished:
                raise InfrastructureError(f"group {number} is being run by another process", hint="wait for its end")

        return run
