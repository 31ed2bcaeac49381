"""Compositions: materialised when used, parked when idle, brought back as they were, never parked in use."""

from __future__ import annotations

import itertools
import threading
import time

import pytest

from engine.errors import NotFound, Refused
from engine.kit import Context
from engine.library import Library
from engine.retention import delete_branches
from engine.snapshots import Snapshot
from engine.verifiers import Criterion
from engine.world import World
from tests.engine.conftest import MakeWorld
from tests.engine.look import check_consistent, prompt, relations, view_state
from tests.engine.rogue import playing
from tests.engine.tiny import tiny

ADD = {"op": "add", "table": "shop_region", "values": {"id": "x", "name": "x"}}
DROP = {"op": "drop", "table": "shop_refund", "key": ["f1"]}


def age(world: World, number: int, seconds: int) -> None:
    """Make it look as if a composition had last been used that long ago."""
    with world.database.raw() as connection:
        connection.execute(
            "UPDATE compoworld.composition SET last_used_at = clock_timestamp() - make_interval(secs => %s)"
            " WHERE id = %s",
            (seconds, number),
        )


def test_the_same_set_is_the_same_composition(world: World) -> None:
    assert world.compose("shop", "rogue") == world.compose("rogue", "shop")
    assert world.compose("shop").id != world.compose("shop", "rogue").id
    assert world.composition(world.compose("shop").id) == world.compose("shop")


def test_equal_rows_are_the_same_snapshot(world: World) -> None:
    composition = world.compose("shop")
    assert composition.snapshot() == composition.snapshot(name="again")
    assert composition.snapshot([]).id != composition.snapshot().id


def test_what_is_parked_comes_back_as_it_was(world: World, base: Snapshot) -> None:
    composition = base.composition
    branch = base.fork()
    branch.call("shop", "apply", steps=[ADD, DROP])
    child = branch.fork()
    child.call("shop", "apply", steps=[{"op": "drop", "table": "shop_region", "key": ["x"]}])
    with prompt(world) as connection:
        for one in (branch, child):
            before = view_state(connection, one.id), one.call("shop", "look", table="shop_product").data
            assert composition.park()
            assert not composition.materialised()
            assert one.state() == before[0]  # read while it is parked
            assert not composition.materialised()
            after = view_state(connection, one.id), one.call("shop", "look", table="shop_product").data
            assert after == before
            assert composition.materialised()
            check_consistent(one, connection)
    assert composition.park()
    assert branch.replay().same
    assert composition.park()
    check = Criterion("c", "state", "", "SELECT count(*) = 3 AS passed FROM shop_region")
    assert branch.verify([check])[0].passed
    assert composition.park()
    assert branch.diff(0)[0].key == "f1"
    assert child.fork(0).state() == base.fork().state()


def test_parking_twice_and_materialising_twice(world: World) -> None:
    composition = world.compose("shop")
    assert composition.materialise() == composition.schema == composition.materialise()
    assert composition.park()
    assert not composition.park()
    assert composition.materialise() == composition.schema


def test_never_parked_while_leased(world: World) -> None:
    composition = world.compose("shop")
    composition.materialise()
    with world.lease(composition), world.lease(composition):
        assert not composition.park()
        assert composition.id not in world.park_idle(0)
    assert composition.park()


def test_never_parked_under_a_person_at_a_prompt(world: World, base: Snapshot) -> None:
    branch = base.fork()
    branch.call("shop", "apply", steps=[ADD])
    other = world.compose("rogue", "shop").snapshot()
    with prompt(world) as connection:
        connection.execute("SELECT compoworld.use_branch(%s::bigint)", (branch.id,))
        assert not base.composition.park()
        assert connection.execute("SELECT count(*) FROM shop_region").fetchone() == (3,)
        connection.execute("SELECT compoworld.use_branch(%s::bigint)", (other.id,))
        # Still held: going elsewhere can be rolled back, and then the first branch is looked at again.
        assert not base.composition.park()
        assert not other.composition.park()
    deadline = time.monotonic() + 20
    while not (base.composition.park() and other.composition.park()):
        assert time.monotonic() < deadline


def test_never_deleted_under_a_person_at_a_prompt(world: World, base: Snapshot) -> None:
    branch = base.fork()
    branch.call("shop", "apply", steps=[ADD])
    with prompt(world) as connection:
        connection.execute("SELECT compoworld.use_branch(%s::bigint)", (branch.id,))
        with pytest.raises(Refused, match="at a SQL prompt"):
            branch.delete()
        assert delete_branches(world.database, [branch.id]) == []
        assert connection.execute("SELECT count(*) FROM shop_region").fetchone() == (3,)
    deadline = time.monotonic() + 20
    while not delete_branches(world.database, [branch.id]):
        assert time.monotonic() < deadline


