"""compoworld gc of what has a name of its own: collections, evaluations, training runs, experiments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from rl.experiments import store
from rl.experiments.config import ScaleConfig, read_config
from rl.training.folders import OWNER
from rl.training.runs import LOCK_CLASS
from synth.shelf import world_with_shelf
from tasks.files import named
from tasks.sets import insert_set
from tasks.sets.document import Member, TaskSet
from tests.cli.conftest import Program

pytestmark = pytest.mark.integration

TASK = "settle-brightwater-dispute"
OTHER = "move-halcyon-kickoff"


def rows(program: Program, statement: str, *values: Any) -> list[Any]:
    with psycopg.connect(program.url) as connection:
        found = connection.execute(statement, values)  # type: ignore[call-overload] # of this file only
        return list(found.fetchall()) if found.description else []


def left(program: Program, *tables: str) -> list[int]:
    return [rows(program, f"SELECT count(*) FROM compoworld.{table}")[0][0] for table in tables]


@contextmanager
def held(program: Program, kind: int, number: int) -> Iterator[None]:
    with psycopg.connect(program.url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s, %s)", (kind, number))
        yield
        # Not with the connection: the server takes a moment to notice that it is closed.
        connection.execute("SELECT pg_advisory_unlock(%s, %s)", (kind, number))


def test_names_that_there_are_not(lonely: Program) -> None:
    lonely.json("collect", TASK, "-n", "1", "--name", "mine")
    assert "there is no collection 'mime' (did you mean mine?)" in lonely.refused("gc", "--collection", "mime", "--yes")
    for kind, what in (("evaluation", "evaluation"), ("run", "run"), ("experiment", "experiment"), ("set", "set of")):
        assert f"there is no {what}" in lonely.refused("gc", f"--{kind}", "mine", "--collection", "mine", "--yes")
    assert left(lonely, "collection", "rollout_group") == [1, 1]


def test_a_collection_with_its_groups(lonely: Program) -> None:
    lonely.json("collect", TASK, "-n", "2", "--name", "mine", "--times", "2", "--at-once", "1")
    lonely.json("collect", TASK, "-n", "1", "--name", "other")
    (first, _) = lonely.json("jobs", "show", "mine")["group_list"]
    rows(
        lonely,
        "WITH w AS (INSERT INTO compoworld_jobs.procrastinate_workers DEFAULT VALUES RETURNING id)"
        " UPDATE compoworld_jobs.procrastinate_jobs SET status = 'doing', worker_id = (SELECT id FROM w)"
        " WHERE id = (SELECT job_id FROM compoworld.collection_group WHERE group_id = %s)",
        first["group_id"],
    )
    for more in ((), ("--yes",)):
        refused = lonely.refused("gc", "--collection", "mine", *more)
        assert f"a worker is on group {first['group_id']} of the collection 'mine'" in refused
        assert "compoworld jobs cancel mine" in refused
    assert lonely.json("jobs", "show", "mine")["groups_waiting"] == 1, "nothing was cancelled"

    rows(lonely, "UPDATE compoworld_jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 hour'")
    expected = {"collections": 1, "groups": 2, "rollouts": 4}
    assert lonely.json("gc", "--collection", "mine")["counts"] == expected
    assert "1 collection: mine" in lonely.text("gc", "--collection", "mine")
    found = lonely.json("gc", "--collection", "mine", "--collection", "mine", "--yes")
    assert found["counts"] == expected and found["collections"] == ["mine"]
    assert left(lonely, "collection", "collection_group", "rollout_group", "rollout") == [1, 1, 1, 1]
    assert rows(lonely, "SELECT count(*) FROM compoworld_jobs.procrastinate_jobs") == [(1,)]
    assert "no collection 'mine'" in lonely.refused("gc", "--collection", "mine")


def test_an_interrupted_deletion_is_gone_on_with(lonely: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    lonely.json("collect", TASK, "-n", "1", "--name", "mine", "--times", "3")
    with monkeypatch.context() as patched:
        patched.setattr("compoworld.retention.sweeping.batches", lambda numbers: [numbers[:1]])
        patched.setattr("rl.jobs.deletion.delete_collection", lambda world, name: None)
        lonely.json("gc", "--collection", "mine", "--yes")
    assert lonely.json("jobs", "show", "mine")["state"] == "cancelled"
    assert lonely.json("gc", "--collection", "mine", "--yes")["counts"] == {
        "collections": 1,
        "groups": 2,
        "rollouts": 2,
    }
    assert left(lonely, "collection", "rollout_group") == [0, 0]


def test_an_evaluation_with_its_groups(lonely: Program) -> None:
    with world_with_shelf(lonely.url) as world:
        members = tuple(Member(place, named(task), None) for place, task in enumerate((TASK, OTHER)))
        insert_set(world, TaskSet("two", 0, {}, 2, members, drafts=2))
    for name in ("one", "other"):
        lonely.text("eval", "run", "two", "--agent", "reference", "-n", "1", "--name", name)
    rows(
        lonely,
        "INSERT INTO compoworld.evaluation_group SELECT 2, 3, group_id FROM compoworld.evaluation_group"
        " WHERE evaluation_id = 1 AND ordinal = 1",
    )
    expected = {"evaluations": 1, "groups": 1, "rollouts": 1, "branches": 1}
    assert lonely.json("gc", "--evaluation", "one")["counts"] == expected
    assert lonely.json("gc", "--evaluation", "one", "--yes")["counts"] == expected
    assert [item["name"] for item in lonely.json("eval", "list")] == ["other"]
    assert left(lonely, "evaluation_group", "rollout_group") == [3, 3]


@pytest.fixture
def trained(lonely: Program, tmp_path: Path) -> Program:
    """Two finished runs, of which the second began with the policy of the first, and their files."""
    lonely.json("policies")
    for number, name in enumerate(("tuned", "better"), 1):
        folder = tmp_path / name
        for file in ("policy/model.safetensors", "checkpoint-3/trainer_state.json", "examples.arrow"):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text("{}")
        mark = str(uuid4())
        (folder / OWNER).write_text(json.dumps({"run": name, "mark": mark}))
        rows(
            lonely,
            "INSERT INTO compoworld.training_run (name, kind, config, seed, weights, policy_from, folder, mark, status)"
            " VALUES (%s, 'sft', '{}', 0, 'w', (SELECT max(id) FROM compoworld.policy), %s, %s, 'finished')",
            name,
            str(folder),
            mark,
        )
        rows(
            lonely,
            "INSERT INTO compoworld.policy (name, version, base, path, parent_id, made_by, digest) VALUES (%s, 1,"
            " 'smollm2', %s, (SELECT max(id) FROM compoworld.policy), %s, 'd')",
            name,
            str(folder / "policy"),
            number,
        )
    return lonely


def test_a_run_with_its_policy_and_files(trained: Program, tmp_path: Path) -> None:
    (tmp_path / "tuned" / "notes.txt").write_text("mine")
    found = trained.json("gc", "--run", "tuned")
    assert found["counts"] == {"runs": 1, "policies": 1, "files": 4} and found["policies"] == ["tuned@1"]
    assert (tmp_path / "tuned" / "policy").is_dir()
    assert trained.json("gc", "--run", "tuned", "--yes") == found | {"deleted": True}
    assert [path.name for path in (tmp_path / "tuned").iterdir()] == ["notes.txt"]
    # What descends from it has weights of its own.
    (policy,) = trained.json("policies")
    assert (policy["name"], policy["parent"], Path(policy["path"]).is_dir()) == ("better", None, True)
    assert trained.json("gc", "--run", "better", "--yes")["counts"]["files"] == 4
    assert not (tmp_path / "better").exists()


def test_weights_that_another_policy_needs_stay(trained: Program, tmp_path: Path) -> None:
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    (adapter / "adapter_config.json").write_text(
        json.dumps({"base_model_name_or_path": str(tmp_path / "tuned" / "policy")})
    )
    for name, path in (("adapter", adapter), ("early", tmp_path / "tuned" / "checkpoint-3")):
        rows(
            trained,
            "INSERT INTO compoworld.policy (name, version, base, path, digest) VALUES (%s, 1, 'smollm2', %s, 'd')",
            name,
            str(path),
        )
    trained.json("gc", "--run", "tuned", "--yes")
    assert sorted(path.name for path in (tmp_path / "tuned").iterdir()) == ["checkpoint-3", "policy"]
    assert [policy["name"] for policy in trained.json("policies")] == ["early", "adapter", "better"]


def test_a_run_in_use_is_refused(trained: Program, tmp_path: Path) -> None:
    with held(trained, LOCK_CLASS, 1):
        assert "the run 'tuned' is being trained" in trained.refused("gc", "--run", "tuned", "--yes")
    rows(trained, "UPDATE compoworld.training_run SET status = 'failed' WHERE name = 'better'")
    refused = trained.refused("gc", "--run", "tuned", "--yes")
    assert "the run 'better' is not finished, and begins with tuned@1" in refused and "--run better" in refused
    assert (tmp_path / "tuned" / "policy").is_dir()
    found = trained.json("gc", "--run", "tuned", "--run", "better", "--yes")
    assert found["counts"] == {"runs": 2, "policies": 2, "files": 8}


def test_what_an_unfinished_run_was_begun_on_stays(trained: Program) -> None:
    """Its file of examples can be lost, and is made again of the rollouts."""
    trained.json("collect", TASK, "-n", "1", "--name", "mine")
    rows(
        trained,
        "INSERT INTO compoworld.training_example (run_id, ordinal, rollout_id, task, digest, tokens, agent_tokens)"
        " SELECT 2, 1, id, %s, '', 1, 1 FROM compoworld.rollout",
        TASK,
    )
    assert trained.json("gc", "--collection", "mine")["counts"]["rollouts"] == 1
    rows(trained, "UPDATE compoworld.training_run SET status = 'failed' WHERE name = 'better'")
    rows(
        trained,
        "WITH g AS (UPDATE compoworld.rollout_group SET finished_at = now() - interval '9 days')"
        " UPDATE compoworld.rollout SET started_at = started_at - interval '9 days',"
        " finished_at = finished_at - interval '9 days'",
    )
    refused = trained.refused("gc", "--collection", "mine", "--yes")
    assert "rollout 1 is one of those that the run 'better' trains on" in refused and "--run better" in refused
    assert "groups" not in trained.json("gc", "--older-than", "7d", "--yes")["counts"]
    counts = trained.json("gc", "--collection", "mine", "--run", "better", "--yes")["counts"]
    assert (counts["rollouts"], counts["runs"]) == (1, 1)


def test_an_experiment_with_what_it_made(trained: Program) -> None:
    members = tuple(Member(place, named(task), "train") for place, task in enumerate((TASK, OTHER)))
    config = read_config("sft-scale")
    assert isinstance(config, ScaleConfig)
    with world_with_shelf(trained.url) as world:
        # There before it, or called as another experiment calls its own.
        insert_set(world, TaskSet("small-tasks", 0, {}, 1, members[:1], drafts=1))
        number = store.begin(world, "small", "sft-scale", config.model_dump(mode="json", by_alias=True))
        assert trained.json("gc", "--experiment", "small")["counts"] == {"experiments": 1}
        trained.text("gc", "--set", "small-tasks", "--yes")
        insert_set(world, TaskSet("small-tasks", 0, {}, 2, members, drafts=2))
        insert_set(world, TaskSet("small-other-tasks", 0, {}, 1, members[:1], drafts=1))
    references = "small-tasks-references"
    trained.text("collect", "small-tasks", "--agent", "reference", "-n", "1", "--name", references)
    trained.text("collect", OTHER, "--agent", "reference", "-n", "1", "--name", "small-references")
    trained.text("eval", "run", "small-tasks", "--agent", "reference", "-n", "1", "--name", "small-test-0")
    rows(
        trained,
        "UPDATE compoworld.training_run SET name = %s, started_at = now() WHERE name = 'tuned'",
        f"small-sft-{config.sizes[0]}",
    )
    with held(trained, store.LOCK_CLASS, number):
        assert "a process runs the experiment 'small'" in trained.refused("gc", "--experiment", "small", "--yes")
    expected = trained.json("gc", "--experiment", "small")
    assert expected["sets"] == ["small-tasks"] and expected["collections"] == [references]
    assert expected["evaluations"] == ["small-test-0"] and expected["policies"] == ["tuned@1"]
    assert trained.json("gc", "--experiment", "small", "--yes")["counts"] == expected["counts"]
    assert left(trained, "experiment") == [0]
    assert [item["name"] for item in trained.json("tasks", "sets")["stored"]] == ["small-other-tasks"]
    assert [item["name"] for item in trained.json("train", "list")] == ["better"]
    assert left(trained, "collection", "evaluation", "rollout_group") == [1, 0, 1]
    assert "there is no experiment 'small'" in trained.refused("gc", "--experiment", "small")
