"""World models on the command line: the option, the variable, and what is shown of their answers."""

from __future__ import annotations

from typing import Any

import pytest

import compoworld
from engine.simulation import Question, WorldModel
from synth.world_model.scripted import ScriptedWorldModel, done, insert
from tests.cli.conftest import Program
from tests.synth.world_model.desk import HERE, library

SORTED = done({"items": [{"note_id": "note_2", "word": "goods"}]}, insert("tag", note_id="note_2", word="goods"))
CALL = ("services", "call", "notes", "sort_notes", '{"owner": "hana.takeda@larkspur.example"}')


def written(question: Question) -> Any:
    """What a diligent model says of the task's calls."""
    notes = [row for row in question.state.rows["note"] if row["owner"] == question.person.email]
    if question.specification.name == "sort_notes":
        words = [{"note_id": row["id"], "word": "goods"} for row in notes]
        return done({"items": words}, *(insert("tag", **item) for item in words))
    title = next(row["title"] for row in notes if row["id"] == question.arguments["id"])
    note = {"title": f"Re: {title}", "body": question.arguments["knowing"], "owner": question.person.email}
    return done({"id": "$new:note:1", **note}, insert("note", id="$new:note:1", **note))


@pytest.fixture
def cw(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program with the desk's services; ``oracle`` is a model that always says the same."""

    def make(name: str) -> WorldModel:
        return ScriptedWorldModel(*{"oracle": ("nonsense", SORTED), "writer": (written,), "fool": ("nonsense",)}[name])

    monkeypatch.setattr("compoworld.world.Shelf", lambda database: library())
    monkeypatch.setattr("compoworld.world.make_world_model", make)
    monkeypatch.delenv("COMPOWORLD_WORLD_MODEL", raising=False)
    return Program(database_url)


def test_a_single_call(cw: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    said = cw(*CALL)
    assert said.code == 1 and "unknown_tool" in said.out
    assert "--world-model" in said.err
    result = cw.json(*CALL, "--world-model", "oracle")
    assert (result["outcome"], result["produced_by"], result["changes"]) == ("ok", "world_model", 1)
    assert "by the world model" in cw(*CALL, "--world-model", "oracle").err
    monkeypatch.setenv("COMPOWORLD_WORLD_MODEL", "oracle")
    assert cw(*CALL).code == 0


def test_its_events(cw: Program) -> None:
    branch = str(cw.json(*CALL, "--world-model", "oracle")["branch"])
    cw("services", "call", "notes", "find_notes", "{}", "--branch", branch)
    listed = cw("events", branch)
    assert "1~" in listed.out and "2~" not in listed.out and "answered by the world model" in listed.err
    assert "the world model scripted: 2 answers" in cw.text("events", branch, "--full")
    asked = cw.text("events", branch, "--asked")
    assert "find_notes" not in asked
    assert "not taken: the answer is an object" in asked and "goods" in asked
    (event,) = cw.json("events", branch, "--event", "1", "--asked")
    assert [len(item["problems"]) for item in event["asked"]] == [1, 0]
    assert cw.json("events", branch)[0]["produced_by"] == "world_model"
    fork = str(cw.json("fork", branch)["branch"])
    assert "2 answers" in cw.text("events", fork, "--full")
    assert cw.json("replay", fork)["same"]


def test_a_rollout(cw: Program) -> None:
    task = HERE / "task.yaml"
    report = cw.json("rollout", "run", str(task), "-n", "2", "--agent", "reference", "--world-model", "writer")
    assert [item["success"] for item in report["rollouts"]] == [True, True]
    shown = cw.text("rollout", "show", str(report["rollouts"][0]["id"]))
    assert "event 3, by the world model" in shown and "event 4\n" in shown
    branch = str(report["rollouts"][1]["branch"])
    assert cw.json("replay", branch)["same"]
    shares = cw.json("db", "psql", "-c", "SELECT touching, rollouts, calls FROM world_model_rollouts")
    assert shares == [{"touching": 2, "rollouts": 2, "calls": 6}]


def test_a_group_resumed_without_it(cw: Program) -> None:
    cw("rollout", "run", str(HERE / "task.yaml"), "-n", "1", "--agent", "reference", "--world-model", "fool")
    assert "was begun with the world model" in cw.refused("rollout", "resume", "1", "--retry-failed")
    again = cw("rollout", "resume", "1", "--retry-failed", "--world-model", "writer")
    assert (again.code, "1 of 1 succeed" in again.out) == (0, True), again


def test_what_a_service_leaves_to_it(cw: Program) -> None:
    shown = cw.text("services", "show", "notes")
    assert "sort_notes(owner) (by the world model)" in shown


def test_in_python(cw: Program, database_url: str) -> None:
    with compoworld.open(database_url, world_model="oracle") as world:
        assert world.world_model is not None and world.world_model.name == "scripted"
    with compoworld.open(database_url, world_model=ScriptedWorldModel(SORTED)) as world:
        branch = world.compose("notes").snapshot().fork()
        assert branch.call("notes", "sort_notes", owner="x").ok
