"""Keys and values of sequences of different lengths, each in memory of its own, as one cache for transformers.

transformers' own caches pad a batch to its longest sequence, and are copied as a whole at every token. Here a sequence
writes in its place, reads what it has, and is kept from one turn of a rollout to the next.
"""

from __future__ import annotations

from typing import Any

import torch

from engine.errors import InputError

ATTENTION = "compoworld_ragged"
"""The name of the attention that reads such a cache."""

_GROWS_BY = 256


class Memory:
    """Keys and values of one sequence.

    Args:
        layers: how many layers the model has.

    Attributes:
        tokens: those whose keys and values are here.
    """

    def __init__(self, layers: int) -> None:
        self.tokens: list[int] = []
        self._layers = layers
        self._store: Any = None

    def bytes(self) -> int:
        """What it takes."""
        return 0 if self._store is None else self._store.numel() * self._store.element_size()

    def copied(self, length: int) -> Memory:
        """A memory of its first tokens, so many."""
        made = Memory(self._layers)
        if length:
            made.tokens = self.tokens[:length]
            made._store = self._store.new_empty(self._shape(self._store, length))
            made._store[..., :length, :] = self._store[..., :length, :]
        return made

    def common(self, token_ids: list[int]) -> int:
        """How many tokens at the beginning are the same."""
        length = min(len(self.tokens), len(token_ids))
        if self.tokens[:length] == token_ids[:length]:
            return length
        return next(place for place in range(length) if self.tokens[place] != token_ids[place])

    def write(self, layer: int, keys: Any, values: Any) -> tuple[Any, Any]:
        """Put keys and values of a layer after those of ``tokens``.

        Args:
            keys, values: (heads, new tokens, size).

        Returns:
            All there are now, in the same form.
        """
        begin = len(self.tokens)
        end = begin + keys.shape[1]
        if self._store is None or self._store.shape[3] < end:
            self._grow(keys, begin, end)
        store = self._store[layer]
        store[0, :, begin:end] = keys
        store[1, :, begin:end] = values
        return store[0, :, :end], store[1, :, :end]

    def _grow(self, like: Any, begin: int, end: int) -> None:
        heads, _, size = like.shape
        grown = like.new_empty((self._layers, 2, heads, _rounded(end), size))
        if begin:
            grown[..., :begin, :] = self._store[..., :begin, :]
        self._store = grown

    @staticmethod
    def _shape(store: Any, length: int) -> tuple[int, ...]:
        layers, two, heads, _, size = store.shape
        return layers, two, heads, _rounded(length), size


class RaggedCache:
    """The memories of a batch's sequences, as the cache of one pass through a model."""

    is_compileable = False

    def __init__(self, memories: list[Memory]) -> None:
        self._memories = memories

    def update(self, keys: Any, values: Any, layer: int, *_: Any, **__: Any) -> tuple[list[Any], list[Any]]:
        """Called by each layer's attention with (batch, heads, new tokens, size); for ``attend``."""
        written = [memory.write(layer, keys[place], values[place]) for place, memory in enumerate(self._memories)]
        return [item[0] for item in written], [item[1] for item in written]


def attend(
    module: Any, query: Any, key: list[Any], value: list[Any], attention_mask: Any, scaling: float, **_: Any
) -> tuple[Any, None]:
    """Causal attention of each sequence to itself.

    Args:
        query: (batch, heads, new tokens, size).
        key, value: of each sequence (key heads, its tokens, size).
    """
    attention = torch.nn.functional.scaled_dot_product_attention
    _, heads, new, size = query.shape
    results = []
    for place, (keys, values) in enumerate(zip(key, value, strict=True)):
        if new == 1:
            # Heads that share keys are the queries of one head: nothing is repeated, nothing is masked.
            asked = query[place].view(1, keys.shape[0], -1, size)
            found = attention(asked, keys[None], values[None], scale=scaling).view(1, heads, 1, size)
        else:
            total = keys.shape[1]
            seen = torch.ones(new, total, dtype=torch.bool, device=query.device).tril(total - new)
            found = attention(
                query[place : place + 1], keys[None], values[None], attn_mask=seen, scale=scaling, enable_gqa=True
            )
        results.append(found)
    return torch.cat(results).transpose(1, 2).contiguous(), None


def _rounded(length: int) -> int:
    """With room to grow."""
    return (length // _GROWS_BY + 1) * _GROWS_BY


def context_of(config: Any) -> int:
    """How many tokens a model's conversation may have.

    Raises:
        InputError: it attends in another way than here.
    """
    windows = set(getattr(config, "layer_types", None) or ()) - {"full_attention"}
    if windows or getattr(config, "is_encoder_decoder", False):
        raise InputError(
            f"models of the kind {config.model_type} attend in another way than this generator",
            hint="use a model with full causal attention, such as Llama or Qwen 3",
        )
    return int(config.max_position_embeddings)
