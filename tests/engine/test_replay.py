"""Replay: the same calls give the same; what does not is found at its first event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.branches import Branch
from engine.errors import Refused
from engine.kit import Context
from engine.replay import Mismatch, first_difference
from engine.snapshots import Snapshot
from engine.world import World
from tests.engine.conftest import MakeWorld
from tests.engine.look import check_consistent
from tests.engine.rogue import Thing, playing


@pytest.fixture
def rogue(world: World) -> Snapshot:
    return world.compose("rogue", "shop").snapshot()


def planted(base: Snapshot, first: Callable[[Context], Any], again: Callable[[Context], Any]) -> Mismatch:
    """Two good calls, one that will be different, one more; what replay says of it."""
    branch = base.fork()
    branch.call("rogue", "put", id="a")
    branch.call("shop", "make")
    with playing(first):
        branch.call("rogue", "act")
        branch.call("rogue", "act")
    branch.call("rogue", "put", id="b")
    with playing(again):
        report = branch.replay()
    assert not report.same
    assert report.mismatch is not None
    assert report.mismatch.event == 3
    assert report.mismatch.call == "rogue.act"
    check_consistent(base.composition.world.branch(report.replayed_on))
    return report.mismatch


def note(words: str | None, **more: Any) -> Callable[[Context], Any]:
    def action(ctx: Context) -> str:
        ctx.require(Thing, "t1").note = words
        for name, value in more.items():
            setattr(ctx.require(Thing, "t2"), name, value)
        return "done"

    return action


def test_another_value_in_a_row(rogue: Snapshot) -> None:
    found = planted(rogue, note("recorded"), note("replayed"))
    assert (found.place, found.table, found.key, found.column) == ("row_change", "rogue_thing", "t1", "note")
    assert (found.recorded, found.replayed) == ("recorded", "replayed")


def test_a_number_for_a_text_and_a_missing_value(rogue: Snapshot) -> None:
    found = planted(rogue, note(None, data={"n": 1}), note(None, data={"n": "1"}))
    assert (found.column, found.recorded, found.replayed) == ("data", {"n": 1}, {"n": "1"})


def test_another_row(rogue: Snapshot) -> None:
    found = planted(rogue, note("x"), note("x", count=5))
    assert (found.table, found.key, found.recorded) == ("rogue_thing", "t2", None)
    assert found.replayed["count"] == 5
    found = planted(rogue, note("x", count=5), note("x"))
    assert found.replayed is None and found.recorded["count"] == 5


def test_another_operation(rogue: Snapshot) -> None:
    def drop(ctx: Context) -> str:
        ctx.delete(ctx.require(Thing, "t1"))
        return "done"

    def once(action: Callable[[Context], Any]) -> Callable[[Context], Any]:
        return lambda ctx: action(ctx) if ctx.exists(Thing, Thing.id == "t1") else "done"

    found = planted(rogue, once(note("x")), once(drop))
    assert (found.place, found.key) == ("row_change", "t1")
    assert (found.recorded, found.replayed) == ("update", "delete")


def test_another_observation(rogue: Snapshot) -> None:
    found = planted(rogue, lambda ctx: {"a": [1, {"b": "x"}]}, lambda ctx: {"a": [1, {"b": "y"}]})
    assert (found.place, found.recorded, found.replayed) == ("observation.data.a[1].b", "x", "y")
    assert found.table is None


def test_another_outcome(rogue: Snapshot) -> None:
    found = planted(rogue, lambda ctx: "fine", lambda ctx: ctx.fail("conflict", "no"))
    assert (found.place, found.recorded, found.replayed) == ("outcome", "ok", "error")


def test_a_tool_that_counts_in_the_process(rogue: Snapshot) -> None:
    turns = iter(range(1000))
    found = planted(rogue, lambda ctx: next(turns), lambda ctx: next(turns))
    assert (found.recorded, found.replayed) == (0, 2)


def test_faults_are_compared_by_their_outcome(rogue: Snapshot) -> None:
    turns = iter(range(1000))

    def broken(ctx: Context) -> None:
        ctx.add(Thing(id="lost"))
        raise RuntimeError(f"broken {next(turns)}")

    branch = rogue.fork()
    with playing(broken):
        branch.call("rogue", "act")
        branch.call("rogue", "put", id="a")
        report = branch.replay()
    assert report.same
    assert report.events == 2


def test_a_call_that_ran_out_of_time(make_world: MakeWorld) -> None:
    world = make_world(tool_seconds=0.2)
    branch = world.compose("rogue").snapshot().fork()

    def loop(ctx: Context) -> None:
        while True:
            pass

    with playing(loop):
        branch.call("rogue", "put", id="a")
        branch.call("rogue", "act")
        branch.call("rogue", "put", id="b")
        report = branch.replay()
    assert report.same, report.mismatch
    check_consistent(world.branch(report.replayed_on))


def test_long_and_empty_branches(base: Snapshot) -> None:
    branch = base.fork()
    assert branch.replay().same
    for number in range(120):  # several transactions' worth
        if number % 10 == 3:
            branch.call("shop", "apply", steps=[{"op": "break"}])
        elif number % 10 == 7:
            branch.call("shop", "nope", {"x": "\x00"})
        else:
            branch.call("shop", "make")
    report = branch.replay()
    assert report.same and report.events == 120
    again = base.composition.world.branch(report.replayed_on)
    assert again.digest() == branch.digest()
    check_consistent(again)


def test_replay_leaves_the_branch_alone(branch: Branch) -> None:
    branch.call("shop", "make")
    before = branch.events(), branch.state()
    assert branch.replay().replayed_on != branch.id
    assert (branch.events(), branch.state()) == before


def test_a_replay_of_a_replay_and_of_a_fork(branch: Branch) -> None:
    world = branch.composition.world
    branch.call("shop", "make")
    branch.call("shop", "make")
    again = world.branch(branch.replay().replayed_on)
    assert again.replay().same
    child = branch.fork(1)
    child.call("shop", "make")
    assert child.replay().same


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ({"a": 1}, {"a": 1.0}, None),
        ({"a": True}, {"a": 1}, (".a", True, 1)),
        ({"a": None}, {}, (".a", None, None)),
        ([1, 2], [1], (".length", 2, 1)),
        ({"b": 1, "a": 2}, {"a": 3, "b": 4}, (".a", 2, 3)),
        ({"a": []}, {"a": {}}, (".a", [], {})),
        ("x", "x", None),
        ("1", 1, ("", "1", 1)),
    ],
)
def test_first_difference(a: Any, b: Any, found: Any) -> None:
    assert first_difference(a, b) == found


@pytest.mark.parametrize(("gone", "left"), [("seq > 0", 0), ("seq = 2", 2)])
def test_a_log_that_somebody_deleted_from_is_refused(world: World, branch: Branch, gone: str, left: int) -> None:
    for _ in range(3):
        branch.call("shop", "make")
    with world.database.raw() as connection:
        connection.execute(f"DELETE FROM compoworld.event WHERE branch_id = %s AND {gone}", (branch.id,))
    with pytest.raises(Refused, match=f"the log of branch {branch.id} has {left} of 3 events"):
        branch.replay()
