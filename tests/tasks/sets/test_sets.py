"""Splits, files, card, yield: what is done with a set that was made."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import InputError
from engine.world import World
from tasks.errors import TaskFileError, TaskSetError
from tasks.sets import files
from tasks.sets.card import card, figures, markdown
from tasks.sets.document import Member, TaskSet, composition_of
from tasks.sets.files import read_set, write_set
from tasks.sets.finding import at_hand, find, find_set, sets_with
from tasks.sets.making import make
from tasks.sets.splits import divided, split
from tasks.sets.store import insert_set, keep_splits, load_set
from tasks.sets.yields import STAGES, short_reason, yield_of, yield_written
from tests.cli.conftest import Program
from tests.tasks.sets.fake import FakeWorkshop


def members(workshop: FakeWorkshop, count: int, pairs: int) -> list[Member]:
    """Tasks over so many compositions."""
    some = replace(workshop, pairs=pairs, last=count - 1)
    plans = some.plans(3, {}, None)
    return [Member(2 * plan.ordinal, some.write(None, plan)) for plan in plans]  # type: ignore[arg-type]


@pytest.fixture
def made(workshop: FakeWorkshop) -> TaskSet:
    """Ten tasks over four compositions."""
    found = tuple(replace(item, split="test" if item.ordinal < 6 else "train") for item in members(workshop, 10, 4))
    return TaskSet("ten", 3, {"dials": {}}, 10, found, 14, {"write": {"no room for 'x' here": 3, "no 7": 1}})


@pytest.mark.parametrize("seed", range(5))
def test_splits_share_no_composition(workshop: FakeWorkshop, seed: int) -> None:
    found = members(workshop, 40, 17)
    parts = split(found, test=0.25, validation=0.1, seed=seed)
    assert set(parts) == {item.ordinal for item in found}
    compositions: dict[str, set[tuple[str, ...]]] = {}
    for item in found:
        compositions.setdefault(parts[item.ordinal], set()).add(composition_of(item.task.services))
    assert not compositions["train"] & compositions["test"]
    assert not compositions["validation"] & (compositions["train"] | compositions["test"])
    counts = [list(parts.values()).count(part) for part in ("train", "validation", "test")]
    assert abs(counts[2] - 10) <= 1 and abs(counts[1] - 4) <= 1
    assert split(list(reversed(found)), test=0.25, validation=0.1, seed=seed) == parts
    assert split(found, test=0.25, validation=0.1, seed=seed + 1) != parts


@pytest.mark.parametrize(
    ("test", "validation", "words"),
    [(1.0, 0, "less than 1"), (-0.1, 0, "from 0"), (0.6, 0.4, "leave nothing"), (0.01, 0, "small enough")],
)
def test_shares_that_cannot_be(workshop: FakeWorkshop, test: float, validation: float, words: str) -> None:
    with pytest.raises(InputError, match=words):
        split(members(workshop, 10, 2), test=test, validation=validation)


def test_out_and_in_again(world: World, made: TaskSet, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "set"
    sums = write_set(made, folder)
    assert read_set(folder).members == made.members
    assert read_set(folder).rejected == made.rejected
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert write_set(read_set(folder), folder) == sums
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    number, new = insert_set(world, read_set(folder))
    assert new and insert_set(world, read_set(folder)) == (number, False)
    stored = load_set(world, "ten")
    assert stored.checksum == made.checksum
    assert [(item.task, item.split) for item in stored.members] == [(item.task, item.split) for item in made.members]
    with pytest.raises(TaskSetError, match="another set 'ten' already"):
        insert_set(world, replace(made, members=made.members[:5]))
    found = find(world, "fake-3-4")
    assert (found.task, found.task_set, found.split, found.id) == (made.tasks[4], "ten", "train", None)
    with pytest.raises(TaskFileError, match="no such task"):
        find(world, "no such")


def test_a_made_set_is_the_same_after_a_journey(world: World, workshop: FakeWorkshop, tmp_path: Path) -> None:
    found = make(world, 3, name="set", workshop=replace(workshop, unsound=frozenset({1})))
    assert found.id is not None
    keep_splits(world, found.id, split(found.members, test=0.3))
    write_set(load_set(world, "set"), tmp_path / "set")
    read = read_set(tmp_path / "set")
    assert read.checksum == found.checksum
    assert [item.evidence for item in read.members] == [item.evidence for item in found.members]
    assert sorted(item.split or "" for item in read.members) == ["test", "train", "train"]


def _line(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace("Fake 3 3", "Fake 3 9")
    path.write_text("".join(lines))


def _cut(path: Path) -> None:
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def _number(path: Path) -> None:
    manifest = json.loads(path.read_text())
    manifest["seed"] = 4
    path.write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        ("tasks.jsonl", _line, r"tasks\.jsonl \(fake-3-3\)"),
        ("tasks.jsonl", _cut, r"tasks\.jsonl \(fake-3-9\)"),
        ("tasks.jsonl", lambda path: path.write_text(path.read_text() + "{}\n"), "lines were added"),
        ("tasks.jsonl", Path.unlink, "there is no file"),
        ("README.md", lambda path: path.write_text("x"), r"README\.md"),
        ("evidence.jsonl", _cut, r"evidence\.jsonl"),
        ("manifest.json", _number, "manifest.json' was altered"),
        ("manifest.json", Path.unlink, "there is no file"),
        ("manifest.json", lambda path: path.write_text("[]"), "is no manifest"),
        ("manifest.json", lambda path: path.write_text("{"), "is no JSON"),
        ("manifest.json", lambda path: path.write_text('{"files": {}, "format": 9}'), "the format 9"),
    ],
)
def test_altered_files_are_refused(
    made: TaskSet, tmp_path: Path, file: str, change: Callable[[Path], object], words: str
) -> None:
    write_set(made, tmp_path / "set")
    change(tmp_path / "set" / file)
    with pytest.raises(TaskSetError, match=words):
        read_set(tmp_path / "set")


def test_other_peoples_folders_are_left_alone(made: TaskSet, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(TaskSetError, match="something else"):
        write_set(made, tmp_path)
    with pytest.raises(TaskSetError, match="cannot be written"):
        write_set(made, tmp_path / "letter.txt" / "set")
    assert {path.name for path in tmp_path.iterdir()} == {"letter.txt", "diary"}


def test_another_set_is_replaced_only_if_that_is_said(made: TaskSet, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    write_set(made, folder)
    (folder / "notes.txt").write_text("mine")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for other in (replace(made, seed=4), replace(made, name="other"), replace(made, settings={})):
        with pytest.raises(TaskSetError, match="another set of tasks, 'ten'"):
            write_set(other, folder)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    write_set(replace(made, members=made.members[:5]), folder)  # the same set, as it was before
    assert len(read_set(folder).members) == 5
    write_set(replace(made, seed=4), folder, replace=True)
    assert read_set(folder).seed == 4 and (folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("there", [False, True])
def test_nothing_is_written_by_halves(
    made: TaskSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    folder = tmp_path / "set"
    if there:
        write_set(made, folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()} if there else None
    real = Path.write_text

    def full(path: Path, *arguments: Any, **named: Any) -> int:
        if path.name == "manifest.json":
            raise OSError(28, "No space left on device")
        return real(path, *arguments, **named)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(TaskSetError, match="No space left"):
        write_set(replace(made, members=made.members[:5]), folder)
    after = {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else None
    assert after == before
    monkeypatch.undo()
    (tmp_path / "killed" / ".unfinished-x").mkdir(parents=True)
    write_set(made, tmp_path / "killed")
    assert read_set(tmp_path / "killed").checksum == made.checksum
    assert not list((tmp_path / "killed").glob(".unfinished*"))


def test_parts_by_family(workshop: FakeWorkshop) -> None:
    found = members(workshop, 12, 4)
    apart = divided(found, split(found, test=0.3, validation=0.3, by="family"))
    assert apart.shared_families == 0 and apart.shared_compositions > 0
    together = divided(found, split(found, test=0.3, validation=0.3))
    assert together.shared_compositions == 0
    assert sum(part.tasks for part in apart.splits.values()) == 12
    with pytest.raises(InputError, match="did you mean family"):
        split(found, test=0.3, by="famly")  # type: ignore[arg-type]


def test_sets_that_come_with_the_package(
    world: World, made: TaskSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PACKAGED", tmp_path)
    write_set(made, tmp_path / "ten")
    assert files.packaged() == ["ten"]
    found = at_hand("fake-3-4")
    assert found is not None
    assert (found.task, found.task_set, found.split) == (made.tasks[4], "ten", "train")
    assert at_hand("fake-3-99") is None
    assert find_set(None, "ten").members == find_set(world, "ten").members == made.members
    # A set of the database goes before one of its name that comes with CompoWorld.
    again = replace(made, name="ten", members=made.members[:3])
    insert_set(world, again)
    assert len(find_set(world, "ten").members) == 3 and len(find_set(None, "ten").members) == 10
    assert find_set(world, "ten").id is not None
    assert find(world, "fake-3-4").task == made.tasks[4]
    assert [item.task_set for item in sets_with(world, "fake-3-1")] == ["ten"]
    assert sets_with(world, "fake-3-4") == []  # the packaged set of that name is hidden
    with pytest.raises(InputError, match="there are ten"):
        find_set(None, "other")
    # No database is needed to look at them.
    nowhere = Program("postgresql://nobody@127.0.0.1:1/none")
    assert nowhere.json("tasks", "card", "ten")["admitted"] == 10
    assert nowhere.json("tasks", "show", "fake-3-4")["set"] == "ten"
    assert len(nowhere.json("tasks", "list", "--set", "ten", "--split", "test")) == 3
    assert Program(world.database.url).json("tasks", "sets")["packaged"][0]["checksum"] == made.checksum


def test_the_card(made: TaskSet) -> None:
    found = card(made)
    assert (found["admitted"], found["candidates"], found["compositions"], found["families"]) == (10, 14, 4, 3)
    assert found["splits"] == {"train": 7, "test": 3}
    assert found["rejected"] == {"write: no room for … here": 3, "write: no #": 1}
    assert found["rejected_by_stage"] == {"write": 4}
    assert sum(found["K"].values()) == sum(found["L"].values()) == sum(found["criteria"].values()) == 10
    assert sum(found["criteria_kinds"].values()) == sum(int(k) * v for k, v in found["criteria"].items())
    assert found["services"] == len(found["services_used"])
    assert found["tools"] == len(found["tools_used"])
    assert found["answers"] == {"several values": 10} or found["answers"] == {"one value": 10}
    page = markdown(made)
    assert made.checksum in page and "| sales | 5 |" in page
    assert figures(made)["checksum"] == made.checksum
    assert card(replace(made, members=()))["instruction_words"] == {}


def test_yield(world: World, workshop: FakeWorkshop) -> None:
    make(world, 4, name="set", workshop=replace(workshop, untold=frozenset({0, 1, 2}), unsound=frozenset({4, 5})))
    stages = {stage.stage: stage for stage in yield_of(world, "set", examples=2)}
    assert (stages["write"].drafts, stages["write"].rejected) == (9, 3)
    (reason,) = stages["write"].reasons
    assert (reason.reason, reason.drafts, len(reason.examples)) == ("there is no room for … here", 3, 2)
    assert reason.examples[0].ordinal == 0
    assert stages["broken"].share == pytest.approx(2 / 6)
    assert stages["novelty"].drafts == 4
    with world.database.transaction() as connection:
        assert connection.execute(text("SELECT sum(rejected) FROM compoworld.task_yield")).scalar() == 5


def test_yield_of_files(made: TaskSet, world: World) -> None:
    stages = {stage.stage: stage for stage in yield_written(made)}
    assert (stages["balance"].drafts, stages["write"].drafts, stages["write"].rejected) == (14, 14, 4)
    assert stages["document"].drafts == stages["novelty"].drafts == 10
    assert [(item.reason, item.drafts) for item in stages["write"].reasons] == [("no room for … here", 3), ("no #", 1)]
    with world.database.transaction() as connection:
        known = connection.execute(text("SELECT stage FROM compoworld.task_stages() ORDER BY place")).scalars()
        assert tuple(known) == STAGES


@pytest.mark.parametrize(
    ("reason", "short"),
    [
        ("visit 3 takes nothing from the one before", "visit # takes nothing from the one before"),
        ('the values "a", "b" and \'c\' stand in it', "the values … stand in it"),
        ("x" * 200, "x" * 89 + "…"),
        (
            'nothing that visit 8 (docs) takes from visit 7 (hr) is proven: body.who ("Ida") stands in mail.send',
            "nothing that visit # takes from visit # is proven",
        ),
        ("criterion paid-2 does not hold: expected 1", "criterion … does not hold"),
    ],
)
def test_reasons_are_counted_without_particulars(reason: str, short: str) -> None:
    assert short_reason(reason) == short
