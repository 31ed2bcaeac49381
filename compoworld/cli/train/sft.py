"""``compoworld train select`` and ``sft``: what would be trained on, and the training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from compoworld.cli.inputs import Json
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, table
from compoworld.cli.output import number as numbers
from compoworld.cli.train.naming import Config, OfSet, Out, RunName, Scale, Settings, StartFrom, packaged, say_outcome
from compoworld.cli.train.watching import TrainingWatch

if TYPE_CHECKING:
    from rl.sft.settings import SftSettings


def select(task_set: OfSet = None, config: Config = None, settings: Settings = None, json: Json = False) -> None:
    """Count what SFT would be trained on: how many rollouts each stage of the selection leaves.

    Example: compoworld train select SET --set select.split=all
    """
    from rl.sft.selection import survey

    read = _settings(task_set, config, settings)
    with opened() as world:
        found = survey(world, read.select, read.seed)
    if json:
        emit(found)
        return
    table(
        [Column("stage"), numbers("rollouts")],
        [
            ("finished, in a finished group", found.judged),
            ("every criterion holds", found.successful),
            ("end, agent, policy, calls and world model fit", found.fitting),
            ("no near-duplicate", found.different),
            ("not too many of a task", found.few_of_task),
            (f"not too many of a composition: {found.compositions} compositions, {found.tasks} tasks", found.chosen),
            *([("at most, by the limit", min(read.select.limit, found.chosen))] if read.select.limit else []),
        ],
    )


def sft(
    policy: StartFrom,
    name: RunName,
    task_set: OfSet = None,
    config: Config = None,
    settings: Settings = None,
    scale: Scale = "gpu",
    out: Out = None,
    json: Json = False,
) -> None:
    """Fine-tune a policy on successful rollouts; the same command again goes on from the last checkpoint.

    Without a set, on rollouts of all tasks.

    Example: compoworld train sft SET --policy smollm2 --name smol-sft --scale cpu

    Example: torchrun --nproc-per-node 2 -m compoworld train sft SET --policy smollm2 --name smol-sft
    """
    from rl.policies import weights_of
    from rl.sft import train_sft

    read = _settings(task_set, config, settings, scale)
    with opened() as world, TrainingWatch() as watch:
        try:
            done = train_sft(world, weights_of(world, policy), read, name=name, folder=out, told=watch)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("the same command again") from None
    say_outcome(done, json)


def _settings(task_set: str | None, config: Path | None, settings: list[str] | None, scale: str = "gpu") -> SftSettings:
    from rl.sft.settings import SftSettings
    from rl.training.settings import read

    given: dict[str, Any] = {"select": {"sets": [task_set]}} if task_set is not None else {}
    return read(SftSettings, packaged("sft", scale), config, settings or (), given)
