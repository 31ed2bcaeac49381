"""One run of GRPO, from its settings to the policy."""

from __future__ import annotations

from pathlib import Path

from engine.errors import InputError
from engine.world import World
from rl.grpo.plan import plan_of
from rl.grpo.settings import GrpoSettings
from rl.local.loading import need_packages
from rl.policies import Weights
from rl.training.course import carried_out
from rl.training.history import Outcome
from rl.training.progress import TrainingWatcher
from rl.training.runs import Run, processes
from rl.training.tasks import members_of
from tasks.sets.finding import find_stored
from tasks.store import StoredTask, put


def train_grpo(
    world: World,
    weights: Weights,
    settings: GrpoSettings,
    *,
    name: str,
    folder: Path | None = None,
    told: TrainingWatcher = lambda progress: None,
) -> Outcome:
    """Improve a policy by GRPO; a run of that name goes on from its last checkpoint.

    Args:
        name: of the run, and of the policy unless the settings name it.
        folder: where its files go; by default ``training/NAME`` in CompoWorld's home.

    Raises:
        InputError: the settings do not fit, there is no task, or there is another run of that name.
        Refused: another process trains it.
        InfrastructureError: no rollout of a step could be scored.
        TrainingFailed: it came to nothing.
    """
    plan = plan_of(settings, processes())
    tasks = tasks_of(world, settings)
    need_packages()

    def work(run: Run) -> None:
        # Imported once there is something to train: torch takes long.
        from rl.grpo.trainer import optimise

        optimise(world, run, weights, settings, plan, tasks, told)

    return carried_out(world, "grpo", name, settings, weights, folder, work)


def tasks_of(world: World, settings: GrpoSettings) -> list[StoredTask]:
    """The tasks of a run, stored.

    Raises:
        InputError: there is none, or one does not exist or does not fit the services.
    """
    if not settings.sets and not settings.tasks:
        raise InputError("there is no task to train on", hint="name a set, or tasks")
    of_sets = [put(world, member.task) for member in members_of(world, settings.sets, settings.split, "split")]
    found = {task.id: task for task in [*of_sets, *(find_stored(world, name) for name in settings.tasks)]}
    return list(found.values())
