"""Wrong, missing, huge, non-ASCII and hostile values: one clear error, or an event that says so; nothing changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from engine.branches import Branch
from engine.database import Database
from engine.errors import CompoWorldError, DatabaseUnavailable, EntityInvalid, InputError, NotFound, Refused
from engine.kit import Entity
from engine.library import Library
from engine.world import World, open_world
from tests.engine import shop
from tests.engine.look import check_consistent
from tests.engine.rogue import Thing
from tests.engine.shop.state import Region, Slot

HOSTILE = "'; DROP SCHEMA x; -- \"%s :x $1{}\\☃"
NUMBERS = [None, "1", 1.0, True, -1, 2**63, 10**400, [], float("nan"), b"1", {}]
TEXTS = [5, "x\x00", "\ud800", ["a"], b"x", True, "é" * 2_000_000]


@pytest.fixture
def unchanged(branch: Branch) -> Iterator[None]:
    """The branch, and the number of rows in the catalog, are as before."""

    def count() -> Any:
        with branch.composition.world.database.raw() as connection:
            names = [
                row[0]
                for row in connection.execute(
                    "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables"
                    " WHERE schemaname = 'compoworld' OR schemaname LIKE 'comp\\_%' ORDER BY 1"
                )
            ]
            counted = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in names)
            return connection.execute(counted.encode()).fetchall()

    before = branch.digest(), branch.head(), count()
    yield
    assert (branch.digest(), branch.head(), count()) == before
    check_consistent(branch)


def refused(call: Callable[[], Any], *kinds: type[CompoWorldError]) -> str:
    with pytest.raises(kinds or InputError) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert 0 < len(str(caught.value)) < 1000
    return str(caught.value)


@pytest.mark.usefixtures("unchanged")
def test_numbers(world: World, branch: Branch) -> None:
    for bad in [*NUMBERS, 99_999]:
        refused(lambda bad=bad: world.composition(bad), InputError)
        refused(lambda bad=bad: world.snapshot(bad), InputError)
        refused(lambda bad=bad: world.branch(bad), InputError)
    for bad in [*NUMBERS[1:], 2**31, 5]:
        for call in (branch.fork, branch.state, branch.digest, branch.diff):
            refused(lambda bad=bad, call=call: call(bad))
        refused(lambda bad=bad: branch.diff(0, bad))
    refused(lambda: branch.diff(other=5))  # type: ignore[arg-type]
    for bad in NUMBERS[1:8]:
        refused(lambda bad=bad: world.park_idle(bad))


@pytest.mark.usefixtures("unchanged")
def test_texts(branch: Branch) -> None:
    for bad in TEXTS:
        refused(lambda bad=bad: branch.fork(label=bad))
        refused(lambda bad=bad: branch.snapshot.fork(bad))
        refused(lambda bad=bad: branch.answer(bad))
        refused(lambda bad=bad: branch.composition.snapshot(name=bad))
    assert "kept for" in refused(lambda: branch.fork(0, label="as of"))


def test_hostile_texts_are_only_texts(world: World, branch: Branch) -> None:
    branch.answer(HOSTILE)
    assert branch.fork(label=HOSTILE).digest() == branch.digest()
    made = branch.composition.snapshot([Region(id=HOSTILE, name=HOSTILE)], name=HOSTILE)
    assert world.snapshot(made.id).name == HOSTILE
    assert made.fork().call("shop", "look", table=HOSTILE).outcome == "error"
    region = {"op": "add", "table": "shop_region", "values": {"id": HOSTILE + "2", "name": "x", "parent_id": HOSTILE}}
    child = made.fork()
    assert child.call("shop", "apply", steps=[region]).ok
    drop = {"op": "drop", "table": "shop_region", "key": [HOSTILE]}
    assert child.call("shop", "apply", steps=[drop]).changes == 2
    check_consistent(child)
    assert child.replay().same


@pytest.mark.usefixtures("unchanged")
def test_composing(world: World) -> None:
    for bad in (5, None, "", "nope", "x\x00", "\ud800", HOSTILE, ["a"], b"shop", "é" * 500):
        refused(lambda bad=bad: world.compose(bad), InputError)
        refused(lambda bad=bad: world.compose("shop", bad), InputError)
    refused(world.compose)
    refused(lambda: world.compose("shop", "shop"))
    for bad in (5, None, "shop"):
        refused(lambda bad=bad: world.lease(bad).__enter__())
        refused(lambda bad=bad: world.compose("shop").entity(bad), NotFound)


@pytest.mark.usefixtures("unchanged")
def test_snapshots(world: World) -> None:
    composition = world.compose("shop")
    for bad in (5, "x", [5], [None], ["a"], {"a": 1}, [world], [Region]):
        refused(lambda bad=bad: composition.snapshot(bad), InputError)
    zone = dt.timezone(dt.timedelta(hours=14))
    for bad in (5, "2026", dt.date(2026, 1, 1), dt.datetime(2026, 1, 1), dt.datetime(1, 1, 1, tzinfo=zone),
                dt.datetime(9999, 12, 31, 23, 59, tzinfo=dt.UTC)):  # fmt: skip
        refused(lambda bad=bad: composition.snapshot(start=bad), InputError)
    for bad in ("x", None, 1.5, True, 2**100):
        refused(lambda bad=bad: composition.snapshot(seed=bad), InputError)
    for bad in ("x", 5, {"name": "x"}):
        refused(lambda bad=bad: composition.snapshot(person=bad), InputError)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([Thing(id="a")], "not in the composition"),
        ([Region(id="a", name="b"), Region(id="a", name="c")], "already exists"),
        ([Region(id="a", name="b"), Region(id="c", name="b")], "twice"),
        ([Region(id="a", name="b", parent_id="z")], "no such"),
        ([Region(id="a", name="b\x00")], "NUL"),
        ([Region(id="a", name="\ud800")], "unicode"),
        ([Region(id="a")], "name"),
        ([Region(id="", name="b")], "id"),
        ([Region(id=5, name="b")], "id"),
        ([Slot(day=dt.date(2026, 1, 1), hour=2**70)], "range"),
        ([Slot(day="2026-01-01", hour=2)], "day"),
        ([Slot(day=dt.datetime(2026, 1, 1), hour=2)], "day"),
        ([Slot(day=dt.date(2026, 1, 1), hour=True)], "hour"),
    ],
)
def test_rows(world: World, rows: list[Entity], says: str) -> None:
    assert says in refused(lambda: world.compose("shop").snapshot(rows), EntityInvalid)


def test_worlds_and_urls(world: World) -> None:
    for limit in ("x", 0, -1, 1.5, None, True):
        refused(lambda limit=limit: World(world.database, limit=limit))
    for seconds in ("x", 0, -1, float("nan"), float("inf"), None, True):
        refused(lambda seconds=seconds: World(world.database, tool_seconds=seconds))
    for url in (5, "x", "mysql://a/b", "postgresql://", "postgresql://h:notaport/x", HOSTILE,
                "postgresql://h/x?nonsense=1", "postgresql://h/x\x00"):  # fmt: skip
        refused(lambda url=url: Database(url), InputError)
        refused(lambda url=url: open_world(url), InputError)
    message = refused(lambda: open_world("postgresql://nobody:hunter2@127.0.0.1:1/x"), DatabaseUnavailable)
    assert "127.0.0.1" in message and "hunter2" not in message


@pytest.mark.usefixtures("unchanged")
def test_calls_that_are_none(branch: Branch) -> None:
    for bad in (None, 5, [], b"x", True):
        refused(lambda bad=bad: branch.call(bad, "look"))
        refused(lambda bad=bad: branch.call("shop", bad))
    for bad in (5, [], "a", b"x", True):
        refused(lambda bad=bad: branch.call("shop", "look", bad))


ARGUMENTS: list[dict[Any, Any]] = [
    {}, {"table": None}, {"table": 5}, {"table": True}, {"table": ["x"]}, {"table": "x", "more": 1}, {"tabl€": "x"},
    {"table": "x" * 2_000_000}, {"x" * 300_000: 1}, {"table": float("nan")}, {"table": -float("inf")},
    {"table": b"x"}, {"table": {1}}, {"table": Decimal(1)}, {"table": dt.date(2026, 1, 1)}, {"table": object()},
    {"table": "\ud800"}, {"\ud800": 1}, {"table": "\x00"}, {"\x00": "x"}, {"table": 10**5000}, {1: 2}, {None: 1},
    {(1, 2): 3}, {"a": 1, 2: 3}, {"table": {1: 2}}, {"table": {"\x00": {"\ud800": [float("nan"), 10**5000]}}},
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ARGUMENTS)))
def test_arguments(base: Any, number: int) -> None:
    branch = base.fork()
    result = branch.call("shop", "look", ARGUMENTS[number])
    assert result.outcome == "invalid"
    assert result.error["code"] == "invalid_arguments"
    assert 0 < len(result.error["message"]) < 2000
    assert len(str(branch.events()[0].observation)) < 20_000
    check_consistent(branch)
    assert branch.digest() == branch.digest(0)
    report = branch.replay()
    assert report.same, report.mismatch


def test_arguments_nested_without_end(branch: Branch) -> None:
    outcomes = set()
    for depth in (50, 400, 1000, 5000, 100_000):
        value: list[Any] = []
        for _ in range(depth):
            value = [value]
        outcomes.add(branch.call("shop", "apply", steps=[{"deep": value, "op": "none"}]).outcome)
        change = {"op": "set", "table": "shop_product", "key": ["p1"], "values": {"extra": {"deep": value}}}
        result = branch.call("shop", "apply", steps=[change])
        assert result.outcome in ("ok", "error", "invalid"), result.detail
    assert outcomes <= {"ok", "invalid", "error"}
    check_consistent(branch)


def test_names_of_nothing(branch: Branch) -> None:
    for service, tool in (
        ("sh\x00op", "look"),
        ("s" * 10**6, "l\ud800"),
        ("shop", HOSTILE),
        ("", ""),
        ("SHOP", "look"),
    ):
        result = branch.call(service, tool)
        assert result.outcome == "unknown"
        assert result.error and 0 < len(result.error["message"]) < 1000
    assert [len(event.service) <= 200 for event in branch.events()] == [True] * 5
    check_consistent(branch)
    assert branch.replay().same


def test_a_branch_that_is_gone(world: World, base: Any) -> None:
    branch = base.fork()
    branch.delete()
    for call in (branch.delete, branch.head, branch.events, branch.state, branch.digest, branch.replay, branch.fork,
                 branch.diff, lambda: branch.answer("x"), lambda: branch.call("shop", "look", table="x"),
                 lambda: world.branch(branch.id)):  # fmt: skip
        assert str(branch.id) in refused(call, NotFound)


def test_a_snapshot_is_no_branch(base: Any) -> None:
    with pytest.raises(NotFound, match=rf"^{base.id} is a snapshot \(fork it\)$"):
        base.composition.world.branch(base.id)
    snapshot = Branch(base, base.id)
    refused(lambda: snapshot.call("shop", "look", table="shop_region"), Refused)
    refused(snapshot.fork, NotFound)
    refused(snapshot.delete, NotFound)
    refused(lambda: snapshot.answer("x"), NotFound)


def test_the_library_says_what_it_knows() -> None:
    assert "shop" in refused(lambda: Library([shop.service]).get("shoop"), NotFound)
