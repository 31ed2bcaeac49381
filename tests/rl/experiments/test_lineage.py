"""What is known of what was trained on, when its rollouts are there no more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from engine.world import World
from rl import make_agent, run_group
from rl.experiments.lineage import Seen, seen_by
from rl.experiments.measures import TRAINED, trained_on
from rl.experiments.tables import tables_of
from rl.local.files import digest_of
from rl.local.loading import SMOLLM2
from tasks.store import StoredTask
from tests.toys.fixtures import toy

__all__ = ["toy"]

pytest.importorskip("torch", reason="the extra 'train' is not installed")

OF_TOY = ("notes", "parcels")


def execute(world: World, sql: str, **values: Any) -> Any:
    with world.database.transaction() as connection:
        done = connection.execute(text(sql), values)
        return done.scalars().all() if done.returns_rows else None


@pytest.fixture
def namesake(world: World, toy: StoredTask) -> Iterator[int]:
    """Another task of the toy task's name, over one of its services."""
    columns = "title, instruction, distractors, walk, reference, document, snapshot_id"
    (number,) = execute(
        world,
        f"INSERT INTO compoworld.task (name, checksum, services, {columns})"
        f" SELECT name, 'namesake', '{{notes}}', {columns} FROM compoworld.task WHERE id = :id RETURNING id",
        id=toy.id,
    )
    yield number
    execute(world, "DELETE FROM compoworld.task WHERE id = :id", id=number)


def trained(world: World, weights: Path, name: str, kind: str) -> int:
    """A policy of a run that began with SmolLM2, of which all is known; the number of the run."""
    (number,) = execute(
        world,
        "INSERT INTO compoworld.training_run (name, kind, config, seed, weights, folder, status)"
        " VALUES (:name, :kind, '{}', 0, :weights, '', 'finished') RETURNING id",
        name=name,
        kind=kind,
        weights=SMOLLM2,
    )
    execute(
        world,
        "INSERT INTO compoworld.policy (name, version, base, path, made_by, digest)"
        " VALUES (:name, 1, 'smollm2', :path, :run, :digest)",
        name=name,
        path=str(weights),
        run=number,
        digest=digest_of(weights),
    )
    return int(number)


def played(world: World, task: StoredTask, times: int = 1) -> list[int]:
    """The rollouts of the reference solution, each in a group of its own."""
    return [run_group(world, task, make_agent("reference"), size=1).rollouts[0].id for _ in range(times)]


def put_example(world: World, run: int, ordinal: int, rollout: int) -> None:
    execute(
        world,
        "INSERT INTO compoworld.training_example (run_id, ordinal, rollout_id, task, digest, tokens, agent_tokens)"
        " VALUES (:run, :ordinal, :rollout, 'toy', '', 100, 10)",
        run=run,
        ordinal=ordinal,
        rollout=rollout,
    )


def delete_group(world: World, rollout: int) -> None:
    execute(
        world,
        "DELETE FROM compoworld.rollout_group WHERE id = (SELECT group_id FROM compoworld.rollout WHERE id = :id)",
        id=rollout,
    )


@pytest.mark.parametrize("kind", ["sft", "grpo"])
def test_what_was_deleted_is_known_by_name_and_not_for_sure(
    world: World, toy: StoredTask, namesake: int, tiny: Path, kind: str
) -> None:
    run = trained(world, tiny, f"deleted-{kind}", kind)
    (rollout,) = played(world, toy)
    if kind == "sft":
        put_example(world, run, 1, rollout)
    else:
        execute(
            world,
            "INSERT INTO compoworld.grpo_group (run_id, place, step, process, task, group_id)"
            " SELECT :run, 0, 1, 0, 'toy', group_id FROM compoworld.rollout WHERE id = :rollout",
            run=run,
            rollout=rollout,
        )
    assert seen_by(world, f"deleted-{kind}") == Seen(frozenset({OF_TOY}))
    delete_group(world, rollout)
    # Two tasks are called so. Which of them it was, or whether there was a third, nobody knows.
    assert seen_by(world, f"deleted-{kind}") == Seen(frozenset({OF_TOY, ("notes",)}), complete=False)
    execute(world, "UPDATE compoworld.training_example SET task = 'gone' WHERE run_id = :run", run=run)
    execute(world, "UPDATE compoworld.grpo_group SET task = 'gone' WHERE run_id = :run", run=run)
    assert seen_by(world, f"deleted-{kind}") == Seen(complete=False)


def test_figures_of_what_an_arm_was_trained_on_count_what_was_deleted(
    world: World, toy: StoredTask, tiny: Path
) -> None:
    run = trained(world, tiny, "counted", "sft")
    rollouts = played(world, toy, 2)
    for ordinal, rollout in enumerate(rollouts, 1):
        put_example(world, run, ordinal, rollout)
    before = {item.measure: item.estimate for item in trained_on(world, "counted", "arm")}
    assert before.keys() == set(TRAINED.values()) and before["trained calls"] > 2
    delete_group(world, rollouts[0])
    found = list(trained_on(world, "counted", "arm"))
    # How many calls there were and over which services nobody knows any more: no figure, instead of a smaller one.
    assert {item.measure: (item.estimate, item.n) for item in found} == {
        "trained trajectories": (2, 2), "trained tokens": (200, 2), "trained agent tokens": (20, 2)
    }  # fmt: skip
    (table,) = tables_of("composition", found)
    assert table.rows == [["arm", "2", "", "", "", "20", "200"]]
