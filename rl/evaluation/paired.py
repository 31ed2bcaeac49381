"""Tests of paired differences: two agents on the same tasks."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

FLIPS = 10_000
"""How many patterns of signs are drawn where there are too many to go through."""

_MOST_EXACT = 16
_ROUNDING = 1e-9


def sign_flip_test(differences: Sequence[float], *, seed: int = 0) -> float:
    """The two-sided p-value of a mean difference of 0, by flipping the signs of the tasks' differences.

    If the two agents were alike, each task's difference could as well have the other sign. The p-value is the share of
    all patterns of signs whose sum is at least as far from 0: exact with up to 16 differences other than 0; drawn with
    more, counting the observed pattern itself.

    Args:
        differences: one for each task; their order must not depend on which agent comes first.
    """
    # A task without a difference adds nothing, whatever its sign.
    left = [value for value in differences if value]
    far = abs(sum(left)) - _ROUNDING
    if len(left) <= _MOST_EXACT:
        sums = [0.0]
        for value in left:
            sums = [total + sign * value for total in sums for sign in (1, -1)]
        return sum(abs(total) >= far for total in sums) / len(sums)
    lots = random.Random(seed)
    hits = 0
    for _ in range(FLIPS):
        signs = lots.getrandbits(len(left))
        total = sum(value if signs >> place & 1 else -value for place, value in enumerate(left))
        hits += abs(total) >= far
    return (1 + hits) / (1 + FLIPS)


def mcnemar_test(only_first: int, only_second: int) -> float:
    """McNemar's exact two-sided p-value, for one attempt of each agent at each task.

    Args:
        only_first, only_second: how many tasks only the one, or only the other, solved.
    """
    count = only_first + only_second
    tail = sum(math.comb(count, k) for k in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / (1 << count))
