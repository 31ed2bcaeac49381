"""Runs an experiment: step by step, each of which is kept, so that an interrupted one goes on where it stood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from engine.world import World
from rl.experiments import analytic, composing, rewarding, scale
from rl.experiments.config import Config, WithModel
from rl.experiments.lab import Heard, Lab
from rl.experiments.steps import MadeKind, Step
from rl.experiments.store import Clock, Experiment, Result, begin, experiments, find, keep_results, running, steps_of
from rl.local.loading import check_weights
from rl.policies import weights_of


@dataclass(frozen=True)
class Moment:
    """What happens in an experiment.

    Attributes:
        kind: a step is ``begun``, is ``done`` now, or was ``kept`` from before; ``on`` while it goes on.
        place, steps: of the step, from 1.
        made: what came of it, in words.
        heard: how far it is.
    """

    kind: Literal["begun", "on", "done", "kept"]
    step: str
    place: int
    steps: int
    made: str = ""
    heard: Heard | None = None


Watcher = Callable[[Moment], None]

_STEPS: dict[str, Callable[[Any], Iterator[Step]]] = {
    "sft-scale": scale.steps,
    "composition": composing.steps,
    "rewards": rewarding.steps,
    "rewards-solvable": analytic.steps,
}
_RESULTS: dict[str, Callable[[Any, Lab], Iterator[Result]]] = {
    "sft-scale": scale.results,
    "composition": composing.results,
    "rewards": rewarding.results,
    "rewards-solvable": analytic.results,
}
FIGURES = "figures"
"""The last step of all experiments."""


def run(
    world: World,
    kind: str,
    config: Config,
    *,
    name: str | None = None,
    told: Watcher = lambda moment: None,
) -> Experiment:
    """Run an experiment, or go on with the one of that name.

    Args:
        kind: one of ``rl.experiments.config.KINDS``, to which the config belongs.
        name: by default that of the kind. Sets, runs, policies and evaluations are called by it and what they are.
        told: called from several threads.

    Raises:
        InputError: there is one of that name with another config, or the config asks for too much.
        Refused: another process runs it.
        KeyboardInterrupt: passed on; call again.
    """
    called = name or kind
    _see_ready(world, called, config)
    number = begin(world, called, kind, config.model_dump(mode="json", by_alias=True))
    with running(world, number, called):
        if find(world, called).finished_at is None:
            steps = [*_STEPS[kind](config), Step(FIGURES, lambda lab: _figures(lab, number, kind, config))]
            kept = {row.step: row.made or "" for row in steps_of(world, number) if row.finished_at is not None}
            for place, step in enumerate(steps, 1):
                _one(world, called, number, step, Moment("begun", step.name, place, len(steps)), kept, told)
    return find(world, called)


def _see_ready(world: World, name: str, config: Config) -> None:
    """What an experiment needs, and what it begins with, is missed before it makes anything, and leaves no record."""
    if not isinstance(config, WithModel) or any(
        found.name == name and found.finished_at is not None for found in experiments(world)
    ):
        return
    check_weights(weights_of(world, config.begins_with).source)


def planned(kind: str, config: Config) -> list[str]:
    """The names of an experiment's steps, in order."""
    return [*(step.name for step in _STEPS[kind](config)), FIGURES]


def makes(kind: str, config: Config) -> list[tuple[MadeKind, str]]:
    """What an experiment makes, and how each is called after the experiment's name."""
    return [step.makes for step in _STEPS[kind](config) if step.makes is not None]


def _one(world: World, name: str, number: int, step: Step, begun: Moment, kept: dict[str, str], told: Watcher) -> None:
    def tell(kind: Literal["begun", "on", "done", "kept"], made: str = "", heard: Heard | None = None) -> None:
        told(Moment(kind, begun.step, begun.place, begun.steps, made, heard))

    if step.name in kept:
        tell("kept", kept[step.name])
        return
    tell("begun")
    with Clock(world, number, begun.place, step.name) as clock:
        made = step.run(Lab(world, name, lambda heard: tell("on", heard=heard)))
        clock.done(made)
    tell("done", made)


def _figures(lab: Lab, number: int, kind: str, config: Config) -> str:
    found = list(_RESULTS[kind](config, lab))
    keep_results(lab.world, number, found)
    return f"{len(found)} figures"
