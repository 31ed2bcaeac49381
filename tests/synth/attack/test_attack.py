"""The attack on a small service: clean as it is, and with one fault at a time."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from engine.calls import CallResult
from engine.errors import ToolError
from engine.kit import jsonable
from engine.world import World
from synth.attack.attack import attack, attack_service
from synth.attack.laws import LAWS
from synth.attack.minimising import replay_case
from synth.attack.mutation.operators import OPERATORS, places
from synth.attack.report import AttackReport
from synth.attack.world_target import WorldTarget
from tests.synth.attack.conftest import Census
from tests.synth.attack.shelf import faulty, shelf
from tests.synth.attack.shelf.state import Book, Shelf

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def clean(world: World) -> AttackReport:
    return attack_service(world, shelf())


def test_a_right_service_is_verified(clean: AttackReport) -> None:
    assert not clean.quarantined
    assert clean.verified == list(shelf().tools)
    assert 40 <= clean.calls / len(clean.tools) <= 110
    laws = {item.tool: set(item.laws) for item in clean.tools}
    assert {
        "pages_agree",
        "filters_together",
        "filter_holds",
        "filter_complete",
        "limit_kept",
        "search_nothing",
        "search_finds",
    } <= laws["list_books"]
    assert {
        "created_one",
        "created_anew",
        "created_kept",
        "created_got",
        "created_listed",
        "id_new",
        "invalid_refused",
    } <= laws["create_book"]
    assert {"update_shows", "update_keeps", "others_unchanged", "unknown_refused"} <= laws["update_book"]
    assert {"deleted_one", "deleted_gone", "deleted_unlisted", "deleted_once", "stated_refusal"} <= laws["delete_book"]
    assert "answer_conforms" in laws["get_book"]
    assert all("repeatable" in found and "no_fault" in found for found in laws.values())


def test_nothing_stays_behind(world: World, census: Census) -> None:
    before = census()
    attack_service(world, shelf())
    assert census() == before


class Recording(WorldTarget):
    """A target that keeps the calls that are made."""

    made: list[tuple[str, str]]

    def call(self, branch: int, tool: str, arguments: dict[str, Any]) -> CallResult:
        self.made = [*getattr(self, "made", []), (tool, repr(arguments))]
        return super().call(branch, tool, arguments)


def test_the_same_seed_attacks_alike(world: World, clean: AttackReport) -> None:
    made = []
    for seed in (0, 0, 7):
        with Recording(world, shelf()) as target:
            report = attack(target, seed=seed, version=target.version)
            assert not report.quarantined
            made.append((target.made, replace(report, seconds=0.0)))
    assert made[0] == made[1] and made[0][1] == replace(clean, seconds=0.0)
    assert made[0][0] != made[2][0]


_COUNTER = itertools.count()


def _without(name: str) -> Callable[..., Any]:
    return lambda inner, ctx, given: inner(ctx, **{key: value for key, value in given.items() if key != name})


def _skipping(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    page = inner(ctx, **given)
    return {**page, "items": page["items"][1:]} if given.get("cursor") else page


def _shuffled(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    page = jsonable(inner(ctx, **given))
    random.SystemRandom().shuffle(page["items"])
    return page


def _writing(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    found = jsonable(inner(ctx, **given))
    ctx.require(Book, "bok_0001").author = "Somebody"
    return found


def _kept(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    try:
        return inner(ctx, **given)
    except ToolError:
        ctx.require(Shelf, "shf_hall").place = "Cellar"
        ctx._session.keep()
        raise


def _forgiving(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    try:
        return inner(ctx, **given)
    except ToolError:
        return {}


def _deleting_more(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    done = inner(ctx, **given)
    ctx.delete(ctx.first(Book))
    return done


def _neighbour(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    other = next(item.id for item in ctx.list(Book) if item.id != given["book_id"])
    return inner(ctx, **{**given, "book_id": other})


def _lent_again(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    ctx.require(Book, given["book_id"]).state = "in"
    return inner(ctx, **given)


def _changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[..., Any]:
    return lambda inner, ctx, given: inner(ctx, **change(dict(given)))


def _texts(change: Callable[[str], str]) -> Callable[..., Any]:
    return _changed(
        lambda given: {
            key: change(value) if isinstance(value, str) and key in ("title", "author") else value
            for key, value in given.items()
        }
    )


def _doubling(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    inner(ctx, **given)
    return inner(ctx, **given)


def _finding(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    there = [book for book in ctx.list(Book) if book.title == given["title"].strip()]
    return there[0] if there else inner(ctx, **given)


def _tracing(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
    done = inner(ctx, **given)
    ctx.add(Book(id=ctx.new_id("bok"), shelf_id="shf_hall", title="Trace", pages=1, added_at=ctx.now()))
    return done


FAULTS: dict[str, tuple[str, Callable[..., Any], str]] = {
    "a page skips a row": ("list_books", _skipping, "pages_agree"),
    "a filter is ignored": ("list_books", _without("genre"), "filter_holds"),
    "a lower bound is ignored": ("list_books", _without("min_pages"), "filter_holds"),
    "a search is ignored": ("list_books", _without("query"), "search_nothing"),
    "the limit is ignored": ("list_books", _without("limit"), "limit_kept"),
    "no order": ("list_books", _shuffled, "repeatable"),
    "a read writes": ("get_book", _writing, "no_fault"),
    "a value is dropped": ("create_book", _without("author"), "created_kept"),
    "an update is lost": ("update_book", _without("pages"), "update_shows"),
    "an update does more": (
        "update_book",
        lambda inner, ctx, given: inner(ctx, **{"author": "Nobody", **given}),
        "update_keeps",
    ),
    "the wrong thing is changed": ("update_book", _neighbour, "update_shows"),
    "nothing is deleted": ("delete_book", lambda inner, ctx, given: {"deleted": given["book_id"]}, "deleted_gone"),
    "too much is deleted": ("delete_book", _deleting_more, "others_unchanged"),
    "a refusal keeps a change": ("lend_book", _kept, "refusal_changes_nothing"),
    "a refusal is swallowed": ("get_book", _forgiving, "unknown_refused"),
    "a state is not looked at": ("lend_book", _lent_again, "stated_refusal"),
    "the answer is of another form": (
        "get_book",
        lambda inner, ctx, given: {"id": given["book_id"]},
        "answer_conforms",
    ),
    "a counter of the process": (
        "create_book",
        lambda inner, ctx, given: {**inner(ctx, **given).values(), "number": next(_COUNTER)},
        "repeatable",
    ),
    "the machine's clock": (
        "lend_book",
        lambda inner, ctx, given: {**inner(ctx, **given).values(), "at": datetime.now(UTC).isoformat()},
        "repeatable",
    ),
    "a clock that counts seconds": (
        "return_book",
        lambda inner, ctx, given: {**inner(ctx, **given).values(), "at": int(time.time())},
        "repeatable",
    ),
    "False is dropped": (
        "update_book",
        _changed(lambda given: {key: value for key, value in given.items() if value is not False}),
        "update_shows",
    ),
    "a long text is cut": ("create_book", _texts(lambda text: text[:60]), "created_kept"),
    "odd letters are lost": (
        "update_book",
        _texts(lambda text: text.encode("ascii", "ignore").decode()),
        "update_shows",
    ),
    "quotes are eaten": ("create_book", _texts(lambda text: text.replace('"', "")), "created_kept"),
    "two values at once change a third": (
        "update_book",
        _changed(lambda given: {"author": "Nobody", **given} if len(given) > 2 else given),
        "update_keeps",
    ),
    "two are created": ("create_book", _doubling, "created_one"),
    "the same again is found": ("create_book", _finding, "created_anew"),
    "a deletion adds a row": ("delete_book", _tracing, "deleted_one"),
    "a filter for False is ignored": (
        "list_books",
        _changed(lambda given: {**given, "signed": given.get("signed") or None}),
        "filter_holds",
    ),
    "the second filter is ignored": (
        "list_books",
        _changed(lambda given: {**given, "signed": None} if given.get("genre") else given),
        "filters_together",
    ),
    "a filter is lost on the second page": (
        "list_books",
        _changed(lambda given: {**given, "genre": None, "signed": None} if given.get("cursor") else given),
        "filter_holds",
    ),
    "a failure": ("lend_book", lambda inner, ctx, given: 1 / 0, "no_fault"),
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda name: name.replace(" ", "-"))
def test_a_fault_is_found_and_can_be_shown_again(world: World, census: Census, fault: str) -> None:
    tool, around, law = FAULTS[fault]
    before = census()
    with WorldTarget(world, faulty(tool, around)) as target:
        report = attack(target)
        assert tool in report.quarantined, report.quarantined
        verdict = next(item for item in report.tools if item.tool == tool)
        case = next((item for item in verdict.cases if item.law == law), None)
        assert case is not None, [(item.law, item.expected, item.found) for item in verdict.cases]
        assert law in verdict.laws and law in LAWS
        assert len(case.steps) <= int(case.about["core"]) + 2  # what creates the thing, and what gave it another value
        assert replay_case(target, case)
    with WorldTarget(world, shelf()) as right:
        assert not replay_case(right, case)
    assert census() == before


def test_a_tool_that_always_refuses_is_quarantined_with_what_it_says(world: World) -> None:
    def refusing(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        ctx.fail("forbidden", "Nobody may.")

    report = attack_service(world, faulty("lend_book", refusing))
    assert report.quarantined == {"lend_book": "no valid call was found: forbidden: Nobody may."}


def test_a_tool_that_takes_what_its_schema_forbids_is_found(world: World) -> None:
    service = shelf()
    mutant = next(
        item
        for place in places(service)
        if place.tool.name == "list_books"
        for item in OPERATORS["missing_validation"][1](place)
        if item.where == "genre"
    )
    report = attack_service(world, mutant.planted(service))
    verdict = next(item for item in report.tools if item.tool == "list_books")
    assert {case.law for case in verdict.cases} == {"invalid_refused"}
    assert all(len(case.steps) == 1 for case in verdict.cases)


def test_an_unstable_tool_is_failed(world: World) -> None:
    def unstable(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        return {**inner(ctx, **given).values(), "lot": random.SystemRandom().random()}

    report = attack_service(world, faulty("get_book", unstable))
    assert "repeatable" in {case.law for item in report.tools for case in item.cases if item.tool == "get_book"}


def test_an_attack_that_runs_out_of_time(world: World, census: Census) -> None:
    before = census()
    with WorldTarget(world, shelf()) as target:
        report = attack(target, seconds=0)
    assert {item.verdict for item in report.tools} == {"quarantined"}
    assert {item.reason for item in report.tools} == {"the attack ran out of time"}
    assert census() == before


def test_what_was_found_before_the_time_was_over_is_said(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with WorldTarget(world, faulty("lend_book", lambda inner, ctx, given: 1 / 0)) as target:
        calls = itertools.count()
        monkeypatch.setattr(time, "monotonic", lambda: next(calls))
        report = attack(target, seconds=400)
    reasons = {item.tool: item.reason for item in report.tools}
    assert reasons.pop("lend_book").startswith("no_fault")
    assert "the attack ran out of time" in reasons.values()
