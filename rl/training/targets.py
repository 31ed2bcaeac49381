"""Which modules of a model can have adapters."""

from __future__ import annotations

from typing import Any

import torch
from transformers.pytorch_utils import Conv1D

from engine.errors import InputError
from engine.near import did_you_mean
from rl.training.settings import Lora

_KINDS = (torch.nn.Linear, torch.nn.Embedding, torch.nn.Conv1d, Conv1D)


def see_targets(model: Any, lora: Lora | None) -> None:
    """See that a model has every module that is to get an adapter. PEFT leaves out those that it does not have.

    Raises:
        InputError: it has not.
    """
    if lora is None or isinstance(lora.targets, str):
        return
    paths = [path for path, module in model.named_modules() if isinstance(module, _KINDS)]
    names = sorted({path.rpartition(".")[2] for path in paths})
    there = f"this model has {', '.join(names)}"
    if not lora.targets:
        raise InputError("lora.targets names no module", hint=f"all-linear, or names: {there}")
    # As PEFT takes names: whole, or the end of a path.
    missing = [name for name in lora.targets if not any(f".{path}".endswith(f".{name}") for path in paths)]
    if missing:
        raise InputError(
            f"lora.targets: no module that can have an adapter is called {' or '.join(map(repr, missing))}; {there}",
            hint=did_you_mean(missing[0], names, "all-linear takes every matrix but the last one"),
        )
