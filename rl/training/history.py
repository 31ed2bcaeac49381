"""What the catalog says of runs of training: listed, read step by step."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text

from engine.errors import NotFound
from engine.near import did_you_mean
from engine.world import World
from rl.policies import Policy, find

_SUMMARY = (
    "SELECT run_id, run, kind, started_from, made, status, step, steps, examples, groups,"
    " CAST(seconds AS float) AS seconds, started_at, finished_at, error FROM compoworld.training_runs"
)


@dataclass(frozen=True)
class RunSummary:
    """One line of a listing of runs; ``status`` is ``interrupted`` where nobody trains it any more."""

    id: int
    name: str
    kind: str
    started_from: str
    made: str | None
    status: str
    step: int
    steps: int | None
    examples: int | None
    groups: int | None
    seconds: float
    started_at: datetime
    finished_at: datetime | None
    error: str | None


@dataclass(frozen=True)
class Outcome:
    """A run that is finished, and the policy that came of it."""

    run: RunSummary
    policy: Policy


@dataclass(frozen=True)
class Step:
    """One optimizer step of a run. What only GRPO has is ``None`` elsewhere.

    Attributes:
        clipped: the share of the agent's tokens whose ratio was clipped.
        reward, solved, scored, failed: of the groups that were sampled before this step, if any were.
    """

    step: int
    loss: float | None
    learning_rate: float | None
    grad_norm: float | None
    clipped: float | None
    entropy: float | None
    reward: float | None
    solved: int | None
    scored: int | None
    failed: int | None


def runs(world: World) -> list[RunSummary]:
    """All runs, newest first."""
    with world.database.transaction() as connection:
        rows = connection.execute(text(f"{_SUMMARY} ORDER BY run_id DESC")).all()
    return [RunSummary(*row) for row in rows]


def summary(world: World, name: str) -> RunSummary:
    """One run.

    Raises:
        NotFound: there is none of that name.
    """
    known = runs(world)
    for run in known:
        if run.name == name:
            return run
    hint = did_you_mean(name, [run.name for run in known], "compoworld train list lists them")
    raise NotFound(f"there is no run {name!r}", hint=hint)


def outcome(world: World, name: str) -> Outcome:
    """What came of a finished run.

    Raises:
        NotFound: there is no such run, or it has no policy.
    """
    run = summary(world, name)
    if run.made is None:
        raise NotFound(f"the run {name!r} has no policy yet: it is {run.status}")
    return Outcome(run, find(world, run.made))


def settings_of(world: World, run: int) -> tuple[dict[str, Any], dict[str, int], str]:
    """A run's settings, how many trajectories were left out for which reason, and its folder."""
    with world.database.transaction() as connection:
        row = connection.execute(
            text("SELECT config, left_out, folder FROM compoworld.training_run WHERE id = :run"), {"run": run}
        ).one()
    return dict(row.config), dict(row.left_out), row.folder


def steps(world: World, run: int) -> list[Step]:
    """The steps of a run, in order."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT s.step, s.loss, s.learning_rate, s.grad_norm, s.clipped, s.entropy, g.reward, g.solved,"
                " g.scored, g.failed FROM compoworld.training_steps s"
                " LEFT JOIN compoworld.grpo_steps g ON g.run_id = s.run_id AND g.step = s.step"
                " WHERE s.run_id = :run ORDER BY s.step"
            ),
            {"run": run},
        ).all()
    return [Step(*row) for row in rows]
