"""Samples whole groups for a trainer: rollouts on forks, their tokens and rewards as they are stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from engine.errors import InfrastructureError
from engine.world import World
from rl.agents import Agent
from rl.errors import TrainingFailed
from rl.groups import insert_group, resume
from rl.grpo.plan import group_seed
from rl.grpo.rewards import group_rewards
from rl.grpo.settings import GrpoSettings
from rl.limits import Limits
from rl.progress import Progress
from rl.threads import at_once
from rl.training.progress import TrainingProgress, TrainingWatcher
from rl.training.runs import Run
from rl.trajectories import Trajectory, trajectory_of
from tasks.store import load

GRACE_SECONDS = 5.0
"""How long groups that are told to stop are waited for: longer than each waits for its rollouts."""


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
class Row:
    """One rollout as a trainer takes it.

    Attributes:
        trajectory: its tokens; ``None`` where there are none to train on.
        reward: ``None`` for an unscorable rollout: it is left out of the baseline, and nothing of it is trained.
    """

    rollout: int
    trajectory: Trajectory | None
    reward: float | None


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

    def sample(self, asked: Sequence[Asked], agent: Agent, step: int) -> list[Row]:
        """Run these groups at once, each to its end.

        Args:
            agent: around the policy as it is now.
            step: the first optimizer step that trains on them.

        Returns:
            N rows for each group, by ordinal, in the order of ``asked``.

        Raises:
            InfrastructureError: no rollout could be scored.
            DatabaseUnavailable: the database was lost and did not come back.
            KeyboardInterrupt: passed on; what was under way is gone on with later.
        """
        numbers = [self._group(item, agent, step) for item in asked]
        self._ended = 0
        stop = threading.Event()
        running = [self._running(number, agent, step, len(asked), stop) for number in numbers]
        at_once(running, stop, called="group", grace=GRACE_SECONDS)
        rows = [row for number in numbers for row in self._rows(number)]
        if all(row.reward is None for row in rows):
            raise InfrastructureError(
                f"every rollout for step {step} failed: {self._failure(numbers)}",
                hint="go on with the same command once it is mended",
            )
        return rows

    def _group(self, asked: Asked, agent: Agent, step: int) -> int:
        """The number of a group, written down if it was not yet."""
        key = {"run": self._run.id, "place": asked.place}
        with self._world.database.transaction() as connection:
            found = connection.execute(
                text("SELECT group_id FROM compoworld.grpo_group WHERE run_id = :run AND place = :place"), key
            ).scalar()
            if found is not None:
                return int(found)
        task = load(self._world, asked.task)
        with self._world.database.transaction() as connection:
            number = insert_group(
                connection,
                self._world,
                task,
                agent,
                size=self._settings.rollouts,
                seed=group_seed(self._settings.seed, asked.place),
                limits=Limits(**self._settings.limits.model_dump()),
            )
            connection.execute(
                text(
                    "INSERT INTO compoworld.grpo_group (run_id, place, step, process, group_id)"
                    " VALUES (:run, :place, :step, :process, :group)"
                ),
                {**key, "step": step, "process": self._process, "group": number},
            )
        return number

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

    def _rows(self, group: int) -> Iterator[Row]:
        """The rollouts of a finished group; their rewards are written down as they are given."""
        rewards = group_rewards(self._world, group, self._settings.reward, self._settings.lambda_)
        with self._world.database.transaction() as connection:
            connection.execute(
                text(
                    "INSERT INTO compoworld.grpo_rollout (rollout_id, run_id, reward) VALUES (:rollout, :run, :reward)"
                    " ON CONFLICT (rollout_id) DO UPDATE SET reward = excluded.reward"
                ),
                [{"rollout": number, "run": self._run.id, "reward": value} for number, value in rewards.items()],
            )
            for rollout, reward in rewards.items():
                yield Row(rollout, trajectory_of(connection, rollout) if reward is not None else None, reward)

    def _failure(self, groups: list[int]) -> str:
        """What failed one of the rollouts."""
        with self._world.database.transaction() as connection:
            found = connection.execute(
                text("SELECT max(error) FROM compoworld.rollout WHERE group_id = ANY (:groups)"), {"groups": groups}
            ).scalar()
        return str(found)
