"""Figures as words, the same on a terminal, in plots and in a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rl.evaluation.comparison import Difference
from rl.evaluation.estimates import Estimate
from rl.evaluation.measures import Effort

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


def effort_words(effort: Effort) -> Iterator[tuple[str, str, str]]:
    """What a rollout takes: name, mean, interval; without what is not known and tokens of agents that take none."""
    rows: list[tuple[str, Estimate | None, Callable[[float], str]]] = [
        ("calls", effort.calls, amount),
        ("of these failed", effort.failed_calls, amount),
        ("malformed calls", effort.malformed, amount),
        ("seconds", effort.seconds, amount),
    ]
    if effort.input_tokens.value:
        rows += [
            ("input tokens", effort.input_tokens, amount),
            ("of these cached", effort.cached_tokens, amount),
            ("output tokens", effort.output_tokens, amount),
        ]
    rows.append(("cost", effort.cost_usd, dollars))
    for name, estimate, of in rows:
        if estimate is not None:
            yield name, of(estimate.value), interval(estimate, of)
    for name, sum_ in (("cost in all", effort.cost_in_all), ("cost of a success", effort.cost_of_success)):
        if sum_ is not None:
            yield name, dollars(sum_), ""


@dataclass(frozen=True)
class DifferenceWords:
    """A difference as words; of shares it is in percentage points."""

    name: str
    tasks: int
    first: str
    second: str
    difference: str
    interval: str


def difference_words(item: Difference) -> DifferenceWords | None:
    """A difference as words; ``None`` for tokens of agents that take none."""
    if item.name in AMOUNTS and item.first == item.second == 0:
        return None
    of, less = (amount, signed) if item.name in AMOUNTS else (percent, points)
    return DifferenceWords(
        MEASURES.get(item.name, item.name),
        item.difference.tasks,
        of(item.first),
        of(item.second),
        less(item.difference.value),
        interval(item.difference, less),
    )


def verdict(item: Difference) -> str:
    """What a tested difference shows, in a sentence."""
    assert item.p_value is not None
    what, value = MEASURES[item.name], item.difference.value
    tested = f"({item.test}: {p_value(item.p_value)})"
    if value == 0:
        return f"No difference in {what} {tested}."
    chance = "" if item.p_value <= 0.05 else ", which chance could do as well"
    more = "higher" if value > 0 else "lower"
    return f"B is {more} in {what} by {points(abs(value)).lstrip('+')} points{chance} {tested}."
