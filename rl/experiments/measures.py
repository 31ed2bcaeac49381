"""What arms are compared by: figures of evaluations, and their differences task by task."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rl.evaluation import Estimate, Results, compare, mean_estimate, summarise
from rl.evaluation.measures import mean_of
from rl.evaluation.results import RolloutResult, TaskResult
from rl.experiments.store import Result

SUCCESS, CRITERIA, MALFORMED, CALLS = "success", "criteria_passed", "malformed", "calls"

_COUNTS: dict[str, Callable[[RolloutResult], float]] = {
    MALFORMED: lambda rollout: rollout.malformed or 0,
    CALLS: lambda rollout: rollout.calls,
}


def figures(arm: str, results: Results, at: float | None = None) -> Iterator[Result]:
    """Success, criteria passed, malformed turns and calls of an arm, with intervals over tasks."""
    found = summarise(results)
    effort = found.effort
    measured = {
        SUCCESS: found.success,
        CRITERIA: found.criteria_passed,
        MALFORMED: effort.malformed if effort else None,
        CALLS: effort.calls if effort else None,
    }
    for measure, estimate in measured.items():
        if estimate is not None:
            yield result(arm, measure, estimate, at=at)


def differences(arm: str, second: Results, against: str, first: Results, at: float | None = None) -> Iterator[Result]:
    """The same of one arm less another, task by task; success and criteria passed are tested."""
    tested = {item.name: item for item in compare(first, second).measures if item.p_value is not None}
    for measure in (SUCCESS, CRITERIA):
        found = tested[measure]
        yield result(arm, measure, found.difference, against=against, at=at, p_value=found.p_value)
    before = {task.task_id: task for task in first.scored}
    pairs = [(before[task.task_id], task) for task in second.scored if task.task_id in before]
    for measure, count in _COUNTS.items():
        if measure == MALFORMED and not all(_told(task) for pair in pairs for task in pair):
            continue
        paired = mean_estimate([mean_of(two, count) - mean_of(one, count) for one, two in pairs], share=False)
        if paired is not None:
            yield result(arm, measure, paired, against=against, at=at)


def _told(task: TaskResult) -> bool:
    return all(rollout.malformed is not None for rollout in task.rollouts)


def result(
    arm: str,
    measure: str,
    estimate: Estimate,
    *,
    against: str | None = None,
    at: float | None = None,
    p_value: float | None = None,
) -> Result:
    """An estimate as a result."""
    return Result(arm, measure, estimate.value, estimate.low, estimate.high, estimate.tasks, against, at, p_value)
