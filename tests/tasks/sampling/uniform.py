"""Whether draws are uniform: Pearson's statistic against the quantile of its distribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import sqrt


def unlikely(drawn: Iterable[Hashable], possible: Sequence[Hashable]) -> str | None:
    """Why draws do not look uniform over what is possible (one in a thousand does by chance); ``None``: they do."""
    counts = Counter(drawn)
    others = counts.keys() - set(possible)
    if others:
        return f"drawn but not possible: {sorted(map(str, others))[:3]}"
    expected = counts.total() / len(possible)
    assert expected >= 5, "too few draws to say anything"
    statistic = sum((counts[item] - expected) ** 2 / expected for item in possible)
    freedom = len(possible) - 1
    # Wilson and Hilferty: the cube root of a chi-square over its degrees of freedom is nearly normal.
    limit = freedom * (1 - 2 / (9 * freedom) + 3.09 * sqrt(2 / (9 * freedom))) ** 3
    return None if statistic <= limit else f"chi-square {statistic:.0f} with {freedom} degrees, limit {limit:.0f}"
