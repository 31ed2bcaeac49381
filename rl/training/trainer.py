"""What both trainers need of transformers: arguments, a callback that writes steps down, the policy at the end.

Imported only where a run is trained: it imports torch.
"""

from __future__ import annotations

import math
import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import transformers
from psycopg.types.json import Jsonb
from sqlalchemy import text
from transformers import PrinterCallback, TrainerCallback

from engine.errors import DatabaseUnavailable, InputError
from engine.world import World
from rl.errors import TrainingFailed
from rl.local.loading import Loaded, load, multiplies_bfloat16
from rl.messages import storable
from rl.policies import Weights, register
from rl.training.attention import use_blocks
from rl.training.progress import TrainingProgress, TrainingWatcher
from rl.training.rounding import round_lengths
from rl.training.runs import Run, first_process, see_mine
from rl.training.scoring import trained_positions_only
from rl.training.settings import Lora, Training
from rl.training.targets import see_targets
from rl.waiting import wait_for_database

_SCHEDULES = {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}

_STEP = """
INSERT INTO compoworld.training_step (run_id, step, loss, learning_rate, grad_norm, clipped, clipped_low, clipped_high,
    entropy, metrics)
VALUES (:run, :step, :loss, :learning_rate, :grad_norm, :clipped, :clipped_low, :clipped_high, :entropy, :metrics)
ON CONFLICT (run_id, step) DO UPDATE SET loss = excluded.loss, learning_rate = excluded.learning_rate,
    grad_norm = excluded.grad_norm, clipped = excluded.clipped, clipped_low = excluded.clipped_low,
    clipped_high = excluded.clipped_high, entropy = excluded.entropy, metrics = excluded.metrics, at = excluded.at
"""


