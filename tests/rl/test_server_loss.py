"""The embedded server is killed in the middle of a group."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from engine.database import Database
from engine.errors import DatabaseUnavailable
from engine.postgres import URL_VARIABLE, EmbeddedServer, database_url
from engine.world import World
from rl import run_group, wait_for_database
from rl.agents import Ending
from rl.episode import Episode
from tasks import put
from tests.rl.agents import Scripted, call_of, reference, use
from tests.toys import library, toy_task


def test_the_server_is_killed_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    monkeypatch.setenv("COMPOWORLD_HOME", str(tmp_path))
    url = database_url().url
    server = EmbeddedServer()
    try:
        with World(Database(url).open(), library()) as world:
            killed = threading.Event()

            def run(episode: Episode, _: int) -> Ending:
                use(episode, "call_tool", call_of("notes", "find_notes", {}))
                if not killed.is_set():
                    killed.set()
                    pid = server.status().pid
                    assert pid is not None
                    os.kill(pid, signal.SIGKILL)
                return reference(episode)

            report = run_group(world, put(world, toy_task()), Scripted(run), size=6, concurrency=3)
            assert killed.is_set()
            assert report.finished
            assert [item.status for item in report.rollouts] == ["finished"] * 6
            assert all(item.success for item in report.rollouts)
            assert max(item.attempts for item in report.rollouts) > 1
    finally:
        server.stop()


def test_a_server_that_does_not_come_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(URL_VARIABLE, "postgresql://nobody@127.0.0.1:9/none")
    world = World(Database("postgresql://nobody@127.0.0.1:9/none"))
    with pytest.raises(DatabaseUnavailable):
        wait_for_database(world, 0.2)
