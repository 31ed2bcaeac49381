"""Interrupted groups: whoever dies, what is finished stays, what is missing is run once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text

from engine.database import Database
from engine.world import World
from rl import GroupReport, create_group, group_report, resume, run_group
from rl.agents import Ending, ReferenceAgent
from rl.claims import Claims
from rl.episode import Episode
from tasks.store import StoredTask
from tests.processes import wait_for
from tests.rl.agents import Scripted, call_of, reference, slow, use
from tests.toys import library


def start(url: str, group: int, seconds: float = 0.03) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.rl.run_slowly", url, str(group), str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )


def statuses(report: GroupReport) -> list[str]:
    return [item.status for item in report.rollouts]


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_an_interrupted_group_is_resumed(world: World, toy_url: str, toy: StoredTask, blow: signal.Signals) -> None:
    group = create_group(world, toy, ReferenceAgent(), size=7)
    process = start(toy_url, group)
    wait_for(process, "finished", 2)
    wait_for(process, "step", 6)
    process.send_signal(blow)
    said, _ = process.communicate(timeout=20)
    before = group_report(world, group)
    done = [item for item in before.rollouts if item.status == "finished"]
    assert 2 <= len(done) < 7
    assert not before.finished
    assert before.criteria == []
    if blow == signal.SIGINT:
        assert "interrupted" in said
        assert "running" not in statuses(before)
    else:
        assert "running" in statuses(before)
    after = resume(world, group)
    assert after.finished
    assert statuses(after) == ["finished"] * 7
    assert all(item.success for item in after.rollouts)
    kept = {item.id: item for item in after.rollouts}
    for item in done:
        assert (kept[item.id].branch, kept[item.id].attempts) == (item.branch, item.attempts)
        assert kept[item.id].checks == item.checks
    with world.database.transaction() as connection:
        double = connection.execute(
            text(
                "SELECT label FROM compoworld.branch WHERE label IN (SELECT 'rollout ' || id FROM"
                " compoworld.rollout WHERE group_id = :group) GROUP BY label HAVING count(*) > 1"
            ),
            {"group": group},
        ).all()
    assert double == []


def test_resuming_a_finished_group_does_nothing(world: World, toy: StoredTask) -> None:
    report = run_group(world, toy, ReferenceAgent(), size=2)
    assert resume(world, report.id) == report


def test_two_processes_share_a_group(world: World, toy_url: str, toy: StoredTask) -> None:
    group = create_group(world, toy, ReferenceAgent(), size=10)
    process = start(toy_url, group, 0.02)
    wait_for(process, "started", 1)
    mine = resume(world, group, agent=slow(0.02), concurrency=2)
    assert set(statuses(mine)) <= {"finished", "running"}
    process.communicate(timeout=20)
    report = group_report(world, group)
    assert report.finished
    assert [item.attempts for item in report.rollouts] == [1] * 10
    assert all(item.success for item in report.rollouts)


def test_many_threads_share_a_group(world: World, toy_url: str, toy: StoredTask) -> None:
    group = create_group(world, toy, ReferenceAgent(), size=12)

    def run(_: int) -> None:
        with World(Database(toy_url).open(), library()) as own:
            resume(own, group, concurrency=2)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, range(4)))
    report = group_report(world, group)
    assert report.finished
    assert [item.attempts for item in report.rollouts] == [1] * 12


def test_what_runs_elsewhere_is_left_alone(world: World, toy: StoredTask) -> None:
    group = create_group(world, toy, ReferenceAgent(), size=3)
    with Claims(toy, group) as other:
        claim = other.next()
        assert claim is not None
        report = resume(world, group)
        assert sorted(statuses(report)) == ["finished", "finished", "running"]
        assert not report.finished
    # The other one is gone without a word: its rollout is free.
    assert statuses(resume(world, group)) == ["finished"] * 3


def test_an_attempt_that_was_taken_over_writes_nothing(world: World, toy: StoredTask) -> None:
    group = create_group(world, toy, ReferenceAgent(), size=1)
    second: list[GroupReport] = []

    def run(episode: Episode, _: int) -> Ending:
        use(episode, "call_tool", call_of("notes", "add_note", {"title": "mine"}))
        # The connection with the claims is lost, and another process takes the rollout.
        with world.database.transaction() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid, 2000) FROM pg_locks WHERE locktype = 'advisory'"
                    " AND classid = 7205 AND pid <> pg_backend_pid()"
                    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                )
            )
        second.append(resume(world, group))
        return Ending("answered", "I was first")

    first = resume(world, group, agent=Scripted(run, "reference"))
    assert second[0].finished
    assert first.rollouts == second[0].rollouts
    assert first.rollouts[0].attempts == 2
    assert first.rollouts[0].success
    assert first.rollouts[0].answer != "I was first"


def test_the_connections_are_cut_in_the_middle(world: World, toy: StoredTask) -> None:
    cut = [0]

    def run(episode: Episode, time_: int) -> Ending:
        if time_ == 1 and episode.seed % 2:
            use(episode, "call_tool", call_of("notes", "find_notes", {}))
            cut[0] += 1
            with world.database.raw() as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
        return reference(episode)

    report = run_group(world, toy, Scripted(run), size=6, concurrency=3)
    assert cut[0] > 0
    assert report.finished
    assert statuses(report) == ["finished"] * 6
    assert all(item.success for item in report.rollouts)
    assert sum(item.attempts for item in report.rollouts) >= 6


def test_an_interrupt_leaves_the_program(world: World, toy: StoredTask) -> None:
    """A watcher that raises stands for anything that goes wrong in the program around the rollouts."""

    def watch(item: Any) -> None:
        if item.kind == "finished":
            raise RuntimeError("the screen is gone")

    start_ = time.monotonic()
    with pytest.raises(RuntimeError, match="the screen is gone"):
        run_group(world, toy, slow(0.02), size=4, concurrency=2, progress=watch)
    assert time.monotonic() - start_ < 10
