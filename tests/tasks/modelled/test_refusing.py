"""What an author asks for and does not get, and what is asked of it in vain."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import InputError, NotFound
from engine.world import World
from synth.dialogue.budget import Budget
from tasks.modelled import Commission, author_task, resume_author
from tests.rl.messages_api import Api, says
from tests.tasks.modelled.script import (
    COMMISSION,
    LOST,
    WHOLE,
    Gatekeeper,
    author,
    criteria,
    design,
    end,
    probes,
    rows,
    script,
    told,
    uses,
)

DEEP: Any = json.loads("[" * 50 + "]" * 50)


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


def test_a_price_for_what_has_none(world: World) -> None:
    before = rows(world, "SELECT count(*) FROM compoworld.task_authoring")
    with pytest.raises(InputError, match="prices of test-model are not known"):
        author(world, Api(LOST), budget=Budget(cost_usd=1))
    assert rows(world, "SELECT count(*) FROM compoworld.task_authoring") == before
