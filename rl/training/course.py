"""How every run goes: begun or found under its name, trained unless it is finished, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.world import World
from rl.policies import Weights, see_name
from rl.training.history import Outcome, outcome
from rl.training.runs import Kind, Run, begin, training
from rl.training.settings import Training


def carried_out(
    world: World,
    kind: Kind,
    name: str,
    settings: Training,
    weights: Weights,
    folder: Path | None,
    work: Callable[[Run], None],
) -> Outcome:
    """Carry a run out; one of that name goes on.

    Args:
        folder: where its files go; by default ``training/NAME`` in CompoWorld's home.
        work: trains, from the last checkpoint on, and registers the policy.

    Raises:
        InputError: there is another run of that name, or its policy cannot be called so.
        Refused: another process trains it.
    """
    see_name(settings.policy or name)
    run = begin(
        world,
        kind,
        name,
        settings=settings.model_dump(mode="json", by_alias=True, exclude={"seed"}),
        seed=settings.seed,
        weights=weights,
        folder=folder,
    )
    if not run.finished:
        with training(world, run) as mine:
            work(mine)
    return outcome(world, name)
