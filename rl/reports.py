"""What came out of a group, read from the catalog's views."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text

from engine.errors import NotFound
from engine.world import World
from rl.rewards import Reward, rewards_of


@dataclass(frozen=True)
class CheckReport:
    """One criterion judged on one rollout."""

    criterion: str
    kind: str
    passed: bool
    expected: Any
    actual: Any
    error: str | None
    duration_ms: float


@dataclass(frozen=True)
class RolloutReport:
    """One rollout.

    Attributes:
        status: pending, running, finished or failed.
        stop_reason: why it ended: answered, silent, refused, cut_off, malformed, context_full, steps, tokens,
            seconds, crashed; infrastructure where it failed.
        error: the traceback of a crash, or what failed.
        attempts: how often it was begun.
        checks: in the order of the criteria; empty unless it is finished.
        reward: ``None`` while the group is unfinished, and for a rollout that failed.
    """

    id: int
    ordinal: int
    branch: int | None
    status: str
    stop_reason: str | None
    error: str | None
    attempts: int
    steps: int
    calls: int | None
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    seconds: float | None
    answer: str | None
    success: bool
    checks: list[CheckReport]
    reward: Reward | None


@dataclass(frozen=True)
class CriterionReport:
    """How one criterion fared in the group.

    Attributes:
        pass_rate: p_j, over the scored rollouts.
        weight: w_j in the completion-focused reward.
    """

    ordinal: int
    name: str
    kind: str
    description: str
    passed: int
    rollouts: int
    errors: int
    pass_rate: float
    weight: float


@dataclass(frozen=True)
class GroupReport:
    """A group.

    Attributes:
        finished: whether every rollout has ended; only then are there criteria and rewards.
    """

    id: int
    task_id: int
    task: str
    agent: str
    model: str | None
    size: int
    seed: int
    limits: dict[str, Any]
    created_at: datetime
    finished_at: datetime | None
    rollouts: list[RolloutReport]
    criteria: list[CriterionReport]

    @property
    def finished(self) -> bool:
        """Whether every rollout has ended."""
        return self.finished_at is not None


@dataclass(frozen=True)
class GroupSummary:
    """One line of a listing of groups."""

    id: int
    task: str
    agent: str
    model: str | None
    size: int
    finished: int
    failed: int
    succeeded: int
    created_at: datetime
    finished_at: datetime | None


def group_report(world: World, group: int) -> GroupReport:
    """The report of a group, whatever state it is in.

    Raises:
        NotFound: there is no such group.
    """
    key = {"group": group}
    with world.database.transaction() as connection:
        head = connection.execute(
            text(
                "SELECT g.id, g.task_id, t.name AS task, g.agent, g.model, g.size, g.seed, g.limits,"
                " g.created_at, g.finished_at"
                " FROM compoworld.rollout_group g JOIN compoworld.task t ON t.id = g.task_id WHERE g.id = :group"
            ),
            key,
        ).first()
        if head is None:
            raise NotFound(f"there is no group {group}")
        rollouts = connection.execute(
            text(
                "SELECT rollout, ordinal, branch, status, stop_reason, error, attempts, steps, calls, input_tokens,"
                " output_tokens, cached_tokens, CAST(seconds AS float) AS seconds, answer, success"
                " FROM compoworld.rollouts WHERE group_id = :group ORDER BY ordinal"
            ),
            key,
        ).all()
        checks: dict[int, list[CheckReport]] = {}
        for rollout, *parts in connection.execute(
            text(
                "SELECT rollout, criterion, kind, passed, expected, actual, error, duration_ms"
                " FROM compoworld.checks WHERE group_id = :group ORDER BY check_id"
            ),
            key,
        ):
            checks.setdefault(rollout, []).append(CheckReport(*parts))
        criteria = connection.execute(
            text(
                "SELECT ordinal, criterion, kind, description, passed, rollouts, errors, pass_rate, weight"
                " FROM compoworld.criterion_pass_rates WHERE group_id = :group ORDER BY ordinal"
            ),
            key,
        ).all()
    rewards = {item.rollout: item for item in rewards_of(world, group)}
    reports = []
    for row in rollouts:
        values: dict[str, Any] = dict(row._mapping)
        number = values.pop("rollout")
        reports.append(RolloutReport(id=number, checks=checks.get(number, []), reward=rewards.get(number), **values))
    found = [CriterionReport(*row) for row in criteria]
    return GroupReport(**head._mapping, rollouts=reports, criteria=found)


def groups(world: World, task: str | None = None) -> list[GroupSummary]:
    """The groups in the catalog, newest first; only those of a task, where its name is given."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT g.id, t.name, g.agent, g.model, g.size,"
                " count(*) FILTER (WHERE r.status = 'finished'), count(*) FILTER (WHERE r.status = 'failed'),"
                " count(*) FILTER (WHERE r.success), g.created_at, g.finished_at"
                " FROM compoworld.rollout_group g JOIN compoworld.task t ON t.id = g.task_id"
                " LEFT JOIN compoworld.rollouts r ON r.group_id = g.id"
                " WHERE CAST(:task AS text) IS NULL OR t.name = :task"
                " GROUP BY g.id, t.name ORDER BY g.id DESC"
            ),
            {"task": task},
        ).all()
    return [GroupSummary(*row) for row in rows]
