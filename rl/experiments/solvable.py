"""A policy that can be solved exactly: criteria that hold independently of each other, with one parameter each.

A rollout fulfils criterion j with probability p_j = sigmoid(theta_j); the policy gradient of the advantages of a group
moves theta. What a language model adds is left out: what remains is how each reward shares the signal of a group among
criteria of different difficulty, and what becomes of full success.

The signal of criterion j is the covariance of the advantage with its score function b_j - p_j. For a large group,
with independent criteria:

    weighted rewards   s_j = w_j p_j (1 - p_j) / sd(R),    var(R) = sum_k w_k^2 p_k (1 - p_k)
    binary reward      s_j = P (1 - p_j) / sd(R),          P = prod_k p_k,  var(R) = P (1 - P)

with w_j = 1/M for ``uniform`` and w_j as in ``rl.rewards`` for ``completion_focused``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from rl.rewards import LAMBDA

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

RewardName = Literal["completion_focused", "uniform", "binary"]
Share = Annotated[float, Field(gt=0, lt=1)]

DELTA = 1e-4
"""δ of A = (R - mean R) / (std R + δ)."""


class SolvableConfig(BaseModel):
    """What is simulated.

    Attributes:
        pass_rates: how often each criterion holds before training; M of them.
        group_size: N, rollouts of a group.
        groups: groups of a step.
        steps: policy updates.
        rate: length of an update of theta. Every gradient is brought to this length, as clipping its norm does where
            it is larger: with a budget of change, signal that goes to one criterion is missing at another.
        seeds: independent runs.
        lam: λ of the completion-focused weights.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    pass_rates: Annotated[tuple[Share, ...], Field(min_length=1)] = (0.95, 0.9, 0.8, 0.6, 0.4, 0.2, 0.1, 0.05)
    group_size: Annotated[int, Field(ge=2)] = 8
    groups: Annotated[int, Field(ge=1)] = 8
    steps: Annotated[int, Field(ge=1)] = 300
    rate: Annotated[float, Field(gt=0)] = 0.1
    seeds: Annotated[int, Field(ge=1)] = 200
    lam: Annotated[float, Field(gt=0)] = LAMBDA


@dataclass(frozen=True)
class Curves:
    """How the policy's exact values went; both of shape (seeds, steps + 1).

    Attributes:
        success: the probability that a rollout fulfils every criterion.
        criteria: the mean of the pass rates.
    """

    success: Array
    criteria: Array


def expected_signal(rates: Sequence[float], reward: RewardName, lam: float = LAMBDA) -> list[float]:
    """The signal s_j of each criterion in a large group; shape M. All 0 where the reward does not vary.

    Args:
        rates: p_j, from 0 to 1, both included.
    """
    spread = [p * (1 - p) for p in rates]
    if reward == "binary":
        whole = math.prod(rates)
        deviation = math.sqrt(whole * (1 - whole))
        return [whole * (1 - p) / deviation if deviation else 0.0 for p in rates]
    raw = [1.0 if reward == "uniform" else 1 - p + lam for p in rates]
    weight = [value / sum(raw) for value in raw]
    deviation = math.sqrt(sum(w * w * v for w, v in zip(weight, spread, strict=True)))
    return [w * v / deviation if deviation else 0.0 for w, v in zip(weight, spread, strict=True)]


def group_rewards(passed: Array, reward: RewardName, lam: float = LAMBDA) -> Array:
    """The rewards of groups; ``rl.rewards`` for many groups at once.

    Args:
        passed: b_ij as 0 and 1, shape (..., N, M).

    Returns:
        Shape (..., N).
    """
    rewarded: Array
    if reward == "binary":
        rewarded = passed.min(axis=-1)
    elif reward == "uniform":
        rewarded = passed.mean(axis=-1)
    else:
        raw = 1 - passed.mean(axis=-2, keepdims=True) + lam
        rewarded = (passed * (raw / raw.sum(axis=-1, keepdims=True))).sum(axis=-1)
    return rewarded


def simulate(config: SolvableConfig, reward: RewardName, seed: int = 0) -> Curves:
    """Train the policy, ``config.seeds`` times at once. The same seed draws the same numbers for every reward."""
    import numpy as np

    draw = np.random.default_rng(seed)
    start = np.array(config.pass_rates, dtype=np.float64)
    theta = np.tile(np.log(start / (1 - start)), (config.seeds, 1))
    success, criteria = [], []
    for step in range(config.steps + 1):
        rates = 1 / (1 + np.exp(-theta))
        success.append(rates.prod(axis=-1))
        criteria.append(rates.mean(axis=-1))
        if step == config.steps:
            break
        shape = (config.seeds, config.groups, config.group_size, len(start))
        passed = (draw.random(shape) < rates[:, None, None, :]).astype(np.float64)
        gradient = (_advantages(passed, reward, config.lam)[..., None] * (passed - rates[:, None, None, :])).mean(
            axis=(1, 2)
        )
        length = np.linalg.norm(gradient, axis=-1, keepdims=True)
        theta = theta + config.rate * np.divide(gradient, length, out=np.zeros_like(gradient), where=length > 0)
    return Curves(np.stack(success, axis=1), np.stack(criteria, axis=1))


def sampled_signal(
    rates: Sequence[float], reward: RewardName, size: int, groups: int, *, lam: float = LAMBDA, seed: int = 0
) -> float:
    """The signal of the first criterion in groups of so many rollouts, as a mean over drawn groups.

    Small groups have less than ``expected_signal`` says: some have no rollout with the criterion, or nothing but such.
    """
    import numpy as np

    chances = np.array(rates, dtype=np.float64)
    passed = (np.random.default_rng(seed).random((groups, size, len(chances))) < chances).astype(np.float64)
    return float((_advantages(passed, reward, lam) * (passed[..., 0] - chances[0])).mean())


def _advantages(passed: Array, reward: RewardName, lam: float) -> Array:
    rewards = group_rewards(passed, reward, lam)
    advantages: Array = (rewards - rewards.mean(axis=-1, keepdims=True)) / (rewards.std(axis=-1, keepdims=True) + DELTA)
    return advantages
