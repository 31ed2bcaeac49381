"""An evaluation, or the comparison of two, as one HTML page: it needs no other file, no network and no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rl.evaluation.comparison import Comparison, Difference
from rl.evaluation.estimates import Estimate
from rl.evaluation.extra import needed
from rl.evaluation.measures import Summary, criteria_of, success_of
from rl.evaluation.results import CriterionResult, Results
from rl.evaluation.wording import (
    AMOUNTS,
    KIND_NAMES,
    PARTITION_NAMES,
    difference_words,
    effort_words,
    interval,
    percent,
    verdict,
)

_TEMPLATE = Path(__file__).with_name("report.html.jinja")
_MOST_CRITERIA, _MOST_ANSWERS, _LONGEST_ANSWER = 20, 12, 1500


@dataclass(frozen=True)
class _Row:
    """A line of a table with a strip that shows an interval; places on the strip are per cent of its width."""

    name: str
    value: str
    interval: str
    tasks: int
    at: float
    low: float | None
    high: float | None
    first: str = ""
    second: str = ""


def page(summaries: Sequence[Summary], results: Sequence[Results], comparison: Comparison | None = None) -> str:
    """The page. What agents and tasks say in it is escaped.

    Args:
        summaries, results: of one evaluation, or of the two that are compared.

    Raises:
        InputError: the extra ``plots`` is not installed.
    """
    environment = needed("jinja2").Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(percent=percent, kinds=KIND_NAMES)
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    pages = [_evaluation(summary, found) for summary, found in zip(summaries, results, strict=True)]
    text: str = template.render(
        title=" and ".join(summary.evaluation.name for summary in summaries),
        pages=pages,
        comparison=None if comparison is None else _comparison(comparison),
    )
    return text


def _evaluation(summary: Summary, results: Results) -> dict[str, Any]:
    return {
        "summary": summary,
        "evaluation": summary.evaluation,
        "tables": list(_tables(summary)),
        "attempts": [
            (item.k, percent(item.any.value), interval(item.any), percent(item.all.value), interval(item.all))
            for item in summary.attempts
        ],
        "effort": list(effort_words(summary.effort)) if summary.effort else [],
        "tasks": [
            {
                "task": task,
                "solved": task.solved,
                "scored": len(task.rollouts),
                "success": 100 * success_of(task) if task.rollouts else None,
                "criteria": percent(criteria_of(task)) if task.rollouts else "",
            }
            for task in results.tasks
        ],
        "criteria": _hardest(results.criteria),
        "answers": list(_answers(results)),
    }


def _tables(summary: Summary) -> Iterator[tuple[str, str, list[_Row]]]:
    """Title, what the first column is called, rows."""
    if summary.success is None or summary.criteria_passed is None:
        return
    yield "All tasks", "", [_share("success", summary.success), _share("criteria passed", summary.criteria_passed)]
    kinds = [_share(KIND_NAMES.get(item.kind, item.kind), item.passed) for item in summary.kinds]
    yield "Criteria passed, by kind", "kind", kinds
    for partition, parts in summary.slices.items():
        title = PARTITION_NAMES[partition]
        yield f"Success by {title}", title, [_share(part.name, part.success) for part in parts]


def _share(name: str, estimate: Estimate) -> _Row:
    low, high = (None if end is None else 100 * end for end in (estimate.low, estimate.high))
    return _Row(
        name, percent(estimate.value), interval(estimate), estimate.tasks, 100 * estimate.value, low, high
    )  # fmt: skip


def _hardest(criteria: Sequence[CriterionResult]) -> list[CriterionResult]:
    """The criteria that fail most often, the most often first."""
    failing = [item for item in criteria if item.passed < item.rollouts]
    return sorted(failing, key=lambda item: item.passed / item.rollouts)[:_MOST_CRITERIA]


def _answers(results: Results) -> Iterator[dict[str, Any]]:
    """Last words of rollouts that did not solve their task, one for each task."""
    unsolved = [
        (task, next(rollout for rollout in task.rollouts if not rollout.solved))
        for task in results.scored
        if task.solved < len(task.rollouts)
    ]
    for task, rollout in unsolved[:_MOST_ANSWERS]:
        words = rollout.answer or ""
        yield {
            "task": task.name,
            "rollout": rollout.rollout,
            "passed": rollout.passed,
            "criteria": rollout.criteria,
            "stop_reason": rollout.stop_reason,
            "answer": words[:_LONGEST_ANSWER] + ("…" if len(words) > _LONGEST_ANSWER else ""),
        }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    tables = [("Everything", list(comparison.measures))]
    tables += [(f"Success by {PARTITION_NAMES[name]}", parts) for name, parts in comparison.slices.items()]
    return {
        "comparison": comparison,
        "tables": [(title, [row for item in items if (row := _difference(item))]) for title, items in tables],
        "verdicts": [verdict(item) for item in comparison.measures if item.p_value is not None],
    }


def _difference(item: Difference) -> _Row | None:
    words = difference_words(item)
    if words is None:
        return None
    ends = (item.difference.value, item.difference.low, item.difference.high)
    # From -1 to 1 for shares; else as far as the interval goes.
    scale = max(abs(end) for end in ends if end is not None) or 1.0 if item.name in AMOUNTS else 1.0
    at, low, high = (None if end is None else 50 + 50 * end / scale for end in ends)
    assert at is not None
    return _Row(
        words.name, words.difference, words.interval, words.tasks, at, low, high, words.first, words.second
    )  # fmt: skip
