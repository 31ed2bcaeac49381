"""Tools without code: their events are replayed and forked without a model, and offered only where there is one."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InfrastructureError, InputError
from engine.exchanges import read_exchanges
from engine.metatools import MetaTools
from engine.simulation import Budget
from engine.world import World
from synth.world_model.scripted import ScriptedWorldModel, done, refused, update
from tests.engine.conftest import MakeWorld
from tests.engine.look import check_consistent
from tests.engine.oracle import Play, asked, everything, mute, oracle


def test_replay_needs_no_model(play: Play, make_world: MakeWorld) -> None:
    branch = play(everything, refused("limit", "Enough."), done({"advice": "a"}))
    branch.call("shop", "make")
    branch.call("shop", "arrange", wish="x")
    branch.call("shop", "make", count=2)
    branch.call("shop", "arrange", wish="y")
    branch.call("shop", "advise", customer="c2")
    branch.call("shop", "look", table="shop_line")
    quiet = mute(branch, make_world)
    report = quiet.replay()
    assert report.same, report.mismatch
    assert report.events == 6
    replayed = quiet.composition.world.branch(report.replayed_on)
    assert [item.produced_by for item in replayed.events()] == [item.produced_by for item in branch.events()]
    assert replayed.digest() == branch.digest()
    check_consistent(replayed)
    assert len(asked(branch)) == 3
    assert branch.replay().same  # nor is one asked that is there
    assert len(asked(branch)) == 3


def test_replay_finds_what_is_not_as_it_was(play: Play, make_world: MakeWorld) -> None:
    branch = play(done(1, update("product", "p1", stock=3)))
    branch.call("shop", "arrange", wish="x")
    branch.call("shop", "look", table="shop_product")
    with branch.composition.world.database.transaction() as connection:
        connection.execute(
            text("UPDATE compoworld.row_change SET after = jsonb_set(after, '{stock}', '4') WHERE branch_id = :id"),
            {"id": branch.id},
        )
    found = mute(branch, make_world).replay().mismatch
    assert found is not None
    assert (found.event, found.place) == (2, "observation.data.items[0].stock")


def test_forks_inherit_the_answers(play: Play, make_world: MakeWorld) -> None:
    branch = play(everything, done("later"))
    branch.call("shop", "arrange", wish="x")
    branch.call("shop", "make")
    fork = branch.fork(at=1)
    grandchild = fork.fork()
    assert (fork.events()[0].produced_by, fork.events()[0].inherited) == ("world_model", True)
    assert fork.digest() == branch.digest(1)
    assert mute(grandchild, make_world).replay().same
    database = branch.composition.world.database
    asked_for = read_exchanges(database, branch.id, 1)
    assert asked_for and read_exchanges(database, grandchild.id, 1) == asked_for
    assert read_exchanges(database, grandchild.id, 2) == []
    grandchild.call("shop", "arrange", wish="y")
    assert len(read_exchanges(database, grandchild.id, 2)) == 1
    branch.delete()
    assert read_exchanges(database, grandchild.id, 1) == []
    assert grandchild.events()[0].produced_by == "world_model"


def test_answers_are_deleted_with_the_branch(play: Play) -> None:
    branch = play(done(1))
    branch.call("shop", "arrange", wish="x")
    branch.delete()
    with branch.composition.world.database.transaction() as connection:
        assert connection.execute(text("SELECT count(*) FROM compoworld.world_model_call")).scalar() == 0


def tools(world: World) -> MetaTools:
    return MetaTools(world.compose("shop").snapshot().fork(), ["shop"])


def test_without_a_model_there_are_no_such_tools(make_world: MakeWorld) -> None:
    meta = tools(make_world(oracle()))
    assert meta.run("list_services", {}).observation["data"][0]["tools"] == 6
    names = [item["tool"] for item in meta.run("list_tools", {"service": "shop"}).observation["data"]]
    assert "advise" not in names and "make" in names
    asked_for = {"service": "shop", "tool": "advise"}
    assert meta.run("describe_tool", asked_for).observation["error"]["code"] == "unknown_tool"
    result = meta.run("call_tool", {**asked_for, "arguments": {"customer": "c1"}})
    assert result.call is not None and result.call.outcome == "unknown"
    assert not meta.waits_for_model("call_tool", asked_for)


def test_with_a_model_they_are_like_any_other(make_world: MakeWorld) -> None:
    meta = tools(make_world(oracle(), world_model=ScriptedWorldModel(done({"advice": "x"}))))
    assert meta.run("list_services", {}).observation["data"][0]["tools"] == 8
    asked_for = {"service": "shop", "tool": "advise"}
    assert meta.run("describe_tool", asked_for).observation["data"]["annotations"] == {"readOnlyHint": True}
    result = meta.run("call_tool", {**asked_for, "arguments": {"customer": "c1"}})
    assert result.observation == {"ok": True, "data": {"advice": "x"}}
    assert meta.waits_for_model("call_tool", asked_for)
    assert not meta.waits_for_model("call_tool", {"service": "shop", "tool": "make"})
    assert not meta.waits_for_model("call_tool", {"service": ["shop"]})
    assert not meta.waits_for_model("list_tools", asked_for)


def test_a_call_that_was_unknown_stays_so(play: Play, make_world: MakeWorld) -> None:
    branch = make_world(oracle()).compose("shop").snapshot().fork()
    assert branch.call("shop", "arrange", wish="x").outcome == "unknown"
    other = make_world(oracle(), world_model=ScriptedWorldModel(InfrastructureError("asked again")))
    assert other.branch(branch.id).replay().same


@pytest.mark.parametrize("wrong", [{"rows": 0}, {"characters": True}, {"answers": 1.5}])
def test_wrong_budgets(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Budget(**wrong)