def test_never_parked_under_a_call(world: World) -> None:
    composition = world.compose("rogue", "shop")
    branch = composition.snapshot().fork()
    inside, go = threading.Event(), threading.Event()

    def wait(ctx: Context) -> str:
        inside.set()
        assert go.wait(10)
        return "done"

    with playing(wait):
        caller = threading.Thread(target=branch.call, args=("rogue", "act"))
        caller.start()
        assert inside.wait(10)
        assert not composition.park()
        assert composition.id not in world.park_idle(0)
        go.set()
        caller.join(10)
    assert branch.events()[0].outcome == "ok"
    assert composition.park()


def test_the_least_recently_used_go_first(make_world: MakeWorld) -> None:
    services = [tiny(f"tiny{number}") for number in range(4)]
    world = make_world(*services)
    world.park_idle(0)
    bases = [world.compose(service.name).snapshot() for service in services]
    for number, base in enumerate(bases):
        age(world, base.composition.id, 1000 - 100 * number)
    bases[0].fork().call("tiny0", "bump")  # a call is a use, though the oldest was built first
    assert world.park_idle(2) == [bases[1].composition.id, bases[2].composition.id]
    with world.lease(bases[3].composition):
        age(world, bases[3].composition.id, 1000)
        assert world.park_idle(0) == [bases[0].composition.id]


def test_a_thousand_forks_add_no_relation(world: World, base: Snapshot) -> None:
    branch = base.fork()
    branch.call("shop", "apply", steps=[ADD])
    before = relations(world)
    for _ in range(500):
        base.fork()
        branch.fork()
    base.fork().call("shop", "apply", steps=[ADD])
    assert relations(world) == before


def test_forty_compositions_with_a_limit_of_five(make_world: MakeWorld) -> None:
    services = [tiny(f"tiny{number}") for number in range(7)]
    world = make_world(*services, limit=5)
    world.park_idle(0)
    sets = [*itertools.combinations([service.name for service in services], 2)]
    sets += itertools.combinations([service.name for service in services], 3)
    branches, most = [], 0
    for names in sets[:40]:
        branch = world.compose(*names).snapshot().fork()
        for name in names:
            assert branch.call(name, "bump").ok
        branches.append(branch)
        most = max(most, relations(world))
    for branch in branches:  # every call brings one back
        assert branch.call(next(iter(branch.composition.services)), "items").ok
        assert branch.replay().same
        most = max(most, relations(world))
    standing = sum(branch.composition.materialised() for branch in branches)
    assert standing <= 5
    for branch in branches:
        check = Criterion("c", "state", "", "SELECT count(*) > 1 AS passed FROM events")
        assert branch.verify([check])[0].passed
        check_consistent(branch)
        most = max(most, relations(world))
    world.park_idle(0)
    # A service is a table, its key, its view; text makes TOAST tables of it. Six sets of three at most, not forty.
    assert most - relations(world) <= 6 * 3 * 5


def test_a_service_that_changed_makes_another_composition(make_world: MakeWorld) -> None:
    before = make_world(tiny("shift"))
    old = before.compose("shift").snapshot().fork()
    assert old.call("shift", "bump").ok
    after = make_world(tiny("shift", "title", str))
    assert after.compose("shift").id != old.composition.id
    with pytest.raises(Refused, match="has changed"):
        after.branch(old.id)
    assert after.compose("shift").snapshot().fork().call("shift", "bump").ok
    without = World(after.database, Library([]))
    with pytest.raises(NotFound, match="shift"):
        without.composition(old.composition.id)


def test_a_statement_prepared_on_one_type_works_on_another(make_world: MakeWorld) -> None:
    numbers = make_world(tiny("swap"), pool_size=1)
    texts = World(numbers.database, Library([tiny("swap", "title", str)]))
    first = numbers.compose("swap").snapshot().fork()
    second = texts.compose("swap").snapshot().fork()
    for _ in range(8):  # past the point where the driver prepares a statement
        for branch, value in ((first, 7), (second, "seven")):
            assert branch.call("swap", "bump", value=value).ok
            items = branch.call("swap", "items")
            assert items.ok, items.detail
            assert items.data[0]["value"] in (0, "0", value)
    check_consistent(first)
    check_consistent(second)
