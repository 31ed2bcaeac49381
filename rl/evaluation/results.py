"""What came out of an evaluation, rollout by rollout, read from the catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sqlalchemy import text

from engine.world import World
from rl.evaluation.store import Evaluation, find
from synth.models import Tokens

KINDS = ("state", "output", "answer", "must_not_change")
"""The kinds of criteria, in the order in which they are shown."""


@dataclass(frozen=True)
class RolloutResult:
    """One rollout that was scored.

    Attributes:
        passed, criteria: how many criteria hold, and how many there are.
        kinds: the same for each kind of criteria: kind to (hold, are).
        calls, failed_calls: of tools; how many of them did not give what was asked for.
        malformed: what the agent wrote that is no call; ``None`` where its tokens were not kept.
        answer: its last word: text of the agent's, not to be trusted.
    """

    rollout: int
    stop_reason: str
    model: str | None
    passed: int
    criteria: int
    kinds: Mapping[str, tuple[int, int]]
    calls: int
    failed_calls: int
    malformed: int | None
    tokens: Tokens
    seconds: float
    answer: str | None

    @property
    def solved(self) -> bool:
        """Whether every criterion holds."""
        return self.passed == self.criteria


@dataclass(frozen=True)
class TaskResult:
    """One task of an evaluation.

    Attributes:
        area: the business function; ``None`` for a task written by hand.
        k: how many services are needed.
        l: how many visits its walk has.
        rollouts: those that were scored.
        failed: how many the infrastructure failed.
    """

    place: int
    task_id: int
    name: str
    area: str | None
    family: str | None
    k: int
    l: int  # noqa: E741 - the name it has everywhere
    group: int
    failed: int
    rollouts: tuple[RolloutResult, ...] = ()

    @property
    def solved(self) -> int:
        """How many rollouts solved it."""
        return sum(item.solved for item in self.rollouts)


@dataclass(frozen=True)
class CriterionResult:
    """How one criterion fared over all scored rollouts of its task."""

    task: str
    criterion: str
    kind: str
    description: str
    passed: int
    rollouts: int
    errors: int


@dataclass(frozen=True)
class Counts:
    """How much of an evaluation counts.

    Attributes:
        scored, failed, missing: rollouts that were judged, that the infrastructure failed, that have not ended yet.
            Only the first count.
        unscored: names of tasks that were begun and have none that was judged.
    """

    scored: int
    failed: int
    missing: int
    unscored: list[str]

    @property
    def complete(self) -> bool:
        """Whether every rollout was judged."""
        return self.failed == self.missing == 0


@dataclass(frozen=True)
class Results:
    """An evaluation with all that was scored.

    Attributes:
        tasks: those that were begun, in their order.
        criteria: of these tasks, in their order.
    """

    evaluation: Evaluation
    tasks: tuple[TaskResult, ...]
    criteria: tuple[CriterionResult, ...] = field(default=(), repr=False)

    @cached_property
    def scored(self) -> list[TaskResult]:
        """The tasks with a scored rollout: all figures are over these."""
        return [task for task in self.tasks if task.rollouts]

    @property
    def counts(self) -> Counts:
        """How many rollouts were scored, and how many were not."""
        scored = sum(len(task.rollouts) for task in self.tasks)
        failed = sum(task.failed for task in self.tasks)
        missing = self.evaluation.rollouts - scored - failed
        return Counts(scored, failed, missing, [task.name for task in self.tasks if not task.rollouts])


_ROLLOUTS = """
SELECT x.place, x.task_id, x.task, x.area, x.family, x.k, x.l, x.group_id, x.rollout, x.status, x.stop_reason, x.model,
       x.passed, x.criteria, x.calls, x.failed_calls, x.malformed, x.input_tokens, x.output_tokens, x.cached_tokens,
       CASE WHEN x.input_tokens > 0 THEN (SELECT coalesce(sum(m.cache_write_tokens), 0) FROM compoworld.message m
                                          WHERE m.rollout_id = x.rollout) ELSE 0 END AS written_tokens,
       x.seconds, b.answer
FROM compoworld.evaluation_rollouts x
JOIN compoworld.rollout r ON r.id = x.rollout
LEFT JOIN compoworld.branch b ON b.id = r.branch_id
WHERE x.evaluation_id = :evaluation ORDER BY x.place, x.ordinal
"""

_KINDS = """
SELECT k.rollout_id, c.kind, count(*) FILTER (WHERE k.passed), count(*)
FROM compoworld.evaluation_group m
JOIN compoworld.rollout r ON r.group_id = m.group_id AND r.status = 'finished'
JOIN compoworld.criterion_check k ON k.rollout_id = r.id
JOIN compoworld.criterion c ON c.task_id = k.task_id AND c.ordinal = k.ordinal
WHERE m.evaluation_id = :evaluation GROUP BY k.rollout_id, c.kind
"""

_CRITERIA = """
SELECT t.name, c.name, c.kind, c.description, count(*) FILTER (WHERE k.passed), count(*),
       count(*) FILTER (WHERE k.error IS NOT NULL)
FROM compoworld.evaluation_group m
JOIN compoworld.rollout r ON r.group_id = m.group_id AND r.status = 'finished'
JOIN compoworld.criterion_check k ON k.rollout_id = r.id
JOIN compoworld.criterion c ON c.task_id = k.task_id AND c.ordinal = k.ordinal
JOIN compoworld.task t ON t.id = k.task_id
WHERE m.evaluation_id = :evaluation
GROUP BY m.ordinal, t.name, c.ordinal, c.name, c.kind, c.description ORDER BY m.ordinal, c.ordinal
"""


def results_of(world: World, which: str | int) -> Results:
    """An evaluation by its name or number, with all that was scored.

    Raises:
        NotFound: there is none.
    """
    evaluation = find(world, which)
    key = {"evaluation": evaluation.id}
    with world.database.transaction() as connection:
        rows = connection.execute(text(_ROLLOUTS), key).all()
        kinds: dict[int, dict[str, tuple[int, int]]] = {}
        for rollout, kind, passed, count in connection.execute(text(_KINDS), key):
            kinds.setdefault(rollout, {})[kind] = (passed, count)
        criteria = tuple(CriterionResult(*row) for row in connection.execute(text(_CRITERIA), key))
    by_place: dict[int, list[RolloutResult]] = {}
    for row in rows:
        scored = by_place.setdefault(row.place, [])
        if row.status == "finished" and row.criteria:
            scored.append(
                RolloutResult(
                    rollout=row.rollout,
                    stop_reason=row.stop_reason,
                    model=row.model,
                    passed=row.passed,
                    criteria=row.criteria,
                    kinds=kinds[row.rollout],
                    calls=row.calls,
                    failed_calls=row.failed_calls,
                    malformed=row.malformed,
                    tokens=Tokens(row.input_tokens, row.output_tokens, row.cached_tokens, int(row.written_tokens)),
                    seconds=row.seconds,
                    answer=row.answer,
                )
            )
    heads = {row.place: row for row in rows}
    failed = Counter(row.place for row in rows if row.status == "failed")
    tasks = tuple(
        TaskResult(
            place=place,
            task_id=head.task_id,
            name=head.task,
            area=head.area,
            family=head.family,
            k=head.k,
            l=head.l,
            group=head.group_id,
            failed=failed[place],
            rollouts=tuple(by_place[place]),
        )
        for place, head in heads.items()
    )
    return Results(evaluation, tasks, criteria)
