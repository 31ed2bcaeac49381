"""Language models whose weights are here: their format of a conversation, generation in batches, loading."""

from __future__ import annotations

from rl.local.loading import SMOLLM2, Loaded, load

__all__ = ["SMOLLM2", "Loaded", "load"]