@contextmanager
def quiet() -> Iterator[None]:
    """Without what transformers tells TRL of names that will go, and bars of its own."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield


def prepared(weights: Weights, settings: Training) -> Loaded:
    """The weights to train, in float32, on this process's device.

    Raises:
        InputError: they cannot be read, they are others than those meant, the model lacks a module that is to be
            adapted, or there is no GPU and one is asked for.
    """
    if settings.device == "cuda" and not torch.cuda.is_available():
        raise InputError("device: there is no GPU here", hint="device: cpu, or auto")
    if torch.cuda.is_available() and settings.device != "cpu":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    loaded = load(weights.source, "float32", weights.digest)
    if not isinstance(loaded.model, transformers.PreTrainedModel):
        # An adapter over its base: what is trained from here on is their sum.
        loaded = Loaded(loaded.model.merge_and_unload(), loaded.tokenizer)
    see_targets(loaded.model, settings.lora)
    model = loaded.model.to("cpu") if settings.device == "cpu" else loaded.model
    if model.device.type == "cpu":
        round_lengths(model)
        if mixed(settings):
            use_blocks(model)
    return Loaded(model, loaded.tokenizer)


def mixed(settings: Training) -> bool:
    """Whether it trains in mixed precision, with bfloat16."""
    return settings.dtype == "bfloat16" or (settings.dtype == "auto" and multiplies_bfloat16(not _on_cpu(settings)))


def _on_cpu(settings: Training) -> bool:
    return settings.device == "cpu" or not torch.cuda.is_available()


def arguments(settings: Training, run: Run, *, accumulate: int, save_steps: int) -> dict[str, Any]:
    """Arguments that both trainers take.

    Args:
        accumulate: forward passes to an optimizer step, on each device.
        save_steps: optimizer steps between two checkpoints.
    """
    on_cpu = _on_cpu(settings)
    return {
        "output_dir": str(run.folder),
        "seed": settings.seed,
        "learning_rate": settings.learning_rate,
        "lr_scheduler_type": _SCHEDULES[settings.schedule],
        "weight_decay": settings.weight_decay,
        "max_grad_norm": settings.max_grad_norm,
        "optim": "adamw_torch",  # Adam where weight_decay is 0
        "per_device_train_batch_size": settings.per_device,
        "gradient_accumulation_steps": accumulate,
        "bf16": mixed(settings),
        "gradient_checkpointing": settings.checkpointing,
        "use_cpu": on_cpu,
        "ddp_find_unused_parameters": False,
        "dataloader_pin_memory": not on_cpu,
        "save_strategy": "steps",
        "save_steps": save_steps,
        "save_total_limit": settings.checkpoints,
        "logging_steps": 1,
        # Without it a loss that is no number would be told as the mean of those before.
        "logging_nan_inf_filter": False,
        "report_to": "none",
        "disable_tqdm": True,
    }


def warmup_steps(settings: Training, steps: int) -> int:
    """Steps in which the learning rate rises. transformers rounds up, and a run of one step would have the rate 0."""
    return int(settings.warmup * steps)


def adapter(lora: Lora | None) -> Any:
    """The adapters as PEFT takes them; ``None`` for all weights."""
    if lora is None:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=lora.targets if isinstance(lora.targets, str) else list(lora.targets),
        task_type="CAUSAL_LM",
    )


class StepWriter(TrainerCallback):  # type: ignore[misc] # transformers has no types of its own
    """Writes each optimizer step to the catalog, and tells it."""

    def __init__(self, world: World, run: Run, told: TrainingWatcher) -> None:
        self._world, self._run, self._told = world, run, told
        self._step: int | None = None  # the last one that was written

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """The run starts or goes on: steps after its checkpoint are done anew."""
        if state.is_world_process_zero:
            self._write(
                [
                    "DELETE FROM compoworld.training_step WHERE run_id = :run AND step > :step",
                    "UPDATE compoworld.training_run SET step = :step, steps = :steps WHERE id = :run",
                ],
                {"step": state.global_step, "steps": state.max_steps},
            )
            self._told(TrainingProgress("begun", state.global_step, state.max_steps))

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        """A step is done."""
        if logs is None or "loss" not in logs:  # the summary at the end
            return
        loss = float(logs["loss"])
        if not math.isfinite(loss):
            raise TrainingFailed(f"the loss is {loss} at step {state.global_step}", hint="lower learning_rate")
        if not state.is_world_process_zero:
            return
        self._write(
            [_STEP, "UPDATE compoworld.training_run SET step = :step WHERE id = :run"],
            {
                "step": state.global_step,
                "loss": loss,
                "learning_rate": logs.get("learning_rate"),
                "grad_norm": _finite(logs.get("grad_norm")),
                "clipped": logs.get("clip_ratio/region_mean"),
                "clipped_low": logs.get("clip_ratio/low_mean"),
                "clipped_high": logs.get("clip_ratio/high_mean"),
                "entropy": logs.get("entropy"),
                "metrics": Jsonb(storable(logs)),
            },
        )
        self._told(TrainingProgress("step", state.global_step, state.max_steps, loss=loss, reward=logs.get("reward")))

    def _write(self, statements: list[str], values: dict[str, Any]) -> None:
        step = values["step"]
        # After the new one where the first try was committed, and its answer lost.
        at = () if self._step is None else (self._step, step)

        def write() -> None:
            with self._world.database.transaction() as connection:
                see_mine(connection, self._run, *at)
                for statement in statements:
                    connection.execute(text(statement), {"run": self._run.id, **values})

        _patiently(self._world, write)
        self._step = step


def train(trainer: Any, world: World, run: Run, told: TrainingWatcher) -> None:
    """Train from the run's newest checkpoint on, or from the start.

    Raises:
        TrainingFailed: the memory does not suffice, or the loss is no number.
    """
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(StepWriter(world, run, told))
    trainer.create_model_card = lambda *_, **__: None  # TRL's README.md, over one that somebody wrote
    checkpoint = run.checkpoint
    try:
        with trained_positions_only():
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint is not None else None)
    except torch.OutOfMemoryError as error:
        raise TrainingFailed(
            f"the memory of the device does not suffice: {error}",
            hint="lower per_device or the longest trajectory, or set checkpointing: true",
        ) from error


def finish(
    trainer: Any, loaded: Loaded, world: World, run: Run, settings: Training, weights: Weights, told: TrainingWatcher
) -> None:
    """Save the policy and register it; the run is finished. Every process calls it; the first one acts."""
    if first_process():
        _finished(trainer, loaded, world, run, settings, weights)
        told(TrainingProgress("saved", trainer.state.global_step, trainer.state.max_steps))
    # The others end after the run has: each of them reads what came of it.
    trainer.accelerator.wait_for_everyone()


def _finished(trainer: Any, loaded: Loaded, world: World, run: Run, settings: Training, weights: Weights) -> None:
    folder, step = run.folder / "policy", trainer.state.global_step

    def see() -> None:
        with world.database.transaction() as connection:
            see_mine(connection, run, step)

    def write_down() -> None:
        with world.database.transaction() as connection:
            see_mine(connection, run, step)
            register(
                connection,
                settings.policy or run.name,
                folder,
                base=weights.base,
                parent=weights.policy,
                made_by=run.id,
            )
            connection.execute(
                text(
                    "UPDATE compoworld.training_run SET status = 'finished', error = NULL,"
                    " finished_at = clock_timestamp() WHERE id = :run"
                ),
                {"run": run.id},
            )

    # Before the weights of a policy are written over, which may be another process's by now.
    _patiently(world, see)
    _save(trainer.accelerator.unwrap_model(trainer.model), loaded.tokenizer, folder)
    _patiently(world, write_down)


def _patiently(world: World, action: Callable[[], None]) -> None:
    """Do something in a transaction; once more where the database was lost, and has come back."""
    try:
        action()
    except DatabaseUnavailable:
        wait_for_database(world)
        action()


def _save(model: Any, tokenizer: Any, folder: Path) -> None:
    """Whole weights, with what adapters add to them: a policy can be loaded without knowing how it was trained."""
    if not isinstance(model, transformers.PreTrainedModel):
        model = model.merge_and_unload()
    unfinished = folder.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    model.save_pretrained(unfinished)
    tokenizer.save_pretrained(unfinished)
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def _finite(value: Any) -> float | None:
    return float(value) if value is not None and math.isfinite(float(value)) else None
