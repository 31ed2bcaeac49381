"""Tasks that were made to get past the gate: each is refused, by the check that is there for it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from engine.world import World
from tasks.admission import Earlier, admit, novelty
from tasks.admission.alterations import further
from tasks.admission.ground import Ground
from tasks.admission.writings import writings
from tasks.document import Counterfactual, CriterionText, InitialState, Origin, Task
from tasks.parts import Part
from tasks.store import put
from tests.tasks.admission.sound import judged, judged_too, sound, spoilt, told, with_facts
from tests.tasks.admission.test_planted import MOMENT, refused

SENT = "SELECT {} AS passed FROM parcels_parcel WHERE id = 'parcel_p'"
PRICED = """
    SELECT count(*) = 1 AS passed FROM parcels_parcel WHERE receiver = 'Ulla Bok' AND status = 'sent' AND {}"""


# one-sided comparisons


@pytest.mark.parametrize("loose", ["price <= 48.5", "price >= 48.5", "price IN (47.5, 48.5, 49.5)"])
def test_a_comparison_that_is_open(world: World, loose: str) -> None:
    task = judged("blankets-sent", PRICED.format(loose))
    refused(world, task, "broken", "no criterion notices parcels.pack (call 1) with price: 48.5 → ")


@pytest.mark.parametrize(
    ("value", "first"), [(48.5, 47.5), (12, 11), ("48.50", "47.50"), ("2026-03-09", "2026-03-08"), ("Ulla", None)]
)
def test_values_on_the_other_side(world: World, value: Any, first: Any) -> None:
    with Ground.of(world, put(world, sound())) as ground:
        values = further(ground, 1, Part(("price",), value, value, False))
    assert (values[0] if values else None) == first
    assert len(values) <= 2


# the way there


@pytest.mark.parametrize(
    ("process", "reason"),
    [
        ("count(*) < 60", "80 more reads before"),
        ("count(*) >= 12", "what was read known already"),
        ("bool_or(tool = 'list_parcels')", "the same done by other tools"),
        ("bool_or(tool = 'send')", "the same done by other tools"),
        ("max(event) < 60", "80 more reads before"),
        ("bool_or(arguments ->> 'receiver' = 'Petra Lind')", "the same done by other tools"),
    ],
)
def test_a_criterion_on_the_way_there(world: World, process: str, reason: str) -> None:
    sql = SENT.format(f"status = 'sent' AND (SELECT {process} FROM events)")
    refused(world, judged("neighbour-sent", sql), "equivalent", reason, "judge what stands in the rows")


def test_an_order_that_the_data_wants_is_no_way_there(world: World) -> None:
    packed = "table_name = 'parcels_parcel' AND after ->> 'receiver' = 'Ulla Bok'"
    written = "table_name = 'notes_note' AND after ->> 'title' = 'Parcel under way'"
    sql = f"""
        SELECT coalesce(min(event) FILTER (WHERE {packed}) < min(event) FILTER (WHERE {written}), false) AS passed
        FROM row_changes"""
    verdict = admit(world, judged_too("in-order", "output", sql))
    assert verdict.admitted, verdict.findings


# how values are written


def test_a_number_in_one_form_only(world: World) -> None:
    sql = f"""
        SELECT coalesce(a.text ~ '(?<![0-9.,])48\\.5(?![.,]?[0-9])' AND strpos(a.text, {MOMENT}) > 0, false) AS passed
        FROM answer a, parcels_parcel p WHERE p.id = 'parcel_p'"""
    task = judged("says-when-and-how-much", sql)
    refused(
        world, task, "equivalent", "numbers and dates in texts written as", "says-when-and-how-much no longer holds"
    )


def test_how_others_write_values(world: World) -> None:
    with Ground.of(world, put(world, sound())) as ground:
        written = [
            [write(value) for value in (5967.5, "2026-03-09", 12, 1042, "KX-4", True, "2026-03-09T10:00:00Z")]
            for _, write in writings(ground)
        ]
    assert written == [
        ["5,967.50", "9 March 2026", 12, 1042, "KX-4", True, "2026-03-09T10:00:00Z"],
        ["5967.50", "March 9", 12, 1042, "KX-4", True, "2026-03-09T10:00:00Z"],
    ]


# the visit that is made again


def test_a_visit_that_shows_what_was_just_written(world: World) -> None:
    """What the honey costs is read from the parcel that was packed with that price."""
    text = sound().model_dump_json().replace("data.items.-1.sent_at", "data.items.0.price")
    task = Task.model_validate_json(text, strict=True)
    calls = list(task.reference.calls)
    calls[9] = calls[9].model_copy(update={"save": "jar"})
    arguments = calls[11].arguments
    body = {**arguments["body"], "number": {"$from": "jar", "path": "data.id"}}
    calls[11] = calls[11].model_copy(update={"arguments": {**arguments, "body": body}})
    noted = """
        SELECT count(*) = 1 AS passed
        FROM notes_note n JOIN parcels_parcel p ON p.receiver = 'Petra Lind' AND p.status = 'packed'
        WHERE n.title = 'Left the house' AND n.body ~ ('\\m' || p.id || '\\M') AND strpos(n.body, '3.4') > 0"""
    said = "SELECT coalesce(text ~ '48.5' AND text ~ '3.4', false) AS passed FROM answer"
    sqls = {"moment-noted": noted, "says-when-and-how-much": said}
    criteria = [item.model_copy(update={"sql": sqls.get(item.name, item.sql)}) for item in task.criteria]
    spoiled = spoilt(task, reference=task.reference.model_copy(update={"calls": calls}), criteria=criteria)
    refused(world, spoiled, "revisit", "coming back to parcels is not needed", "3.4 it has just written itself")


# facts


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            InitialState(update={"notes_note": {"note_ulla": {"body": "Nobody takes them in."}}}),
            "the counterfactual other breaks the world: call 5 (parcels.send) finds nothing to take there",
        ),
        (
            InitialState(update={"parcels_parcel": {"parcel_p": {"status": "lost"}}}),
            "the counterfactual other breaks the world: call 5 (parcels.send) fails there: parcel_p is lost.",
        ),
        (
            InitialState(insert={"parcels_parcel": [{"id": "parcel_q", "receiver": "Zed", "price": 1}]}),
            "the counterfactual other breaks the world: few does not hold there, though the same is written",
        ),
    ],
)
def test_a_fact_that_breaks_the_world(world: World, change: InitialState, reason: str) -> None:
    few = CriterionText(
        name="few",
        kind="state",
        description="Seven parcels.",
        sql="SELECT count(*) = 7 AS passed FROM parcels_parcel",
    )
    facts = [*sound().counterfactuals, Counterfactual(fact="other", change=change)]
    refused(world, spoilt(counterfactuals=facts, criteria=[*sound().criteria, few]), "crossing", reason)


def test_a_fact_that_no_call_meets_breaks_nothing(world: World) -> None:
    task = with_facts({"note_rule": {"body": "Three layers."}})
    facts = [*sound().counterfactuals, *task.counterfactuals]
    verdict = admit(world, spoilt(counterfactuals=facts))
    assert verdict.admitted, verdict.findings


# the instruction


@pytest.mark.parametrize("price", ["three point four", "3,40"])
def test_a_value_in_words(world: World, price: str) -> None:
    task = told("what it costs stands in our note", f"what it costs, {price}, stands in our note")
    refused(world, task, "crossing", "price of parcels.pack (3.4) stands in the instruction")


@pytest.mark.parametrize(
    ("field", "value", "sign"),
    [
        ("title", "Two parcels\u202e leave", r"U\+202E \(right-to-left override\)"),
        ("title", "Two parcels\x07 leave", r"U\+0007"),
        ("instruction", "Send\u200b the parcels, please, and tell everybody about it.", r"U\+200B"),
        ("criteria", [sound().criteria[0].model_copy(update={"description": "Sent.\u2066"})], r"U\+2066"),
    ],
)
def test_signs_that_nobody_sees(field: str, value: Any, sign: str) -> None:
    with pytest.raises(ValidationError, match=sign):
        spoilt(**{field: value})


# near-duplicates


def _written_by(family: str, number: int, **changes: Any) -> Task:
    origin = Origin(author="model", family=family, area="private life")
    words = f"{sound().instruction}\nThere are {number} of them."
    return spoilt(origin=origin, name=f"made-{number}", **{"instruction": words, **changes})


def test_the_same_under_another_family(world: World) -> None:
    earlier = Earlier.of([_written_by("neighbours", 3), _written_by("parcels", 4)])
    again = _written_by("blankets", 5, distractors=["weather", "timekeeping"])
    found = novelty.examine(again, earlier).findings
    assert any("made-3 and made-4 do the same already" in finding for finding in found)
    other = _written_by("neighbours", 6, instruction="Look after the parcels of everybody in the street, and be quick.")
    assert novelty.examine(other, earlier).passed


def test_the_same_with_one_more_distractor() -> None:
    again = spoilt(name="again", distractors=["weather", "timekeeping"])
    found = novelty.examine(again, Earlier.of([sound()])).findings
    assert any("it is neighbour-parcels with other names" in finding for finding in found)


# whom it reaches


def test_an_addressee_that_only_the_guard_minds(world: World) -> None:
    sql = """
        SELECT count(*) > 0 AS passed FROM notes_note n JOIN parcels_parcel p ON p.receiver = 'Ulla Bok'
        WHERE n.body ~ ('\\m' || p.id || '\\M')"""
    reason = "only nothing-else minds notes.add_note (call 2) with title"
    refused(world, judged("number-noted", sql), "broken", reason, "fail, too, where it is not reached")
