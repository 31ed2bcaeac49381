"""The event log: every call, in order, with what it changed."""

from __future__ import annotations

from datetime import timedelta

from engine.branches import Branch
from engine.kit.seed import DEFAULT_START
from engine.world import World
from tests.engine.look import check_consistent, prompt

ADD = {"op": "add", "table": "shop_region", "values": {"id": "x", "name": "x"}}
RENAME = {"op": "set", "table": "shop_region", "key": ["x"], "values": {"name": "y"}}
DROP = {"op": "drop", "table": "shop_region", "key": ["x"]}


def test_every_call_is_an_event(branch: Branch) -> None:
    calls = [
        ("apply", {"steps": [ADD]}, "ok", 1),
        ("apply", {"steps": [ADD]}, "error", 0),
        ("apply", {"steps": [DROP, {"op": "break"}]}, "fault", 0),
        ("apply", {"steps": "x"}, "invalid", 0),
        ("nope", {}, "unknown", 0),
        ("look", {"table": "shop_region"}, "ok", 0),
    ]
    for number, (tool, arguments, outcome, changes) in enumerate(calls, 1):
        result = branch.call("shop", tool, arguments)
        assert (result.event, result.outcome, result.changes) == (number, outcome, changes)
    events = branch.events()
    assert [(e.seq, e.tool, e.arguments, e.outcome, len(e.changes)) for e in events] == [
        (number, *call) for number, call in enumerate(calls, 1)
    ]
    for event in events:
        assert event.produced_by == "code" and not event.inherited
        assert event.logical_time == DEFAULT_START + timedelta(minutes=event.seq)
        assert event.observation["ok"] is (event.outcome == "ok")
        assert (event.error_code is None) is (event.outcome == "ok")
        assert (event.detail is None) is (event.outcome != "fault")
        assert event.duration_ms > 0
    check_consistent(branch)


def test_each_change_of_a_row_in_one_event_is_kept(branch: Branch) -> None:
    """Field note: trigger-made history that keeps one change per row per transaction."""
    assert branch.call("shop", "apply", steps=[ADD, RENAME, DROP, ADD, DROP]).changes == 5
    changes = branch.events()[0].changes
    assert [(change.op, change.key) for change in changes] == [
        (op, "x") for op in ("insert", "update", "delete", "insert", "delete")
    ]
    assert changes[1].before == changes[0].after
    assert changes[2].after is None
    assert branch.diff() == []
    check_consistent(branch)


def test_what_changes_nothing_is_no_change(branch: Branch) -> None:
    same = {"op": "set", "table": "shop_region", "key": ["r1"], "values": {"name": "North"}}
    assert branch.call("shop", "apply", steps=[same]).changes == 0


def test_cascades_are_in_the_log(branch: Branch) -> None:
    drop = {"op": "drop", "table": "shop_customer", "key": ["c1"]}
    assert branch.call("shop", "apply", steps=[drop]).ok
    changes = [(change.table, change.op, change.key) for change in branch.events()[0].changes]
    assert changes[0] == ("shop_customer", "delete", "c1")
    assert set(changes[1:]) == {
        ("shop_purchase", "delete", "u1"),
        ("shop_line", "delete", '["u1", "p1"]'),
        ("shop_refund", "delete", "f1"),
        ("shop_customer", "update", "c2"),
    }
    check_consistent(branch)


def test_time_and_identifiers_come_from_the_branch(branch: Branch) -> None:
    """Field note: output derived from the machine's clock; sequences that a rollback does not rewind."""
    twin = branch.snapshot.fork()
    first = branch.call("shop", "make", count=3)
    assert first.data == twin.call("shop", "make", count=3).data
    assert first.data["now"] == "2026-03-02T09:01:00Z" and first.data["today"] == "2026-03-02"
    assert len(set(first.data["ids"])) == 3
    second = branch.call("shop", "make", count=3)
    assert not set(first.data["ids"]) & set(second.data["ids"])
    twin.call("shop", "apply", steps=[{"op": "break"}])
    assert twin.call("shop", "make", count=3).data != second.data  # another event, another identity
    assert branch.digest() != twin.digest()


def test_rows_can_only_be_written_by_a_call(world: World, branch: Branch) -> None:
    import psycopg
    import pytest

    with prompt(world) as connection:
        connection.execute("SELECT compoworld.use_branch(%s::bigint)", (branch.id,))
        for statement in (
            "INSERT INTO shop_region VALUES ('x', 'x')",
            "UPDATE shop_region SET name = 'x'",
            "DELETE FROM shop_region",
            "UPDATE shop_region SET name = 'x' WHERE id = 'r1'",
        ):
            with pytest.raises(psycopg.Error, match="only be written by a tool call") as caught:
                connection.execute(statement.encode())
            assert caught.value.diag.message_hint
    assert branch.diff() == []


def test_the_answer_is_kept(world: World, branch: Branch) -> None:
    branch.answer("Done ☃ 'quoted'")
    with prompt(world) as connection:
        connection.execute("SELECT compoworld.use_branch(%s::bigint)", (branch.id,))
        assert connection.execute("SELECT text FROM answer").fetchone() == ("Done ☃ 'quoted'",)
    branch.answer(None)
