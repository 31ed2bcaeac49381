"""Short runs, in this process or in others: ``python -m tests.rl.training.runs URL WEIGHTS NAME SETTING...``"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from engine.database import Database
from engine.world import World
from rl.grpo import GrpoSettings, train_grpo
from rl.local.engine import Generator
from rl.policies import weights_of
from rl.training.progress import TrainingProgress
from rl.training.settings import read
from tests.rl.training.lucky import Lucky
from tests.toys import library

SHORT = (
    *("steps=4", "prompts=1", "rollouts=4", "per_device=2", "learning_rate=0.02", "lora=null", "save_every=1"),
    *("sampling.max_new_tokens=6", "checkpoints=9", "tasks=[toy]", "device=cpu"),
)


def grpo_settings(*values: str) -> GrpoSettings:
    """Settings of a run of seconds."""
    return read(GrpoSettings, "grpo", values=(*SHORT, *values))


def with_luck(failing: frozenset[int] = frozenset()) -> None:
    """Let runs of this process sample with ``Lucky``."""
    import rl.grpo.trainer

    def lucky(generator: Generator, settings: Any, name: str, version: int) -> Lucky:
        return Lucky(generator, name, version, failing)

    rl.grpo.trainer.agent_of = lucky  # type: ignore[assignment]


def main(url: str, weights: str, name: str, *values: str) -> None:
    """Train in this process, and say when a step is done."""

    def told(progress: TrainingProgress) -> None:
        print(progress.kind, progress.step, flush=True)

    with_luck()
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
