"""Forks: of a snapshot, of a branch after any event; what one does, no other sees."""

from __future__ import annotations

import pytest

from engine.branches import Branch
from engine.errors import NotFound, Refused
from engine.snapshots import Snapshot
from engine.world import World
from tests.engine.look import check_consistent, prompt, view_state


def add(number: int) -> list[dict[str, object]]:
    return [{"op": "add", "table": "shop_region", "values": {"id": f"x{number}", "name": f"x{number}"}}]


@pytest.fixture
def long(branch: Branch) -> Branch:
    """Five events: add, add, fail, drop the first, add."""
    for steps in (
        add(1),
        add(2),
        [*add(3), {"op": "refuse"}],
        [{"op": "drop", "table": "shop_region", "key": ["x1"]}],
        add(4),
    ):
        branch.call("shop", "apply", steps=steps)
    return branch


def test_a_fork_sees_what_its_parent_saw(long: Branch) -> None:
    for at in range(6):
        child = long.fork(at)
        assert child.head() == at
        assert child.state() == long.state(at)
        assert child.digest() == long.digest(at)
        assert [e.seq for e in child.events()] == list(range(1, at + 1))
        assert all(event.inherited for event in child.events())
        check_consistent(child)
        assert child.replay().same


def test_nobody_sees_what_another_does(world: World, long: Branch) -> None:
    before = long.state()
    siblings = [long.fork(2) for _ in range(3)]
    for number, sibling in enumerate(siblings):
        assert sibling.call("shop", "apply", steps=add(10 + number)).event == 3
    grandchild = siblings[0].fork()
    assert grandchild.call("shop", "apply", steps=[{"op": "drop", "table": "shop_region", "key": ["x1"]}]).ok
    assert long.state() == before
    for number, sibling in enumerate(siblings):
        regions = sibling.state()["shop_region"].keys()
        assert regions == {"r1", "r2", "x1", "x2", f"x{10 + number}"}
    assert grandchild.state()["shop_region"].keys() == {"r1", "r2", "x2", "x10"}
    with prompt(world) as connection:
        for one in (long, *siblings, grandchild):
            check_consistent(one, connection)


def test_forks_of_forks_read_like_the_first(base: Snapshot) -> None:
    """Field note: deep chains of branches make reads slower; here lineage never gets deeper than base and own rows."""
    branch = base.fork()
    for number in range(30):
        branch = branch.fork()
        assert branch.call("shop", "apply", steps=add(number)).ok
    assert len(branch.state()["shop_region"]) == 32
    with branch.composition.world.database.raw() as connection:
        found = connection.execute(
            f"SELECT count(*), count(DISTINCT _branch) FROM {branch.composition.schema}.shop_region__rows"
            " WHERE _branch = ANY (%s)",
            ([branch.id, base.id],),
        ).fetchone()
    assert found == (32, 2)
    check_consistent(branch)


def test_two_forks_of_one_point_that_make_the_same_call(long: Branch) -> None:
    """Field note: two forks of one point that compute the same next version and drop one write."""
    one, two = long.fork(), long.fork()
    assert one.call("shop", "make").data == two.call("shop", "make").data
    assert one.digest() == two.digest() != long.digest()
    one.call("shop", "make")
    assert len(one.state()["shop_product"]) == len(two.state()["shop_product"]) + 1


def test_unique_and_references_hold_within_a_branch(base: Snapshot) -> None:
    one, two = base.fork(), base.fork()
    region = {"op": "add", "table": "shop_region", "values": {"id": "x", "name": "Same"}}
    assert one.call("shop", "apply", steps=[region]).ok
    assert two.call("shop", "apply", steps=[region]).ok
    again = {"op": "add", "table": "shop_region", "values": {"id": "y", "name": "Same"}}
    refused = one.call("shop", "apply", steps=[again])
    assert refused.error == {
        "code": "conflict",
        "message": "shop_region already has a row with this name",
        "details": {"kind": "already exists"},
    }
    child = {"op": "add", "table": "shop_region", "values": {"id": "z", "name": "z", "parent_id": "only-in-two"}}
    two.call(
        "shop", "apply", steps=[{"op": "add", "table": "shop_region", "values": {"id": "only-in-two", "name": "o"}}]
    )
    assert two.call("shop", "apply", steps=[child]).ok
    assert one.call("shop", "apply", steps=[child]).error["details"] == {"kind": "reference"}  # type: ignore[index]


def test_entering_a_branch_as_it_was_makes_one_branch_for_all(world: World, long: Branch) -> None:
    with prompt(world) as connection:
        for at in (0, 2, 2, 5, 2):
            assert view_state(connection, long.id, at) == long.state(at)
        shown = connection.execute(
            "SELECT parent_seq, count(*), min(id) FROM compoworld.branch WHERE parent_id = %s AND label = 'as of'"
            " GROUP BY 1 ORDER BY 1",
            (long.id,),
        ).fetchall()
    assert [(at, count) for at, count, _ in shown] == [(0, 1), (2, 1), (5, 1)]
    frozen = world.branch(shown[1][2])
    with pytest.raises(Refused, match="for looking only"):
        frozen.call("shop", "apply", steps=add(9))
    assert frozen.state() == long.state(2)
    assert frozen.fork().call("shop", "apply", steps=add(9)).ok


def test_what_is_deleted_is_gone_and_nothing_else(world: World, long: Branch) -> None:
    child = long.fork(2)
    before = child.state()
    long.delete()
    with pytest.raises(NotFound):
        world.branch(long.id)
    assert child.state() == before
    assert child.call("shop", "apply", steps=add(7)).ok
    check_consistent(child)
    with world.database.raw() as connection:
        counts = connection.execute(
            "SELECT (SELECT count(*) FROM compoworld.event WHERE branch_id = %(id)s),"
            " (SELECT count(*) FROM compoworld.row_change WHERE branch_id = %(id)s),"
            f" (SELECT count(*) FROM {child.composition.schema}.shop_region__rows WHERE _branch = %(id)s)",
            {"id": long.id},
        ).fetchone()
    assert counts == (0, 0, 0)
