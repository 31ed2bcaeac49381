"""A set is the same however it was made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import text

from engine.errors import InputError, NotFound, Refused
from engine.world import World
from tasks.errors import MakingFailed, TaskError, TaskSetError
from tasks.sets.drafts import drafts
from tasks.sets.making import Progress, make
from tasks.sets.rules import Rules
from tasks.sets.store import load_set, making, stored_sets
from tests.tasks.sets.fake import FakeWorkshop

BAD = {"untold": frozenset({1, 5}), "unsound": frozenset({2, 3, 9}), "alike": frozenset({7, 13})}


def rows(world: World, name: str) -> list[tuple[object, ...]]:
    """What a set's candidates became, times and numbers of things aside."""
    with world.database.transaction() as connection:
        return [
            tuple(row)
            for row in connection.execute(
                text(
                    "SELECT d.ordinal, family, area, services, distractors, walk, status, stage, reason,"
                    " document::text, evidence::text FROM compoworld.task_draft d JOIN compoworld.task_set s"
                    " ON s.id = d.set_id WHERE s.name = :name ORDER BY ordinal"
                ),
                {"name": name},
            )
        ]


def test_what_is_admitted(world: World, workshop: FakeWorkshop) -> None:
    seen: list[Progress] = []
    made = make(world, 8, name="first", seed=7, workshop=replace(workshop, **BAD), progress=seen.append)
    assert [member.ordinal for member in made.members] == [0, 4, 6, 8, 10, 11, 12, 14]
    assert made.members[0].task.name == "fake-7-0"
    assert made.finished and made.drafts == 15
    assert {stage: sum(reasons.values()) for stage, reasons in made.rejected.items()} == {
        "write": 2,
        "broken": 3,
        "novelty": 2,
    }
    assert list(made.rejected) == ["write", "broken", "novelty"]
    assert [item["check"] for item in made.members[0].evidence] == ["document", "novelty"]
    assert (seen[-1].admitted, seen[-1].rejected, seen[-1].candidates) == (8, 7, 15)
    with world.database.transaction() as connection:
        kept = connection.execute(text("SELECT * FROM compoworld.task_sets")).one()
        found = {row.stage: row for row in connection.execute(text("SELECT * FROM compoworld.task_yield"))}
    assert (kept.set, kept.seed, kept.admitted, kept.rejected, kept.families) == ("first", 7, 8, 7, 3)
    assert kept.checksum == made.checksum == load_set(world, "first").checksum
    assert (found["balance"].drafts, found["write"].drafts, found["write"].rejected) == (15, 15, 2)
    assert (found["broken"].drafts, found["broken"].rejected) == (13, 3)
    assert (found["novelty"].drafts, found["novelty"].rejected, found["novelty"].share) == (10, 2, 0.2)


def test_more_processes_make_the_same_set(world: World, workshop: FakeWorkshop) -> None:
    bad = replace(workshop, **BAD, pairs=4)
    rules = Rules(per_composition=3, per_family=5)
    one = make(world, 10, name="one", workshop=bad, rules=rules)
    several = make(world, 10, name="several", workshop=bad, rules=rules, jobs=2)
    assert "balance" in one.rejected
    assert several.checksum == one.checksum
    assert rows(world, "several") == rows(world, "one")


def test_interrupted_it_goes_on(world: World, workshop: FakeWorkshop) -> None:
    bad = replace(workshop, **BAD)

    def stop(progress: Progress) -> None:
        if progress.candidates == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(world, 8, name="twice", workshop=bad, progress=stop)
    assert not load_set(world, "twice").finished
    before = sum(bad.begun(ordinal) for ordinal in range(30))
    make(world, 8, name="twice", workshop=bad)
    assert sum(bad.begun(ordinal) for ordinal in range(9)) == 9
    assert sum(bad.begun(ordinal) for ordinal in range(30)) > before
    assert make(world, 8, name="once", workshop=bad).checksum == load_set(world, "twice").checksum
    assert rows(world, "twice") == rows(world, "once")


def test_a_finished_set_is_not_made_again_but_can_grow(world: World, workshop: FakeWorkshop) -> None:
    first = make(world, 3, name="set", workshop=workshop)
    again = make(world, 3, name="set", workshop=workshop)
    assert again.checksum == first.checksum
    assert workshop.begun(0) == 1
    more = make(world, 5, name="set", workshop=workshop)
    assert more.tasks[:3] == first.tasks
    assert len(more.members) == more.wanted == 5
    with pytest.raises(TaskSetError, match="has 5 tasks already"):
        make(world, 3, name="set", workshop=workshop)


