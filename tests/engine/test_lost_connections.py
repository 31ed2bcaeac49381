"""The client is killed, the server ends a connection, connections run out: nothing half done stays."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from typing import Any

import psycopg
import pytest

from engine.branches import Branch
from engine.errors import DatabaseUnavailable
from engine.kit import Context
from engine.world import World
from tests.engine.conftest import MakeWorld
from tests.engine.look import check_consistent
from tests.engine.rogue import Thing, playing

END_ALL = (
    "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def end_all(world: World) -> None:
    """What a restart of the server does to everybody's connections."""
    with world.database.raw() as connection:
        connection.execute(END_ALL)


@pytest.fixture
def branch(world: World) -> Branch:
    made = world.compose("rogue", "shop").snapshot().fork()
    assert made.call("rogue", "put", id="before").ok
    return made


CLIENT = """
import sys
from engine.database import Database
from engine.library import Library
from engine.world import World
from tests.engine import rogue, shop
from tests.engine.rogue import Thing, playing
def hang(ctx):
    ctx.add(Thing(id="lost"))
    print("inside", flush=True)
    sys.stdin.read()
world = World(Database(sys.argv[1]).open(), Library([shop.service, rogue.service]))
with playing(hang):
    world.branch(int(sys.argv[2])).call("rogue", "act")
"""


def test_the_client_is_killed_in_the_middle_of_a_call(world: World, branch: Branch) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, world.database.url, str(branch.id)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with client:
        assert client.stdout and client.stdout.readline() == "inside\n"
        client.send_signal(signal.SIGKILL)
    assert branch.head() == 1
    assert branch.call("rogue", "put", id="after").event == 2  # the branch is free: its server session ended
    check_consistent(branch)
    assert branch.replay().same
    assert "lost" not in branch.state()["rogue_thing"]


@pytest.mark.parametrize("again", [True, False])
def test_the_connection_is_ended_in_the_middle_of_a_call(world: World, branch: Branch, again: bool) -> None:
    def cut(ctx: Context) -> str:
        ctx.add(Thing(id="lost"))
        with psycopg.connect(world.database.url, autocommit=True) as other:
            other.execute(END_ALL)
        if again:
            ctx.list(Thing)
        return "fine"

    with playing(cut), pytest.raises(DatabaseUnavailable, match="lost"):
        branch.call("rogue", "act")
    assert branch.head() == 1
    assert branch.call("rogue", "put", id="after").event == 2
    check_consistent(branch)
    assert "lost" not in branch.state()["rogue_thing"]


def test_a_tool_that_swallows_the_loss(world: World, branch: Branch) -> None:
    def cut(ctx: Context) -> str:
        with psycopg.connect(world.database.url, autocommit=True) as other:
            other.execute(END_ALL)
        try:
            ctx.add(Thing(id="lost"))
        except BaseException:
            pass
        return "fine"

    with playing(cut), pytest.raises(DatabaseUnavailable):
        branch.call("rogue", "act")
    assert branch.call("rogue", "put", id="after").event == 2
    check_consistent(branch)


def test_connections_that_died_in_the_pool(make_world: MakeWorld) -> None:
    world = make_world(pool_size=8)
    base = world.compose("rogue").snapshot()
    branches = [base.fork() for _ in range(8)]

    def fill() -> None:
        ready = threading.Barrier(8)

        def wait(ctx: Context) -> None:
            ready.wait(10)

        with playing(wait):
            threads = [threading.Thread(target=branch.call, args=("rogue", "act")) for branch in branches]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    for _ in range(2):
        fill()
        assert world.database.engine.pool.checkedin() >= 8  # type: ignore[attr-defined]
        end_all(world)
        for branch in branches:  # a call that had not begun is simply made
            assert branch.call("rogue", "things").ok
    for branch in branches:
        assert branch.head() == 4
        check_consistent(branch)


def test_everything_else_says_so_once_and_works_again(world: World, branch: Branch) -> None:
    for look in (branch.state, branch.events, branch.digest, branch.fork, branch.head, branch.replay, world.park_idle):
        look()
        end_all(world)
        try:
            look()
        except DatabaseUnavailable as error:
            assert "lost" in str(error)
            look()


def test_a_lock_goes_with_its_connection_and_is_taken_again(world: World) -> None:
    with world.database.alone(7999, 2**40) as lock:
        assert lock and lock.renew()
        end_all(world)
        with world.database.alone(7999, 2**40) as other:
            assert other and not lock.renew() and not lock
        assert lock.renew() and lock
        with world.database.alone(7999, 2**40) as other:
            assert not other
        end_all(world)
        # What was done under it is done: giving it back is no reason to fail.
    with world.database.alone(7999, 2**40) as lock:
        assert lock


def test_connections_run_out(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world(pool_size=1)
    world.database.engine.pool._timeout = 0.2  # type: ignore[attr-defined]
    base = world.compose("rogue").snapshot()
    branches = [base.fork() for _ in range(4)]
    inside, go = threading.Semaphore(0), threading.Event()

    def wait(ctx: Context) -> str:
        inside.release()
        assert go.wait(20)
        return "done"

    results: list[Any] = []
    with playing(wait):
        threads = [
            threading.Thread(target=lambda branch=branch: results.append(branch.call("rogue", "act")))
            for branch in branches[:2]
        ]
        for thread in threads:
            thread.start()
        for _ in threads:
            assert inside.acquire(timeout=10)
        for refused in (branches[2].head, branches[2].fork, lambda: branches[3].call("rogue", "things")):
            with pytest.raises(DatabaseUnavailable, match="in use"):
                refused()
        go.set()
        for thread in threads:
            thread.join(10)
    assert [result.outcome for result in results] == ["ok", "ok"]
    assert branches[3].call("rogue", "things").event == 1
    for branch in branches:
        check_consistent(branch)


def test_a_tool_that_never_ends_does_not_use_up_the_pool(make_world: MakeWorld) -> None:
    world = make_world(pool_size=1, tool_seconds=0.2)
    branch = world.compose("rogue").snapshot().fork()

    def loop(ctx: Context) -> None:
        while True:
            pass

    with playing(loop):
        for turn in range(5):
            result = branch.call("rogue", "act")
            assert (result.outcome, result.event) == ("fault", turn + 1)
    assert branch.call("rogue", "put", id="after").ok
    check_consistent(branch)
