"""Whether tasks over several services teach more than as many within one: tested on compositions that neither saw.

Both arms are trained on the same services and told the same stories. What is left is whether something has to be
carried from one service to another. How much an arm is taught is among the results.
"""

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
    sources = {SINGLE: config.single, COMPOSED: config.composed}

    def task_set(lab: Lab) -> str:
        return lab.set_of(config.composed, COMPOSED)

    def single_services(lab: Lab) -> set[str]:
        return lab.services(lab.set_of(config.single, SINGLE), "train")

    yield tasks_step(config.single, SINGLE, config, f"{SINGLE} tasks", families=config.families)
    yield tasks_step(
        config.composed, COMPOSED, config, f"{COMPOSED} tasks", families=config.families, within=single_services
    )
    for arm, source in sources.items():
        yield references_step(source, arm, config, wanted, f"{arm} trajectories")
    yield tested_step(BASE, lambda lab: config.base, config, task_set)
    for arm in (COMPOSED, SINGLE):
        yield tuned_step(run_of(arm), config, arm, wanted)
        yield tested_step(arm, own(run_of(arm)), config, task_set)


def results(config: CompositionConfig, lab: Lab) -> Iterator[Result]:
    """The figures of the base and of both arms, their differences, and what each arm was trained on."""
    found = {arm: lab.results(evaluation_of(arm)) for arm in (BASE, COMPOSED, SINGLE)}
    for arm, each in found.items():
        yield from measures.figures(arm, each)
    for arm, against in ((COMPOSED, SINGLE), (COMPOSED, BASE), (SINGLE, BASE)):
        yield from measures.differences(arm, found[arm], against, found[against])
    for arm in (COMPOSED, SINGLE):
        yield from measures.trained_on(lab.world, lab.named(run_of(arm)), arm)


def run_of(arm: str) -> str:
    """What the training run of an arm is called."""
    return f"sft-{arm}"
