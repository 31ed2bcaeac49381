"""Draws tokens, each sequence with lots of its own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import torch

from engine.errors import InputError
from rl.errors import ModelUnavailable


def check_options(batch: int, max_new_tokens: int, temperature: float, top_p: float) -> None:
    """Refuse options of a generator that are wrong.

    Raises:
        InputError: one is.
    """
    for name, whole in (("batch", batch), ("max_new_tokens", max_new_tokens)):
        if isinstance(whole, bool) or not isinstance(whole, int) or not 1 <= whole < 2**31:
            raise InputError(f"{name} is a whole number from 1, not {whole!r}")
    if isinstance(temperature, bool) or not isinstance(temperature, int | float) or not 0 <= temperature <= 100:
        raise InputError(f"temperature is a number from 0 to 100, not {temperature!r}")
    if isinstance(top_p, bool) or not isinstance(top_p, int | float) or not 0 < top_p <= 1:
        raise InputError(f"top_p is a number above 0 and up to 1, not {top_p!r}")


def sample(logits: Any, lots: Sequence[Random], temperature: float, top_p: float) -> tuple[list[int], list[float]]:
    """One token for each sequence.

    Args:
        logits: (batch, vocabulary).
        lots: of each sequence, one number of it is drawn.

    Returns:
        The tokens, and log softmax(logits / temperature) of each: over the whole vocabulary, whatever ``top_p`` leaves
        of it, for so a trainer computes them. At temperature 0 it is that of temperature 1.

    Raises:
        ModelUnavailable: the model gave no numbers.
    """
    logprobs = torch.log_softmax(logits.float() / (temperature or 1.0), dim=-1)
    if temperature == 0:
        chosen = logprobs.argmax(dim=-1)
    else:
        chances = torch.exp(logprobs.double())
        if top_p < 1:
            chances = _likeliest(chances, top_p)
        summed = chances.cumsum(dim=-1)
        drawn = torch.tensor([[draw.random()] for draw in lots], dtype=torch.float64, device=logits.device)
        # The first place whose sum is above the lot: never one without a chance.
        chosen = torch.searchsorted(summed, drawn * summed[:, -1:], right=True)[:, 0]
    found = logprobs.gather(-1, chosen.clamp(max=logprobs.shape[-1] - 1)[:, None])[:, 0]
    if not bool(torch.isfinite(found).all()):
        raise ModelUnavailable("the model's logits are not numbers", hint="its weights are damaged, or diverged")
    return chosen.tolist(), found.tolist()


def _likeliest(chances: Any, top_p: float) -> Any:
    """The chances without those of tokens that the likelier ones make superfluous."""
    sorted_, places = chances.sort(dim=-1, descending=True)
    superfluous = sorted_.cumsum(dim=-1) - sorted_ >= top_p
    return torch.zeros_like(chances).scatter(-1, places, sorted_.masked_fill(superfluous, 0.0))
