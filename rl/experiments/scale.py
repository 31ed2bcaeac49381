"""How much SFT gains from more trajectories: none, some, more, the same tasks to test on."""

from __future__ import annotations

from collections.abc import Iterator

from rl.experiments import measures
from rl.experiments.config import ScaleConfig
from rl.experiments.lab import Lab
from rl.experiments.steps import Step, evaluation_of, own, references_step, tasks_step, tested_step, tuned_step
from rl.experiments.store import Result

TASKS = "tasks"
BASE = "0"


def steps(config: ScaleConfig) -> Iterator[Step]:
    """The tasks, the trajectories; then each arm is trained and tested, the smallest first."""

    def task_set(lab: Lab) -> str:
        return lab.set_of(config.source, TASKS)

    yield tasks_step(config.source, TASKS, config)
    yield references_step(config.source, TASKS, config, config.sizes[-1])
    yield tested_step(BASE, lambda lab: config.base, config, task_set)
    for size in config.sizes:
        yield tuned_step(f"sft-{size}", config, TASKS, size)
        yield tested_step(str(size), own(f"sft-{size}"), config, task_set)


def results(config: ScaleConfig, lab: Lab) -> Iterator[Result]:
    """The figures of each arm, and what it gained over none."""
    base = lab.results(evaluation_of(BASE))
    yield from measures.figures(BASE, base, at=0)
    found = {size: lab.results(evaluation_of(str(size))) for size in config.sizes}
    for size, each in found.items():
        yield from measures.figures(str(size), each, at=size)
    for size, each in found.items():
        yield from measures.differences(str(size), each, BASE, base, at=size)
