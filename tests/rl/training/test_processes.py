"""GRPO in other processes: several that train together, and one that is killed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from engine.world import World
from rl.errors import TrainingFailed
from rl.grpo import train_grpo
from rl.policies import Weights
from rl.training import runs
from rl.training.history import summary
from tasks.store import StoredTask
from tests.processes import eventually
from tests.rl.training.runs import command, grpo_settings, with_luck

pytestmark = pytest.mark.filterwarnings("ignore")

ROOT = Path(__file__).parents[3]


@contextmanager
def other(home: Path, line: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A program that runs beside, and no longer than the block."""
    environment = {**os.environ, "COMPOWORLD_HOME": str(home), "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    with subprocess.Popen(
        line, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def rows(world: World, sql: str) -> list[Any]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(sql)).all())


def lucky(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, up to the end of the test."""
    import rl.grpo.sampling
    import rl.grpo.trainer

    monkeypatch.setattr(rl.grpo.trainer, "agent_of", rl.grpo.trainer.agent_of)
    monkeypatch.setattr(rl.grpo.sampling, "PAUSES", rl.grpo.sampling.PAUSES)
    with_luck()


def test_two_processes_get_whole_groups(world: World, toy: StoredTask, tiny: Path, home: Path) -> None:
    values = ["prompts=2", "steps=2"]
    with other(home, command(world.database.url, str(tiny), "both", values, processes=2)) as process:
        said, _ = process.communicate(timeout=240)
    assert process.returncode == 0, said
    assert summary(world, "both").made == "both@1"
    groups = rows(
        world,
        "SELECT g.place, g.process, v.rollouts, v.scored FROM compoworld.grpo_group g"
        " JOIN compoworld.grpo_groups v USING (group_id)"
        " JOIN compoworld.training_run r ON r.id = g.run_id WHERE r.name = 'both' ORDER BY g.place",
    )
    assert [tuple(row) for row in groups] == [(0, 0, 4, 4), (1, 1, 4, 4)]
    step = rows(world, "SELECT groups, rollouts, reward FROM compoworld.grpo_steps WHERE run = 'both' AND step = 1")[0]
    assert (step.groups, step.rollouts) == (2, 8)
    # The trainer's mean over both processes is that of all eight rewards.
    told = rows(world, "SELECT metrics FROM compoworld.training_steps WHERE run = 'both' AND step = 1")[0].metrics
    assert told["reward"] == pytest.approx(step.reward, abs=1e-5)


def test_a_killed_run_goes_on(
    world: World, toy: StoredTask, tiny: Path, weights: Weights, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With kill -9 after step 3 of 4: the last checkpoint is that of step 2."""
    with other(home, command(world.database.url, str(tiny), "killed", [])) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if line == "step 3\n":
                break
        else:
            pytest.fail("".join(said))
        process.kill()
    eventually(lambda: summary(world, "killed").status == "interrupted", "the server lets go of its lock")

    lucky(monkeypatch)
    done = train_grpo(world, weights, grpo_settings(), name="killed")
    assert (done.run.status, done.run.step, done.run.groups) == ("finished", 4, 2)
    counts = rows(world, "SELECT status, count(*) AS n FROM compoworld.grpo_rollouts WHERE run = 'killed' GROUP BY 1")
    assert [(row.status, row.n) for row in counts] == [("finished", 8)]


def test_a_process_without_a_scored_rollout(
    world: World, toy: StoredTask, tiny: Path, weights: Weights, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It trains nothing of its own and the run goes on; where no process has one, the run says so once."""
    values = ["prompts=2", "failing=1,2,3"]
    with other(home, command(world.database.url, str(tiny), "half", values, processes=2)) as process:
        said, _ = process.communicate(timeout=240)
    assert process.returncode != 0
    counts = "SELECT scored, failed FROM compoworld.grpo_groups WHERE run = 'half' ORDER BY place"
    assert [tuple(row) for row in rows(world, counts)] == [(4, 0), (0, 4), (0, 4), (0, 4)], said
    found = summary(world, "half")
    assert (found.status, found.step) == ("failed", 2)
    # As the first process says it.
    assert found.error is not None
    assert found.error.startswith("InfrastructureError: there is nothing to train on for step 3: every rollout failed:")

    lucky(monkeypatch)
    done = train_grpo(world, weights, grpo_settings("prompts=2"), name="half")
    assert (done.run.status, done.run.step) == ("finished", 4)
    # The trainer was given the second group, and keeps it as it was.
    assert [tuple(row) for row in rows(world, counts)] == [(4, 0), (0, 4), (4, 0), (4, 0)]


@pytest.mark.parametrize("everywhere", [True, False])
def test_the_first_process_says_how_a_run_ended(
    world: World, weights: Weights, monkeypatch: pytest.MonkeyPatch, everywhere: bool
) -> None:
    """Another one waits for it; an error that only the other one has is not lost."""
    monkeypatch.setattr(runs, "FIRST_SECONDS", 0.5)
    run = runs.begin(world, "grpo", f"ended-{everywhere}".lower(), settings={}, seed=0, weights=weights)

    def fail(words: str) -> None:
        with pytest.raises(TrainingFailed), runs.training(world, run):
            if everywhere and words == "other":
                monkeypatch.setenv("RANK", "0")
                fail("first")
            raise TrainingFailed(words)

    monkeypatch.setenv("RANK", "1")
    fail("other")
    said = "TrainingFailed: first" if everywhere else "process 1: TrainingFailed: other"
    assert (summary(world, run.name).status, summary(world, run.name).error) == ("failed", said)
