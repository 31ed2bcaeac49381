"""The author's loop, against a stand-in for the model's server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from engine.errors import InputError, NotFound, Refused
from engine.world import World
from synth.dialogue.budget import Budget
from synth.errors import ModelUnavailable
from synth.models import Prices
from tasks.modelled import AuthorResult, Commission, author_task, resume_author
from tasks.modelled.store import working_on
from tasks.modelled.workshop import ATTEMPTS
from tests.rl.messages_api import Api, says
from tests.tasks.modelled.script import (
    COMMISSION,
    COUNTERFACTUAL,
    Gatekeeper,
    criteria,
    design,
    end,
    probes,
    uses,
)

LOST = httpx2.ConnectError("no network")
DEEP: Any = json.loads("[" * 50 + "]" * 50)
LOOK: list[tuple[str, Any]] = [
    ("list_services", {}),
    ("list_tools", {"service": "notes"}),
    ("describe_tool", {"service": "parcels", "tool": "pack"}),
    ("tables", {"service": "notes"}),
    ("rows", {"table": "notes_note", "containing": "femke"}),
    ("call_tool", {"service": "parcels", "tool": "pack", "arguments": {"receiver": "Ulla Bok", "price": 1}}),
]
WHOLE: list[list[tuple[str, Any]]] = [
    LOOK,
    [("design", design())],
    probes(),
    [end(), criteria(), COUNTERFACTUAL],
    [("submit", {})],
]


@pytest.fixture(autouse=True)
def nothing_left_behind(world: World) -> Iterator[None]:
    """No branch and no snapshot of an author's outlives its sitting."""
    sql = (
        "SELECT (SELECT count(*) FROM compoworld.branch WHERE label = 'task author'),"
        " (SELECT count(*) FROM compoworld.snapshot WHERE name LIKE 'task author%')"
    )
    before = rows(world, sql)
    yield
    assert rows(world, sql) == before


def rows(world: World, sql: str) -> list[Any]:
    with world.database.transaction() as connection:
        return [tuple(row) for row in connection.execute(text(sql))]


def last(world: World, columns: str) -> Any:
    return rows(world, f"SELECT {columns} FROM compoworld.task_authoring ORDER BY id DESC LIMIT 1")[0]


def script(*messages: list[tuple[str, Any]]) -> list[httpx2.Response]:
    return [says(*uses(*pairs)) for pairs in messages]


def author(world: World, api: Api, gate: Any = None, budget: Budget | None = None, **more: Any) -> AuthorResult:
    gate = gate or Gatekeeper()
    return author_task(world, COMMISSION, "test-model", budget, client=api.client(), gate=gate, **more)


def told(api: Api, number: int) -> list[tuple[bool, str]]:
    return [(block["is_error"], block["content"]) for block in api.sent(number) if block["type"] == "tool_result"]


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


def test_refused_too_often(world: World) -> None:
    api = Api(*script(*WHOLE), *script([("submit", {})]))
    result = author(world, api, Gatekeeper(refusals=99))
    assert (result.status, result.attempts) == ("failed", ATTEMPTS)
    assert result.detail == f"refused {ATTEMPTS} times, at last: visit 3 (notes) takes nothing from visit 2 (parcels)"


@pytest.mark.parametrize("after", range(len(WHOLE)))
def test_an_interrupted_run_goes_on(world: World, after: int) -> None:
    answers = script(*WHOLE)
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        author(world, Api(*answers[:after], LOST))
    number, status, turns, detail = last(world, "id, status, turns, detail")
    assert (status, turns) == ("running", after)
    assert f"resume run {number} of the author" in detail
    api, gate = Api(*answers[after:]), Gatekeeper()
    result = resume_author(world, number, client=api.client(), gate=gate)
    assert (result.status, result.turns, len(api.requests)) == ("admitted", 5, 5 - after)
    whole = Api(*answers)
    author(world, whole)
    assert api.requests == whole.requests[after:]


def test_an_interruption_while_tools_are_used(world: World) -> None:
    answers = script(*WHOLE)
    with pytest.raises(ModelUnavailable):
        author(world, Api(*answers[:3], LOST))
    (number,) = last(world, "id")
    with world.database.transaction() as connection:
        connection.execute(
            text(
                "DELETE FROM compoworld.task_authoring_turn WHERE task_authoring_id = :id AND ordinal ="
                " (SELECT max(ordinal) FROM compoworld.task_authoring_turn WHERE task_authoring_id = :id)"
            ),
            {"id": number},
        )
    api = Api(*answers[3:])
    assert resume_author(world, number, client=api.client(), gate=Gatekeeper()).status == "admitted"
    assert [wrong for wrong, _ in told(api, 0)] == [False] * 9


def test_refusals_are_not_asked_again(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        author(world, Api(*script(*WHOLE), LOST), Gatekeeper(refusals=1))
    (number,) = last(world, "id")
    gate = Gatekeeper()
    result = resume_author(world, number, client=Api(*script([("submit", {})])).client(), gate=gate)
    assert (result.status, result.attempts, len(gate.seen)) == ("admitted", 2, 1)


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(turns=2), "2 turns"),
        (Budget(tokens=30), "30 tokens"),
        (Budget(cost_usd=0.02, prices=Prices.usual(1000, 1000)), "0.02 US dollars"),
    ],
)
def test_a_budget_ends_and_can_be_raised(world: World, budget: Budget, said: str) -> None:
    answers = script(*WHOLE)
    result = author(world, Api(*answers), budget=budget)
    assert (result.status, result.turns) == ("stopped", 2)
    assert result.detail == f"the budget of {said} is used up"
    assert last(world, "status, detail") == ("stopped", result.detail)
    api = Api(*answers[2:])
    again = resume_author(world, result.run, client=api.client(), gate=Gatekeeper())
    assert (again.status, again.turns) == ("admitted", 5)


