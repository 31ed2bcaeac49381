"""SFT with TRL's trainer on examples that are tokens already.

Imported only where a run is trained: it imports torch.
"""

from __future__ import annotations

import math

from datasets import Dataset
from trl import SFTConfig, SFTTrainer

from engine.world import World
from rl.local.format import ChatFormat
from rl.local.loading import Loaded
from rl.policies import Weights
from rl.sft.examples import Examples, prepare
from rl.sft.settings import SftSettings
from rl.training.progress import TrainingProgress, TrainingWatcher
from rl.training.runs import Run, share
from rl.training.trainer import adapter, arguments, finish, prepared, quiet, train, warmup_steps


@quiet()
def fine_tune(world: World, run: Run, weights: Weights, settings: SftSettings, told: TrainingWatcher) -> None:
    """Train a run to its end, and register the policy."""
    loaded = prepared(weights, settings)
    config = SFTConfig(
        **arguments(
            settings,
            run,
            accumulate=share(settings.batch, settings.per_device, "batch"),
            save_steps=settings.save_every,
        ),
        num_train_epochs=settings.epochs,
        # Nothing is cut: what is too long was left out.
        max_length=None,
        packing=False,
    )

    def counted(count: int) -> None:
        told(TrainingProgress("examples", count=count, total=settings.select.limit or 0))

    with config.main_process_first():
        examples = prepare(world, run, settings, ChatFormat(loaded.tokenizer), counted)
    config.warmup_steps = warmup_steps(settings, int(settings.epochs * math.ceil(examples.count / settings.batch)))
    trainer = make_trainer(config, settings, loaded, examples)
    train(trainer, world, run, told)
    finish(trainer, loaded, world, run, settings, weights, told)


def make_trainer(config: SFTConfig, settings: SftSettings, loaded: Loaded, examples: Examples) -> SFTTrainer:
    """TRL's trainer over a file of examples. The labels are in it: the trainer takes them as they are."""
    return SFTTrainer(
        model=loaded.model,
        args=config,
        train_dataset=Dataset.from_file(str(examples.path)),
        processing_class=loaded.tokenizer,
        peft_config=adapter(settings.lora),
    )
