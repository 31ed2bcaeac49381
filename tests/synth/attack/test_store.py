"""Attacks in the database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import NotFound
from engine.world import World
from synth.attack.report import AttackReport, Case, Step, ToolVerdict
from synth.attack.store import get_attack, latest_attack, put_attack

pytestmark = pytest.mark.integration

CASE = Case(
    "lend_book",
    "no_fault",
    (Step("list_books", {}), Step("lend_book", {"book_id": {"$from": [0, "items", 1, "id"]}}, watch=True, twice=True)),
    "an answer",
    "fault: \x00",
    {"core": 1, "odd": "\u0000\ud800"},
)
REPORT = AttackReport(
    "shelf",
    "v1",
    3,
    (
        ToolVerdict("get_book", "verified", "kept 5 laws", ("no_fault", "repeatable"), 40),
        ToolVerdict(
            "lend_book", "quarantined", "no_fault: ...", ("no_fault",), 12, (CASE, replace(CASE, law="id_new"))
        ),
    ),
    52,
    0.5,
    "some-model",
    ({"messages": [{"role": "user", "content": "x"}], "response": []},),
)


def test_an_attack_comes_back_as_it_was(world: World) -> None:
    number = put_attack(world.database, REPORT)
    found = get_attack(world.database, number)
    expected = [replace(case, found=case.found.replace("\x00", "\\0")) for case in REPORT.tools[1].cases]
    assert found == replace(REPORT, tools=(REPORT.tools[0], replace(REPORT.tools[1], cases=tuple(expected))))
    assert found.quarantined == {"lend_book": "no_fault: ..."} and found.verified == ["get_book"]


def test_the_last_attack_on_a_service(world: World) -> None:
    assert latest_attack(world.database, "other") is None
    first = put_attack(world.database, replace(REPORT, service="other"))
    second = put_attack(world.database, replace(REPORT, service="other", version="v2"))
    assert latest_attack(world.database, "other") == second
    assert latest_attack(world.database, "other", "v1") == first
    with pytest.raises(NotFound):
        get_attack(world.database, 10**9)
