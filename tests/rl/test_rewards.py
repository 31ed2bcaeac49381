"""The rewards: their properties, and that the view and the functions agree."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from engine.errors import InputError
from engine.world import World
from rl import LAMBDA, binary, completion_focused, pass_rates, rewards_of, uniform, weights
from rl.grpo.rewards import RewardKind, advantages, group_scores, summable
from tasks.store import StoredTask

MATRICES = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=6)
)


def test_by_hand() -> None:
    passed = [[True, True], [True, False]]
    assert pass_rates(passed) == [1.0, 0.5]
    assert weights(passed) == pytest.approx([0.01 / 0.52, 0.51 / 0.52])
    assert completion_focused(passed) == pytest.approx([1.0, 0.01 / 0.52])
    assert uniform(passed) == [1.0, 0.5]
    assert binary(passed) == [1.0, 0.0]


def test_empty() -> None:
    for function in (pass_rates, weights, completion_focused, uniform, binary):
        assert function([]) == []
        with pytest.raises(InputError):
            function([[]])
        with pytest.raises(InputError):
            function([[True], [True, False]])


@given(MATRICES)
def test_properties(passed: list[list[bool]]) -> None:
    weight = weights(passed)
    assert sum(weight) == pytest.approx(1)
    assert min(weight) > 0
    rates = pass_rates(passed)
    for (rate, w), (other_rate, other_w) in zip(zip(rates, weight), zip(rates[1:], weight[1:]), strict=False):  # noqa: B905
        assert (rate < other_rate) == (w > other_w)
    for row, reward in zip(passed, completion_focused(passed), strict=True):
        assert 0 <= reward <= 1
        assert (reward == 1) == all(row)
        assert (reward == 0) == (not any(row))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(passed=MATRICES, failed=st.integers(0, 2))
def test_the_view_agrees(world: World, toy: StoredTask, passed: list[list[bool]], failed: int) -> None:
    """``failed`` further rollouts of the group were failed by the infrastructure: they change nothing."""
    branch = toy.snapshot.fork().id
    with world.database.transaction() as connection:
        group = _group(connection, toy.id, len(passed) + failed)
        for ordinal, row in enumerate(passed, 1):
            _rollout(connection, group, ordinal, branch, toy.id, row, "finished")
        for ordinal in range(len(passed) + 1, len(passed) + failed + 1):
            # A check that was stored before the failure does not count either.
            _rollout(connection, group, ordinal, branch, toy.id, [False] * len(passed[0]), "failed")
    rewards = rewards_of(world, group)
    assert [item.ordinal for item in rewards] == list(range(1, len(passed) + 1))
    assert [item.completion_focused for item in rewards] == pytest.approx(completion_focused(passed), abs=1e-12)
    assert [item.uniform for item in rewards] == pytest.approx(uniform(passed), abs=1e-12)
    assert [item.binary for item in rewards] == binary(passed)
    for item, row in zip(rewards, passed, strict=True):
        assert (item.completion_focused == 1) == all(row)
    with world.database.transaction() as connection:
        rates = connection.execute(
            text(
                "SELECT pass_rate, weight, rollouts FROM compoworld.criterion_pass_rates WHERE group_id = :g"
                " ORDER BY ordinal"
            ),
            {"g": group},
        ).all()
    assert [row.pass_rate for row in rates] == pytest.approx(pass_rates(passed), abs=1e-12)
    assert [row.weight for row in rates] == pytest.approx(weights(passed), abs=1e-12)
    assert {row.rollouts for row in rates} == {len(passed)}


@dataclass(frozen=True)
class Case:
    """A table worked by hand with λ = 0.01.

    Attributes:
        rows: of rollouts: which criteria hold; ``None``: the infrastructure failed it.
        weights, focused, uniform, binary: what comes of it.
    """

    rows: list[list[bool | None] | None]
    weights: list[float]
    focused: list[float | None]
    uniform: list[float | None]
    binary: list[float | None]


ERRED = None
"""Of a criterion: its SQL is wrong. It counts as one that does not hold."""

BY_HAND = {
    # p = 1, 1; 1 - p + λ = 0.01, 0.01
    "all pass": Case([[True, True], [True, True]], [0.5, 0.5], [1, 1], [1, 1], [1, 1]),
    # p = 0, 0; 1.01, 1.01
    "none passes": Case([[False, False], [False, False]], [0.5, 0.5], [0, 0], [0, 0], [0, 0]),
    "one criterion": Case([[True], [False]], [1], [1, 0], [1, 0], [1, 0]),
    # p = 1, 0; 0.01, 1.01, together 1.02
    "one rollout": Case([[True, False]], [0.01 / 1.02, 1.01 / 1.02], [0.01 / 1.02], [0.5], [0]),
    # p = 1, 1/2; 0.01, 0.51, together 0.52
    "a criterion erred": Case(
        [[True, ERRED], [True, True]], [0.01 / 0.52, 0.51 / 0.52], [0.01 / 0.52, 1], [0.5, 1], [0, 1]
    ),
    "one is unscorable": Case(
        [[True, False], None, [True, True]],
        [0.01 / 0.52, 0.51 / 0.52],
        [0.01 / 0.52, None, 1],
        [0.5, None, 1],
        [0, None, 1],
    ),
    "none is scorable": Case([None, None], [], [None, None], [None, None], [None, None]),
    # p = 3/4, 1/2, 1/4; 0.26, 0.51, 0.76, together 1.53
    "four by three": Case(
        [[True, True, False], [True, False, False], [True, True, True], [False, False, False]],
        [0.26 / 1.53, 0.51 / 1.53, 0.76 / 1.53],
        [0.77 / 1.53, 0.26 / 1.53, 1, 0],
        [2 / 3, 1 / 3, 1, 0],
        [0, 0, 1, 0],
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_table_worked_by_hand(world: World, toy: StoredTask, name: str) -> None:
    """The views, the functions and what a trainer is given say what the table says."""
    case = BY_HAND[name]
    branch = toy.snapshot.fork().id
    with world.database.transaction() as connection:
        group = _group(connection, toy.id, len(case.rows))
        for ordinal, row in enumerate(case.rows, 1):
            status = "finished" if row is not None else "failed"
            _rollout(connection, group, ordinal, branch, toy.id, row or [], status)
    judged = [[bool(item) for item in row] for row in case.rows if row is not None]
    formulas = {"completion_focused": completion_focused, "uniform": uniform, "binary": binary}
    kinds: dict[RewardKind, list[float | None]] = {
        "completion_focused": case.focused, "uniform": case.uniform, "binary": case.binary,
    }  # fmt: skip
    for kind, wanted in kinds.items():
        assert formulas[kind](judged) == pytest.approx([value for value in wanted if value is not None], abs=1e-12)
        assert _given(world, group, kind) == [
            None if value is None else pytest.approx(value, abs=1e-12) for value in wanted
        ]
    with world.database.transaction() as connection:
        found = connection.execute(
            text("SELECT weight, errors FROM compoworld.criterion_pass_rates WHERE group_id = :g ORDER BY ordinal"),
            {"g": group},
        ).all()
    assert [row.weight for row in found] == weights(judged) == pytest.approx(case.weights, abs=1e-12)
    erred = sum(item is ERRED for row in case.rows if row is not None for item in row)
    assert sum(row.errors for row in found) == erred


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(passed=MATRICES, lambda_=st.sampled_from([0.01, 0.1, 1.0, 50.0]), failed=st.integers(0, 2))
def test_what_a_trainer_is_given(
    world: World, toy: StoredTask, passed: list[list[bool]], lambda_: float, failed: int
) -> None:
    """With any λ; a rollout that the infrastructure failed has no reward, and changes none."""
    branch = toy.snapshot.fork().id
    with world.database.transaction() as connection:
        group = _group(connection, toy.id, len(passed) + failed)
        for ordinal in range(1, failed + 1):
            _rollout(connection, group, ordinal, branch, toy.id, [False] * len(passed[0]), "failed")
        for ordinal, row in enumerate(passed, failed + 1):
            _rollout(connection, group, ordinal, branch, toy.id, list(row), "finished")
    found = _given(world, group, "completion_focused", lambda_)
    assert found[:failed] == [None] * failed
    assert found[failed:] == pytest.approx(completion_focused(passed, lambda_), abs=1e-12)
    assert sum(weights(passed, lambda_)) == pytest.approx(1)


@given(MATRICES, st.randoms(use_true_random=False))
def test_the_order_is_of_no_account(passed: list[list[bool]], lots: random.Random) -> None:
    rollouts, criteria = list(range(len(passed))), list(range(len(passed[0])))
    lots.shuffle(rollouts)
    lots.shuffle(criteria)
    moved = [[passed[i][j] for j in criteria] for i in rollouts]
    for formula in (completion_focused, uniform, binary):
        plain = formula(passed)
        assert formula(moved) == pytest.approx([plain[i] for i in rollouts])
    whole = weights(passed)
    assert weights(moved) == pytest.approx([whole[j] for j in criteria])


def test_lambda_is_above_0() -> None:
    for wrong in (0.0, -0.01, float("nan")):
        with pytest.raises(InputError, match="lambda is above 0"):
            weights([[True]], wrong)
    # The larger it is, the closer to uniform.
    assert completion_focused([[True, False], [True, True]], 1e9)[0] == pytest.approx(0.5)


def test_only_finished_groups_are_scored(world: World, toy: StoredTask) -> None:
    branch = toy.snapshot.fork().id
    with world.database.transaction() as connection:
        group = _group(connection, toy.id, 1)
        _rollout(connection, group, 1, branch, toy.id, [True], "finished")
        connection.execute(text("UPDATE compoworld.rollout_group SET finished_at = NULL WHERE id = :g"), {"g": group})
    assert rewards_of(world, group) == []
    for lambda_ in (LAMBDA, 0.5):
        assert _given(world, group, "completion_focused", lambda_) == [None]


def test_lambda_is_that_of_the_design() -> None:
    assert LAMBDA == 0.01


@pytest.mark.unit
@pytest.mark.parametrize("rewards", [[], [0.5], [1.0, 1.0], [0.1] * 3, [0.0, 0.5, 1.0]])
def test_advantages(rewards: list[float]) -> None:
    found = advantages(rewards)
    if len(set(rewards)) < 2:
        assert found == [0.0] * len(rewards)
    else:
        assert found == pytest.approx([-0.5 / 0.5001, 0, 0.5 / 0.5001])


@pytest.mark.unit
@pytest.mark.parametrize("size", [2, 3, 7, 8, 16, 100])
def test_rewards_that_are_alike_have_no_advantage_in_float32(size: int) -> None:
    torch = pytest.importorskip("torch")
    for passed in range(12):
        given = [summable(passed / 11, size)] * size
        assert given[0] == pytest.approx(passed / 11, abs=size * 2**-24)
        for unscorable in range(size):
            rewards = torch.tensor([float("nan")] * unscorable + given[unscorable:], dtype=torch.float32)
            mean = torch.nanmean(rewards.view(-1, size), dim=1)
            assert (rewards[unscorable:] - mean == 0).all()
    assert summable(1, size) == 1


def _given(world: World, group: int, kind: RewardKind, lambda_: float = LAMBDA) -> list[float | None]:
    """What a trainer is given, by ordinal."""
    with world.database.transaction() as connection:
        found = group_scores(connection, group, kind, lambda_)
    assert found.scored == sum(item.reward is not None for item in found.rollouts)
    return [item.reward for item in found.rollouts]


def _group(connection: Connection, task: int, size: int) -> int:
    return int(
        connection.execute(
            text(
                "INSERT INTO compoworld.rollout_group (task_id, agent, size, seed, limits, finished_at)"
                " VALUES (:task, 'test', :size, 0, '{}', now()) RETURNING id"
            ),
            {"task": task, "size": size},
        ).scalar_one()
    )


def _rollout(
    connection: Connection, group: int, ordinal: int, branch: int, task: int, row: Sequence[bool | None], status: str
) -> None:
    rollout = connection.execute(
        text(
            "INSERT INTO compoworld.rollout (group_id, ordinal, branch_id, status) VALUES (:g, :o, :b, :s) RETURNING id"
        ),
        {"g": group, "o": ordinal, "b": branch, "s": status},
    ).scalar_one()
    # The policy wrote one token.
    connection.execute(
        text(
            "INSERT INTO compoworld.trajectory (rollout_id, format, prompt_tokens, token_ids, is_agent)"
            " VALUES (:r, '', 1, '{1,2}', '{false,true}')"
        ),
        {"r": rollout},
    )
    connection.execute(
        text(
            "INSERT INTO compoworld.criterion_check (branch_id, seq, rollout_id, task_id, ordinal, sql, passed,"
            " error, duration_ms) SELECT :b, 0, :r, :t, n, '', coalesce(CAST(p AS boolean), false),"
            " CASE WHEN p IS NULL THEN 'no such column' END, 0"
            " FROM jsonb_array_elements_text(CAST(:row AS jsonb)) WITH ORDINALITY AS x (p, n)"
        ),
        {"b": branch, "r": rollout, "t": task, "row": json.dumps(list(row))},
    )
