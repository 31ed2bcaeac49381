"""What a run of training tells as it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True)
class TrainingProgress:
    """Something happened in a run.

    Attributes:
        kind: ``examples`` are being written; ``begun``: the trainer starts, or goes on, after ``step``; ``rollouts`` of
            the next step's groups have ended; a ``step`` is done; ``saved``: the policy is.
        step, steps: of the optimizer, done and in all.
        count, total: examples, or rollouts; 0 where it is not known.
        loss, reward: of the step, where it has them.
    """

    kind: Literal["examples", "begun", "rollouts", "step", "saved"]
    step: int = 0
    steps: int = 0
    count: int = 0
    total: int = 0
    loss: float | None = None
    reward: float | None = None


TrainingWatcher: TypeAlias = Callable[[TrainingProgress], None]
