"""A process that loses the lock of its run trains on only if nobody else has trained it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from engine.errors import Refused
from engine.world import World
from rl.local.files import digest_of
from rl.policies import Weights, list_policies
from rl.sft import train_sft
from rl.training.history import Outcome, summary
from rl.training.progress import TrainingProgress, TrainingWatcher
from rl.training.runs import LOCK_CLASS, begin, see_mine, training
from tasks.store import StoredTask
from tests.rl.training.runs import sft_settings

pytestmark = pytest.mark.filterwarnings("ignore")


def trained(world: World, weights: Weights, name: str, told: TrainingWatcher = lambda progress: None) -> Outcome:
    return train_sft(world, weights, sft_settings(), name=name, told=told)


def lose_lock(world: World) -> None:
    with world.database.transaction() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND classid = :kind"
                " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            ),
            {"kind": LOCK_CLASS},
        ).all()


def test_a_lost_lock_is_taken_again(world: World, second_world: World, played: StoredTask, weights: Weights) -> None:
    refused: list[str] = []

    def told(progress: TrainingProgress) -> None:
        if progress.kind == "step" and progress.step == 1:
            lose_lock(world)
            assert summary(world, "kept").status == "interrupted"
        if progress.kind == "step" and progress.step == 2:
            assert summary(world, "kept").status == "running"
            with pytest.raises(Refused) as error:
                trained(second_world, weights, "kept")
            refused.append(error.value.message)
        if progress.kind == "saved":
            lose_lock(world)  # nothing is left to be kept: that is no failure

    done = trained(world, weights, "kept", told)
    assert refused == ["the run 'kept' is being trained by another process"]
    assert (done.run.status, done.run.step, done.run.made) == ("finished", 4, "kept@1")


@pytest.mark.parametrize("kind, step", [("step", 1), ("step", 4)])
def test_who_lost_the_lock_to_another_process_writes_nothing(
    world: World, second_world: World, played: StoredTask, weights: Weights, kind: str, step: int
) -> None:
    """Not even at the end, where only the policy is to be saved."""
    name = f"taken-{step}"

    def told(progress: TrainingProgress) -> None:
        if (progress.kind, progress.step) == (kind, step):
            lose_lock(world)
            assert trained(second_world, weights, name).run.status == "finished"

    with pytest.raises(Refused, match=f"another process has just ended the run '{name}'"):
        trained(world, weights, name, told)
    found = summary(world, name)
    assert (found.status, found.step, found.error) == ("finished", 4, None)
    (policy,) = list_policies(world, name)
    assert digest_of(begin_again(world, weights, name) / "policy") == policy.digest


def begin_again(world: World, weights: Weights, name: str) -> Path:
    values = sft_settings().model_dump(mode="json", by_alias=True, exclude={"seed"})
    return begin(world, "sft", name, settings=values, seed=0, weights=weights).folder


def test_who_trained_meanwhile_is_noticed(world: World, second_world: World, weights: Weights) -> None:
    run = begin(world, "sft", "shared", settings={}, seed=0, weights=weights)

    def see(*steps: int) -> None:
        with world.database.transaction() as connection:
            see_mine(connection, mine, *steps)

    with pytest.raises(Refused, match="another process trains it"), training(world, run) as mine:
        see(0)
        lose_lock(world)
        see(0, 1)
        with world.database.transaction() as connection:
            connection.execute(text("UPDATE compoworld.training_run SET step = 3 WHERE id = :run"), {"run": run.id})
        with pytest.raises(Refused, match=r"has trained the run 'shared' in the meantime: it stands after step 3, not"):
            see(0, 1)
        lose_lock(world)
        with training(second_world, run):
            try:
                see()
            except Refused:
                assert summary(world, "shared").status == "running"
                raise
    # The second one failed with it here; the first one had nothing to say.
    assert "another process trains it" in str(summary(world, "shared").error)
