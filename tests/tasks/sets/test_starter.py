"""The set that comes with CompoWorld: whole, sound, and made the same again on every machine and server."""

from __future__ import annotations

import pytest

from engine.world import World
from tasks import check
from tasks.authoring import plans, write
from tasks.sets.document import Member, TaskSet, composition_of
from tasks.sets.files import packaged_set

AGAIN = 4
"""How many of the tasks are written again."""


@pytest.fixture(scope="module")
def starter() -> TaskSet:
    """The set, as it is in the package."""
    found = packaged_set("starter")
    assert found is not None
    return found


def test_it_has_24_tasks_of_every_area(starter: TaskSet) -> None:
    tasks = [member.task for member in starter.members]
    assert len(tasks) == 24
    assert {task.origin.area for task in tasks if task.origin} == {
        *("sales", "marketing", "operations", "support", "finance", "people", "private life")
    }
    assert len({task.origin.family for task in tasks if task.origin}) == 24
    assert all(member.evidence and all(item["passed"] for item in member.evidence) for member in starter.members)


def test_train_and_test_share_no_composition(starter: TaskSet) -> None:
    parts: dict[str | None, set[tuple[str, ...]]] = {}
    for member in starter.members:
        parts.setdefault(member.split, set()).add(composition_of(member.task.services))
    assert parts.keys() == {"train", "test"}
    assert not parts["train"] & parts["test"]


def test_they_are_written_the_same_again(world: World, starter: TaskSet) -> None:
    """Equal to the committed ones, whatever machine and version of PostgreSQL they were written on."""
    wanted = {member.task.origin.seed: member for member in _some(starter) if member.task.origin}
    for plan in plans(starter.seed):
        if (member := wanted.pop(plan.seed, None)) is not None:
            assert write(world, plan).document() == member.task.document()
        if not wanted:
            break


def test_some_of_them_are_sound_here(world: World, starter: TaskSet) -> None:
    for member in _some(starter):
        report = check(world, member.task)
        assert report.ok, report.problems


def _some(starter: TaskSet) -> list[Member]:
    return starter.members[:: len(starter.members) // AGAIN][:AGAIN]
