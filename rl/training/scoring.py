"""Scores only the positions that are trained, which TRL leaves to GPUs.

Its trainers project hidden states to the vocabulary where a label stands: but only with Triton. Elsewhere they take all
positions, because devices that compile would compile anew for every number of labels. A CPU compiles nothing, and of a
trajectory only a part is the agent's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trl.trainer import utils


@contextmanager
def trained_positions_only() -> Iterator[None]:
    """Within it TRL's trainers compute logits only where there is a label. Losses and gradients are the same."""
    # The version of TRL is pinned, and a test counts the positions: another TRL may decide this in another place.
    decided = utils._use_triton

    def compact(device: Any) -> bool:
        return device.type == "cpu" or bool(decided(device))

    utils._use_triton = compact
    try:
        yield
    finally:
        utils._use_triton = decided
