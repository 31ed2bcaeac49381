"""Many at once: threads and processes on one branch, one composition, one database."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text

from engine.branches import Branch
from engine.database import Database
from engine.errors import CompoWorldError, NotFound
from engine.kit import Context
from engine.library import Library
from engine.retention import delete_batch
from engine.snapshots import Snapshot
from engine.verifiers import Criterion
from engine.world import World
from tests.conftest import fresh_database
from tests.engine import shop
from tests.engine.conftest import MakeWorld
from tests.engine.look import check_consistent, prompt, view_state
from tests.engine.rogue import playing
from tests.engine.tiny import tiny

LOOK = {"table": "shop_region"}


def together(count: int, function: Callable[[int], Any]) -> list[Any]:
    """Call the function in that many threads that start at the same moment; what each gave."""
    ready = threading.Barrier(count)

    def run(number: int) -> Any:
        ready.wait(20)
        return function(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_many_writers_of_one_branch(base: Snapshot) -> None:
    branch = base.fork()

    def write(number: int) -> list[int]:
        steps = [{"op": "add", "table": "shop_slot", "values": {"day": "2026-05-01", "hour": number}}]
        bump = [{"op": "drop", "table": "shop_slot", "key": ["2026-05-01", number]}]
        return [branch.call("shop", "apply", steps=steps if turn % 2 == 0 else bump).event for turn in range(11)]

    numbers = together(8, write)
    assert sorted(number for mine in numbers for number in mine) == list(range(1, 89))
    assert all(mine == sorted(mine) for mine in numbers)
    check_consistent(branch)
    assert branch.replay().same


WRITER = """
import sys
from engine.database import Database
from engine.library import Library
from engine.retention import delete_batch
from engine.world import World
from tests.engine import shop
with World(Database(sys.argv[1]).open(), Library([shop.service])) as world:
    branch = world.branch(int(sys.argv[2]))
    for _ in range(10):
        assert branch.call("shop", "make").ok
"""


def processes(code: str, *arguments: str, count: int) -> None:
    """Run a program that many times at once; all must end well."""
    started = [
        subprocess.Popen([sys.executable, "-c", code, *arguments], stderr=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    for process in started:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors


def test_many_processes_on_one_branch(world: World, base: Snapshot) -> None:
    branch = base.fork()
    base.composition.park()
    processes(WRITER, world.database.url, str(branch.id), count=3)
    assert branch.head() == 30
    check_consistent(branch)
    assert branch.replay().same


def test_first_use_of_a_parked_composition(world: World, base: Snapshot) -> None:
    branches = [base.fork() for _ in range(16)]
    for branch in branches[:8]:
        branch.call("shop", "make")
    for _ in range(3):
        assert base.composition.park()
        start = time.perf_counter()
        results = together(16, lambda number: branches[number].call("shop", "look", LOOK))
        assert all(result.ok for result in results)
        assert time.perf_counter() - start < 8
    for branch in branches:
        check_consistent(branch)


def test_parking_all_the_time(world: World, base: Snapshot) -> None:
    stop = threading.Event()
    branches = [base.fork() for _ in range(6)]
    check = Criterion("c", "state", "", "SELECT count(*) >= 2 AS passed FROM shop_product")

    def park() -> int:
        parked = 0
        while not stop.is_set():
            parked += base.composition.park()
        return parked

    def work(number: int) -> None:
        branch = branches[number]
        for turn in range(8):
            assert branch.call("shop", "make").ok
            match (number + turn) % 4:
                case 0:
                    assert branch.verify([check])[0].error is None
                case 1:
                    base.composition.materialise()
                case 2:
                    assert len(branch.state()["shop_product"]) == turn + 3
                case 3:
                    assert base.composition.snapshot().id == base.id

    with ThreadPoolExecutor(1) as pool:
        parker = pool.submit(park)
        try:
            together(6, work)
        finally:
            stop.set()
        assert parker.result() > 0
    for branch in branches:
        check_consistent(branch)
        assert branch.head() == 8


@pytest.fixture
def held(world: World) -> Any:
    """``held(branch)``: a call that is under way until ``release()``; then ``result()``."""

    class Held:
        def __init__(self, branch: Branch) -> None:
            self.inside, self.go = threading.Event(), threading.Event()
            self.pool = ThreadPoolExecutor(1)

            def wait(ctx: Context) -> str:
                from tests.engine.rogue import Thing

                ctx.add(Thing(id="held"))
                self.inside.set()
                assert self.go.wait(20)
                return "done"

            self.playing = playing(wait, "held")
            self.playing.__enter__()
            self.future = self.pool.submit(branch.call, "rogue", "act", {"name": "held"})
            assert self.inside.wait(10)

        def result(self) -> Any:
            self.go.set()
            try:
                return self.future.result(20)
            finally:
                self.playing.__exit__(None, None, None)
                self.pool.shutdown()

    return Held


def test_fork_and_look_while_a_call_is_under_way(world: World, held: Any) -> None:
    branch = world.compose("rogue", "shop").snapshot().fork()
    branch.call("rogue", "put", id="before")
    call = held(branch)
    child = branch.fork()  # waits for nobody
    assert child.head() == 1
    assert child.state() == branch.state() == branch.state(1)
    assert child.call("rogue", "put", id="held").ok
    with prompt(world) as connection:
        assert "held" not in view_state(connection, branch.id)["rogue_thing"]
    assert call.result().ok
    assert branch.head() == 2
    assert "held" in branch.state()["rogue_thing"]
    check_consistent(branch)
    check_consistent(child)


def test_delete_while_a_call_is_under_way(world: World, held: Any) -> None:
    branch = world.compose("rogue", "shop").snapshot().fork()
    call = held(branch)
    with ThreadPoolExecutor(2) as pool:
        deleting = pool.submit(branch.delete)
        waiting = pool.submit(branch.call, "rogue", "put", {"id": "late"})
        _until_locked(world, 2)
        assert call.result().ok
        deleting.result(20)
        error = waiting.exception(20)
    assert error is None or isinstance(error, NotFound)
    with world.database.raw() as connection:
        for table, column in (("event", "branch_id"), ("row_change", "branch_id"), ("branch", "id")):
            count = f"SELECT count(*) FROM compoworld.{table} WHERE {column} = %s"
            assert connection.execute(count.encode(), (branch.id,)).fetchone() == (0,)
        rows = f"SELECT count(*) FROM {branch.composition.schema}.rogue_thing__rows WHERE _branch = %s"
        assert connection.execute(rows.encode(), (branch.id,)).fetchone() == (0,)


def _until_locked(world: World, count: int) -> None:
    """Wait until that many sessions of this database wait for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with world.database.raw() as connection:
        connection.autocommit = True
        for _ in range(2000):
            found = connection.execute(waiting).fetchone()
            if found and found[0] >= count:
                return
            time.sleep(0.005)
    raise AssertionError(f"{count} sessions should wait")


