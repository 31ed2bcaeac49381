"""The tasks that come with CompoWorld."""

from __future__ import annotations

import pytest

from engine.world import World
from tasks import Task, check, library
from tasks.checking import loose_visits

TASKS = list(library())
SERVICES = {"mail", "calendar", "chat", "tickets", "contacts", "billing", "retail"}


def test_there_are_three() -> None:
    assert len(TASKS) >= 3


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_shape(task: Task) -> None:
    assert 7 <= len(task.walk) <= 12
    assert 4 <= len(task.services) <= 6
    assert 2 <= len(task.distractors) <= 5
    assert set(task.services) | set(task.distractors) <= SERVICES
    assert 5 <= len(task.criteria) <= 9
    assert {item.kind for item in task.criteria} == {"state", "must_not_change", "output", "answer"}
    assert loose_visits(task) == []
    words = task.instruction.lower()
    assert not [call.tool for call in task.reference.calls if call.tool in words]
    assert "_" not in words, "a person does not name identifiers"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_sound(world: World, task: Task) -> None:
    report = check(world, task)
    assert report.ok, report.problems
