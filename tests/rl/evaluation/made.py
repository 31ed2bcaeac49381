"""Results made by hand: what figures and comparisons are computed from, without a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from rl.evaluation import Evaluation, Results, RolloutResult, TaskResult
from rl.evaluation.results import CriterionResult
from synth.models import Tokens


def rollout(
    passed: Sequence[int],
    *,
    tokens: Tokens | None = None,
    model: str | None = None,
    answer: str | None = "Done.",
    malformed: int | None = None,
    stop_reason: str = "answered",
    number: int = 0,
) -> RolloutResult:
    """A rollout of a task with two criteria of state and one of the answer.

    Args:
        passed: how many of each hold.
    """
    state, said = passed
    return RolloutResult(
        rollout=number,
        stop_reason=stop_reason,
        model=model,
        passed=state + said,
        criteria=3,
        kinds={"state": (state, 2), "answer": (said, 1)},
        calls=10,
        failed_calls=2,
        malformed=malformed,
        tokens=tokens or Tokens(),
        seconds=1.5,
        answer=answer,
    )


SOLVED, HALF, NOTHING = (2, 1), (1, 1), (0, 0)


def results(
    name: str,
    tasks: Sequence[Sequence[Sequence[int]]],
    *,
    n: int = 2,
    failed: Sequence[int] = (),
    first: int = 1,
    finished: bool = True,
    criteria: Sequence[CriterionResult] = (),
) -> Results:
    """An evaluation: for each task, what its scored rollouts passed.

    Args:
        failed: of each task, how many rollouts the infrastructure failed.
        first: number of the first task.
    """
    made = tuple(
        TaskResult(
            place=place,
            task_id=first + place - 1,
            name=f"task-{first + place - 1}",
            area=("finance", "sales")[place % 2],
            family=None,
            k=4 + place % 2,
            l=7,
            group=place,
            failed=failed[place - 1] if failed else 0,
            rollouts=tuple(rollout(each, number=100 * place + i) for i, each in enumerate(outcomes)),
        )
        for place, outcomes in enumerate(tasks, 1)
    )
    scored = sum(len(outcomes) for outcomes in tasks)
    evaluation = Evaluation(
        id=1, name=name, agent="noisy", model=None, policy=None, task_set="toys", split="test", n=n, seed=0,
        tasks=len(tasks), rollouts=n * len(tasks), scored=scored, failed=sum(failed), success=None,
        criteria_passed=None, finished=finished, created_at=datetime(2026, 11, 30, tzinfo=UTC),
    )  # fmt: skip
    return Results(evaluation, made, tuple(criteria))
