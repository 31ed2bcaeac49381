"""Figures as words, the same on a terminal, in plots and in a report."""

from __future__ import annotations

from collections.abc import Callable

from rl.evaluation.estimates import Estimate

KIND_NAMES = {"must_not_change": "must not change"}
"""Kinds of criteria that are not called in words by their names."""

MEASURES = {
    "success": "success",
    "criteria_passed": "criteria passed",
    "calls": "calls",
    "failed_calls": "failed calls",
    "input_tokens": "input tokens",
    "output_tokens": "output tokens",
    **KIND_NAMES,
}
"""What figures are called."""

PARTITION_NAMES = {"area": "area", "k": "services (K)", "l": "visits (L)", "family": "family"}
"""What it is called by which tasks are told apart."""

AMOUNTS = ("calls", "failed_calls", "input_tokens", "output_tokens")
"""Figures that are no shares."""


def percent(share: float) -> str:
    """A share: ``54.2%``; whole ones without decimals."""
    return f"{share:.0%}" if share in (-1, 0, 1) else f"{share:.1%}"


def points(share: float) -> str:
    """A difference of shares, in percentage points, with its sign: ``+12.5``."""
    return "0" if share == 0 else f"{100 * share:+.1f}"


def amount(value: float) -> str:
    """A number of calls or tokens."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}"


def signed(value: float) -> str:
    """A difference of numbers, with its sign."""
    return ("+" if value > 0 else "") + amount(value)


def dollars(value: float) -> str:
    """US dollars."""
    return f"${value:,.2f}" if value >= 1 else f"${value:.4f}"


def interval(estimate: Estimate, of: Callable[[float], str] = percent) -> str:
    """The ends of an interval: ``36.1% to 71.9%``; nothing where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{of(estimate.low)} to {of(estimate.high)}"


def p_value(value: float) -> str:
    """A p-value: ``p = 0.012``, ``p < 0.001``."""
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}" if value < 0.1 else f"p = {value:.2f}"
