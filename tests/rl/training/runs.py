"""Short runs, in this process or in others: ``python -m tests.rl.training.runs URL WEIGHTS NAME SETTING...``

``failing=0,1`` among the settings lets every rollout fail of the groups at these places.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from engine.database import Database
from engine.world import World
from rl.grpo import GrpoSettings, train_grpo
from rl.grpo.plan import group_seed
from rl.local.engine import Generator
from rl.policies import weights_of
from rl.runner import rollout_seed
from rl.sft import SftSettings
from rl.training.progress import TrainingProgress, TrainingWatcher
from rl.training.settings import read
from tests.rl.training.lucky import Lucky
from tests.toys import library

SHORT = (
    *("steps=4", "prompts=1", "rollouts=4", "per_device=2", "learning_rate=0.02", "lora=null", "save_every=1"),
    *("sampling.max_new_tokens=6", "checkpoints=9", "tasks=[toy]", "device=cpu"),
)

SHORT_SFT = (
    *("batch=1", "epochs=2", "save_every=1", "lora=null", "device=cpu", "learning_rate=0.01"),
    *("select.tasks=[toy]", "select.agents=[noisy]", "select.duplicates=keep", "select.limit=2"),
)


def sft_settings(*values: str) -> SftSettings:
    """Settings of a run of four steps."""
    return read(SftSettings, "sft", values=(*SHORT_SFT, *values))


def interrupting(kind: str, step: int = 0) -> TrainingWatcher:
    """Interrupts a run where it tells this."""

    def told(progress: TrainingProgress) -> None:
        if (progress.kind, progress.step) == (kind, step):
            raise KeyboardInterrupt

    return told


def grpo_settings(*values: str) -> GrpoSettings:
    """Settings of a run of seconds."""
    return read(GrpoSettings, "grpo", values=(*SHORT, *values))


def with_luck(failing: frozenset[int] = frozenset()) -> None:
    """Let runs of this process sample with ``Lucky``, and wait for nothing."""
    import rl.grpo.sampling
    import rl.grpo.trainer
    from rl.grpo.plan import policy_at

    def lucky(generator: Generator, settings: Any, name: str, step: int) -> Lucky:
        return Lucky(generator, policy_at(name, step), failing)

    rl.grpo.trainer.agent_of = lucky  # type: ignore[assignment]
    rl.grpo.sampling.PAUSES = (0.0, 0.0)


def seeds_at(*places: int) -> frozenset[int]:
    """The seeds of all rollouts of the groups at these places, in a run of ``SHORT``."""
    return frozenset(rollout_seed(group_seed(0, place), ordinal) for place in places for ordinal in range(1, 5))


def main(url: str, weights: str, name: str, *values: str) -> None:
    """Train in this process, and say when a step is done."""

    def told(progress: TrainingProgress) -> None:
        print(progress.kind, progress.step, flush=True)

    failing = [value.removeprefix("failing=") for value in values if value.startswith("failing=")]
    with_luck(seeds_at(*(int(place) for item in failing for place in item.split(","))))
    values = tuple(value for value in values if not value.startswith("failing="))
    with World(Database(url).open(), library()) as world:
        train_grpo(world, weights_of(world, weights), grpo_settings(*values), name=name, told=told)


def command(url: str, weights: str, name: str, values: Sequence[str], processes: int = 1) -> list[str]:
    """What runs ``main`` in other processes."""
    begin = [sys.executable, "-m"]
    if processes > 1:
        begin += ["torch.distributed.run", "--nproc-per-node", str(processes), "--standalone", "-m"]
    return [*begin, "tests.rl.training.runs", url, weights, name, *values]


if __name__ == "__main__":
    main(*sys.argv[1:])
