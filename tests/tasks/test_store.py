"""Tasks in the catalog."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from engine.errors import EntityInvalid, InputError, NotFound
from engine.world import World
from tasks import StoredTask, Task, TaskError, TaskFileError, check, load, parse_task, put, stored
from tasks.document import CriterionText, InitialState
from tests.toys import HERE, toy_task


def variant(name: str, **changes: object) -> Task:
    return toy_task().model_copy(update={"name": name, **changes})


def test_the_same_task_is_stored_once(world: World, toy: StoredTask) -> None:
    assert put(world, toy_task()) == toy
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: put(world, variant("toy-twice")), range(4)))
    assert len({item.id for item in found}) == 1
    assert found[0].id != toy.id


def test_what_is_stored(world: World, toy: StoredTask) -> None:
    with world.database.transaction() as connection:
        row = connection.execute(text("SELECT * FROM compoworld.task WHERE id = :id"), {"id": toy.id}).one()
        names = connection.execute(
            text("SELECT name, kind FROM compoworld.criterion WHERE task_id = :id ORDER BY ordinal"),
            {"id": toy.id},
        ).all()
    assert row.name == "toy"
    assert row.services == ["notes", "parcels"]
    assert row.distractors == ["weather"]
    assert row.walk[0] == "notes"
    assert row.document["title"] == "A note becomes a parcel"
    assert [tuple(item) for item in names] == [(item.name, item.kind) for item in toy.task.criteria]
    state = toy.snapshot.fork().state()
    assert state["notes_note"]["note_1"]["body"] == "Ulla Bok"
    assert state["parcels_parcel"]["parcel_2"]["receiver"] == "Žofie O'Neil"


def test_loading_gives_the_same_task(world: World, toy: StoredTask) -> None:
    assert load(world, toy.id) == toy
    assert load(world, "toy") == toy
    assert toy.services == ["notes", "parcels", "weather"]


def test_the_newest_of_a_name_is_loaded(world: World) -> None:
    put(world, variant("toy-newer"))
    newer = put(world, variant("toy-newer", title="Another title"))
    assert load(world, "toy-newer").id == newer.id


@pytest.mark.parametrize("which", [0, 10**6, 2**70, "", "no such", "x' OR 'a'='a", "nul\x00"])
def test_loading_what_is_not_there(world: World, which: int | str) -> None:
    with pytest.raises(NotFound):
        load(world, which)


@pytest.mark.parametrize("which", [None, True, 1.5, ["toy"]])
def test_loading_by_what_is_no_name(world: World, which: object) -> None:
    with pytest.raises(InputError):
        load(world, which)  # type: ignore[arg-type]


def test_listing(world: World, toy: StoredTask) -> None:
    found = next(item for item in stored(world) if item.id == toy.id)
    assert (found.name, found.visits, found.criteria) == ("toy", 7, 5)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"distractors": ["no_such"]}, "distractors: there is no service 'no_such'"),
        ({"s0": InitialState(insert={"mail_message": [{}]})}, "s0.insert.mail_message"),
    ],
)
def test_what_does_not_fit_is_refused(world: World, changes: dict[str, object], words: str) -> None:
    with pytest.raises(TaskError) as caught:
        put(world, variant("toy-wrong", **changes))
    assert words in str(caught.value)
    with pytest.raises(NotFound):
        load(world, "toy-wrong")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT true",
        "DROP TABLE x",
        "SELECT now() > '2020-01-01' AS passed",
        "SELECT passed FROM nothing",
        "",
    ],
)
def test_criteria_are_inspected(world: World, sql: str) -> None:
    bad = CriterionText(name="bad", kind="state", description="x", sql=sql or ";")
    with pytest.raises(TaskError, match=r"criteria\.0 \(bad\)"):
        put(world, variant("toy-wrong", criteria=[bad]))


def test_an_unknown_tool_is_refused(world: World) -> None:
    task = toy_task()
    calls = [task.reference.calls[0].model_copy(update={"tool": "guess"}), *task.reference.calls[1:]]
    reference = task.reference.model_copy(update={"calls": calls})
    with pytest.raises(TaskError, match=r"reference\.calls\.0\.tool: service 'notes' has no tool 'guess'.*find_notes"):
        put(world, variant("toy-wrong", reference=reference))


def test_rows_that_do_not_fit_together_are_refused(world: World) -> None:
    s0 = InitialState(insert={"notes_tag": [{"note_id": "note_7", "word": "lost"}]})
    with pytest.raises(EntityInvalid, match="no such notes_note"):
        put(world, variant("toy-wrong", s0=s0))


@pytest.mark.parametrize(
    ("old", "new", "found", "says"),
    [
        (
            "receiver = 'Ulla Bok' AND",
            "terms = 'Ulla Bok' AND",
            "sql: >",
            'criteria.0 (parcel-sent), sql: column "terms" does not exist',
        ),
        ("FROM parcels_parcel\n", "FORM parcels_parcel\n", "sql: >", "criteria.0 (parcel-sent), sql: syntax error at"),
        ("tool: pack", "tool: wrap", "tool: wrap", "reference.calls.1.tool: service 'parcels' has no tool 'wrap' (its"),
        ("distractors: [weather]", "distractors: [storm]", "distractors:", "distractors: there is no service 'storm'"),
        ("    notes_tag:\n", "    notes_tags:\n", "    notes_tags:", "s0.insert.notes_tags: "),
        ("due: 2026-03-04", "due: never", "note_1:", "s0.update.notes_note.note_1.due: Input should be"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(world: World, old: str, new: str, found: str, says: str) -> None:
    words = (HERE / "toy.yaml").read_text().replace("name: toy\n", "name: toy-wrong\n")
    assert old in words
    words = words.replace(old, new, 1)
    line = words[: words.index(found)].count("\n") + 1
    for store in (put, check):
        with pytest.raises(TaskFileError) as caught:
            store(world, parse_task(words, "my-task.yaml"))
        assert str(caught.value).startswith(f"my-task.yaml, line {line}, {says}")


def test_the_file_is_no_part_of_the_task(world: World) -> None:
    task = toy_task()
    again = Task.model_validate(task.document(), strict=False)
    assert again == task and again.source.file != task.source.file
    bad = CriterionText(name="bad", kind="state", description="x", sql="SELECT pg_sleep(1) IS NULL AS passed")
    with pytest.raises(TaskError, match=r"^criteria\.0 \(bad\), sql: a criterion may not do this"):
        put(world, again.model_copy(update={"criteria": [bad]}))
