"""Trajectories of few lengths, for training on a CPU.

Hardly two trajectories are equally long, so hardly two tensors are of the same size, and the allocator of the C library
finds no use for what it was given back: the memory of a process grows from step to step. What is as long as others are,
up to a multiple of 256 tokens, takes their place.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from torch.nn.functional import pad

MULTIPLE = 256
"""Tokens; shorter sequences are left as they are."""


def round_lengths(model: Any) -> None:
    """Let the decoder of a model of transformers work on sequences that are filled up at their end.

    Its last hidden states are as many as before. In a causal model nothing depends on what comes later: losses and
    gradients are the same. Batches with padding of their own, and whatever keeps keys and values, are left as they are.
    """
    decoder = model.get_decoder()
    plain = decoder.forward

    @wraps(plain)
    def forward(*args: Any, **named: Any) -> Any:
        ids, mask = named.get("input_ids"), named.get("attention_mask")
        tokens = 0 if ids is None else ids.shape[1]
        padded = mask is not None and not bool(mask.all())
        if tokens < MULTIPLE or padded or named.get("position_ids") is not None or named.get("use_cache") is not False:
            return plain(*args, **named)
        found = plain(*args, **{**named, "input_ids": pad(ids, (0, -tokens % MULTIPLE)), "attention_mask": None})
        found.last_hidden_state = found.last_hidden_state[:, :tokens]
        return found

    decoder.forward = forward
