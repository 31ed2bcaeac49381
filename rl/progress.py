"""What a running group tells about its rollouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["started", "step", "finished", "retrying", "failed", "interrupted"]
"""The stages of a rollout; ``step`` comes with every message."""


@dataclass(frozen=True)
class Progress:
    """Something happened to a rollout.

    Attributes:
        ordinal: which rollout of the group, from 1.
        steps: uses of a meta-tool so far.
        detail: the stop reason, or what failed.
    """

    group: int
    rollout: int
    ordinal: int
    kind: Kind
    steps: int = 0
    passed: int = 0
    criteria: int = 0
    detail: str | None = None


Watcher: TypeAlias = Callable[[Progress], None]
