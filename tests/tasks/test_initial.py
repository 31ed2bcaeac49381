"""The initial state of a task."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from engine.world import World
from tasks import Task, TaskError
from tasks.document import InitialState
from tasks.initial import initial_rows
from tests.toys import toy_task


def rows(world: World, s0: dict[str, Any]) -> dict[str, dict[str, Any]]:
    task: Task = toy_task().model_copy(update={"s0": InitialState.model_validate(s0)})
    composition = world.compose("notes", "parcels", "weather")
    found: dict[str, dict[str, Any]] = {}
    for row in initial_rows(composition, task):
        found.setdefault(row.table().name, {})[str(row.values().get("id", row.values()))] = row
    return found


def test_changes_are_applied_with_their_types(world: World) -> None:
    found = rows(world, toy_task().s0.model_dump())
    assert found["notes_note"]["note_1"].due == date(2026, 3, 4)
    parcel = found["parcels_parcel"]["parcel_2"]
    assert parcel.price == Decimal("7.25")
    assert parcel.sent_at.astimezone(UTC) == datetime(2026, 2, 27, 9, 0, tzinfo=UTC)
    assert [row.word for row in found["notes_tag"].values()] == ["shop"]


def test_without_changes_it_is_the_seed_data(world: World) -> None:
    assert set(rows(world, {})["notes_note"]) == {"note_1", "note_2"}


def test_a_deleted_row_may_be_replaced(world: World) -> None:
    again = {"id": "parcel_1", "receiver": "Neu", "price": 1}
    found = rows(world, {"delete": {"parcels_parcel": ["parcel_1"]}, "insert": {"parcels_parcel": [again]}})
    assert found["parcels_parcel"]["parcel_1"].receiver == "Neu"
    assert found["parcels_parcel"]["parcel_1"].status == "packed"


@pytest.mark.parametrize(
    ("s0", "words"),
    [
        ({"insert": {"notes_lost": [{}]}}, "s0.insert.notes_lost: composition"),
        ({"delete": {"notes_note": ["note_9"]}}, "s0.delete.notes_note.note_9: there is no row with the key 'note_9'"),
        ({"update": {"notes_note": {"note_9": {}}}}, "there is no row with the key 'note_9'"),
        ({"update": {"notes_note": {"note_1": {"colour": "red"}}}}, "note_1.colour: notes_note has no"),
        ({"update": {"notes_note": {"note_1": {"id": "note_8"}}}}, "note_1.id: it is the key"),
        ({"update": {"notes_note": {"note_1": {"done": "yes"}}}}, "note_1.done: Input should be a valid boolean"),
        ({"update": {"notes_note": {"note_1": {"due": "tomorrow"}}}}, "note_1.due: Input should be a valid date"),
        ({"update": {"notes_note": {"note_1": {"title": None}}}}, "note_1.title"),
        ({"update": {"parcels_parcel": {"parcel_1": {"price": -1}}}}, "greater than or equal to 0"),
        ({"update": {"parcels_parcel": {"parcel_1": {"status": "eaten"}}}}, "'packed', 'sent' or 'lost'"),
        ({"update": {"parcels_parcel": {"parcel_1": {"sent_at": "2026-03-01T10:00:00"}}}}, "offset from UTC"),
        ({"insert": {"parcels_parcel": [{"id": "p"}]}}, "s0.insert.parcels_parcel.0: receiver, price must be given"),
        (
            {"insert": {"parcels_parcel": [{"id": "parcel_1", "receiver": "x", "price": 1}]}},
            "there is a row 'parcel_1' already",
        ),
        (
            {"insert": {"notes_tag": [{"note_id": "note_1", "word": "urgent"}]}},
            "a row '[\"note_1\", \"urgent\"]' already",
        ),
    ],
)  # fmt: skip
def test_wrong_changes_name_their_place(world: World, s0: dict[str, Any], words: str) -> None:
    with pytest.raises(TaskError) as caught:
        rows(world, s0)
    assert words in str(caught.value)
