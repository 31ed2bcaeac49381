"""collect, worker, jobs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from engine.postgres import URL_VARIABLE
from tests.cli.conftest import Program

pytestmark = pytest.mark.integration

TASK = "settle-brightwater-dispute"
NAME = f"{TASK}-noisy-0"


def test_from_collect_to_rewards(lonely: Program) -> None:
    assert "no collections yet" in lonely.text("jobs")
    said = lonely("collect", TASK, "-n", "2", "--times", "3", "--at-once", "1")
    assert said.code == 0
    assert said.out == f"collection {NAME}: 3 groups of 2 rollouts\n"
    assert said.err == "run it: compoworld worker\n"
    again = lonely.json("collect", TASK, "-n", "2", "--times", "3")
    assert (again["added"], again["groups_waiting"], again["workers"]) == (0, 3, 0)
    assert "it has other n" in lonely.refused("collect", TASK, "-n", "3", "--times", "3")
    assert "endpoint noisy: at most 1 group at a time, 0 running, 2 held back" in lonely.text("jobs")
    assert lonely.text("jobs", "limit", "noisy", "0") == "endpoint noisy: no limit\n"
    said = lonely("worker", "--until-idle", "--concurrency", "2")
    assert said.code == 0 and said.out == ""
    assert said.err.count(" finished: ") == 3 and "ended: 3 groups finished here" in said.err
    text = lonely.text("jobs")
    assert all(part in text for part in ("finished", "3/3", "6/6", "0 workers at work"))
    assert NAME in lonely("jobs", columns=140).out
    about = lonely.json("jobs", "show", NAME)
    assert (about["state"], about["finished"]) == ("finished", 6)
    assert [item["state"] for item in about["group_list"]] == ["finished"] * 3
    assert TASK in lonely.text("jobs", "show", NAME)
    for item in about["group_list"]:
        rollouts = lonely.json("rollout", "list", "--group", str(item["group_id"]))["rollouts"]
        assert all(rollout["reward"] is not None for rollout in rollouts)
    assert lonely.text("jobs", "retry", NAME) == "nothing failed, nothing was cancelled\n"
    assert lonely.text("jobs", "cancel", NAME) == "every group has ended\n"
    (group, *_) = [str(item["group_id"]) for item in about["group_list"]]
    lonely.text("gc", "--group", group, "--yes")
    assert lonely.json("jobs")["collections"][0]["state"] == "unfinished"


def test_who_leaves_off_waiting_is_told_a_command_that_there_is(
    lonely: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("compoworld.cli.collect.time.sleep", interrupted)
    said = lonely("collect", TASK, "--agent", "reference", "-n", "1", "--wait")
    assert said.code == 130
    advice = said.err.rpartition("go on with: compoworld ")[2].partition(" (")[0]
    assert lonely(*advice.split()).code == 0, advice


def test_cancelled_and_taken_up_again(lonely: Program) -> None:
    made = lonely.json("collect", TASK, TASK, "--agent", "reference", "-n", "1", "--name", "mine", "--deadline", "1h")
    assert (made["collection"], made["groups"]) == ("mine", 2)
    said = lonely("jobs", "cancel", "mine")
    assert said.out == "2 groups cancelled\n" and "compoworld jobs retry mine" in said.err
    assert lonely.json("jobs")["collections"][0]["state"] == "cancelled"
    assert lonely.json("jobs", "retry", "mine") == {"collection": "mine", "groups": 2}
    lonely.text("worker", "--until-idle")
    said = lonely("collect", TASK, TASK, "--agent", "reference", "-n", "1", "--name", "mine", "--wait")
    assert said.code == 0 and "finished" in said.out and "2/2" in said.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("collect", "no-such-thing"), "there is no set and no task 'no-such-thing'"),
        (("collect", TASK, "--agent", "noisy", "--model", "m"), "takes no model"),
        (("collect", "starter", "--split", "half"), "there is no split 'half'"),
        (("collect", "starter", "--split", "validation"), "compoworld tasks split"),
        (("collect", TASK, "--deadline", "soon"), "not a length of time"),
        (("worker", "--concurrency", "0"), "a number of groups"),
    ],
)
def test_what_is_refused(cw: Program, arguments: tuple[str, ...], message: str) -> None:
    assert message in cw.refused(*arguments)


def test_there_is_no_such_collection(cw: Program) -> None:
    for command in ("show", "retry", "cancel"):
        said = cw("jobs", command, "nothing")
        assert said.code == 2 and "there is no collection 'nothing'" in said.err


def test_a_worker_leaves_on_ctrl_c(lonely: Program) -> None:
    lonely.text("collect", TASK, "-n", "1")
    process = subprocess.Popen(
        [sys.executable, "-m", "compoworld", "worker"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, URL_VARIABLE: lonely.url},
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "at work; Ctrl-C stops\n"
    assert " finished: " in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 0, said
    assert said == "ended: 1 group finished here\n"
