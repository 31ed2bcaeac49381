"""Results as images (PNG)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rl.evaluation.extra import needed
from rl.experiments.analytic import GRID, SAMPLED, SHARE, SIGNAL
from rl.experiments.measures import CRITERIA, MALFORMED, SUCCESS
from rl.experiments.rewarding import TRAINED_CRITERIA, TRAINED_SUCCESS
from rl.experiments.store import Result
from rl.experiments.tables import TITLES

_COLOURS = ("#0072b2", "#d55e00", "#009e73")
"""Blue, vermilion, green: told apart by everybody."""

_SMOOTH = 5


def images(kind: str, results: Sequence[Result]) -> dict[str, bytes]:
    """The images of an experiment, by what each shows.

    Raises:
        InputError: the extra ``plots`` is not installed.
    """
    if kind == "rewards-solvable":
        return {"curves": _curves(results), "signal": _signal(results)}
    found = {"arms": _arms(results)}
    if any(item.measure == TRAINED_SUCCESS for item in results):
        found["training"] = _training(results)
    return found


def _arms(results: Sequence[Result]) -> bytes:
    """Each arm's mean with its interval."""
    figure = _figure(10, 3.4)
    for axis, measure in zip(figure.subplots(1, 3), (SUCCESS, CRITERIA, MALFORMED), strict=True):
        arms = [item for item in results if item.measure == measure and item.against is None]
        for place, item in enumerate(arms):
            if item.low is not None and item.high is not None:
                axis.plot([place, place], [item.low, item.high], color=_COLOURS[0], linewidth=2, alpha=0.55)
            axis.plot([place], [item.estimate], "o", color=_COLOURS[0], markersize=5)
        axis.set_xticks(range(len(arms)), [item.arm.replace("-", "-\n") for item in arms], fontsize=8)
        axis.set_xlim(-0.5, max(len(arms) - 0.5, 0.5))
        _style(axis, TITLES[measure], share=measure != MALFORMED)
    return _png(figure)


def _training(results: Sequence[Result]) -> bytes:
    """How the groups of each arm went, step by step, and their moving mean."""
    figure = _figure(10, 3.4)
    for axis, measure in zip(figure.subplots(1, 2), (TRAINED_SUCCESS, TRAINED_CRITERIA), strict=True):
        for colour, arm in zip(_COLOURS, _names(results, measure), strict=False):
            at, values = _line(results, measure, arm)
            mean = [
                sum(part) / len(part) for part in (values[max(0, i - _SMOOTH + 1) : i + 1] for i in range(len(values)))
            ]
            axis.plot(at, values, ".", color=colour, alpha=0.35)
            axis.plot(at, mean, color=colour, linewidth=1.6, label=arm)
        axis.set_xlabel("step", fontsize=9)
        axis.xaxis.get_major_locator().set_params(integer=True)
        _style(axis, f"{measure} (line: mean of {_SMOOTH} batches of groups)", share=True)
        axis.legend(frameon=False, fontsize=8)
    return _png(figure)


def _curves(results: Sequence[Result]) -> bytes:
    """Full success and mean criteria over the steps, for each profile."""
    profiles = list(dict.fromkeys(arm.partition(": ")[0] for arm in _names(results, SUCCESS)))
    figure = _figure(3.6 * len(profiles) + 0.4, 5.6)
    axes = figure.subplots(2, len(profiles), squeeze=False, sharex=True, sharey=True)
    for row, measure in zip(axes, (SUCCESS, CRITERIA), strict=True):
        for axis, profile in zip(row, profiles, strict=True):
            arms = [arm for arm in _names(results, measure) if arm.startswith(f"{profile}: ")]
            for colour, arm in zip(_COLOURS, arms, strict=False):
                items = [item for item in results if (item.measure, item.arm, item.against) == (measure, arm, None)]
                at = [item.at for item in items]
                axis.plot(
                    at, [item.estimate for item in items], color=colour, label=arm.partition(": ")[2], linewidth=1.6
                )
                low, high = ([_or(end, item) for item, end in ends] for ends in (
                    [(item, item.low) for item in items], [(item, item.high) for item in items]
                ))  # fmt: skip
                axis.fill_between(at, low, high, color=colour, alpha=0.25, linewidth=0)
            _style(axis, f"{profile}: {TITLES[measure]}", share=True)
    for axis in axes[-1]:
        axis.set_xlabel("step", fontsize=9)
    axes[0][0].legend(frameon=False, fontsize=8)
    return _png(figure)


def _or(end: float | None, item: Result) -> float:
    return item.estimate if end is None else end


def _signal(results: Sequence[Result]) -> bytes:
    """How much signal one criterion gets as its pass rate goes from 0 to 1, and which share of all of it."""
    figure = _figure(10, 3.6)
    left, right = figure.subplots(1, 2)
    for colour, arm in zip(_COLOURS, _names(results, SIGNAL), strict=False):
        left.plot(*_line(results, SIGNAL, arm), color=colour, linewidth=1.6, label=arm)
        left.plot(*_line(results, SAMPLED, arm), "o", color=colour, markersize=3)
        right.plot(*_line(results, SHARE, arm), color=colour, linewidth=1.6, label=arm)
    for axis, title in (
        (left, "signal (line: a large group, dots: groups of N)"),
        (right, "share of the signal of all criteria (a large group)"),
    ):
        axis.set_xlim(GRID[0] - 0.02, GRID[-1] + 0.02)
        axis.set_xlabel("pass rate of the criterion", fontsize=9)
        _style(axis, title, share=False)
    left.legend(frameon=False, fontsize=8)
    return _png(figure)


def _names(results: Sequence[Result], measure: str) -> list[str]:
    return list(dict.fromkeys(item.arm for item in results if item.measure == measure and item.against is None))


def _line(results: Sequence[Result], measure: str, arm: str) -> tuple[list[float], list[float]]:
    found = [item for item in results if (item.measure, item.arm, item.against) == (measure, arm, None)]
    return [item.at or 0.0 for item in found], [item.estimate for item in found]


def _style(axis: Any, title: str, *, share: bool) -> None:
    if share:
        axis.set_ylim(-0.03, 1.03)
        axis.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"], fontsize=8)
    else:
        axis.set_ylim(bottom=0)
        axis.tick_params(axis="y", labelsize=8)
    axis.tick_params(axis="x", labelsize=8)
    axis.grid(axis="y", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_title(title, loc="left", fontsize=9, fontweight="bold")


def _figure(width: float, height: float) -> Any:
    # Not pyplot: it keeps every figure, and may want a screen.
    figure = needed("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")
    needed("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    return figure


def _png(figure: Any) -> bytes:
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=140, metadata={"Software": None})
    return target.getvalue()
