"""The rewards that a run of GRPO trains on."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, text

from rl.rewards import LAMBDA, Matrix, binary, completion_focused, uniform, weights

RewardKind = Literal["completion_focused", "uniform", "binary"]

EPSILON = 1e-4
"""TRL adds it to the standard deviation by which it divides advantages."""

_FLOAT32_BITS = 24
"""Whole numbers up to 2 to this power are exact in float32."""

WRITTEN = """r.status = 'finished' AND EXISTS (
    SELECT FROM compoworld.trajectory j WHERE j.rollout_id = r.id AND j.agent_tokens > 0)"""
"""Of a rollout r: the policy wrote something in it, and it has ended."""

_JUDGED = f"""
SELECT r.id AS rollout, r.status, r.stop_reason,
    array_agg(k.passed ORDER BY k.ordinal) FILTER (WHERE k.passed IS NOT NULL) AS passed
FROM compoworld.rollout r
JOIN compoworld.rollout_group g ON g.id = r.group_id
LEFT JOIN compoworld.criterion_check k ON k.rollout_id = r.id AND g.finished_at IS NOT NULL AND {WRITTEN}
WHERE r.group_id = :group GROUP BY r.id ORDER BY r.ordinal
"""


@dataclass(frozen=True)
class Scored:
    """One rollout of a group, as its trainer gets it.

    Attributes:
        criteria, passed: how many there are, and how many of them hold; ``None`` for an unscorable rollout.
        reward, advantage: ``None`` for an unscorable rollout.
    """

    rollout: int
    status: str
    stop_reason: str | None
    criteria: int | None
    passed: int | None
    reward: float | None
    advantage: float | None


@dataclass(frozen=True)
class Scores:
    """A group as its trainer gets it.

    Attributes:
        rollouts: by ordinal.
        passed: for each criterion, in how many of the scored rollouts it holds; empty where none is scored.
        weights: of the criteria in the reward; ``None`` where it has none.
    """

    rollouts: list[Scored]
    passed: list[int]
    weights: list[float] | None

    @property
    def scored(self) -> int:
        """How many rollouts have a reward."""
        return sum(item.reward is not None for item in self.rollouts)


def group_scores(connection: Connection, group: int, kind: RewardKind, lambda_: float = LAMBDA) -> Scores:
    """How a group is scored.

    A rollout is unscorable where the infrastructure failed it, the policy wrote nothing, or the group is unfinished.
    """
    found = connection.execute(text(_JUDGED), {"group": group}).all()
    matrix = [list(row.passed) for row in found if row.passed]
    formulas: dict[RewardKind, Callable[[Matrix], list[float]]] = {
        "completion_focused": lambda passed: completion_focused(passed, lambda_),
        "uniform": uniform,
        "binary": binary,
    }
    rewards = formulas[kind](matrix)
    given = iter(zip(rewards, advantages(rewards), strict=True))
    rollouts = []
    for row in found:
        head = (row.rollout, row.status, row.stop_reason)
        if row.passed:
            rollouts.append(Scored(*head, len(row.passed), sum(row.passed), *next(given)))
        else:
            rollouts.append(Scored(*head, None, None, None, None))
    return Scores(rollouts, [sum(column) for column in zip(*matrix, strict=True)], _weights(kind, matrix, lambda_))


def advantages(rewards: Sequence[float]) -> list[float]:
    """How much better each reward is than their mean, in (sample) standard deviations, as TRL computes it."""
    if not rewards:
        return []
    mean = statistics.mean(rewards)
    deviation = statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return [(reward - mean) / (deviation + EPSILON) for reward in rewards]


def summable(reward: float, size: int) -> float:
    """The nearest number of which sums of up to ``size`` are exact in float32, in which TRL computes advantages.

    So rewards that are alike have advantages of exactly 0. Otherwise what rounds their mean is left, and Adam, which
    divides by how large gradients have been, can make a whole step of it.
    """
    grid = 2.0 ** (math.ceil(math.log2(size)) - _FLOAT32_BITS)
    return round(reward / grid) * grid


def _weights(kind: RewardKind, matrix: Matrix, lambda_: float) -> list[float] | None:
    if kind == "binary":
        return None
    if kind == "uniform" and matrix:
        return [1 / len(matrix[0])] * len(matrix[0])
    return weights(matrix, lambda_)
