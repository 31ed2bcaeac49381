"""References of a solution to what was observed before."""

from __future__ import annotations

from typing import Any

import pytest

from tasks.errors import UnresolvedReference
from tasks.templates import names_used, resolve, template_problem

SEEN = {
    "ok": True,
    "data": {
        "items": [{"id": "a1", "n": 1, "who": {"email": "x@y.example"}}, {"id": "a2", "n": 2.5}],
        "body": "It costs EUR 1,210.50, or 12 pairs.",
    },
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("as it is", "as it is"),
        ({"$from": "seen", "path": "data.items.0.id"}, "a1"),
        ({"$from": "seen", "path": "data.items.-1.n"}, 2.5),
        ({"$from": "seen", "path": "data.items.[id=a2].n"}, 2.5),
        ({"$from": "seen", "path": "data.items.[n=1].who.email"}, "x@y.example"),
        ({"$from": "seen", "path": "data.items.0.who"}, {"email": "x@y.example"}),
        ({"$from": "seen", "path": "data.body", "match": "EUR ([0-9,.]+\\d)"}, "1,210.50"),
        ({"$from": "seen", "path": "data.body", "match": "EUR ([0-9,.]+\\d)", "as": "number"}, 1210.5),
        ({"$from": "seen", "path": "data.body", "match": "(\\d+) pairs", "as": "number"}, 12),
        ({"$text": "{id}: {n}", "id": {"$from": "seen", "path": "data.items.0.id"}, "n": 3}, "a1: 3"),
        ({"$text": "{x}", "x": "{x}"}, "{x}"),
        ([{"deep": [{"$from": "seen", "path": "ok"}]}], [{"deep": [True]}]),
    ],
)
def test_values(value: Any, expected: Any) -> None:
    assert template_problem(value) is None
    resolved = resolve(value, {"seen": SEEN})
    assert resolved == expected
    assert type(resolved) is type(expected)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"$from": "other", "path": "data"}, "no observation is kept as 'other'"),
        ({"$from": "seen", "path": "data.items.2.id"}, "nothing at data.items.2"),
        ({"$from": "seen", "path": "data.lost.id"}, "nothing at data.lost"),
        ({"$from": "seen", "path": "data.items.id"}, "nothing at data.items.id"),
        ({"$from": "seen", "path": "data.items.[id=a3]"}, "nothing at data.items.[id=a3]"),
        ({"$from": "seen", "path": "ok.x"}, "nothing at ok.x"),
        ({"$from": "seen", "path": "data.body", "match": "USD (\\d)"}, "nothing matches"),
        ({"$from": "seen", "path": "data.items", "match": "(a)"}, "nothing matches"),
        ({"$from": "seen", "path": "data.body", "match": "(It)", "as": "number"}, "not a number"),
    ],
)
def test_what_is_not_there(value: Any, words: str) -> None:
    with pytest.raises(UnresolvedReference) as caught:
        resolve(value, {"seen": SEEN})
    assert words in str(caught.value)


def test_an_expression_that_takes_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.templates.MATCH_SECONDS", 0.05)
    value = {"$from": "seen", "path": "body", "match": "^((?:a|aa|aaa)+)$"}
    with pytest.raises(UnresolvedReference, match="nested repeats"):
        resolve(value, {"seen": {"body": "a" * 60 + "!"}})


@pytest.mark.parametrize(
    "value",
    [
        {"$from": "a"},
        {"$from": "a", "path": ""},
        {"$from": "a", "path": "b."},
        {"$from": "a", "path": "b[0"},
        {"$from": 1, "path": "b"},
        {"$from": "a", "path": "b", "else": "c"},
        {"$from": "a", "path": "b", "match": "("},
        {"$from": "a", "path": "b", "match": "no group"},
        {"$from": "a", "path": "b", "as": "number"},
        {"$from": "a", "path": "b", "match": "(c)", "as": "date"},
        {"$text": 1},
        {"$text": "{a}"},
        {"$text": "x", "a": 1},
        [{"x": {"$from": "a"}}],
    ],
)
def test_malformed(value: Any) -> None:
    assert template_problem(value)


def test_names_used_in_order() -> None:
    value = {"a": {"$from": "x", "path": "p"}, "b": [{"$text": "{c}", "c": {"$from": "y", "path": "p"}}]}
    assert list(names_used(value)) == ["x", "y"]
