"""One run of SFT, from the selection to the policy."""

from __future__ import annotations

from pathlib import Path

from engine.world import World
from rl.local.loading import need_packages
from rl.policies import Weights
from rl.sft.examples import see_selected
from rl.sft.settings import SftSettings
from rl.training.course import carried_out
from rl.training.history import Outcome
from rl.training.progress import TrainingWatcher
from rl.training.runs import Run, share


def train_sft(
    world: World,
    weights: Weights,
    settings: SftSettings,
    *,
    name: str,
    folder: Path | None = None,
    told: TrainingWatcher = lambda progress: None,
) -> Outcome:
    """Fine-tune on successful rollouts; a run of that name goes on from its last checkpoint.

    Args:
        name: of the run, and of the policy unless the settings name it.
        folder: where its files go; by default ``training/NAME`` in CompoWorld's home.

    Raises:
        InputError: the settings do not fit, nothing is selected, or there is another run of that name.
        Refused: another process trains it.
        TrainingFailed: it came to nothing.
    """
    share(settings.batch, settings.per_device, "batch")
    need_packages()

    def work(run: Run) -> None:
        see_selected(world, run, settings)
        # Imported once there is something to train on: torch takes long.
        from rl.sft.trainer import fine_tune

        fine_tune(world, run, weights, settings, told)

    return carried_out(world, "sft", name, settings, weights, folder, work)
