"""The author's loop, against a stand-in for the model's server."""

from __future__ import annotations

from typing import Any

import pytest

from engine.world import World
from synth.dialogue.budget import Budget
from synth.models import Prices
from tasks.modelled.workshop import ATTEMPTS
from tests.rl.messages_api import Api
from tests.tasks.modelled.script import (
    COMMISSION,
    COUNTERFACTUAL,
    WHOLE,
    Gatekeeper,
    author,
    criteria,
    design,
    end,
    last,
    probes,
    rows,
    script,
    told,
)


def test_a_task_is_written(world: World) -> None:
    gate, said = Gatekeeper(), list[str]()
    api = Api(*script(*WHOLE))
    result = author(world, api, gate, progress=said.append)
    assert (result.status, result.phase, result.attempts, result.turns) == ("admitted", "submit", 1, 5)
    (task,) = gate.seen
    assert task.origin is not None
    assert (task.origin.author, task.origin.family, task.origin.model) == ("model", "note-to-parcel", "test-model")
    assert task.walk == list(COMMISSION.walk)
    assert len(task.reference.calls) == 9
    assert [item.fact for item in task.counterfactuals] == ["receiver"]
    assert said[8] == "explore: call_tool parcels.pack"
    assert said[10] == "probe: probe notes.find_notes"
    assert not any(wrong for number in range(1, 5) for wrong, _ in told(api, number))
    look = [text for _, text in told(api, 1)]
    assert "title: title, required" in look[3]
    assert look[4].startswith("1 rows\n") and "About the pallets" in look[4]
    answer, judged, followed = (text for _, text in told(api, 4))
    assert "is on its way: 2 parcels." in answer
    assert "+ parcels_parcel" in answer and '~ notes_note note_1: {"' in answer
    assert judged.count("as it should be") == 5
    assert 'call 1 parcels.pack, receiver: "Ulla Bok" → "Joost Mulder"' in followed


def test_everything_is_recorded(world: World) -> None:
    result = author(world, Api(*script(*WHOLE)), budget=Budget(prices=Prices.usual(1000, 1000)))
    kept = "id, services, distractors, walk, seed, model, phase, status, attempts, turns, input_tokens, task_id"
    assert last(world, kept) == (
        *(result.run, ["notes", "parcels"], ["weather"], list(COMMISSION.walk), 3, "test-model"),
        *("submit", "admitted", 1, 5, 50, None),
    )
    assert float(last(world, "cost_usd")[0]) == pytest.approx(5 * 0.015)
    turns = rows(
        world,
        "SELECT role, content FROM compoworld.task_authoring_turn"
        f" WHERE task_authoring_id = {result.run} ORDER BY ordinal",
    )
    assert [role for role, _ in turns] == ["system", "user", *["assistant", "user"] * 5]
    assert turns[0][1]["text"].startswith("You write one task for CompoWorld.")
    assert "1. notes\n2. parcels" in turns[1][1][0]["text"]
    assert turns[-1][1][0]["content"] == "admitted"


def test_mistakes_are_told_and_repaired(world: World) -> None:
    wrong_s0 = {
        "insert": {"parcels_parcel": [{"id": "parcel_9", "receiver": "x"}, {"id": "parcel_8", "weight": 3}]},
        "update": {"notes_note": {"note_77": {"body": "x"}}},
        "delete": {"nosuch_table": ["a"]},
    }
    first, *others = probes()
    wrong = [
        ("probe", {"service": "notes", "tool": "find_notes"}),
        ("design", design(s0=wrong_s0)),
        ("design", design(area="gardening")),
        ("design", design(title=None)),
        first,
        ("design", {"title": "A note becomes a parcel"}),
        ("submit", {}),
        ("probe", {"service": "parcels", "tool": "list_parcels"}),
        ("probe", {**first[1], "arguments": {"nonsense": 1}}),
        first,
        ("probe", {**others[0][1], "arguments": {"receiver": {"$from": "lost", "path": "data"}, "price": 1}}),
        ("probe", {**others[0][1], "arguments": {"receiver": {"$from": "found", "path": "data.x"}, "price": 1}}),
        ("probe", {**others[0][1], "arguments": {"receiver": {"$from": "found"}, "price": 1}}),
        end(),
    ]
    api = Api(*script(wrong, others, [end(), criteria(), COUNTERFACTUAL], [("submit", {})]))
    assert author(world, api).status == "admitted"
    results = told(api, 1)
    expected = [
        (True, "design the scenario first"),
        (True, "4 changes do not fit"),
        (True, "area: Input should be"),
        (False, "still to be said: title"),
        (True, "title is not said yet"),
        (False, "designed"),
        (True, "end the probe first"),
        (True, "after the beginning the walk goes on in notes, not in parcels"),
        (True, "not kept: "),
        (False, "call 0, visit 1 of 7 (notes)"),
        (True, "no call keeps 'lost'; there are found"),
        (True, "found has nothing at data.x"),
        (True, "a reference has the texts"),
        (True, "1 of 7 visits are made; there remain parcels → notes"),
    ]
    for (is_error, shown), (wanted, part) in zip(results, expected, strict=True):
        assert (is_error, part in shown) == (wanted, True), shown
    for part in ("s0.delete.nosuch_table", "note_77", "sent_at", "weight"):
        assert part in results[1][1]