def test_another_set_of_the_name_is_refused(world: World, workshop: FakeWorkshop) -> None:
    make(world, 1, name="set", seed=3, workshop=workshop)
    with pytest.raises(TaskSetError, match="seed is 3 there, not 4"):
        make(world, 1, name="set", seed=4, workshop=workshop)
    with pytest.raises(TaskSetError, match="per_composition is 2 there, not 1"):
        make(world, 1, name="set", seed=3, workshop=workshop, rules=Rules(per_composition=1))
    with pytest.raises(TaskSetError, match="dials"):
        make(world, 1, name="set", seed=3, workshop=workshop, dials={"alike": 9})


def test_one_process_makes_a_set(world: World, workshop: FakeWorkshop) -> None:
    number = make(world, 1, name="set", workshop=workshop).id
    assert number is not None
    with making(world, number, "set"), pytest.raises(Refused, match="another process makes the set 'set'"):
        make(world, 2, name="set", workshop=workshop)


def test_too_few_candidates(world: World, workshop: FakeWorkshop) -> None:
    made = make(world, 5, name="few", workshop=replace(workshop, unsound=frozenset(range(1, 99))), most=12)
    assert (len(made.members), made.drafts, made.finished) == (1, 12, False)
    short = make(world, 5, name="short", workshop=replace(workshop, last=2))
    assert (len(short.members), short.finished) == (3, False)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_of_ours_is_no_rejection(world: World, workshop: FakeWorkshop, jobs: int) -> None:
    words = r"candidate 2 \(family family-2, over .*KeyError: 'row' \(tasks/sets/fake\.py, line"
    with pytest.raises(MakingFailed, match=words):
        make(world, 5, name="set", workshop=replace(workshop, broken=2), jobs=jobs)
    assert 2 not in drafts(world, 1)
    assert len(make(world, 5, name="set", workshop=workshop).members) == 5


def test_a_tool_that_fails_costs_another_try(world: World, workshop: FakeWorkshop) -> None:
    twice = replace(workshop, late=1, deaths=2)
    made = make(world, 3, name="twice", workshop=twice)
    assert [member.ordinal for member in made.members] == [0, 1, 2]
    assert twice.begun(1) == 3
    with pytest.raises(MakingFailed, match=r"candidate 1 .* did not return within 10 s"):
        make(world, 3, name="always", workshop=replace(workshop, late=1, deaths=99))


def test_the_death_of_a_process_costs_another_try(world: World, workshop: FakeWorkshop) -> None:
    once = replace(workshop, fatal=4)
    made = make(world, 8, name="once", workshop=once, jobs=2)
    assert [member.ordinal for member in made.members] == list(range(8))
    assert once.begun(4) == 2
    with pytest.raises(MakingFailed, match=r"candidate 4 .* ended twice without a word"):
        make(world, 8, name="always", workshop=replace(workshop, fatal=4, deaths=99), jobs=2)
    assert make(world, 8, name="always", workshop=workshop).checksum == made.checksum


def test_rejected_tasks_leave_nothing_behind(world: World, workshop: FakeWorkshop) -> None:
    bad = replace(workshop, stored=True, unsound=frozenset({1}), alike=frozenset({3}))
    made = make(world, 2, name="kept", workshop=bad, rules=Rules(per_composition=2))
    assert [member.ordinal for member in made.members] == [0, 2]
    assert all(member.task_id is not None for member in made.members)
    with world.database.transaction() as connection:
        names = list(connection.execute(text("SELECT name FROM compoworld.task ORDER BY id")).scalars())
        snapshots = connection.execute(text("SELECT count(*) FROM compoworld.snapshot")).scalar()
        branches = connection.execute(text("SELECT count(*) FROM compoworld.branch")).scalar()
        materialised = connection.execute(
            text("SELECT count(*) FROM compoworld.composition WHERE materialised_at IS NOT NULL")
        ).scalar()
    assert names == ["fake-0-0", "fake-0-2"]
    assert (snapshots, branches, materialised) == (1, 0, 0)


def test_compositions_of_rejected_ones_are_dropped(world: World, workshop: FakeWorkshop) -> None:
    make(world, 1, name="one", workshop=replace(workshop, unsound=frozenset(range(5))))
    with world.database.transaction() as connection:
        assert connection.execute(text("SELECT count(*) FROM compoworld.composition")).scalar() == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n": 0}, "number of tasks"),
        ({"n": True}, "number of tasks"),
        ({"seed": -1}, "seed"),
        ({"jobs": 0}, "processes"),
        ({"most": 0}, "candidates"),
        ({"name": "No Name"}, "small letters"),
        ({"families": ["unknown"]}, "no family"),
    ],
)
def test_bad_input(world: World, workshop: FakeWorkshop, changes: dict[str, object], words: str) -> None:
    arguments = {"n": 1, "name": "set", "workshop": workshop, **changes}
    with pytest.raises(InputError, match=words):
        make(world, **arguments)  # type: ignore[arg-type]
    assert stored_sets(world) == []
    with pytest.raises(NotFound):
        load_set(world, "set")
    assert issubclass(TaskSetError, TaskError)
