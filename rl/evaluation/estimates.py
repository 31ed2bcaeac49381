"""Estimates of means over tasks with intervals, and of the chance to solve a task in several attempts.

The rollouts of one task resemble each other, so the unit is the task: what is resampled are the means of tasks, which
carry the chance within tasks along (a cluster bootstrap). docs/eval.md has the formulas and where they come from.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, fmean

from engine.errors import InputError

RESAMPLES = 2000
"""How often the tasks are drawn anew, with replacement."""

FEWEST_TASKS = 5
"""With fewer tasks there is no interval: drawing again from so few says nothing about others."""

_TAIL = 0.025
_PARTS = 400


@dataclass(frozen=True)
class Estimate:
    """A mean over tasks.

    Attributes:
        value: the mean; each task weighs the same.
        low, high: the 95 % confidence interval; ``None`` where there is none to give.
        tasks: over how many.
    """

    value: float
    low: float | None
    high: float | None
    tasks: int

    def __neg__(self) -> Estimate:
        low, high = (None if end is None else -end for end in (self.high, self.low))
        return Estimate(-self.value, low, high, self.tasks)


def mean_estimate(values: Sequence[float], *, share: bool = True, seed: int = 0) -> Estimate | None:
    """The mean of one value for each task, with its interval; ``None`` of no task.

    The interval is the bootstrap's percentile interval, with tails that make up for the small number of tasks. Where
    every task has 0, or every task 1, resampling shows no spread at all, and the interval is the exact one for that
    many successes or failures of one attempt each.

    Args:
        share: the values are shares, from 0 to 1.
        seed: of the resampling.
    """
    if not values:
        return None
    count, mean = len(values), fmean(values)
    if count < FEWEST_TASKS:
        return Estimate(mean, None, None, count)
    lowest, highest = min(values), max(values)
    if lowest == highest:
        # Clopper and Pearson: with chance p, all of n fail with (1 - p)^n, which is 0.025 at the end of the interval.
        far = math.pow(_TAIL, 1 / count)
        if share and highest == 0:
            return Estimate(mean, 0.0, 1 - far, count)
        if share and lowest == 1:
            return Estimate(mean, far, 1.0, count)
        return Estimate(mean, None, None, count)
    draw = random.Random(seed).choices
    means = sorted(sum(draw(values, k=count)) / count for _ in range(RESAMPLES))
    tail = _small_sample_tail(count)
    return Estimate(mean, _quantile(means, tail), _quantile(means, 1 - tail), count)


def pass_at_k(attempts: int, solved: int, k: int) -> float:
    """The unbiased estimate of the chance that at least one of k attempts solves the task.

    Raises:
        InputError: k is not from 1 to the number of attempts, or more are solved than attempted.
    """
    _examine(attempts, solved, k)
    return 1 - math.comb(attempts - solved, k) / math.comb(attempts, k)


def pass_hat_k(attempts: int, solved: int, k: int) -> float:
    """pass^k: the unbiased estimate of the chance that all of k attempts solve the task.

    Raises:
        InputError: as ``pass_at_k``.
    """
    _examine(attempts, solved, k)
    return math.comb(solved, k) / math.comb(attempts, k)


def _examine(attempts: int, solved: int, k: int) -> None:
    if not 0 <= solved <= attempts:
        raise InputError(f"{solved} of {attempts} attempts cannot have solved a task")
    if not 1 <= k <= attempts:
        raise InputError(f"of {attempts} attempts, k is from 1 to {attempts}, not {k}")


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Between the two nearest, so that it is the same from either end."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


@lru_cache
def _small_sample_tail(count: int) -> float:
    """What to cut off at each end instead of 2.5 %: as much wider as Student's interval is than the normal one."""
    return NormalDist().cdf(-math.sqrt(count / (count - 1)) * student_quantile(count - 1))


@lru_cache
def student_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t with so many degrees of freedom."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def between(end: float) -> float:
        """The probability from 0 to there, by Simpson's rule."""
        step = end / _PARTS
        heights = [scale * math.pow(1 + (i * step) ** 2 / freedom, -(freedom + 1) / 2) for i in range(_PARTS + 1)]
        return step / 3 * (heights[0] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2]) + heights[-1])

    low, high = 0.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if between(middle) < 0.5 - _TAIL else (low, middle)
    return (low + high) / 2
