"""A fork of s0 with some rows otherwise, and the rows that a change makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.branches import Branch
from engine.errors import EntityInvalid
from engine.states import Change
from engine.world import World
from tasks.document import InitialState
from tasks.errors import TaskError
from tasks.initial import changed_rows, initial_rows
from tasks.store import StoredTask, put
from tests.tasks.admission.sound import sound


@pytest.fixture(scope="module")
def stored(world: World) -> StoredTask:
    return put(world, sound())


def changes(stored: StoredTask, **change: Any) -> list[Change]:
    state = stored.snapshot.fork().state()
    return changed_rows(stored.composition, state, InitialState(**change))


CHANGE: dict[str, Any] = {
    "delete": {"notes_tag": ['["note_1", "urgent"]'], "parcels_parcel": ["parcel_z"]},
    "update": {
        "parcels_parcel": {"parcel_p": {"price": 8.4, "sent_at": "2026-03-01T10:00:00+01:00", "status": "sent"}}
    },
    "insert": {
        "notes_note": [{"id": "note_new", "title": "New", "owner": "mara.lindqvist@larkspur.example"}],
        "parcels_parcel": [{"id": "parcel_z", "receiver": "Zed", "price": 1}],
    },
}


@pytest.fixture
def branch(stored: StoredTask) -> Iterator[Branch]:
    forked = stored.snapshot.fork_with(changes(stored, **CHANGE))
    yield forked
    forked.delete()


def test_the_rows_that_a_change_makes(stored: StoredTask) -> None:
    found = {(item.table, item.key): (item.op, sorted(item.fields)) for item in changes(stored, **CHANGE)}
    assert found[("parcels_parcel", "parcel_p")] == ("update", ["price", "sent_at", "status"])
    assert found[("notes_tag", '["note_1", "urgent"]')][0] == "delete"
    assert found[("notes_note", "note_new")][0] == "insert"
    assert found[("parcels_parcel", "parcel_z")][0] == "update"
    assert len(found) == 4


def test_calls_see_it(stored: StoredTask, branch: Branch) -> None:
    parcels = {item["id"]: item for item in branch.call("parcels", "list_parcels").data["items"]}
    assert parcels["parcel_p"]["price"] == 8.4
    assert parcels["parcel_z"]["receiver"] == "Zed"
    assert branch.call("notes", "get_note", id="note_new").data["title"] == "New"
    assert stored.snapshot.fork().call("notes", "get_note", id="note_new").ok is False


def test_it_is_the_s0_that_the_change_would_give(stored: StoredTask, branch: Branch) -> None:
    task, composition = stored.task, stored.composition
    rows = initial_rows(composition, task, InitialState(**CHANGE))
    other = composition.snapshot(rows, name="otherwise", start=task.start, person=task.user())
    branch.call("notes", "find_notes")
    seen, meant = (
        [
            item.call(service, tool).observation
            for service, tool in (("notes", "find_notes"), ("parcels", "list_parcels"))
        ]
        for item in (branch, other.fork())
    )
    assert seen == meant


def test_it_comes_back_after_parking(stored: StoredTask, branch: Branch) -> None:
    branch.call("notes", "finish_note", id="note_new")
    assert stored.composition.park()
    note = branch.call("notes", "get_note", id="note_new").data
    assert note["done"] is True


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"update": {"notes_note": {"note_x": {"title": "x"}}}}, "there is no row with the key 'note_x'"),
        ({"update": {"notes_note": {"note_1": {"colour": "x"}}}}, "has no such field"),
        ({"delete": {"notes_book": ["x"]}}, "has no table 'notes_book'"),
        ({"insert": {"notes_note": [{"id": "note_1", "title": "x", "owner": "x"}]}}, "there is a row 'note_1' already"),
        ({"insert": {"notes_note": [{"id": "note_9", "title": "x"}]}}, "owner must be given"),
    ],
)
def test_a_change_that_does_not_fit(stored: StoredTask, change: dict[str, Any], reason: str) -> None:
    with pytest.raises((TaskError, EntityInvalid), match=reason):
        changes(stored, **change)
