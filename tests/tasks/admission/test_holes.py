"""Tasks with a hole that no variant of the reference shows: each is refused, by the check that is there for it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.world import World
from tasks.admission import crossing, equivalent
from tasks.admission.alterations import further
from tasks.admission.ground import Ground
from tasks.admission.numerals import numbers_told
from tasks.admission.strays import strays
from tasks.authoring import plans, write
from tasks.document import CriterionText, Reference, ReferenceCall, Task
from tasks.parts import Part
from tasks.store import put
from tests.tasks.admission.sound import judged, judged_too, sound, spoilt
from tests.tasks.admission.test_planted import refused

MADE = "OR op <> 'insert' AND is_new(table_name, key)"


def _guarded(*holes: tuple[str, str]) -> Task:
    sql = next(item.sql for item in sound().criteria if item.name == "nothing-else")
    for old, new in holes:
        assert old in sql
        sql = sql.replace(old, new)
    return judged("nothing-else", sql)


def _unnoticed(world: World, task: Task) -> str:
    with Ground.of(world, put(world, task)) as ground:
        return "\n".join(strays(ground)[1])


# what nobody asked for


@pytest.mark.parametrize(
    ("hole", "told"),
    [
        ("op = 'insert' AND table_name IN ('weather_day', 'mail_message')", "mail_message is new"),
        ("op = 'update' AND before - '{status,price}'::text[] = after - '{status,price}'::text[]", "changed (price)"),
    ],
)
def test_a_guard_with_a_hole(world: World, hole: str, told: str) -> None:
    task = _guarded((MADE, f"{MADE} OR {hole}"))
    assert told in _unnoticed(world, task.model_copy(update={"distractors": ["mail"]}))


def test_a_guard_that_lets_all_be_done_to_a_row(world: World) -> None:
    only = " AND before - '{status,sent_at}'::text[] = after - '{status,sent_at}'::text[]"
    assert "row parcel_p of parcels_parcel is changed (" in _unnoticed(world, _guarded((only, "")))


# a read that nobody uses


def _with_a_useless_read(save: str | None) -> Task:
    """The neighbour is known by name: the parcel that waits for her is looked at for nothing."""
    calls = list(sound().reference.calls)
    looked = {"id": {"$from": "packed", "path": "data.id"}}
    calls[3] = calls[3].model_copy(update={"arguments": {"text": "Ulla Bok"}})
    calls[2] = calls[2].model_copy(update={"arguments": {"title": "Parcel under way", "body": {"$text": "Packed."}}})
    calls.insert(3, ReferenceCall(service="notes", tool="find_notes", arguments={"text": looked["id"]}, save=save))
    return spoilt(reference=Reference.model_construct(calls=calls, answer=sound().reference.answer))


@pytest.mark.parametrize("save", [None, "looked"])
def test_a_read_that_nobody_uses_carries_nothing(world: World, save: str | None) -> None:
    with Ground.of(world, put(world, _with_a_useless_read(save))) as ground:
        assert 3 not in ground.needed
        findings = crossing.examine(ground).findings
    assert any("visit 3 (notes) takes nothing from visit 2 (parcels)" in finding for finding in findings)


def test_every_call_of_the_sound_task_is_needed(world: World) -> None:
    with Ground.of(world, put(world, sound())) as ground:
        assert ground.needed == set(range(len(ground.calls)))


# moments


@pytest.mark.parametrize(
    ("value", "others"),
    [
        ("2026-03-05T18:30:00Z", ["2026-03-05T19:30:00Z", "2026-03-04T18:30:00Z"]),
        ("2026-03-16", ["2026-03-15", "2026-04-16"]),
        ("2026-01-31", ["2026-01-30", "2026-03-31"]),
    ],
)
def test_other_hours_and_months(world: World, value: str, others: list[str]) -> None:
    with Ground.of(world, put(world, sound())) as ground:
        assert further(ground, 1, Part(("due",), value, value, False)) == others


# criteria that say nothing of their own


def test_the_same_criterion_twice(world: World) -> None:
    sql = next(item.sql for item in sound().criteria if item.name == "neighbour-sent")
    task = judged_too("sent-again", "state", f"{sql}\n")
    refused(world, task, "document", "the criteria neighbour-sent and sent-again are the same SQL")


def test_a_criterion_that_wants_any_answer(world: World) -> None:
    task = judged_too("says-something", "output", "SELECT text IS NOT NULL AS passed FROM answer")
    refused(world, task, "broken", "criterion says-something minds nothing but that there is no answer")


# the way there


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT sum(changes) = 8 AS passed FROM events", "the same done by other tools"),
        ("SELECT count(*) = {count} AS passed FROM row_changes", "what was made written once more"),
    ],
)
def test_a_criterion_that_counts_what_was_written(world: World, sql: str, reason: str) -> None:
    with Ground.of(world, put(world, sound())) as ground:
        count = sum(len(event.changes) for event in ground.events)
    task = judged_too("counted", "output", sql.replace("{count}", str(count)).replace("= 8", f"= {count}"))
    refused(world, task, "equivalent", reason)


# saying and reading, over a task of a family, for the toys neither send nor read


STRICT = {
    "unread": "SELECT bool_and(before ->> 'is_read' = after ->> 'is_read') IS NOT FALSE AS passed"
    " FROM row_changes WHERE op = 'update' AND table_name = 'mail_message'",
    "one": "SELECT made('mail_message') = 1 AS passed FROM answer",
    "undated": "SELECT text !~ '2026' AS passed FROM answer",
}


def test_a_rubric_that_is_too_strict(world: World) -> None:
    task = write(world, next(plans(seed=11, names=["same-days-off"])))
    assert "mail" in task.services
    strict = [CriterionText(name=name, kind="output", description="Planted.", sql=sql) for name, sql in STRICT.items()]
    with Ground.of(world, put(world, spoilt(task, criteria=[*task.criteria, *strict]))) as ground:
        rows: list[dict[str, Any]] = equivalent.examine(ground).detail["variants"]
    failed = {row["variant"]: row["failed"] for row in rows}
    assert failed["something in mail marked as read"] == ["unread"]
    assert failed["a message in two parts"] == ["one"]
    assert failed["a harmless sentence in messages and answer"] == ["undated"]


# leaks


@pytest.mark.parametrize("told", ["34685 pence", "34,685 cents", "346 pounds 85", "346 euros and 85"])
def test_money_in_small_coins(told: str) -> None:
    assert 346.85 in numbers_told(f"The new amount is {told}.")
