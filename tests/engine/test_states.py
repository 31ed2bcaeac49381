"""States, digests and differences: equal exactly when what one sees is equal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from engine.branches import Branch
from engine.world import World
from tests.engine.look import check_consistent, prompt, view_state
from tests.engine.shop.state import Product

AT = datetime(2026, 1, 1, tzinfo=UTC)


def product(**values: Any) -> Product:
    return Product(**{"id": "p", "sku": "s", "title": "t", "price": Decimal(1), "added_at": AT, **values})


def digest(world: World, row: Product) -> str:
    return world.compose("shop").snapshot([row]).digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"price": Decimal("1.0")}, {"price": Decimal("1.00")}),
        ({"weight": 0.0}, {"weight": -0.0}),
        ({"extra": {"a": 1.0, "b": 2}}, {"extra": {"b": 2, "a": 1}}),
        ({"extra": {"a": -0.0}}, {"extra": {"a": 0}}),
        ({"extra": {"a": 1e20}}, {"extra": {"a": 10**20}}),
        ({"extra": None}, {}),
        ({"added_at": AT}, {"added_at": AT.astimezone(timezone(timedelta(hours=5, minutes=30)))}),
        ({"discount": Decimal("7.5")}, {"discount": Decimal("7.5000")}),
    ],
)
def test_equal_values_in_other_words(world: World, one: dict[str, Any], other: dict[str, Any]) -> None:
    """Field note: jsonb says 1.0 = 1, their texts differ; -0; float money."""
    assert digest(world, product(**one)) == digest(world, product(**other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"extra": {"a": 1}}, {"extra": {"a": "1"}}),
        ({"extra": {"a": 0.1}}, {"extra": {"a": 0.10000000000000002}}),
        ({"extra": {}}, {"extra": None}),
        ({"extra": {"a": None}}, {"extra": {}}),
        ({"labels": ["a", "b"]}, {"labels": ["b", "a"]}),
        ({"weight": 0.1}, {"weight": 0.1 + 2**-56}),
        ({"stock": 2**53}, {"stock": 2**53 + 1}),
        ({"title": "é"}, {"title": "e\u0301"}),
        ({"title": "a "}, {"title": "a"}),
        ({"price": Decimal("0.01")}, {"price": Decimal("0.02")}),
        ({"added_at": AT}, {"added_at": AT + timedelta(microseconds=1)}),
        ({"id": "p"}, {"id": "P"}),
    ],
)
def test_different_values(world: World, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert digest(world, product(**one)) != digest(world, product(**other))


def test_a_way_back_gives_the_digest_back(branch: Branch) -> None:
    start = branch.digest()
    add = {"op": "add", "table": "shop_region", "values": {"id": "x", "name": "x"}}
    drop = {"op": "drop", "table": "shop_region", "key": ["x"]}
    branch.call("shop", "apply", steps=[add])
    assert branch.digest() != start
    branch.call("shop", "apply", steps=[drop])
    assert branch.digest() == start == branch.digest(0)
    branch.call("shop", "apply", steps=[add])
    assert branch.digest() == branch.digest(1)
    check_consistent(branch)


def test_whatever_a_tool_sees_it_sees_again_after_parking(world: World) -> None:
    rows = [product(extra={"n": 1.0, "l": [2.0, {"x": 1e16, "y": 1e300, "z": 2.5e-300}], "none": None}, weight=1e300)]
    base = world.compose("shop").snapshot(rows)
    branch = base.fork()
    extra = {"n": 3.0, "deep": [1.50, -0.0, 10**25]}
    branch.call(
        "shop", "apply", steps=[{"op": "set", "table": "shop_product", "key": ["p"], "values": {"labels": ["x"]}}]
    )
    child = branch.fork()
    child.call(
        "shop", "apply", steps=[{"op": "set", "table": "shop_product", "key": ["p"], "values": {"extra": extra}}]
    )
    for one in (base.fork(), branch, child):
        text = repr(one.call("shop", "look", table="shop_product").data)
        digest = one.digest()
        assert base.composition.park()
        assert repr(one.call("shop", "look", table="shop_product").data) == text
        assert one.digest() == digest
        check_consistent(one)


def test_differences(world: World, branch: Branch) -> None:
    steps = [
        {"op": "add", "table": "shop_region", "values": {"id": "x", "name": "x"}},
        {"op": "set", "table": "shop_product", "key": ["p1"], "values": {"title": "Cape", "extra": None}},
        {"op": "drop", "table": "shop_refund", "key": ["f1"]},
    ]
    for step in steps:
        assert branch.call("shop", "apply", steps=[step]).ok
    found = branch.diff()
    assert [(change.table, change.key, change.op) for change in found] == [
        ("shop_product", "p1", "update"), ("shop_refund", "f1", "delete"), ("shop_region", "x", "insert")
    ]  # fmt: skip
    assert found[0].fields["title"] == ("Apron", "Cape")
    assert found[0].fields.keys() == {"title", "extra"}
    assert [change.key for change in branch.diff(1, 2)] == ["p1"]
    assert [change.op for change in branch.diff(3, 0)] == ["update", "insert", "delete"]
    assert branch.diff(2, 2) == []
    other = branch.snapshot.fork()
    assert [change.op for change in branch.diff(other=other)] == ["update", "insert", "delete"]
    with prompt(world) as connection:
        shown = connection.execute("SELECT table_name, key, op FROM compoworld.changed_between(%s, 0, 3)", (branch.id,))
        assert shown.fetchall() == [(change.table, change.key, change.op) for change in found]
        at = connection.execute("SELECT count(*) FROM compoworld.state_at(%s, 1)", (branch.id,)).fetchone()
        assert at == (sum(map(len, branch.state(1).values())),)
        assert view_state(connection, branch.snapshot.id) == branch.state(0)


def test_where_two_branches_part(world: World, branch: Branch) -> None:
    branch.call("shop", "make")
    other = branch.fork()
    with prompt(world) as connection:
        part = "SELECT event, differs_in FROM compoworld.first_divergence(%s, %s)"
        assert connection.execute(part, (branch.id, other.id)).fetchone() is None
        branch.call("shop", "make")
        assert connection.execute(part, (branch.id, other.id)).fetchone() == (2, "length")
        other.call("shop", "make", count=2)
        assert connection.execute(part, (branch.id, other.id)).fetchone() == (2, "call")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM compoworld.first_divergence({0}, {1})",
        "SELECT * FROM compoworld.first_divergence({1}, {0})",
        "SELECT * FROM compoworld.state_at({0})",
        "SELECT * FROM compoworld.state_at({0}) WHERE table_name = 'shop_region' AND key = 'r1'",
        "SELECT compoworld.digest({0})",
        "SELECT * FROM compoworld.difference({0}, 0, {1}, 0)",
        "SELECT * FROM compoworld.difference({1}, 0, {0}, 0)",
        "SELECT * FROM compoworld.changed_between({0}, 0, 1)",
    ],
)
def test_sql_functions_refuse_a_branch_that_is_not_there(world: World, branch: Branch, query: str) -> None:
    with prompt(world) as connection, pytest.raises(psycopg.Error, match="there is no branch 777777"):
        connection.execute(query.format(777777, branch.id))
    with prompt(world) as connection:
        connection.execute(query.format(branch.snapshot.fork().id, branch.id).replace("0, 1)", "0, 0)"))


@pytest.mark.parametrize("at", [-1, 1])
def test_sql_functions_refuse_an_event_that_is_not_there(world: World, branch: Branch, at: int) -> None:
    for number in (branch.id, branch.snapshot.id):
        with prompt(world) as connection, pytest.raises(psycopg.Error, match=f"has no event {at}"):
            connection.execute("SELECT compoworld.digest(%s, %s)", (number, at))
