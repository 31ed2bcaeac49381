"""Figures of evaluations as an image: means with their intervals, one evaluation or two beside each other."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from rl.evaluation.estimates import Estimate
from rl.evaluation.extra import needed
from rl.evaluation.measures import Summary
from rl.evaluation.wording import KIND_NAMES, PARTITION_NAMES, percent

_COLOURS = ("#0072b2", "#d55e00")
"""Blue and vermilion: told apart by everybody, and in grey."""

_Rows = list[tuple[str, list[Estimate | None]]]


def png(summaries: Sequence[Summary]) -> bytes:
    """An image of one evaluation, or of several beside each other: everything that is a share, with its interval.

    Raises:
        InputError: the extra ``plots`` is not installed.
    """
    # Not pyplot: it keeps every figure, and may want a screen.
    figure_module, agg = needed("matplotlib.figure"), needed("matplotlib.backends.backend_agg")
    panels = [(title, rows) for title, rows in _panels(summaries) if rows]
    attempts = max(len(summary.attempts) for summary in summaries) > 1
    left = panels[: (len(panels) + 1) // 2]
    columns = [left, panels[len(left) :]]
    height = max(sum(len(rows) * len(summaries) ** 0.5 * 0.3 + 0.75 for _, rows in column) for column in columns)
    height += 2.8 if attempts else 0.4
    figure: Any = figure_module.Figure(figsize=(11, height), layout="constrained")
    agg.FigureCanvasAgg(figure)
    parts = figure.subfigures(2 if attempts else 1, 1, height_ratios=[height - 2.6, 2.6] if attempts else None)
    upper, lower = (parts[0], parts[1]) if attempts else (parts, None)
    for part, column in zip(upper.subfigures(1, 2), columns, strict=True):
        axes = part.subplots(len(column), 1, squeeze=False, height_ratios=[len(rows) + 1.5 for _, rows in column])
        for (title, rows), (axis,) in zip(column, axes, strict=True):
            _intervals(axis, title, rows)
    if lower is not None:
        _attempts(lower.subplots(1, 1), summaries)
    upper.suptitle("\n".join(_title(summary) for summary in summaries), fontsize=10, x=0.01, ha="left")
    if len(summaries) > 1:
        upper.legend(handles=_legend(summaries), loc="outside upper right", frameon=False, fontsize=9)
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=140, metadata={"Software": None})
    return target.getvalue()


def _title(summary: Summary) -> str:
    evaluation = summary.evaluation
    return (
        f"{evaluation.name}: {evaluation.policy or evaluation.model or evaluation.agent}, {summary.tasks} tasks,"
        f" {summary.scored} rollouts; bars: 95 % over tasks"
    )


def _panels(summaries: Sequence[Summary]) -> list[tuple[str, _Rows]]:
    whole: _Rows = [
        ("success", [summary.success for summary in summaries]),
        ("criteria passed", [summary.criteria_passed for summary in summaries]),
    ]
    kinds = _together([{item.kind: item.passed for item in summary.kinds} for summary in summaries])
    panels = [
        ("all tasks", whole),
        ("criteria by kind", [(KIND_NAMES.get(kind, kind), values) for kind, values in kinds]),
    ]
    for partition in ("area", "k", "l"):
        rows = _together([{part.name: part.success for part in summary.slices[partition]} for summary in summaries])
        panels.append((f"success by {PARTITION_NAMES[partition]}", rows))
    return panels


def _together(found: Sequence[dict[str, Estimate]]) -> _Rows:
    names = dict.fromkeys(name for each in found for name in each)
    return [(name, [each.get(name) for each in found]) for name in names]


def _intervals(axis: Any, title: str, rows: _Rows) -> None:
    count = len(rows[0][1])
    for place, (_, values) in enumerate(rows):
        for which, estimate in enumerate(values):
            if estimate is None:
                continue
            height = place + (which - (count - 1) / 2) * 0.3
            colour = _COLOURS[which % len(_COLOURS)]
            if estimate.low is not None and estimate.high is not None:
                axis.plot([estimate.low, estimate.high], [height, height], color=colour, linewidth=2, alpha=0.55)
            axis.plot([estimate.value], [height], "o", color=colour, markersize=5, clip_on=False)
            if count == 1:
                axis.annotate(
                    f"{percent(estimate.value)}  ({estimate.tasks})",
                    (1.02, height), xycoords=("axes fraction", "data"), va="center", fontsize=8, color="#444444",
                )  # fmt: skip
    axis.set_yticks(range(len(rows)), [_plain(name) for name, _ in rows], fontsize=9)
    axis.set_ylim(len(rows) - 0.4, -0.6)
    _from_0_to_1(axis)
    axis.set_title(title, loc="left", fontsize=10, fontweight="bold")


def _attempts(axis: Any, summaries: Sequence[Summary]) -> None:
    ks = sorted({item.k for summary in summaries for item in summary.attempts})
    for which, summary in enumerate(summaries):
        colour = _COLOURS[which % len(_COLOURS)]
        for line, style, values in (
            ("pass@k", "o-", [(item.k, item.any.value) for item in summary.attempts]),
            ("pass^k", "s--", [(item.k, item.all.value) for item in summary.attempts]),
        ):
            label = f"{line} {_plain(summary.evaluation.name)}" if len(summaries) > 1 else line
            axis.plot(*zip(*values, strict=True), style, color=colour, label=label, markersize=4, linewidth=1.4)
    axis.set_xscale("log", base=2)
    axis.set_xticks(ks, [str(k) for k in ks])
    axis.minorticks_off()
    axis.set_xlabel("k attempts", fontsize=9)
    axis.set_ylim(-0.03, 1.03)
    axis.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"], fontsize=8)
    axis.grid(axis="y", color="#dddddd", linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_title(
        "solved at least once (pass@k), and every time (pass^k), in k attempts", loc="left", fontsize=10,
        fontweight="bold",
    )  # fmt: skip
    axis.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _from_0_to_1(axis: Any) -> None:
    axis.set_xlim(-0.02, 1.02)
    axis.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"], fontsize=8)
    axis.grid(axis="x", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.tick_params(axis="y", length=0)


def _legend(summaries: Sequence[Summary]) -> list[Any]:
    lines = needed("matplotlib.lines")
    return [
        lines.Line2D([], [], color=colour, marker="o", linewidth=2, label=_plain(summary.evaluation.name))
        for summary, colour in zip(summaries, _COLOURS, strict=False)
    ]


def _plain(text: str) -> str:
    """Dollars begin formulas there."""
    return text.replace("$", r"\$")
