"""Time limits: a tool that does not end is given up; waiting for the branch is not its doing."""

from __future__ import annotations

import threading
import time
from typing import Any

from sqlalchemy import func, select

from engine.kit import Context
from tests.engine.conftest import MakeWorld
from tests.engine.look import check_consistent, prompt
from tests.engine.rogue import Thing
from tests.engine.test_faults import fault, writing


def test_sleeps_and_loops(make_world: MakeWorld) -> None:
    world = make_world(tool_seconds=0.3)
    base = world.compose("rogue").snapshot()

    def loop(ctx: Context) -> Any:
        while True:
            pass

    def hold(ctx: Context) -> Any:
        return ctx.rows(select(func.count()).select_from(func.generate_series(1, 10**10)))

    def stubborn(ctx: Context) -> Any:
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            try:
                time.sleep(0.01)
            except BaseException:
                pass
        return ctx.add(Thing(id="lost"))

    for action in (loop, hold, stubborn, lambda ctx: time.sleep(1)):
        branch = base.fork()
        start = time.perf_counter()
        fault(branch, writing(action), "did not return within 0.3 s")
        assert time.perf_counter() - start < 6
        assert branch.call("rogue", "put", id="after").ok  # the branch is free at once
        check_consistent(branch)


def test_waiting_for_the_branch_is_not_the_tools_time(make_world: MakeWorld) -> None:
    world = make_world(tool_seconds=0.5)
    branch = world.compose("rogue").snapshot().fork()
    with prompt(world) as connection, connection.transaction():
        connection.execute("SELECT 1 FROM compoworld.branch WHERE id = %s FOR UPDATE", (branch.id,))
        results: list[Any] = []
        caller = threading.Thread(target=lambda: results.append(branch.call("rogue", "put", id="x")))
        caller.start()
        caller.join(1.2)
        assert caller.is_alive()
    caller.join(10)
    assert results[0].outcome == "ok"
    assert branch.head() == 1
