"""The rewards: their properties, and that the view and the functions agree."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from engine.errors import InputError
from engine.world import World
from rl import LAMBDA, binary, completion_focused, pass_rates, rewards_of, uniform, weights
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


def test_only_finished_groups_are_scored(world: World, toy: StoredTask) -> None:
    branch = toy.snapshot.fork().id
    with world.database.transaction() as connection:
        group = _group(connection, toy.id, 1)
        _rollout(connection, group, 1, branch, toy.id, [True], "finished")
        connection.execute(text("UPDATE compoworld.rollout_group SET finished_at = NULL WHERE id = :g"), {"g": group})
    assert rewards_of(world, group) == []


def test_lambda_is_that_of_the_design() -> None:
    assert LAMBDA == 0.01


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
    connection: Connection, group: int, ordinal: int, branch: int, task: int, row: list[bool], status: str
) -> None:
    rollout = connection.execute(
        text(
            "INSERT INTO compoworld.rollout (group_id, ordinal, branch_id, status) VALUES (:g, :o, :b, :s) RETURNING id"
        ),
        {"g": group, "o": ordinal, "b": branch, "s": status},
    ).scalar_one()
    connection.execute(
        text(
            "INSERT INTO compoworld.criterion_check (branch_id, seq, rollout_id, task_id, ordinal, sql, passed,"
            " duration_ms) SELECT :b, 0, :r, :t, n, '', CAST(p AS boolean), 0"
            " FROM jsonb_array_elements_text(CAST(:row AS jsonb)) WITH ORDINALITY AS x (p, n)"
        ),
        {"b": branch, "r": rollout, "t": task, "row": json.dumps(row)},
    )
