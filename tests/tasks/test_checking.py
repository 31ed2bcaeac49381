"""The check of a task: what it finds."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from engine.world import World
from tasks import StoredTask, Task, check
from tasks.checking import loose_visits
from tasks.document import CriterionText
from tests.toys import toy_task


def with_criterion(**changes: Any) -> Task:
    task = toy_task()
    criteria = [task.criteria[0].model_copy(update=changes), *task.criteria[1:]]
    return task.model_copy(update={"name": "toy-checked", "criteria": criteria})


def test_a_sound_task(world: World, toy: StoredTask) -> None:
    report = check(world, toy)
    assert report.ok, report.problems
    assert len(report.runs) == 2
    assert report.runs[0].digest == report.runs[1].digest
    assert report.runs[0].answer is not None
    assert [item.passed for item in report.untouched] == [False, False, True, False, False]


def test_it_leaves_no_branches(world: World, toy: StoredTask) -> None:
    def branches() -> Any:
        with world.database.transaction() as connection:
            return connection.execute(text("SELECT count(*) FROM compoworld.branch")).scalar()

    before = branches()
    check(world, toy)
    assert branches() == before


def test_a_criterion_that_holds_already(world: World) -> None:
    report = check(world, with_criterion(sql="SELECT count(*) >= 2 AS passed FROM notes_note"))
    assert report.problems == ["criterion parcel-sent (state) holds on the untouched initial state"]


def test_doing_nothing_passes(world: World) -> None:
    only = CriterionText(name="calm", kind="must_not_change", description="x", sql="SELECT true AS passed")
    report = check(world, toy_task().model_copy(update={"name": "toy-calm", "criteria": [only]}))
    assert report.problems == ["doing nothing passes"]


def test_a_criterion_that_the_solution_does_not_meet(world: World) -> None:
    sql = "SELECT count(*) = 9 AS passed, 9 AS expected, count(*) AS actual FROM notes_note"
    report = check(world, with_criterion(sql=sql))
    assert report.problems == ["criterion parcel-sent does not hold after the reference solution: expected 9, actual 3"]


def test_a_criterion_that_errs(world: World) -> None:
    report = check(world, with_criterion(sql="SELECT 1 / (count(*) - 3) > 0 AS passed FROM notes_note"))
    assert any("division by zero" in problem for problem in report.problems)


def test_a_must_not_change_that_never_held(world: World) -> None:
    report = check(world, with_criterion(kind="must_not_change"))
    assert report.problems == ["criterion parcel-sent (must_not_change) does not hold on the untouched initial state"]


def test_a_call_that_fails(world: World) -> None:
    task = toy_task()
    calls = list(task.reference.calls)
    calls[-1] = calls[-1].model_copy(update={"arguments": {"id": "note_99"}})
    reference = task.reference.model_copy(update={"calls": calls})
    report = check(world, task.model_copy(update={"name": "toy-fails", "reference": reference}))
    assert "reference, call 8 (notes.finish_note): There is no note 'note_99'." in report.problems
    assert not report.runs


def test_a_reference_to_nothing(world: World) -> None:
    task = toy_task()
    calls = list(task.reference.calls)
    calls[1] = calls[1].model_copy(update={"arguments": {"receiver": {"$from": "found", "path": "data.x"}, "price": 1}})
    reference = task.reference.model_copy(update={"calls": calls})
    report = check(world, task.model_copy(update={"name": "toy-lost", "reference": reference}))
    assert "reference: call 1 (parcels.pack): found has nothing at data.x" in report.problems


@pytest.mark.parametrize("visit", [2, 7])
def test_an_edge_that_carries_nothing(visit: int) -> None:
    task = toy_task()
    assert loose_visits(task) == []
    place = {2: 1, 7: len(task.reference.calls) - 1}[visit]
    calls = list(task.reference.calls)
    calls[place] = calls[place].model_copy(update={"arguments": {}})
    reference = task.reference.model_copy(update={"calls": calls})
    assert loose_visits(task.model_copy(update={"reference": reference})) == [visit]
