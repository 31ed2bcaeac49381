"""tasks, rollout, demo."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from engine.postgres import URL_VARIABLE
from tests.cli.conftest import Program

pytestmark = pytest.mark.integration

TASK = "settle-brightwater-dispute"
LIBRARY = Path(__file__).parents[2] / "tasks" / "library"


def test_tasks_of_the_library(cw: Program) -> None:
    found = {item["task"] for item in cw.json("tasks", "list")}
    assert TASK in found and len(found) >= 3
    assert all(name in cw.text("tasks", "list") for name in found)
    about = cw.json("tasks", "show", TASK)
    assert about["name"] == TASK
    assert cw.json("tasks", "show", str(LIBRARY / f"{TASK}.yaml")) == about
    text = cw.text("tasks", "show", TASK, "--sql")
    for part in (about["criteria"][0]["name"], "instruction", "reference solution", "SELECT"):
        assert part in text


def test_check_says_what_is_wrong(cw: Program, tmp_path: Path) -> None:
    (report,) = cw.json("tasks", "check", TASK)
    assert report["ok"] and report["problems"] == []
    assert "sound" in cw.text("tasks", "check", TASK)
    assert TASK in {item["name"] for item in cw.json("tasks", "list", "--stored")}
    assert TASK in cw.text("tasks", "list", "--stored")
    file = tmp_path / "broken.yaml"
    lines = (LIBRARY / f"{TASK}.yaml").read_text(encoding="utf-8").splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("criteria"))
    cut = [
        *lines[: first + 1],
        "  - name: always",
        "    kind: state",
        "    description: '[red]Always[/] true.'",
    ]
    file.write_text("\n".join([*cut, "    sql: SELECT true AS passed", ""]), encoding="utf-8")
    assert "doing nothing passes" in cw.text("tasks", "check", str(file), code=1)
    (report,) = cw.json("tasks", "check", str(file), code=1)
    assert not report["ok"]
    file.write_text("name: [", encoding="utf-8")
    assert "broken.yaml" in cw.refused("tasks", "check", str(file))


def test_a_group_from_run_to_gc(lonely: Program) -> None:
    report = lonely.json("rollout", "run", TASK, "-n", "3", "--seed", "1", "--steps", "50", "--concurrency", "2")
    assert report["task"] == TASK and report["limits"]["steps"] == 50
    assert [item["status"] for item in report["rollouts"]] == ["finished"] * 3
    group, first = report["id"], report["rollouts"][0]
    assert lonely.json("rollout", "list", "--group", str(group)) == report
    (summary,) = lonely.json("rollout", "list", "--task", TASK)
    assert (summary["id"], summary["finished"]) == (group, 3)
    assert lonely.json("rollout", "list", "--task", "other") == []
    assert TASK in lonely.text("rollout", "list")
    text = lonely.text("rollout", "list", "--group", str(group))
    assert all(item["name"] in text for item in report["criteria"]) and "mean reward" in text
    assert max(map(len, text.splitlines())) <= 80

    shown = lonely.json("rollout", "show", str(first["id"]))
    assert shown["messages"][0]["role"] == "system"
    assert shown["reward"] == first["reward"]
    said = lonely("rollout", "resume", str(group))
    assert said.code == 0 and "nothing was left to do" in said.err
    page = lonely.text("rollout", "show", str(first["id"]))
    assert max(map(len, page.splitlines())) <= 80
    for part in ("messages", "checks", "completion-focused", "more characters with --full"):
        assert part in page
    assert "more characters" not in lonely.text("rollout", "show", str(first["id"]), "--full")

    verified = lonely.json("verify", str(first["branch"]), code=0 if first["success"] else 1)
    assert [item["passed"] for item in verified["checks"]] == [item["passed"] for item in first["checks"]]
    assert lonely.json("replay", str(first["branch"]))["same"]

    assert "is that of rollout" in lonely.refused("gc", "--branch", str(first["branch"]))
    planned = lonely.json("gc", "--rollout", str(first["id"]))
    assert planned["broken_groups"] == [group] and not planned["deleted"]
    assert lonely.json("gc", "--rollout", str(first["id"]), "--yes")["counts"] == {
        "rollouts": 1,
        "branches": 1,
    }
    assert "there is no rollout" in lonely.refused("rollout", "show", str(first["id"]))
    assert lonely.json("gc", "--older-than", "1d")["counts"] == {}
    assert lonely.json("gc", "--older-than", "0m")["groups"] == [group]
    assert lonely.json("gc", "--task", TASK, "--yes")["counts"] == {
        "tasks": 1,
        "groups": 1,
        "rollouts": 2,
        "branches": 2,
    }
    assert lonely.json("rollout", "list") == []
    assert "no groups yet" in lonely.text("rollout", "list")


def test_the_reference_solves_it(cw: Program) -> None:
    report = cw.json("rollout", "run", TASK, "-n", "1", "--agent", "reference")
    assert report["rollouts"][0]["success"] and report["rollouts"][0]["reward"]["completion_focused"] == 1


def test_a_group_in_which_all_failed(lonely: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setattr("synth.models.RETRIES", 0)
    model = "a-model-of-some-vendor-2026"
    said = lonely("rollout", "run", TASK, "--agent", "anthropic", "--model", model, "-n", "1")
    words = " ".join(said.out.split())
    assert said.code == 3
    assert "1 of 1 failed, none is scored; run again: compoworld rollout resume 1 --retry-failed" in words
    assert max(map(len, said.out.splitlines())) <= 80
    lonely.json("rollout", "resume", "1", code=3)
    listed = lonely.text("rollout", "list")
    assert all(part in listed for part in (TASK, "anthropic", model, "1 failed"))
    assert max(map(len, listed.splitlines())) <= 80
    assert "none is scored" in lonely.text("rollout", "list", "--group", "1")


def test_a_group_in_which_some_failed(lonely: Program) -> None:
    lonely.json("rollout", "run", TASK, "-n", "2")
    with psycopg.connect(lonely.url) as connection:
        connection.execute(
            "UPDATE compoworld.rollout SET status = 'failed', stop_reason = 'infrastructure' WHERE id = 1"
        )
    said = lonely("rollout", "resume", "1")
    assert said.code == 0 and "nothing was left to do" in said.err
    assert "1 of 2 failed and are not scored; run again:" in said.out


def test_what_rollout_refuses(cw: Program) -> None:
    assert "there is no agent" in cw.refused("rollout", "run", TASK, "--agent", "none")
    assert "no such task" in cw.refused("rollout", "run", "none")
    assert "there is no group" in cw.refused("rollout", "list", "--group", "999999")
    assert "do not go together" in cw.refused("rollout", "list", "--group", "1", "--task", TASK)
    assert "there is no rollout" in cw.refused("rollout", "show", "999999")
    assert "there is no group" in cw.refused("rollout", "resume", "999999")


@pytest.mark.acceptance
def test_demo_twice(lonely: Program) -> None:
    began = time.perf_counter()
    text = lonely.text("demo")
    assert max(map(len, text.splitlines())) <= 80
    for part in ("criteria", "weight", "reward", "to try next", "8 rollouts"):
        assert part in text
    first = lonely.json("rollout", "list", "--group", "1")
    commands = [line.split("  ")[1].split() for line in text.splitlines() if line.startswith("  compoworld ")]
    assert len(commands) == 4
    for command in commands:
        assert lonely(*command[1:]).code == 0
    second = lonely.json("demo")
    assert second["criteria"] == first["criteria"]
    rewards = [[item["reward"]["completion_focused"] for item in report["rollouts"]] for report in (first, second)]
    assert rewards[0] == pytest.approx(rewards[1])
    assert lonely.json("db", "census")["totals"]["compositions"] == 1
    assert time.perf_counter() - began < 60


@pytest.mark.acceptance
def test_an_interrupted_group_is_resumed(lonely: Program) -> None:
    assert "every group is finished" in lonely.refused("rollout", "resume")
    process = subprocess.Popen(
        [sys.executable, "-m", "compoworld", "rollout", "run", TASK, "-n", "40", "--concurrency", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, URL_VARIABLE: lonely.url},
    )  # fmt: skip
    assert process.stderr is not None
    while " criteria" not in process.stderr.readline():
        assert process.poll() is None
    assert "is running now" in lonely.refused("gc", "--group", "1")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert err.splitlines()[-1] == "interrupted; go on with: compoworld rollout resume 1"
    before = lonely.json("rollout", "list", "--group", "1")
    done = {item["id"]: item["finished_at"] for item in _finished(lonely)}
    assert before["finished_at"] is None and 0 < len(done) < 40
    assert "not finished" in lonely.text("rollout", "list", "--group", "1")
    report = lonely.json("rollout", "resume")
    assert report["finished_at"] is not None
    assert len(report["rollouts"]) == 40 and {item["status"] for item in report["rollouts"]} == {"finished"}
    after = {item["id"]: item["finished_at"] for item in _finished(lonely)}
    assert {number: after[number] for number in done} == done


def _finished(program: Program) -> list[dict[str, object]]:
    with psycopg.connect(program.url) as connection:
        rows = connection.execute("SELECT id, finished_at FROM compoworld.rollout WHERE status = 'finished'").fetchall()
    return [{"id": row[0], "finished_at": row[1]} for row in rows]
