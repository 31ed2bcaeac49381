"""``compoworld train grpo``."""

from __future__ import annotations

from typing import Any

from compoworld.cli.inputs import Json, WorldModel
from compoworld.cli.opening import opened
from compoworld.cli.output import note
from compoworld.cli.train.naming import Config, OfSet, Out, RunName, Scale, Settings, StartFrom, packaged, say_outcome
from compoworld.cli.train.watching import TrainingWatch


def grpo(
    policy: StartFrom,
    name: RunName,
    task_set: OfSet = None,
    config: Config = None,
    settings: Settings = None,
    scale: Scale = "gpu",
    out: Out = None,
    world_model: WorldModel = None,
    json: Json = False,
) -> None:
    """Improve a policy by GRPO with the rubric's reward; the same command again goes on from the last checkpoint.

    Its rollouts run on forks in the database; each process gets whole groups.

    Example: compoworld train grpo SET --policy smol-sft --name smol-grpo --scale cpu --set steps=100

    Example: torchrun --nproc-per-node 2 -m compoworld train grpo SET --policy smol-sft --name smol-grpo
    """
    from rl.grpo import GrpoSettings, plan_of, train_grpo
    from rl.policies import weights_of
    from rl.training.runs import first_process, processes
    from rl.training.settings import read

    given: dict[str, Any] = {"sets": [task_set]} if task_set is not None else {}
    found = read(GrpoSettings, packaged("grpo", scale), config, settings or (), given)
    if plan_of(found, processes()).updates == 1 and first_process():
        note("one step to a batch of groups: nothing will be clipped (iterations: 2, or minibatches: 2)")
    with opened(world_model) as world, TrainingWatch() as watch:
        try:
            done = train_grpo(world, weights_of(world, policy), found, name=name, folder=out, told=watch)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("the same command again") from None
    say_outcome(done, json)
