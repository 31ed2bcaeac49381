"""Rows of compiled services: identifiers, what must be unique, what is refused, what is kept as it is."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from synth.specs import ServerSpec
from synth.trial import Play
from tests.synth.compiler.conftest import Compiled, refused
from tests.synth.making import FLAG, NUMBER, TEXT, TEXTS, server, things, tool

Compile = Callable[[ServerSpec], Compiled]
MOMENT = {"type": "string", "format": "date-time"}
ANYTHING: dict[str, Any] = {}


def rota(identifier: dict[str, Any], **more: Any) -> ServerSpec:
    """Wards by identifiers of a form, and shifts on them."""
    return server(
        "rota",
        tool("create_ward", {"title": TEXT, **more}, ["title"]),
        tool("get_ward", {"ward_id": identifier}, ["ward_id"]),
        tool("update_ward", {"ward_id": identifier, "title": {"type": ["string", "null"]}, **more}, ["ward_id"]),
        tool("delete_ward", {"ward_id": identifier}, ["ward_id"]),
        tool("list_wards", dict(more)),
        tool("create_shift", {"ward_id": identifier, "starts": MOMENT}, ["ward_id"]),
        tool("get_shift", {"ward_id": identifier, "shift_id": TEXT}, ["ward_id", "shift_id"]),
        tool("list_shifts", {"ward_id": identifier}),
    )


@pytest.fixture
def play(compiled: Compile) -> Play:
    return compiled(rota(TEXT, beds=NUMBER, open=FLAG, tags=TEXTS, since_when=MOMENT, note=ANYTHING)).play()


@pytest.mark.parametrize(
    ("schema", "form"),
    [
        (TEXT, "ward_[0-9a-f]+"),
        (NUMBER, "[0-9]+"),
        ({"type": "string", "format": "uuid"}, "[0-9a-f-]{36}"),
        ({"type": "string", "pattern": "^W-[0-9]{6}$"}, "W-[0-9]{6}"),
    ],
)
def test_forms_of_identifiers(compiled: Compile, schema: dict[str, Any], form: str) -> None:
    made = compiled(rota(schema))
    assert made.failed() == {}
    play = made.play()
    ward = play.ok("create_ward", title="East")
    assert re.fullmatch(form, str(ward["id"]))
    assert isinstance(ward["id"], int) == (schema is NUMBER)
    assert play.ok("get_ward", ward_id=ward["id"]) == ward
    shift = play.ok("create_shift", ward_id=ward["id"], starts="2026-03-05T08:00:00Z")
    assert shift["ward_id"] == ward["id"]
    assert play.ok("list_shifts", ward_id=ward["id"])["items"] == [shift]
    # What belongs to it goes with it.
    play.ok("delete_ward", ward_id=ward["id"])
    assert play.ok("list_shifts", ward_id=ward["id"])["items"] == []
    assert uuid.uuid4()


def test_many_identifiers_of_a_narrow_form(compiled: Compile) -> None:
    play = compiled(rota({"type": "string", "pattern": "^W[0-9]{2}$"})).play()
    made = [play.ok("create_ward", title="East")["id"] for _ in range(12)]
    assert len(set(made)) == 12


def test_a_row_of_another_owner_is_not_there(play: Play) -> None:
    shift = play.ok("list_shifts")["items"][0]
    other = next(item["id"] for item in play.ok("list_wards")["items"] if item["id"] != shift["ward_id"])
    assert play.ok("get_shift", ward_id=shift["ward_id"], shift_id=shift["id"]) == shift
    refused(play.fails("get_shift", ward_id=other, shift_id=shift["id"]), "not_found", shift["id"])


def test_what_is_not_set_is_not_shown(play: Play) -> None:
    ward = play.ok("create_ward", title="East")
    assert set(ward) == {"id", "title"}
    assert play.ok("update_ward", ward_id=ward["id"], beds=0, open=False, tags=[]) == {
        **ward,
        "beds": 0,
        "open": False,
        "tags": [],
    }


def test_null_takes_a_value_away(play: Play) -> None:
    ward = play.ok("create_ward", title="East", beds=4)
    assert "title" not in play.ok("update_ward", ward_id=ward["id"], title=None)


def test_values_stay_what_they_are(play: Play) -> None:
    note = {"a": [1, 2.5, None, {"b": "é\u2028"}], "c": True}
    ward = play.ok("create_ward", title="'; DROP TABLE ward; --", note=note, beds=2**62, tags=["b", "a"])
    assert (ward["note"], ward["beds"], ward["tags"]) == (note, 2**62, ["b", "a"])
    assert play.ok("create_ward", title="x", since_when="2026-03-05T10:00:00+02:00")["since_when"] in (
        "2026-03-05T08:00:00Z",
        "2026-03-05T08:00:00+00:00",
    )
    refused(play.fails("create_ward", title="East", beds=2**70), "invalid", "beds")


def test_conditions_on_lists_and_flags(play: Play) -> None:
    one = play.ok("create_ward", title="East", tags=["north", "old"], open=True, beds=77)
    found = play.ok("list_wards", tags=["north"])["items"]
    assert found == [one]
    assert play.ok("list_wards", tags=["none"])["items"] == []
    assert play.ok("list_wards", beds=77, open=True)["items"] == [one]
    assert play.ok("list_wards", beds=77, open=False)["items"] == []


def test_a_key_that_callers_choose(compiled: Compile) -> None:
    made = compiled(
        server(
            "rota",
            tool("create_ward", {"name": TEXT, "beds": NUMBER}, ["name"]),
            tool("get_ward", {"name": TEXT}, ["name"]),
            tool("rename_ward", {"name": TEXT, "new_name": TEXT}, ["name", "new_name"]),
            tool("duplicate_ward", {"name": TEXT}, ["name"]),
            tool("list_wards", {}),
            tool("count_wards", {"beds": NUMBER, "opened_after": TEXT}),
        )
    )
    assert made.failed() == {}
    play = made.play()
    ward = play.ok("create_ward", name="East", beds=4)
    refused(play.fails("create_ward", name="East"), "conflict", "East")
    assert play.ok("get_ward", name="East") == ward
    copied = play.ok("duplicate_ward", name="East")
    assert copied["name"] == "East-copy" and copied["beds"] == 4
    refused(play.fails("duplicate_ward", name="East"), "conflict")
    assert play.ok("count_wards", beds=4) == {"count": 2}
    refused(play.fails("count_wards", opened_after="2026-01-01"), "invalid", "opened_after")
    assert len(play.ok("list_wards")["items"]) == 6


def test_a_key_that_is_not_given_takes_no_row_by_chance(compiled: Compile) -> None:
    play = compiled(
        server(
            "rota",
            tool("create_ward", {"title": TEXT}, ["title"]),
            tool("get_ward", {"ward_id": TEXT}, ["ward_id"]),
            tool("create_shift", {"ward_id": TEXT, "starts": MOMENT}, ["ward_id"]),
            tool("delete_shift", {"ward_id": TEXT, "shift_id": TEXT}, ["ward_id"]),
            tool("list_shifts", {"ward_id": TEXT}),
        )
    ).play()
    shift = play.ok("list_shifts")["items"][0]
    refused(play.fails("delete_shift", ward_id=shift["ward_id"]), "invalid", "shift_id")
    assert play.ok("delete_shift", ward_id=shift["ward_id"], shift_id=shift["id"])["deleted"]


def test_given_identifiers(compiled: Compile) -> None:
    play = compiled(
        server(
            "rota",
            tool("create_ward", {"id": TEXT, "title": TEXT}, ["id", "title"]),
            tool("get_ward", {"id": TEXT}, ["id"]),
        )
    ).play()
    assert play.ok("create_ward", id="east", title="East") == {"id": "east", "title": "East"}
    refused(play.fails("create_ward", id="east", title="East"), "conflict", "east")


def test_nested_references(compiled: Compile) -> None:
    play = compiled(
        server(
            "rota",
            tool("create_nurse", {"name": TEXT}, ["name"]),
            tool("get_nurse", {"nurse_id": TEXT}, ["nurse_id"]),
            tool("create_shift", {"title": TEXT, "nurse_ids": TEXTS, "place": things(room=TEXT)}, ["title"]),
            tool("list_shifts", {"nurse_ids": TEXTS}),
        )
    ).play()
    one = play.ok("create_shift", title="night", nurse_ids=["nurse_0001", "nurse_0002"], place={"room": "4"})
    refused(play.fails("create_shift", title="night", nurse_ids=["nurse_0001", "nurse_9"]), "not_found", "nurse_9")
    assert one in play.ok("list_shifts", nurse_ids=["nurse_0002"])["items"]
