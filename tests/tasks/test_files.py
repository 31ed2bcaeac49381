"""Task files: what is read, what is refused, and how the refusal reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tasks import TaskFileError, named, parse_task, read_task
from tests.toys import HERE

TEXT = (HERE / "toy.yaml").read_text()


def refused(old: str, new: str) -> TaskFileError:
    assert old in TEXT
    with pytest.raises(TaskFileError) as caught:
        parse_task(TEXT.replace(old, new, 1), "toy.yaml")
    return caught.value


def test_values_are_those_of_json() -> None:
    text = TEXT.replace("title: A note becomes a parcel", 'title: "no"').replace("seed: 3", "seed: 12")
    task = parse_task(text)
    assert task.title == "no"
    assert task.s0.seed == 12
    # A date, an amount and a bare word stay what they look like.
    assert task.s0.update["notes_note"]["note_1"] == {"body": "Ulla Bok", "due": "2026-03-04"}
    assert task.s0.insert["parcels_parcel"][0]["price"] == 7.25
    assert task.s0.insert["parcels_parcel"][0]["receiver"] == "Žofie O'Neil"


def test_reading_what_was_stored_gives_the_same_task() -> None:
    task = parse_task(TEXT)
    again = type(task).model_validate(task.document(), strict=False)
    assert again == task
    assert again.fingerprint() == task.fingerprint()


def test_unknown_field_names_file_line_place_and_the_known_ones() -> None:
    error = refused("    kind: state\n", "    kind: state\n    weight: 2\n")
    line = TEXT[: TEXT.index("    kind: state\n")].count("\n") + 2
    assert (error.file, error.place, error.line) == ("toy.yaml", "criteria.0.weight", line)
    assert str(error).startswith("toy.yaml, line ")
    assert "there is no such field" in str(error)
    assert "name, kind, description, sql" in str(error)


def test_a_mistyped_field_is_named_before_the_one_that_is_missing() -> None:
    error = refused("title: A note", "titel: A note")
    assert str(error).startswith("toy.yaml, line 2, titel: there is no such field; title: Field required (the fields")


def test_a_service_that_is_not_visited_is_named() -> None:
    error = refused("services: [notes, parcels]", "services: [notes, parcels, chat]")
    assert str(error).endswith(", walk: it visits every service of the task and no other: chat is not visited")


@pytest.mark.parametrize(
    ("old", "new"),
    [("title: A note", "titel: A note"), ("  - name: notes-done\n", "  - name: Notes Done\n    weight: 2\n")],
)
def test_every_mistake_is_told(old: str, new: str) -> None:
    assert "more" not in str(refused(old, new))


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("kind: must_not_change", "kind: maybe", "criteria.2.kind", "'state'"),
        ("seed: 3", "seed: many", "s0.seed", "valid integer"),
        ("seed: 3", "seed: -1", "s0.seed", "greater than or equal to 0"),
        ("name: toy\n", "name: Toy Task\n", "name", "pattern"),
        ("distractors: [weather]", "distractors: [weather, notes]", "distractors", "each once"),
        ("services: [notes, parcels]", "services: [notes]", "services", "two services at least"),
        ("walk: [notes, parcels, notes, parcels, notes, parcels, notes]", "walk: [notes, parcels]", "walk", "7 to 12"),
        (
            "walk: [notes, parcels, notes, parcels, notes, parcels, notes]",
            "walk: [notes, parcels, notes, parcels, notes, notes, parcels]",
            "walk",
            "twice in a row",
        ),
        (
            "walk: [notes, parcels, notes, parcels, notes, parcels, notes]",
            "walk: [notes, parcels, notes, parcels, notes, parcels, weather]",
            "walk",
            "no other",
        ),
        (
            "walk: [notes, parcels, notes, parcels, notes, parcels, notes]",
            "walk: [parcels, notes, parcels, notes, parcels, notes, parcels]",
            "reference",
            "not the walk",
        ),
        ("{$from: found, path: data.items.0.body}", "{$from: lost, path: data}", "reference.calls", "no earlier call"),
        ("{$from: found, path: data.items.0.body}", "{$from: found}", "reference.calls", "$from and path"),
        ("path: data.items.0.body}", "path: 'a..b'}", "reference.calls", "row of steps"),
        ('{$text: "{id}", id:', '{$text: "{it}", id:', "reference.calls", "are given"),
        ('answer: {$text: "{last}', 'answer: {$text: "{lost}', "reference.answer", "are given"),
        ("name: notes-done", "name: parcel-sent", "criteria", "same name"),
        ("instruction: |", "instruction: ''\nnote: |", "note", "instruction: String should have at least 1 character"),
        ("s0:\n", 'person: nobody@larkspur.example\ns0:\n', "person", "no colleague"),
        ("s0:\n", "start: 2026-03-02T09:00:00\ns0:\n", "start", "offset from UTC"),
    ],
)  # fmt: skip
def test_wrong_values_name_their_place(old: str, new: str, place: str, words: str) -> None:
    error = refused(old, new)
    assert error.place == place
    assert error.line is not None
    assert words in str(error)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("just words", "should be an object"),
        ("- a\n- b\n", "should be an object"),
        ("a: [1, 2\nb: 3", "is not YAML"),
        ("a: 1\na: 2\n", "the key 'a' twice"),
        ("? [a]\n: 1\n", "a key is not a text"),
        ("a: &x [1]\nb: *x\n", "uses the alias *x"),
        ("a: !!python/object/apply:os.system ['true']\n", "a value of the kind"),
        ("a: !!set {b}\n", "a value of the kind"),
        ('name: "a\\0b"\n', "pattern"),
    ],
)
def test_what_is_no_task_at_all(text: str, words: str) -> None:
    with pytest.raises(TaskFileError) as caught:
        parse_task(text)
    assert words in str(caught.value)


def test_text_that_postgres_cannot_hold_is_refused() -> None:
    assert "U+0000" in str(refused("title: A note", 'title: "A\\0 note" #'))


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(TaskFileError, match="more than 50 levels"):
        parse_task("name: " + "[" * 500_000)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TaskFileError, match="cannot be read"):
        read_task(tmp_path / "nothing.yaml")
    with pytest.raises(TaskFileError, match="cannot be read"):
        read_task(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9\n")
    with pytest.raises(TaskFileError, match="not UTF-8"):
        read_task(tmp_path / "latin.yaml")
    (tmp_path / "large.yaml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(TaskFileError, match="at most"):
        read_task(tmp_path / "large.yaml")


def test_tasks_by_name_or_path() -> None:
    assert named(str(HERE / "toy.yaml")).name == "toy"
    assert named("settle-brightwater-dispute").name == "settle-brightwater-dispute"
    with pytest.raises(TaskFileError, match="settle-brightwater-dispute"):
        named("no-such-task")
    with pytest.raises(TaskFileError, match="no such task"):
        named("../library/settle-brightwater-dispute")


def test_what_is_no_readable_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    for odd in ("/dev/zero", str(pipe), str(tmp_path), "a" * 300 + ".yaml", "a\0b.yaml"):
        with pytest.raises(TaskFileError):
            read_task(odd)
    for odd in ("a" * 300, "a\0b"):
        with pytest.raises(TaskFileError, match="no such task"):
            named(odd)
