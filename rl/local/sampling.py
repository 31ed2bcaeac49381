"""Draws tokens, each sequence with lots of its own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import torch

from rl.errors import ModelUnavailable


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
