"""Timing: medians and 95th percentiles of a function beside its baseline, in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One figure beside its baseline.

    Attributes:
        unit: ``ms``, ``/s``, ``relations`` or ``bytes``.
        ours, baseline: medians, or plain figures where there is nothing to take a median of.
        p95, baseline_p95: 95th percentiles of the same samples; ``None`` for plain figures.
        what, against: what was measured, in a few words.
    """

    name: str
    unit: str
    ours: float
    baseline: float
    what: str
    against: str
    p95: float | None = None
    baseline_p95: float | None = None

    @property
    def ratio(self) -> float | None:
        """ours over baseline; ``None`` where the baseline is 0."""
        return self.ours / self.baseline if self.baseline else None

    def as_json(self) -> dict[str, Any]:
        """The figure for programs."""
        rounded = {
            "ours": self.ours,
            "baseline": self.baseline,
            "ratio": self.ratio,
            "p95": self.p95,
            "baseline_p95": self.baseline_p95,
        }
        return {
            **{name: None if value is None else round(value, 6) for name, value in rounded.items()},
            "unit": self.unit,
            "what": self.what,
            "against": self.against,
        }


def sample(function: Callable[[], Any], times: int, *, warm: int = 1) -> list[float]:
    """Milliseconds of ``times`` runs, after ``warm`` runs that do not count."""
    for _ in range(warm):
        function()
    found = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        found.append((time.perf_counter() - start) * 1000)
    return found


def in_turn(
    a: Callable[[], Any], b: Callable[[], Any], times: int, *, warm: int = 5
) -> tuple[list[float], list[float]]:
    """Milliseconds of two functions run in turn, so that both meet the same weather."""
    for _ in range(warm):
        a()
        b()
    found_a, found_b = [], []
    for _ in range(times):
        found_a += sample(a, 1, warm=0)
        found_b += sample(b, 1, warm=0)
    return found_a, found_b


def percentile(values: list[float], share: float) -> float:
    """The value below which that share of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def figure(name: str, ours: list[float], baseline: list[float], what: str, against: str) -> Figure:
    """A figure in milliseconds from two lists of samples."""
    return Figure(
        name,
        "ms",
        statistics.median(ours),
        statistics.median(baseline),
        what,
        against,
        percentile(ours, 0.95),
        percentile(baseline, 0.95),
    )