def test_criteria_are_tried_before_they_are_kept(world: World) -> None:
    def criterion(sql: str, kind: str = "state", name: str = "odd") -> tuple[str, Any]:
        return "criteria", {"criteria": [{"name": name, "kind": kind, "description": "x", "sql": sql}]}

    wrong = [
        criterion("DELETE FROM notes_note"),
        criterion("SELECT 1 AS passed"),
        criterion("SELECT pg_sleep(9) IS NULL AS passed"),
        criterion("SELECT count(*) > 0 AS passed FROM compoworld.task"),
        criterion("SELECT true AS passed"),
        criterion("SELECT false AS passed, 1 AS expected, 2 AS actual"),
        criterion("SELECT false AS passed", "must_not_change"),
        ("try_sql", {"sql": "SELECT id, receiver FROM parcels_parcel WHERE status = 'sent' ORDER BY id"}),
        ("try_sql", {"sql": "SELECT nothing"}),
        ("try_sql", {"sql": "SELECT 1) AS x; DROP TABLE compoworld.task; --"}),
        ("criteria", {"drop": ["odd"]}),
        ("submit", {}),
    ]
    api = Api(*script([("design", design())], probes(), [end(), *wrong], [criteria()], [("submit", {})]))
    gate = Gatekeeper()
    assert author(world, api, gate).status == "admitted"
    results = told(api, 3)[1:]
    parts = [
        "nothing was kept",
        "boolean",
        "depends on more than the state",
        "not a table of the branch",
        "holds already where nothing was done",
        "does not hold after the probe",
        "does not hold after the probe",
        'after the probe: [{"id":',
        "nothing",
        "syntax error",
        "kept: none",
        "a rubric has 4 to 12 criteria",
    ]
    assert [is_error for is_error, _ in results] == [*[True] * 7, False, True, True, False, True]
    for (_, shown), part in zip(results, parts, strict=True):
        assert part in shown
    assert len(gate.seen) == 1


def test_the_rubric_can_be_derived(world: World) -> None:
    goals = [
        {"holds": "A parcel for the person of the note is sent.", "kind": "state", "calls": [1, 4]},
        {"holds": "The parcel's number stands in a note.", "kind": "output", "calls": [2]},
        {"holds": "Both notes are done.", "kind": "state", "calls": [6, 8]},
    ]
    wrong = [{"holds": "x", "kind": "state", "calls": [77]}]
    more = [("derive_rubric", {"goals": wrong}), ("derive_rubric", {"goals": goals})]
    api = Api(*script([("design", design())], probes(), [end(), *more], [("submit", {})]))
    gate = Gatekeeper()
    result = author(world, api, gate, Budget(turns=6))
    _, (refused, why), (is_error, shown) = told(api, 3)
    assert result.status == "admitted"
    assert refused and "there is no call 77" in why
    assert not is_error
    assert shown.count("as it should be") == 5
    assert [item.kind for item in gate.seen[0].criteria] == ["state", "output", "state", "answer", "must_not_change"]


def test_what_the_gate_refuses_comes_back(world: World) -> None:
    better = [("design", {"title": "Another title"}), ("submit", {})]
    api = Api(*script(*WHOLE, better, better))
    gate = Gatekeeper(refusals=2)
    result = author(world, api, gate)
    assert (result.status, result.attempts) == ("admitted", 3)
    assert told(api, 5) == [
        (True, "refused at 'crossing'; 7 attempts are left\n- visit 3 (notes) takes nothing from visit 2 (parcels)")
    ]
    assert [task.title for task in gate.seen] == ["A note becomes a parcel", "Another title", "Another title"]


def test_another_state_moves_the_probe(world: World) -> None:
    s0 = design()["s0"]
    moved = {**s0, "update": {"notes_note": {"note_1": {"body": "Lena Fröhlich"}}}}
    lost = {**s0, "update": {"notes_note": {"note_1": {"title": "Call somebody", "body": "x"}}}}
    api = Api(
        *script(
            [("design", design())], probes(), [end(), ("design", {"s0": moved}), criteria()],
            [("design", {"s0": lost}), ("probe_back", {"keep": 0}), ("give_up", {"reason": "No."})],
        )
    )  # fmt: skip
    author(world, api)
    assert "all 9 calls of the probe are made again" in told(api, 3)[1][1]
    assert "does not hold after the probe" in told(api, 3)[2][1]
    shown = [text for _, text in told(api, 3)]
    assert shown[0].startswith("the answer: ")
    detail = last(world, "status, detail")
    assert detail == ("failed", "the author gave up: No.")


def test_the_end_says_that_nothing_is_read_again(world: World) -> None:
    once = [call for call in probes() if call[1].get("save") != "seen"]
    once[3][1]["arguments"] = {"id": {"$from": "written", "path": "data.body"}}
    api = Api(*script([("design", design())], probes(), [end(), ("probe_back", {"keep": 0})], once, [end()]))
    author(world, api)
    assert "no read is kept in two visits" not in told(api, 3)[0][1]
    assert "still missing: no read is kept in two visits" in told(api, 5)[0][1]


def test_refused_too_often(world: World) -> None:
    api = Api(*script(*WHOLE), *script([("submit", {})]))
    result = author(world, api, Gatekeeper(refusals=99))
    assert (result.status, result.attempts) == ("failed", ATTEMPTS)
    assert result.detail == f"refused {ATTEMPTS} times, at last: visit 3 (notes) takes nothing from visit 2 (parcels)"
