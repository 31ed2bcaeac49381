"""The part that a model writes: asked once, recorded, and believed only where the specification says the same."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from engine.world import World
from synth.attack.attack import attack
from synth.attack.minimising import replay_case
from synth.attack.model import AnthropicWriter, cases_of
from synth.attack.world_target import WorldTarget
from synth.models import make_client
from tests.synth.attack.shelf import faulty, shelf

SPECIFICATIONS = {name: tool.specification for name, tool in shelf().tools.items()}

LENT_TWICE = {
    "title": "a book is lent once",
    "steps": [
        {"tool": "list_books", "arguments": {"limit": 5}, "outcome": "any"},
        {
            "tool": "lend_book",
            "arguments": {"book_id": {"$from": [0, "items", 0, "id"]}},
            "outcome": "any",
        },
        {
            "tool": "lend_book",
            "arguments": {"book_id": {"$from": [0, "items", 0, "id"]}},
            "outcome": "refused",
            "passage": "Refused when lent.",
        },
        {
            "tool": "get_book",
            "arguments": {"book_id": {"$from": [0, "items", 0, "id"]}},
            "outcome": "any",
            "passage": "One book. ",
            "shows": [{"path": ["id"], "equals": {"$from": [0, "items", 0, "id"]}}],
        },
    ],
}
MISTAKEN = {
    "title": "what nobody promised",
    "steps": [
        {"tool": "list_shelves", "arguments": {}, "outcome": "refused", "passage": "Nobody may list shelves."},
        {"tool": "list_shelves", "arguments": {"a": 1}, "outcome": "ok"},
    ],
}


def writer(*sequences: Any, asked: list[Any] | None = None) -> AnthropicWriter:
    """A writer whose model hands these in."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        if asked is not None:
            asked.append(json.loads(request.content))
        block = {"type": "tool_use", "id": "t1", "name": "propose", "input": {"sequences": list(sequences)}}
        message = {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "some-model",
            "content": [block],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 900, "output_tokens": 70},
        }
        return httpx2.Response(200, json=message)

    return AnthropicWriter("some-model", client=make_client(httpx2.MockTransport(answer), api_key="k"))


@pytest.mark.unit
def test_the_model_sees_the_specification_alone() -> None:
    asked: list[Any] = []
    written = writer(LENT_TWICE, asked=asked).write("shelf", SPECIFICATIONS)
    assert len(asked) == len(written.conversation) == 1 and len(written.cases) == 1
    shown = asked[0]["messages"][0]["content"][0]["text"]
    assert "Refused when lent." in shown and "bok_0001" not in shown and "shelf_book" not in shown
    assert asked[0]["tool_choice"] == {"type": "tool", "name": "propose"}
    assert written.conversation[0]["output_tokens"] == 70
    json.dumps(written.conversation)


@pytest.mark.unit
def test_what_is_not_of_the_form_is_left_out() -> None:
    step = {"tool": "list_books", "arguments": {}, "outcome": "any"}
    assert not cases_of(None, SPECIFICATIONS) and not cases_of({"sequences": "x"}, SPECIFICATIONS)
    wrong = [
        {"title": "no such tool", "steps": [{**step, "tool": "burn_book"}]},
        {"title": "no steps", "steps": []},
        {"title": "another outcome", "steps": [{**step, "outcome": "maybe"}]},
        {"title": "too long", "steps": [step] * 11},
        7,
    ]
    assert len(cases_of({"sequences": [*wrong, {"title": "right", "steps": [step]}]}, SPECIFICATIONS)) == 1


@pytest.mark.unit
def test_a_passage_must_stand_in_the_specification() -> None:
    first, second = cases_of({"sequences": [LENT_TWICE, MISTAKEN]}, SPECIFICATIONS)
    assert [item["outcome"] for item in first.about["expect"]] == ["any", "any", "refused", "any"]
    assert [item["outcome"] for item in second.about["expect"]] == ["any", "any"]


@pytest.mark.integration
def test_a_right_service_keeps_its_promises_whatever_the_model_believes(world: World) -> None:
    with WorldTarget(world, shelf()) as target:
        report = attack(target, writer=writer(LENT_TWICE, MISTAKEN))
    assert not report.quarantined and report.model == "some-model" and len(report.conversation) == 1
    assert "promise_kept" in {law for item in report.tools for law in item.laws}


@pytest.mark.integration
def test_a_broken_promise_is_a_case_of_the_tool_that_broke_it(world: World) -> None:
    def again(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        found = ctx.require(_book(), given["book_id"])
        return inner(ctx, **given) if found.state != "lent" or found.id != "bok_0003" else found

    # Nothing but this one book shows it, and the model does not know of it either: it is asked about by its state.
    sequence = json.loads(json.dumps(LENT_TWICE).replace('"items", 0', '"items", 2'))
    with WorldTarget(world, faulty("lend_book", again)) as target:
        report = attack(target, writer=writer(sequence))
        verdict = next(item for item in report.tools if item.tool == "lend_book")
        assert all(replay_case(target, case) for case in verdict.cases)


def _book() -> Any:
    from tests.synth.attack.shelf.state import Book

    return Book


@pytest.mark.integration
def test_a_promise_that_only_the_model_asks_about(world: World) -> None:
    calls = {"number": 0}

    def twice(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        book = ctx.require(_book(), given["book_id"])
        if book.state == "lent" and book.title.startswith("Volume 9"):
            calls["number"] += 1
            return book
        return inner(ctx, **given)

    asks = {
        "title": "the ninth volume is lent once",
        "steps": [
            {"tool": "list_books", "arguments": {"query": "Volume 9"}, "outcome": "any"},
            *LENT_TWICE["steps"][1:3],  # type: ignore[index]
        ],
    }
    with WorldTarget(world, faulty("lend_book", twice)) as target:
        assert not attack(target).quarantined
        report = attack(target, writer=writer(asks))
        assert set(report.quarantined) == {"lend_book"}
        (case,) = next(item.cases for item in report.tools if item.tool == "lend_book")
        assert case.law == "promise_kept" and "Refused when lent." in case.expected
        assert replay_case(target, case)
    with WorldTarget(world, shelf()) as right:
        assert not replay_case(right, case)
