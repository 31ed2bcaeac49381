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

# What each trajectory teaches: an epoch goes through all of it once. Its tokens stay written down. What else there is
# to say of it goes with its rollout: where one is gone, there is no such figure.
_TRAINED_ON = """
WITH example AS (
    SELECT x.tokens, x.agent_tokens, t.services, CASE WHEN r.id IS NOT NULL THEN (
        SELECT count(*) FROM compoworld.event v WHERE v.branch_id = r.branch_id AND NOT v.inherited
    ) END AS calls
    FROM compoworld.training_examples x
    LEFT JOIN compoworld.rollout r ON r.id = x.rollout
    LEFT JOIN compoworld.rollout_group g ON g.id = r.group_id
    LEFT JOIN compoworld.task t ON t.id = g.task_id
    WHERE x.run = :run
), told AS (
    SELECT count(DISTINCT (SELECT array_agg(s ORDER BY s) FROM unnest(services) s)) AS compositions,
        (SELECT count(DISTINCT s) FROM example, unnest(services) s) AS services, sum(calls) AS calls
    FROM example HAVING count(calls) = count(*)
)
SELECT count(*) AS trajectories, sum(agent_tokens) AS agent_tokens, sum(tokens) AS tokens,
    (SELECT compositions FROM told) AS compositions, (SELECT services FROM told) AS services,
    (SELECT calls FROM told) AS calls
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
    """What a run of SFT was trained on, by ``TRAINED``; without what is not known any more, because rollouts of it were
    deleted.
    """
    with world.database.transaction() as connection:
        row = connection.execute(text(_TRAINED_ON), {"run": run}).one()
    for name, measure in TRAINED.items():
        value = getattr(row, name)
        if value is not None:
            yield Result(arm, measure, float(value), None, None, row.trajectories)


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