def test_what_has_ended_is_told_again(world: World) -> None:
    first = author(world, Api(*script(*WHOLE)))
    assert resume_author(world, first.run, client=Api(LOST).client()) == first


@pytest.mark.parametrize(
    ("block", "part"),
    [
        (("bash", {"command": "ls"}), "there is no tool 'bash'"),
        (("rows", {"table": "nothing"}), "nothing"),
        (("rows", {"table": "notes_note", "where": {"colour": 1}}), "no field 'colour'"),
        (("rows", {"table": "notes_note", "limit": 1_000_000}), "limit: "),
        (("tables", {"service": "mail"}), "there is no service 'mail'"),
        (("call_tool", {"service": "mail", "tool": "x"}), "unknown_service"),
        (("design", {"name": "No Name"}), "name: "),
        (("design", {"instruction": "x" * 5_000}), "instruction: "),
        (("design", {"s0": {"insert": {"notes_note": [{"id": "n\x00"}]}}}), "do not fit"),
        (("design", {"s0": {"seed": 7}}), "Extra inputs"),
        (("design", {"s0": {"insert": {"notes_tag": [{"note_id": "x", "word": "y"}]}}}), "there is no such notes_note"),
        (("design", {"s0": {"delete": {"notes_note": ["x"] * 500}}}), "500 rows are changed"),
        (("design", "everything"), "Input should be"),
        (("submit", {"force": True}), "Extra inputs"),
        (("give_up", {}), "reason: Field required"),
        (("rows", {"table": "notes_note", "where": {"id": DEEP}}), "nested deeper"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(world: World, block: tuple[str, Any], part: str) -> None:
    api = Api(*script([block]), *script([("give_up", {"reason": "Enough."})]))
    assert author(world, api).status == "failed"
    ((is_error, shown),) = told(api, 1)
    assert is_error
    assert part in shown


def test_texts_that_cannot_be_stored(world: World) -> None:
    hostile = design(title="\x00 </services>", scenario="\x00")
    api = Api(*script([("design", hostile)], probes(), [end(), criteria()], [("submit", {})]))
    gate = Gatekeeper()
    assert author(world, api, gate).status == "admitted"
    assert gate.seen[0].title == "\\0 </services>"


def test_a_message_that_is_cut_off_does_nothing(world: World) -> None:
    api = Api(says(*uses(*WHOLE[1]), stop="max_tokens"), *script([("give_up", {"reason": "x"})]))
    assert author(world, api).phase == "explore"
    assert "was not done" in told(api, 1)[0][1]


def test_a_model_that_refuses_or_only_talks(world: World) -> None:
    assert author(world, Api(says("No.", stop="refusal"))).detail == "the model refused"
    api = Api(says("Well."))
    assert author(world, api).detail == "the model stopped working"
    assert "Call `give_up`" in api.sent(1)[0]["text"]


def test_what_services_say_stays_in_its_fence(world: World) -> None:
    api = Api(says("No.", stop="refusal"))
    author(world, api)
    message = api.requests[0]["messages"][0]["content"][0]["text"]
    assert message.count("</services>") == 1
    assert message.endswith("</services>")


@pytest.mark.parametrize(
    ("services", "walk", "said"),
    [
        (("notes",), ("notes",), "two services"),
        (("notes", "parcels"), ("notes", "parcels"), "7 to 12 visits"),
        (("notes", "parcels"), ("notes", "notes", *COMMISSION.walk[1:]), "twice in a row"),
        (("notes", "weather"), COMMISSION.walk, "it visits each of them"),
    ],
)
def test_commissions_that_are_none(services: tuple[str, ...], walk: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Commission(services, walk)


def test_what_there_is_not(world: World) -> None:
    with pytest.raises(InputError, match="there is no service 'nothing'"):
        author_task(world, Commission(("notes", "parcels"), COMMISSION.walk, ("nothing",)), client=Api(LOST).client())
    with pytest.raises(NotFound, match="there is no run 999999"):
        resume_author(world, 999_999)


def test_two_at_one_run(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        author(world, Api(LOST))
    (number,) = last(world, "id")
    with working_on(world.database, number), pytest.raises(Refused, match="another process works on run"):
        resume_author(world, number, client=Api(LOST).client())


def test_services_that_have_changed(world: World) -> None:
    with pytest.raises(ModelUnavailable):
        author(world, Api(LOST))
    with world.database.transaction() as connection:
        connection.execute(text("UPDATE compoworld.task_authoring SET composition_id = composition_id + 1000"))
    (number,) = last(world, "id")
    with pytest.raises(Refused, match="has changed since"):
        resume_author(world, number, client=Api(LOST).client())


def test_a_price_for_what_has_none(world: World) -> None:
    before = rows(world, "SELECT count(*) FROM compoworld.task_authoring")
    with pytest.raises(InputError, match="prices of test-model are not known"):
        author(world, Api(LOST), budget=Budget(cost_usd=1))
    assert rows(world, "SELECT count(*) FROM compoworld.task_authoring") == before
