"""The mutation run, on the small service."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.database import Database
from engine.errors import InputError
from engine.library import Library
from engine.world import World
from synth.attack.mutation.operators import OPERATORS, mutants, places
from synth.attack.mutation.planting import refusal_of, tree_of, without_check
from synth.attack.mutation.running import MutationReport, run
from synth.attack.mutation.sites import reach
from tests.synth.attack.conftest import Census
from tests.synth.attack.shelf import shelf, tools


@pytest.fixture(scope="module")
def shelves(attack_url: str) -> Iterator[World]:
    with World(Database(attack_url).open(), Library([shelf()])) as world:
        yield world


@pytest.mark.unit
def test_what_a_tool_reaches_is_read_from_its_source() -> None:
    found = reach(tools.delete_book)
    assert found.methods == {"require", "fail", "delete"}
    assert [function.__name__ for function in found.functions] == ["delete_book"]


@pytest.mark.unit
def test_a_check_is_taken_out_of_the_code_alone() -> None:
    function = reach(tools.lend_book).functions[0]
    made = without_check(function, 0)
    assert made is not None
    code, said = made
    assert "lent already" in said and code != function.__code__
    assert without_check(function, 1) is None
    assert sum(refusal_of(node) is not None for node in tree_of(function).body[0].body if hasattr(node, "test")) == 1  # type: ignore[attr-defined]


@pytest.mark.unit
def test_places_come_from_source_and_specification_and_the_choice_from_the_seed() -> None:
    first = [item.name for item in mutants(shelf(), 0, 2)]
    assert first == [item.name for item in mutants(shelf(), 0, 2)]
    assert len(first) > 20 and first != [item.name for item in mutants(shelf(), 5, 2)]
    every = [item for place in places(shelf()) for item in OPERATORS["ignored_filter"][1](place)]
    assert [item.where for item in every] == ["query", "shelf_id", "genre", "signed", "min_pages"]


@pytest.mark.integration
def test_the_faults_of_a_small_service_are_caught(shelves: World, census: Census) -> None:
    before = census()
    code = tools.lend_book.__code__
    report = run(shelves, ["shelf"], most=1)
    figures = report.as_json()
    assert census() == before and tools.lend_book.__code__ is code
    assert figures["mutants"] == len(report.tried) > 15
    assert figures["rate"] >= 0.9, figures["survivors"]
    assert all(item.by for item in report.tried if item.fate == "caught")


@pytest.mark.integration
def test_operators_can_be_chosen(shelves: World) -> None:
    report = run(shelves, ["shelf"], operators=["swallowed_limit"])
    assert [(item.mutant.operator, item.fate) for item in report.tried] == [("swallowed_limit", "caught")]
    with pytest.raises(InputError, match="no operator"):
        run(shelves, ["shelf"], operators=["everything"])


@pytest.mark.unit
def test_without_mutants_nothing_is_missed() -> None:
    assert MutationReport([], 0).rate == 1.0
