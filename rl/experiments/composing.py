"""Whether tasks over several services teach more than as many within one: tested on compositions that neither saw."""

from __future__ import annotations

from collections.abc import Iterator

from rl.experiments import measures
from rl.experiments.config import CompositionConfig
from rl.experiments.lab import Lab
from rl.experiments.steps import Step, evaluation_of, own, references_step, tasks_step, tested_step, tuned_step
from rl.experiments.store import Result

BASE, COMPOSED, SINGLE = "base", "composed", "single"


def steps(config: CompositionConfig) -> Iterator[Step]:
    """Both sets and their trajectories; then the base and both arms on the test part of the composed set."""
    assert config.composed.train is not None
    wanted = config.composed.train.tasks
    sources = {COMPOSED: config.composed, SINGLE: config.single}

    def task_set(lab: Lab) -> str:
        return lab.set_of(config.composed, COMPOSED)

    for arm, source in sources.items():
        yield tasks_step(source, arm, config, f"{arm} tasks")
        yield references_step(source, arm, config, wanted, f"{arm} trajectories")
    yield tested_step(BASE, lambda lab: config.base, config, task_set)
    for arm in sources:
        yield tuned_step(f"sft-{arm}", config, arm, wanted)
        yield tested_step(arm, own(f"sft-{arm}"), config, task_set)


def results(config: CompositionConfig, lab: Lab) -> Iterator[Result]:
    """The figures of the base and of both arms, and their differences."""
    found = {arm: lab.results(evaluation_of(arm)) for arm in (BASE, COMPOSED, SINGLE)}
    for arm, each in found.items():
        yield from measures.figures(arm, each)
    for arm, against in ((COMPOSED, SINGLE), (COMPOSED, BASE), (SINGLE, BASE)):
        yield from measures.differences(arm, found[arm], against, found[against])
