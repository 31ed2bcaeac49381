"""What arms are compared by: figures of evaluations, and their differences task by task."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlalchemy import text

from engine.world import World
from rl.evaluation import Estimate, Results, compare, mean_estimate, summarise
from rl.evaluation.measures import mean_of
from rl.evaluation.results import RolloutResult, TaskResult
from rl.experiments.store import Result

TRAINED = {
    "trajectories": "trained trajectories",
    "compositions": "trained compositions",
    "services": "trained services",
    "calls": "trained calls",
    "agent_tokens": "trained agent tokens",
    "tokens": "trained tokens",
}
"""Measures of what a run of SFT was trained on: its name in a query, and among the results."""

# What each trajectory teaches: an epoch goes through all of it once.
_TRAINED_ON = """
WITH example AS (
    SELECT x.ordinal, x.tokens, x.agent_tokens, t.services, (
        SELECT count(*) FROM compoworld.event v WHERE v.branch_id = r.branch_id AND NOT v.inherited
    ) AS calls
    FROM compoworld.training_examples x
    JOIN compoworld.rollout r ON r.id = x.rollout
    JOIN compoworld.rollout_group g ON g.id = r.group_id
    JOIN compoworld.task t ON t.id = g.task_id
    WHERE x.run = :run
)
SELECT count(*) AS trajectories, coalesce(sum(calls), 0) AS calls, coalesce(sum(agent_tokens), 0) AS agent_tokens,
    coalesce(sum(tokens), 0) AS tokens,
    (SELECT count(DISTINCT (SELECT array_agg(s ORDER BY s) FROM unnest(services) s)) FROM example) AS compositions,
    (SELECT count(DISTINCT s) FROM example, unnest(services) s) AS services
FROM example
"""

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


def trained_on(world: World, run: str, arm: str) -> Iterator[Result]:
    """What a run of SFT was trained on, by ``TRAINED``."""
    with world.database.transaction() as connection:
        row = connection.execute(text(_TRAINED_ON), {"run": run}).one()
    for name, measure in TRAINED.items():
        yield Result(arm, measure, float(getattr(row, name)), None, None, row.trajectories)


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