def test_composing_and_freezing_the_same_at_once(make_world: MakeWorld) -> None:
    worlds = [make_world(tiny("north"), tiny("south")) for _ in range(8)]

    def compose(number: int) -> tuple[int, int]:
        base = worlds[number].compose("north", "south").snapshot()
        return base.composition.id, base.id

    made = together(8, compose)
    assert len({composition for composition, _ in made}) == 1
    digests = {worlds[0].snapshot(snapshot).digest for _, snapshot in made}
    assert len(digests) == 1
    with worlds[0].database.raw() as connection:
        found = connection.execute("SELECT count(*) FROM compoworld.service WHERE name IN ('north', 'south')")
        assert found.fetchone() == (2,)


def test_looking_at_the_same_event_at_once(world: World, base: Snapshot) -> None:
    branch = base.fork()
    branch.call("shop", "make")
    branch.call("shop", "make")

    def look(_number: int) -> Any:
        with prompt(world) as connection:
            return view_state(connection, branch.id, 1)

    assert all(state == branch.state(1) for state in together(6, look))


def test_first_start_of_eight_processes(server_url: str) -> None:
    code = "import sys; from engine.database import Database\ndatabase = Database(sys.argv[1]).open(); database.close()"
    with fresh_database(server_url) as url:
        processes(code, url, count=8)
        with World(Database(url).open(), Library([shop.service])) as world:
            assert world.compose("shop").snapshot().fork().call("shop", "make").ok


def test_errors_of_others_are_not_ours(base: Snapshot) -> None:
    """Threads that fail beside threads that work leave each other alone."""
    branches = [base.fork() for _ in range(8)]

    def work(number: int) -> list[str]:
        steps: list[dict[str, Any]] = [{"op": "break"}] if number % 2 else []
        return [branches[number].call("shop", "apply", steps=steps).outcome for _ in range(10)]

    assert together(8, work) == [["fault" if number % 2 else "ok"] * 10 for number in range(8)]
    with pytest.raises(CompoWorldError):
        base.fork(label="\x00")


def test_deletion_locks_nobody_elses_branches(world: World) -> None:
    snapshot = world.compose("shop").snapshot()
    meant, other = snapshot.fork(), snapshot.fork()
    # A small table is read whole; and with many numbers, looking for them costs more than a lock.
    many = [meant.id, *range(10**9, 10**9 + 199)]
    with world.database.transaction() as connection:
        connection.execute(text("ANALYZE compoworld.branch"))
        assert delete_batch(connection, many) == [meant.id]
        locked = connection.execute(
            # Of this session: other tests lock theirs on the same server.
            text(
                "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = 7206"
                " AND pid = pg_backend_pid()"
            )
        ).scalars()
        assert list(locked) == [meant.id]
    other.delete()
