"""Rewards of a group's rollouts, from which criteria each fulfilled (DESIGN.md, "The reward").

A matrix has one row per rollout and one column per criterion: b_ij says whether rollout i fulfils criterion j. Only
scored rollouts have a row: those that ended, whatever they did; not those that the infrastructure failed.

The view ``compoworld.rewards`` computes the same in SQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import text

from engine.errors import InputError
from engine.world import World

LAMBDA = 0.01
"""λ: keeps the weight of a criterion that every rollout fulfils above 0."""

Matrix: TypeAlias = Sequence[Sequence[bool]]
"""N rows (rollouts) of M booleans (criteria)."""


def pass_rates(passed: Matrix) -> list[float]:
    """p_j = mean_i b_ij: how often each criterion holds in the group; shape M, empty for an empty group.

    Raises:
        InputError: the rows differ in length, or have no criterion.
    """
    _examine(passed)
    return [sum(column) / len(passed) for column in zip(*passed, strict=True)]


def weights(passed: Matrix, lambda_: float = LAMBDA) -> list[float]:
    """w_j = (1 - p_j + λ) / Σ_k (1 - p_k + λ): what is rarely fulfilled weighs more; shape M, sum 1.

    The same for the whole group; empty for an empty group.

    Raises:
        InputError: as ``pass_rates``; or λ is not above 0.
    """
    if not lambda_ > 0:
        raise InputError(f"lambda is above 0, not {lambda_!r}: else a criterion that all fulfil would weigh nothing")
    raw = [1 - rate + lambda_ for rate in pass_rates(passed)]
    return [value / sum(raw) for value in raw]


def completion_focused(passed: Matrix, lambda_: float = LAMBDA) -> list[float]:
    """R_i = Σ_j w_j b_ij: in [0, 1], and 1 if and only if every criterion holds; shape N.

    Raises:
        InputError: as ``weights``.
    """
    weight = weights(passed, lambda_)
    # Exactly 1 at full success, whatever the rounding of the sum.
    return [1.0 if all(row) else float(sum(w for w, b in zip(weight, row, strict=True) if b)) for row in passed]


def uniform(passed: Matrix) -> list[float]:
    """The share of the criteria that hold: w_j = 1/M; shape N.

    Raises:
        InputError: as ``pass_rates``.
    """
    _examine(passed)
    return [sum(row) / len(row) for row in passed]


def binary(passed: Matrix) -> list[float]:
    """1 where every criterion holds, else 0; shape N.

    Raises:
        InputError: as ``pass_rates``.
    """
    _examine(passed)
    return [float(all(row)) for row in passed]


@dataclass(frozen=True)
class Reward:
    """The three rewards of one rollout, as the view gives them."""

    rollout: int
    ordinal: int
    uniform: float
    binary: float
    completion_focused: float


def rewards_of(world: World, group: int) -> list[Reward]:
    """The rewards of a finished group's scored rollouts from the view, by ordinal; empty while it is unfinished."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT rollout, ordinal, uniform, full_success, completion_focused"
                " FROM compoworld.rewards WHERE group_id = :group ORDER BY ordinal"
            ),
            {"group": group},
        ).all()
    return [Reward(*row) for row in rows]


def _examine(passed: Matrix) -> None:
    if len({len(row) for row in passed}) > 1:
        raise InputError("every rollout of a group is judged on the same criteria")
    if passed and not passed[0]:
        raise InputError("a rubric has at least one criterion")
