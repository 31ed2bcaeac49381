"""The parts of the gate that need no database: arguments, texts, numbers and dates."""

from __future__ import annotations

from typing import Any

import pytest

from tasks.admission.arguments import is_free, replaced, reworded, schema_at
from tasks.admission.instruction import distinctive
from tasks.admission.occurrences import Occurrences, as_number, mentions, occurs
from tasks.parts import parts
from tasks.templates import resolve

SAVED = {"seen": {"data": {"id": "row_1", "amount": 12.5}}}
ARGUMENTS: dict[str, Any] = {
    "id": {"$from": "seen", "path": "data.id"},
    "lines": [{"amount": {"$calc": "a * 2", "a": {"$from": "seen", "path": "data.amount"}}, "kind": "net"}],
    "body": {"$text": "It is {n}, for {who}.", "n": {"$from": "seen", "path": "data.amount"}, "who": "Ulla"},
    "words": {"$text": "As agreed."},
    "empty": None,
}


def test_the_parts_that_matter() -> None:
    found = {part.place: (part.value, part.in_text) for part in parts(ARGUMENTS, SAVED)}
    assert found == {
        "id": ("row_1", False),
        "lines.0.amount": (25, False),
        "lines.0.kind": ("net", False),
        "body.n": (12.5, True),
        "body.who": ("Ulla", True),
    }


def test_a_part_is_replaced() -> None:
    part = next(part for part in parts(ARGUMENTS, SAVED) if part.place == "lines.0.amount")
    assert resolve(replaced(ARGUMENTS, part.path, 7), SAVED)["lines"] == [{"amount": 7, "kind": "net"}]
    assert part.names == {"seen"}
    who = next(part for part in parts(ARGUMENTS, SAVED) if part.place == "body.who")
    assert resolve(replaced(ARGUMENTS, who.path, "Vera"), SAVED)["body"] == "It is 12.5, for Vera."


def test_free_words_are_said_otherwise() -> None:
    told = resolve(reworded(ARGUMENTS), SAVED)
    assert {name: value for name, value in told.items() if name not in ("body", "words")} == {
        name: value for name, value in resolve(ARGUMENTS, SAVED).items() if name not in ("body", "words")
    }
    assert "12.5" in told["body"]
    assert "Ulla" in told["body"]
    assert "It is 12.5" not in told["body"]
    assert told["words"] != "As agreed."


@pytest.mark.parametrize(
    ("text", "free"),
    [("{day}T{time}:00Z", False), ("{first} {last}", False), ("{a}/{b}", False), ("see {x}", True), ("Done.", True)],
)
def test_what_is_free(text: str, free: bool) -> None:
    assert is_free(text) is free


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("Pay EUR 1,250.00 today", 1250, True),
        ("Pay EUR 1,250.00 today", 250, False),
        ("Pay 11250 today", 1250, False),
        ("The three of them", 3, True),
        ("The three of them", "3", True),
        ("Send it by 9 March at 7:30", 9, False),
        ("Send 9 by 9 March", 9, True),
        ("Send it by 9 March", "2026-03-09", True),
        ("Send it by the 9th of March.", "2026-03-09", True),
        ("Send it on March 9, please", "2026-03-09", True),
        ("Send it by 19 March", "2026-03-09", False),
        ("We meet on 9 March", "2026-03-09T15:00:00Z", False),
        ("We meet on 9 March at 3 pm", "2026-03-09T15:00:00Z", True),
        ("We meet on 9 March at 15:00", "2026-03-09T15:00:00Z", True),
        ("ask Ulla\nBok", "Ulla Bok", True),
        ("ask Ulla Boksen", "Ulla Bok", False),
        ("see KX-44", "KX-4", False),
        ("ask Ulla and Bok", ["Ulla", "Bok"], True),
        ("ask Ulla", ["Ulla", "Bok"], False),
        ("yes, true", True, False),
        ("seven and a half for each", 7.5, True),
        ("seven for each", 7.5, False),
        ("twenty-one of them", 21, True),
        ("ninety nine of them", 99, True),
        ("one hundred and twenty of them", 120, True),
        ("two dozen of them", 24, True),
        ("4 8 . 5 0 for each", 48.5, True),
        ("four eight point five for each", 48.5, True),
        ("1 250,50 for each", 1250.5, True),
        ("EUR48.50 for each", 48.5, True),
        ("box K X 4 4", "KX-44", True),
        ("box KX 445", "KX-44", False),
    ],
)
def test_what_a_text_mentions(text: str, value: Any, told: bool) -> None:
    assert mentions(text, value) is told


def test_where_values_stand() -> None:
    seen = Occurrences(
        {
            "shop_item": {
                "it_1": {"id": "it_1", "name": "Wool hat", "price": 12.5, "tags": ["red", "warm"]},
                "it_2": {"id": "it_2", "name": "Hat box for it_1", "price": 3, "tags": []},
            }
        }
    )
    tables = {"shop_item", "shop_other"}
    assert list(seen.holding("it_1", tables)) == [("shop_item", "it_1", "id"), ("shop_item", "it_2", "name")]
    assert list(seen.holding("12.50", tables)) == [("shop_item", "it_1", "price")]
    assert list(seen.holding("warm", tables)) == [("shop_item", "it_1", "tags")]
    assert list(seen.holding("Wool", {"shop_other"})) == []
    assert seen.values("shop_item", "tags") == ["red", "warm"]
    assert seen.columns["3"] == {("shop_item", "price")}


def test_small_things() -> None:
    assert occurs("mem_elena_sorokina", "Elena")
    assert not occurs("elenas", "elena")
    assert as_number("1,250.5") == 1250.5
    assert as_number("4-2") is None
    assert as_number(True) is None
    schema = {"properties": {"lines": {"items": {"properties": {"kind": {"enum": ["a"]}}}}}}
    assert schema_at(schema, ("lines", 0, "kind")) == {"enum": ["a"]}
    assert schema_at(schema, ("nothing", 0)) == {}


def test_what_singles_out() -> None:
    text = 'Ask Elena about "Spring Fair" and KX-44. She paid 216.50 to Brightwater\'s desk on Monday.'
    assert distinctive(text) == ["spring fair", "elena", "kx-44", "brightwater", "216.50"]
