"""Workers in processes of their own: killed, stopped, stalled, and without a database for a while."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from compoworld.retention import Named, survey, sweep
from engine.database import Database
from engine.errors import Refused
from engine.postgres import URL_VARIABLE, EmbeddedServer, database_url
from engine.world import World
from rl import group_report
from rl.agents import Agent, Ending
from rl.episode import Episode
from rl.jobs import Told, Worker, cancel, collect, collection_groups, collections, workers
from tests.processes import eventually, wait_for
from tests.rl.agents import Scripted, call_of, reference, use
from tests.rl.jobs.conftest import working
from tests.rl.jobs.quick import PACE, slowly
from tests.toys import library, toy_task


def start(url: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.rl.jobs.quick", url, *arguments], stdout=subprocess.PIPE, text=True
    )


def rollouts(world: World, name: str) -> list[Any]:
    return [item for group in collection_groups(world, name) for item in group_report(world, group.group_id).rollouts]


def count(world: World, statement: str) -> int:
    with world.database.transaction() as connection:
        return int(connection.execute(text(statement)).scalar_one())


def check_each_once(world: World, name: str) -> None:
    """Every group finished; no rollout has two branches, two ends, or checks of two attempts."""
    assert {item.state for item in collection_groups(world, name)} == {"finished"}
    found = rollouts(world, name)
    assert all(item.status == "finished" and item.success and item.reward is not None for item in found)
    double = (
        "SELECT count(*) FROM (SELECT label FROM compoworld.branch WHERE label LIKE 'rollout %' GROUP BY label"
        " HAVING count(*) > 1) twice"
    )
    assert count(world, double) == 0
    assert count(world, "SELECT count(DISTINCT rollout_id) FROM compoworld.criterion_check") == len(found)
    criteria = len(found[0].checks)
    assert count(world, "SELECT count(*) FROM compoworld.criterion_check") == len(found) * criteria
    over = "SELECT count(*) FROM compoworld_jobs.procrastinate_jobs WHERE status = 'succeeded'"
    assert count(world, over) == len(collection_groups(world, name))


def test_one_of_two_workers_is_killed(own_world: World) -> None:
    url = own_world.database.url
    collect(own_world, [toy_task()], "reference", n=4, times=6, name="shared")
    victim = start(url, "0.5")
    wait_for(victim, "started", 2)
    eventually(lambda: collections(own_world, "shared")[0].running >= 4, "both groups are under way")
    other = start(url, "0.02", "until-idle")
    wait_for(other, "started")
    victim.send_signal(signal.SIGKILL)
    victim.communicate(timeout=10)
    assert collections(own_world, "shared")[0].state == "running"
    said, _ = other.communicate(timeout=60)
    assert "taken over" in said
    assert said.endswith("over\n")
    assert other.returncode == 0
    check_each_once(own_world, "shared")
    assert max(item.attempts for item in rollouts(own_world, "shared")) == 2
    assert collections(own_world, "shared")[0].solved == 24


def test_a_stopped_process_is_taken_for_dead_and_comes_back(own_world: World) -> None:
    """Its rollouts are locked as long as its connections live: another worker runs the others, and waits for these."""
    url = own_world.database.url
    collect(own_world, [toy_task()], "reference", n=4, name="asleep")
    sleeper = start(url, "0.15")
    wait_for(sleeper, "started")
    eventually(lambda: collections(own_world, "asleep")[0].running == 2, "both rollouts are under way")
    sleeper.send_signal(signal.SIGSTOP)
    other = start(url, "0.02", "until-idle")
    wait_for(other, "taken over")
    wait_for(other, "again")
    sleeper.send_signal(signal.SIGCONT)
    other.communicate(timeout=30)
    sleeper.send_signal(signal.SIGTERM)
    sleeper.communicate(timeout=30)
    assert {item.state for item in collection_groups(own_world, "asleep")} == {"finished"}
    assert [item.attempts for item in rollouts(own_world, "asleep")] == [1] * 4


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_a_worker_that_is_stopped_leaves_nothing_running(own_world: World, blow: signal.Signals) -> None:
    url = own_world.database.url
    collect(own_world, [toy_task()], "reference", n=4, times=3, name="stopped")
    process = start(url, "0.1")
    wait_for(process, "started", 2)
    process.send_signal(blow)
    said, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert said.count("given back") == 2 and said.endswith("over\n")
    status = collections(own_world, "stopped")[0]
    assert (status.running, status.groups_running, status.groups_waiting) == (0, 0, 3)
    assert workers(own_world) == 0
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'compoworld worker'"
        " AND datname = current_database()"
    )
    eventually(lambda: count(own_world, others) == 0, "the server has seen that it is gone")
    Worker(own_world, groups=2, until_idle=True, pace=PACE).run()
    check_each_once(own_world, "stopped")


@pytest.mark.parametrize(("later", "code", "left"), [(0.2, 0, 0), (2.0, 130, 2)])
def test_only_a_later_sigterm_stops_a_worker_on_the_spot(own_world: World, later: float, code: int, left: int) -> None:
    """GNU timeout sends two of them, one right after the other."""
    collect(own_world, [toy_task()], "reference", n=2, times=2, name="hurried")
    process = start(own_world.database.url, "5")  # a call under way is waited for, for a few seconds
    wait_for(process, "started", 2)
    process.send_signal(signal.SIGTERM)
    time.sleep(later)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    assert process.returncode == code
    assert collections(own_world, "hurried")[0].groups_running == left


def test_signals_are_heeded_as_before_once_a_worker_has_ended(own_world: World) -> None:
    def handler(*_: object) -> None:
        """Of a program in which a worker is one step."""

    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, handler) for number in kinds]
    try:
        Worker(own_world, until_idle=True, pace=PACE).run()
        assert [signal.getsignal(number) for number in kinds] == [handler, handler]
    finally:
        for number, old in zip(kinds, before, strict=True):
            signal.signal(number, old)


def test_a_collection_is_deleted_once_no_worker_is_on_it(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=2, times=5, name="unwanted", at_once=3)
    unwanted = Named(collections=["unwanted"])
    before = survey(own_world, unwanted)
    with working(Worker(own_world, groups=2, make=slowly(0.5), pace=PACE)):
        eventually(lambda: collections(own_world, "unwanted")[0].groups_running == 2, "two are taken")
        with pytest.raises(Refused, match="a worker is on group"):
            survey(own_world, unwanted)
        with pytest.raises(Refused, match="a worker is on group"):
            sweep(own_world, before)
        assert collections(own_world, "unwanted")[0].groups_waiting == 3, "nothing was cancelled"
        cancel(own_world, "unwanted")
        eventually(lambda: collections(own_world, "unwanted")[0].groups_cancelled == 5, "all are cancelled")
        gone = sweep(own_world, survey(own_world, unwanted))
    assert (len(gone.groups), len(gone.rollouts), collections(own_world)) == (5, 10, [])
    assert count(own_world, "SELECT count(*) FROM compoworld_jobs.procrastinate_jobs") == 0


def test_the_connections_are_cut_in_the_middle(own_world: World) -> None:
    collect(own_world, [toy_task()], "reference", n=2, times=4, name="cut")
    cut = threading.Event()

    def run(episode: Episode, _: int) -> Ending:
        use(episode, "call_tool", call_of("notes", "find_notes", {}))
        if not cut.is_set():
            cut.set()
            with own_world.database.raw() as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
        return reference(episode)

    agent = Scripted(run, "reference")
    Worker(own_world, groups=2, until_idle=True, pace=PACE, make=lambda name, **_: agent).run()
    assert cut.is_set()
    check_each_once(own_world, "cut")


def test_the_server_is_killed_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    monkeypatch.setenv("COMPOWORLD_HOME", str(tmp_path))
    url = database_url().url
    server = EmbeddedServer()
    try:
        with World(Database(url).open(), library()) as world:
            collect(world, [toy_task()], "reference", n=2, times=4, name="outage")
            killed = threading.Event()

            def run(episode: Episode, _: int) -> Ending:
                use(episode, "call_tool", call_of("notes", "find_notes", {}))
                if not killed.is_set():
                    killed.set()
                    pid = server.status().pid
                    assert pid is not None
                    os.kill(pid, signal.SIGKILL)
                return reference(episode)

            agent: Agent = Scripted(run, "reference")
            Worker(world, groups=2, until_idle=True, pace=PACE, make=lambda name, **_: agent).run()
            assert killed.is_set()
            check_each_once(world, "outage")

            # A worker that has nothing to do notices too, and goes on.
            told: list[Told] = []
            with working(Worker(world, pace=PACE, watch=told.append)):
                server.stop()
                eventually(lambda: {item.kind for item in told} == {"waiting", "back"}, "the server is back")
                collect(world, [toy_task()], "reference", n=1, name="after")
                eventually(lambda: collections(world, "after")[0].state == "finished", "it works on")
    finally:
        server.stop()
