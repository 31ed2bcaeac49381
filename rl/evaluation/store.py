"""Evaluations in the catalog: begun, found, listed, and their groups."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import text

from engine.errors import InputError, NotFound, Refused
from engine.kit.values import canonical_json
from engine.near import did_you_mean
from engine.world import World
from rl.agents import Agent
from rl.limits import Limits

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,119}")

_SELECT = (
    'SELECT evaluation_id AS id, evaluation AS name, agent, model, policy, "set" AS task_set, split, n, seed, tasks,'
    " rollouts, scored, failed, success, criteria_passed, finished, created_at FROM compoworld.evaluations"
)


@dataclass(frozen=True)
class Evaluation:
    """One line of a listing of evaluations.

    Attributes:
        policy: name and version of local weights, ``name@version``.
        task_set, split: where its tasks come from, as far as that is known.
        n: rollouts of each task.
        rollouts: how many it is to have: ``tasks * n``.
        scored, failed: how many ended and were judged, and how many the infrastructure failed.
        success, criteria_passed: means over tasks of the scored rollouts; ``None`` where there is none.
        finished: whether every rollout has ended.
    """

    id: int
    name: str
    agent: str
    model: str | None
    policy: str | None
    task_set: str | None
    split: str | None
    n: int
    seed: int
    tasks: int
    rollouts: int
    scored: int
    failed: int
    success: float | None
    criteria_passed: float | None
    finished: bool
    created_at: datetime


@dataclass(frozen=True)
class BegunGroup:
    """A group of an evaluation: whether all of its rollouts are there and have ended, and whether one failed."""

    id: int
    finished: bool = False
    failed: bool = False


def check_name(name: str) -> str:
    """The name of an evaluation.

    Raises:
        InputError: it cannot be one.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(f"an evaluation is called by letters, digits and _ . @ -, not {str(name)[:80]!r}")
    return name


def begin(
    world: World,
    name: str,
    agent: Agent,
    *,
    n: int,
    seed: int,
    limits: Limits,
    task_set: str | None,
    split: str | None,
    tasks: int,
    checksum: str,
) -> int:
    """The evaluation of that name, begun if there is none; its number.

    Args:
        tasks: how many.
        checksum: of its tasks in their order.

    Raises:
        InputError: the name cannot be one.
        Refused: there is one of that name with another agent, other tasks or other settings.
    """
    options = agent.options()
    values = {
        "agent": agent.name,
        "model": agent.model,
        "policy": policy_of(options),
        "options": options,
        "limits": limits.as_json(),
        "n": n,
        "seed": seed,
        "set": task_set,
        "split": split,
        "tasks": tasks,
        "checksum": checksum,
    }
    with world.database.transaction() as connection:
        connection.execute(
            text(
                "INSERT INTO compoworld.evaluation (name, agent, model, policy, options, limits, seed, size, "
                '"set", split, tasks, checksum) VALUES (:name, :agent, :model, :policy, :options, :limits, :seed, :n,'
                " :set, :split, :tasks, :checksum) ON CONFLICT (name) DO NOTHING"
            ),
            {**values, "name": check_name(name), "options": Jsonb(options), "limits": Jsonb(values["limits"])},
        )
        row = connection.execute(
            text(
                "SELECT id, agent, model, policy, options, limits, size AS n, seed, "
                '"set", split, tasks, checksum FROM compoworld.evaluation WHERE name = :name'
            ),
            {"name": name},
        ).one()
    _see_same(name, dict(row._mapping), values)
    return int(row.id)


def policy_of(options: Mapping[str, Any]) -> str | None:
    """The policy that an agent's options name, with its version: ``name@version``."""
    policy, version = options.get("policy"), options.get("version")
    if policy is None:
        return None
    return str(policy) if version is None or "@" in str(policy) else f"{policy}@{version}"


def _see_same(name: str, kept: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """An evaluation is gone on with only as it was begun: its figures are of one agent under one set of rules."""
    # Weights first: other ones may well lie in the same folder, under the same name.
    if kept["options"].get("digest") != given["options"].get("digest"):
        raise _other(name, "weights are others, not these")
    for key, value in given.items():
        if canonical_json(kept[key]) != canonical_json(value):
            if key == "checksum":
                raise _other(name, "tasks are others, not these")
            verb = "are" if key[-1] == "s" else "is"
            raise _other(name, f"{key} {verb} {canonical_json(kept[key])}, not {canonical_json(value)}")


def _other(name: str, difference: str) -> Refused:
    return Refused(
        f"there is an evaluation {name!r}, and its {difference}",
        hint="give another one with --name, or repeat the command that began it",
    )


def groups_of(world: World, evaluation: int) -> dict[int, BegunGroup]:
    """The groups that an evaluation has, by the place of the task, from 1."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT m.ordinal, m.group_id, g.finished_at IS NOT NULL AND count(r.id) = g.size,"
                " count(*) FILTER (WHERE r.status = 'failed') > 0 FROM compoworld.evaluation_group m"
                " JOIN compoworld.rollout_group g ON g.id = m.group_id"
                " LEFT JOIN compoworld.rollout r ON r.group_id = g.id WHERE m.evaluation_id = :evaluation"
                " GROUP BY m.ordinal, m.group_id, g.id"
            ),
            {"evaluation": evaluation},
        ).all()
    return {place: BegunGroup(*rest) for place, *rest in rows}


def evaluations(world: World) -> list[Evaluation]:
    """The evaluations in the catalog, newest first."""
    with world.database.transaction() as connection:
        rows = connection.execute(text(f"{_SELECT} ORDER BY evaluation_id DESC")).all()
    return [Evaluation(*row) for row in rows]


def find(world: World, which: str | int) -> Evaluation:
    """An evaluation by its name or its number.

    Raises:
        NotFound: there is none.
    """
    shown = str(which).replace("\x00", "")
    number = int(shown) if shown.isascii() and shown.isdigit() and len(shown) < 19 else None
    with world.database.transaction() as connection:
        row = connection.execute(
            text(
                f"{_SELECT} WHERE evaluation = :name OR evaluation_id = :number"
                " ORDER BY evaluation = :name DESC LIMIT 1"
            ),
            {"name": shown, "number": number},
        ).first()
        if row is None:
            names = connection.execute(text("SELECT name FROM compoworld.evaluation ORDER BY name")).scalars().all()
            hint = did_you_mean(shown, list(names), "compoworld eval list")
            raise NotFound(f"there is no evaluation {shown!r} in this database", hint=hint)
    return Evaluation(*row)
