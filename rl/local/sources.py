"""Generators by where their weights are: each is loaded once in a process, whoever asks for it."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rl.local.loading import SMOLLM2, DType, load

if TYPE_CHECKING:
    from rl.local.engine import Generator

_loading = threading.Lock()


def generator_of(weights: str, dtype: DType = "auto", digest: str | None = None, **sampling: Any) -> Generator:
    """What writes with these weights.

    Args:
        dtype: ``auto``, ``float32`` or ``bfloat16``.
        digest: of the weights; ``None`` takes any.
        sampling: ``max_new_tokens``, ``temperature``, ``top_p``, ``batch``, as ``Generator`` takes them.

    Raises:
        InputError: the weights cannot be read or have another digest, or an option is wrong.
        CompoWorldError: a package is missing.
    """
    with _loading:
        return _generator(weights, dtype, digest, _stamp(weights), tuple(sorted(sampling.items())))


@lru_cache(maxsize=2)
def _generator(
    weights: str, dtype: DType, digest: str | None, stamp: int, sampling: tuple[tuple[str, Any], ...]
) -> Generator:
    # Each has a model of its own: two generators at work on one would change its attention under each other's feet.
    loaded = load(weights, dtype, digest)
    from rl.local.engine import Generator

    return Generator(loaded.model, loaded.tokenizer, **dict(sampling))


def _stamp(weights: str) -> int:
    """When the newest of the files was written: other weights may come to lie in the same folder."""
    if weights == SMOLLM2:
        return 0
    return max((file.stat().st_mtime_ns for file in Path(weights).iterdir()), default=0)
