"""Tools that misbehave: each leaves a consistent branch and log, and the event's detail says what happened."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import func, insert, inspect, literal_column, select, text, update

from engine.branches import Branch
from engine.errors import Conflicted, DatabaseUnavailable, NotFound, ToolError, ToolViolation
from engine.kit import Context
from engine.world import World
from tests.engine.look import check_consistent
from tests.engine.rogue import Thing, playing

Action = Callable[[Context], Any]


@pytest.fixture
def branch(shared: World) -> Iterator[Branch]:
    """A branch with one good event; whatever the test did, it and its siblings are sound at the end."""
    base = shared.compose("rogue", "shop").snapshot()
    bystander, made = base.fork(), base.fork()
    before = bystander.state()
    assert made.call("rogue", "put", id="before").ok
    yield made
    assert made.call("rogue", "put", id="after").ok
    check_consistent(made)
    assert {"before", "after"} <= made.state()["rogue_thing"].keys()
    assert bystander.head() == 0
    assert bystander.state() == before
    with shared.database.transaction() as connection, pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        connection.connection.driver_connection.execute("SELECT compoworld.current_branch()")  # type: ignore[union-attr]


def fault(branch: Branch, action: Action, *says: str, tool: str = "act") -> None:
    """The action is booked as ours, changes nothing, and the detail says what happened."""
    before, head = branch.state(), branch.head()
    with playing(action, "bad"):
        result = branch.call("rogue", tool, {"name": "bad"})
    assert result.outcome == "fault", result
    assert result.error and result.error["code"] == "service_failure"
    assert result.changes == 0
    event = branch.events()[-1]
    assert (event.seq, event.outcome, event.detail) == (head + 1, "fault", result.detail)
    for words in says:
        assert words in str(event.detail)
    assert "\n  File" not in str(event.observation)
    assert branch.state() == before


def writing(then: Action) -> Action:
    """An action that first changes rows."""

    def action(ctx: Context) -> Any:
        ctx.add(Thing(id="lost"))
        ctx.require(Thing, "t1").note = "lost"
        ctx.flush()
        return then(ctx)

    return action


def raising(error: BaseException) -> Action:
    def action(ctx: Context) -> Any:
        raise error

    return writing(action)


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("it broke"), KeyError("x"), MemoryError(), RecursionError(), StopIteration(), GeneratorExit(),
        SystemExit(3), KeyboardInterrupt(), BaseException("base"), Unspeakable(), ValueError("nul \x00 \ud800"),
        AssertionError("é" * 100_000), Conflicted("not yours"), DatabaseUnavailable("not yours"), NotFound("x"),
        psycopg.OperationalError("a database of its own"), ToolViolation("x\x00"),
    ],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_raises(branch: Branch, error: BaseException) -> None:
    named = "" if isinstance(error, ToolViolation) else type(error).__name__
    fault(branch, raising(error), named)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ToolError("conflict", "no", why={"a": [1]}), "error"),
        (ToolError("conflict", "no", why={1, 2}), "fault"),
        (ToolError("conflict", "no", why="\x00"), "fault"),
        (ToolError("conflict", "no", why=10**5000), "fault"),
        (ToolError("conflict", "no \ud800"), "fault"),
        (ToolError(5, "no"), "fault"),  # type: ignore[arg-type]
        (ToolError("conflict", None), "fault"),  # type: ignore[arg-type]
    ],
)
def test_says_no(branch: Branch, error: ToolError, outcome: str) -> None:
    if outcome == "fault":
        fault(branch, raising(error), "error")
        return
    before = branch.state()
    with playing(raising(error)):
        result = branch.call("rogue", "act")
    assert result.error == {"code": "conflict", "message": "no", "details": {"why": {"a": [1]}}}
    assert result.outcome == "error" and branch.state() == before


def endless() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({1, 2}, "set"), ({"a": [b"x"]}, "bytes"), (float("nan"), "nan"), ({"a": {"b": float("-inf")}}, "result.a.b"),
        ("a\x00", "NUL"), ({"\x00": 1}, "NUL"), (["\ud800"], "surrogate"), ({1: 2}, "not text"), (object(), "object"),
        (endless(), "RecursionError"), ([10**5000], "digits"), ((item for item in "ab"), "generator"),
        (print, "builtin"),
        (Thing, "TypeError"),
    ],
)  # fmt: skip
def test_returns_no_json(branch: Branch, value: Any, says: str) -> None:
    fault(branch, writing(lambda ctx: value), says)


def test_read_only_tools_write(branch: Branch) -> None:
    def quietly(ctx: Context) -> str:
        try:
            ctx.add(Thing(id="lost"))
        except Exception:
            pass
        return "nothing happened"

    def unflushed(ctx: Context) -> str:
        ctx.require(Thing, "t1").note = "lost"
        return "nothing happened"

    fault(branch, lambda ctx: ctx.add(Thing(id="lost")), "read-only", tool="spy")
    fault(branch, lambda ctx: ctx.delete(ctx.require(Thing, "t1")), "read-only", tool="spy")
    fault(branch, unflushed, "read-only", tool="spy")
    fault(branch, quietly, tool="spy")
    off = select(func.set_config("compoworld.read_only", "off", True))
    fault(branch, lambda ctx: (ctx.rows(off), ctx.add(Thing(id="lost")), 1)[2], tool="spy")


def test_swallows_an_error_of_the_database(branch: Branch) -> None:
    def action(ctx: Context) -> str:
        try:
            ctx.add(Thing(id="t1"))
        except Exception:
            pass
        ctx.add(Thing(id="lost"))
        return "all is well"

    fault(branch, action)


def test_objects_of_an_earlier_call(branch: Branch, shared: World) -> None:
    kept: list[Any] = []
    with playing(lambda ctx: kept.extend([ctx.require(Thing, "t1"), ctx.add(Thing(id="mine"))])):
        assert branch.call("rogue", "act").ok
    other = branch.snapshot.fork()
    for target in (branch, other):
        for stale in kept:
            fault(target, lambda ctx, stale=stale: stale.note, "Detached")
            fault(target, lambda ctx, stale=stale: setattr(stale, "note", "lost"), "earlier call")
            fault(target, lambda ctx, stale=stale: stale.tags.append("lost"))
        before = target.state()
        with playing(lambda ctx: ctx.add(kept[0])):  # a row that is there, in whichever branch: read anew, not written
            result = target.call("rogue", "act")
        assert result.changes == 0
        assert target.state() == before
        check_consistent(target)
    fault(other, lambda ctx: ctx.delete(kept[1]))  # a row that this branch never had


@pytest.mark.parametrize(
    "action",
    [
        lambda ctx: ctx._session.commit(),
        lambda ctx: ctx._session.rollback(),
        lambda ctx: ctx._session.begin(),
        lambda ctx: ctx._session.begin_nested(),
        lambda ctx: ctx._session.connection(),
        lambda ctx: ctx._session.execute(text("DELETE FROM rogue_thing")),
        lambda ctx: ctx._session.execute(text("COMMIT")),
        lambda ctx: ctx._session.execute(update(Thing).values(note="lost")),
        lambda ctx: ctx._session.execute(insert(Thing).values(id="lost")),
        lambda ctx: ctx._session.query(Thing).delete(),
        lambda ctx: ctx._session.bulk_insert_mappings(inspect(Thing), [{"id": "lost"}]),
        lambda ctx: ctx._session.bulk_save_objects([Thing(id="lost", count="x")]),
        lambda ctx: ctx._session.get_bind().exec_driver_sql("COMMIT"),
        lambda ctx: ctx._session.get_bind().exec_driver_sql("ROLLBACK"),
        lambda ctx: ctx._session.get_bind().commit(),
        lambda ctx: ctx._session.get_bind().rollback(),
        lambda ctx: ctx._session.get_bind().execute(text("SELECT 1/0")),
        lambda ctx: ctx.rows(text("SELECT 1")),
    ],
)
def test_goes_round_the_session(branch: Branch, action: Action) -> None:
    fault(branch, writing(lambda ctx: (action(ctx), "fine")[1]))


def elsewhere(setting: str, value: str, *, local: bool, back: str | None) -> Action:
    """Change a setting of the engine, write, and perhaps change it back."""

    def action(ctx: Context) -> str:
        ctx.rows(select(func.set_config(setting, value, local)))
        ctx.add(Thing(id="lost"))
        if back is not None:
            ctx.rows(select(func.set_config(setting, back, local)))
        return "fine"

    return action


@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize("back", [True, False])
@pytest.mark.parametrize("setting", ["branch", "base", "event", "ordinal"])
def test_leaves_its_branch(branch: Branch, setting: str, local: bool, back: bool) -> None:
    victim = branch.snapshot.fork()
    mine = {"branch": branch.id, "base": branch.snapshot.id, "event": branch.head() + 1, "ordinal": 1}[setting]
    value = {"branch": victim.id, "base": victim.id, "event": 1, "ordinal": 7}[setting]
    returns = str(mine) if back else None
    fault(branch, elsewhere(f"compoworld.{setting}", str(value), local=local, back=returns))
    assert victim.head() == 0 and victim.state() == victim.snapshot.fork().state()
    check_consistent(victim)


def test_looks_into_another_branch(branch: Branch) -> None:
    other = branch.snapshot.fork()
    other.call("rogue", "put", id="secret")

    def action(ctx: Context) -> Any:
        ctx.rows(select(literal_column(f"set_config('compoworld.branch', '{other.id}', true)")))
        found = [row.id for row in ctx.list(Thing)]
        ctx.rows(select(literal_column(f"set_config('compoworld.branch', '{branch.id}', true)")))
        return found

    fault(branch, action)


def test_deep_recursion(branch: Branch) -> None:
    def action(ctx: Context) -> Any:
        return action(ctx)

    limit = sys.getrecursionlimit()
    fault(branch, action, "RecursionError")
    assert sys.getrecursionlimit() == limit
