"""Attention for training in bfloat16 on a CPU.

torch's own there turns bfloat16 into float32, which is where most of the time goes with trajectories of thousands of
tokens. Plain matrix products of bfloat16 are several times faster, in blocks that leave out what lies ahead.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

ATTENTION = "compoworld_blocks"
"""The name under which transformers finds it, once ``use_blocks`` was called."""

BLOCK = 256
"""Tokens whose queries are worked on together."""


def use_blocks(model: Any) -> None:
    """Let a model of transformers attend in this way."""
    AttentionInterface.register(ATTENTION, attend)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    model.set_attn_implementation(ATTENTION)


def attend(
    module: Any,
    query: Any,
    key: Any,
    value: Any,
    attention_mask: Any,
    scaling: float | None = None,
    dropout: float = 0.0,
    **rest: Any,
) -> tuple[Any, None]:
    """Causal attention of whole sequences; with padding, or anything else that needs a mask, that of torch.

    Args:
        query: (batch, heads, tokens, size).
        key, value: (batch, key heads, tokens, size).

    Returns:
        (batch, tokens, heads, size).
    """
    if attention_mask is not None or dropout or query.shape[2] != key.shape[2] or value.dtype != torch.bfloat16:
        found: tuple[Any, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, dropout=dropout, scaling=scaling, **rest
        )
        return found
    batch, heads, tokens, size = query.shape
    shared = heads // key.shape[1]
    with torch.autocast(query.device.type, enabled=False):
        # Heads that share keys are the queries of one head.
        asked = (query * (size**-0.5 if scaling is None else scaling)).to(value.dtype)
        asked = asked.view(batch, -1, shared, tokens, size)
        key = key.to(value.dtype)
        ahead = torch.full((BLOCK, BLOCK), -torch.inf, dtype=value.dtype, device=query.device).triu(1)
        blocks = []
        for begin in range(0, tokens, BLOCK):
            end = min(begin + BLOCK, tokens)
            some = asked[:, :, :, begin:end].flatten(2, 3)
            scores = (some @ key[:, :, :end].transpose(2, 3)).unflatten(2, (shared, end - begin))
            scores[..., begin:] += ahead[: end - begin, : end - begin]
            weights = torch.softmax(scores, dim=-1).flatten(2, 3)
            blocks.append((weights @ value[:, :, :end]).view(batch, heads, end - begin, size))
        return torch.cat(blocks, dim=2).transpose(1, 2), None
