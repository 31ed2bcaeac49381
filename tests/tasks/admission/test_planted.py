"""Planted bad tasks: each is refused, at the check that is there for it and for the right reason."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest

from engine.kit import Context
from engine.world import World
from tasks.admission import Earlier, admit, instruction
from tasks.admission.ground import Ground
from tasks.document import Origin, Task
from tasks.store import put
from tests.tasks.admission.sound import called, judged, judged_too, sound, spoilt, told, with_facts
from tests.toys.state import Parcel

MOMENT = """to_char(p.sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"""


def refused(world: World, task: Task, stage: str, *reasons: str, earlier: Earlier | None = None) -> None:
    verdict = admit(world, task, earlier=earlier)
    assert not verdict.admitted
    assert verdict.stage == stage, verdict.findings
    for reason in reasons:
        assert any(reason in finding for finding in verdict.findings), verdict.findings


def test_the_task_that_is_spoilt_is_sound(world: World) -> None:
    verdict = admit(world, sound())
    assert verdict.admitted, verdict.findings


# document


def test_too_few_criteria(world: World) -> None:
    kept = [item for item in sound().criteria if item.name in ("blankets-sent", "nothing-else", "moment-noted")]
    refused(world, spoilt(criteria=kept), "document", "a task has 4 to 12 criteria, this one 3")


@pytest.mark.parametrize(
    ("kinds", "reason"),
    [
        (("must_not_change",), "no criterion is of the kind must_not_change"),
        (("state",), "no criterion is of the kind state"),
        (("output", "answer"), "no criterion is of the kind output or answer"),
    ],
)
def test_a_kind_of_criterion_is_missing(world: World, kinds: tuple[str, ...], reason: str) -> None:
    other = {"state": "output"}.get(kinds[0], "state")
    criteria = [item.model_copy(update={"kind": other}) if item.kind in kinds else item for item in sound().criteria]
    refused(world, spoilt(criteria=criteria), "document", reason)


def test_a_tool_that_there_is_not(world: World) -> None:
    task = called(5, tool="send_off")
    verdict = admit(world, task)
    assert (verdict.stage, verdict.stored) == ("document", None)
    assert "service 'parcels' has no tool 'send_off'" in str(verdict.reason)


def test_sql_that_is_refused(world: World) -> None:
    refused(world, judged("neighbour-sent", "DELETE FROM notes_note"), "document", "neighbour-sent")


# instruction


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("A parcel for the", "parcel_p for the", "gives away 'parcel_p', the key of a row of parcels_parcel"),
        ("A parcel for the", "A parcel_0123456789ab for the", "looks like an identifier made in a run"),
        ("tell me that moment", "use list_parcels for that moment", "names the tool 'list_parcels'"),
        ("Pack that parcel", "Step 1: pack that parcel", "say what is wanted, not how"),
        ("for how much", "for how much, {price}", "'{price}', which was left over"),
        ("for how much", "for how much, None", "'None', which was left over"),
        ("Pack that parcel", "Pack  that parcel", "2 spaces in a row"),
        ("Pack that parcel", "Pack that that parcel", "a word is doubled"),
        ("Monday 2 March", "Tuesday 2 March", "'Tuesday 2 March', but 2 March 2026 is a Monday"),
        ("Monday 2 March", "by the 30th of February", "there is no such day"),
        ("today, Monday 2 March", "by 27 February", "as something to come, but the task begins on 2 March 2026"),
        ("that person", "our customer Walter Quist", "names 'Walter Quist', which stands nowhere in s0"),
        ("Pallet order", "Pallet orders of old", "quotes 'Pallet orders of old', which stands nowhere in s0"),
        ("leave me a note", "ask w.quist@larkspur.example for a note", "nobody in s0 has the address w.quist@lark"),
        ("leave me a note", "ask @walter.quist for a note", "nobody in s0 has the handle @walter.quist"),
    ],
)
def test_an_instruction_that_nobody_would_write(world: World, old: str, new: str, reason: str) -> None:
    refused(world, told(old, new), "instruction", reason)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("that person", "the person whom Hana Takeda knows at Brightwater Logistics"),
        ("today, Monday 2 March", "by Friday, March 6th"),
        ("today, Monday 2 March", "today, 2 March 2026"),
        (
            "leave me a note",
            "after the invoices of 27 February leave mara.lindqvist@larkspur.example (@mara.lindqvist) a note",
        ),
        ("for how much", "for how much in EUR. Please ask Elena Sorokina first"),
    ],
)
def test_an_instruction_that_is_in_order(world: World, old: str, new: str) -> None:
    with Ground.of(world, put(world, told(old, new))) as ground:
        assert instruction.examine(ground).findings == []


def test_an_instruction_that_says_nothing(world: World) -> None:
    refused(world, spoilt(instruction="Send the parcels."), "instruction", "60 to 2,000 characters, this one 17")


# reference


def test_a_reference_that_fails(world: World) -> None:
    refused(world, called(6, arguments={"id": "parcel_1"}), "reference", "call 6 (parcels.send): parcel_1 is sent")


def test_a_criterion_that_errs(world: World) -> None:
    sql = "SELECT 1 / (count(*) - 8) > 0 AS passed FROM notes_note"
    notes = 2 + 7 + 2
    sql = sql.replace("8", str(notes))
    refused(world, judged("neighbour-sent", sql), "reference", "neighbour-sent", "division by zero")


def test_an_end_that_is_another_each_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def pack(ctx: Context, receiver: str, price: Any) -> Any:
        return ctx.add(Parcel(id=f"parcel_{uuid.uuid4().hex}", receiver=receiver, price=price))

    service = world.library.get("parcels")
    for tools in (service.tools, service.offered(False), service.offered(True)):
        monkeypatch.setitem(tools, "pack", replace(tools["pack"], function=pack))
    refused(world, spoilt(title="Another"), "reference", "end in different states")


# untouched


def test_a_state_that_is_reached_already(world: World) -> None:
    sql = "SELECT count(*) >= 5 AS passed FROM parcels_parcel"
    refused(world, judged("neighbour-sent", sql), "untouched", "neighbour-sent (state) holds on the untouched initial")


def test_a_guard_that_is_broken_from_the_start(world: World) -> None:
    sql = "SELECT count(*) > 0 AS passed FROM row_changes"
    refused(world, judged("nothing-else", sql), "untouched", "nothing-else (must_not_change) does not hold")


# sources


def test_a_title_that_nobody_asked_for(world: World) -> None:
    task = told('a note "Left the house" with', "a note with")
    refused(world, task, "sources", "title of notes.add_note is 'Left the house', which neither the instruction nor")


# sources


def test_a_value_that_nobody_says(world: World) -> None:
    honey = {**sound().reference.calls[9].arguments, "price": 3.4}
    refused(
        world, called(9, arguments=honey), "sources", "price of parcels.pack is '3.4', which neither the instruction"
    )


# crossing


def test_a_value_that_stands_in_the_instruction(world: World) -> None:
    task = told("that person; you find who", "that person; it is Petra Lind, as you see")
    refused(world, task, "crossing", 'list_parcels ("Petra Lind") stands in the instruction')


def test_a_value_that_the_later_service_gives_away(world: World) -> None:
    task = told("is packed and waits", "is packed for 9.1 and waits")
    refused(world, task, "crossing", "stands in parcels_parcel parcel_p (receiver), and the instruction's '9.1' leads")


def test_a_value_out_of_three(world: World) -> None:
    s0 = sound().s0
    few = [row for row in s0.insert["parcels_parcel"] if row["id"] in ("parcel_p", "parcel_i")]
    task = spoilt(s0=s0.model_copy(update={"insert": {**s0.insert, "parcels_parcel": few}}))
    refused(world, task, "crossing", "can be guessed: parcels_parcel.receiver has only 3 different values")


def test_a_literal_where_a_value_should_be_taken(world: World) -> None:
    task = called(4, arguments={"receiver": "Petra Lind"})
    refused(world, task, "crossing", "visit 4 (parcels) takes nothing from visit 3 (notes)")


@pytest.mark.parametrize("facts", [(), ({"note_rule": {"body": "Three layers."}},)])
def test_a_dependency_that_no_fact_shows(world: World, facts: tuple[dict[str, Any], ...]) -> None:
    task = with_facts(*facts)
    refused(world, task, "crossing", "is the same whatever the declared facts are")


def test_a_value_that_was_known_before(world: World) -> None:
    """The note tells whom the honey is for, but so did the parcel before."""
    honey = {**sound().reference.calls[9].arguments, "price": 3.4}
    dear = sound().instruction.replace("for the trouble;", "for the trouble, for 3.40;")
    refused(
        world,
        spoilt(called(9, arguments=honey), instruction=dear),
        "crossing",
        '("Petra Lind") is known before: parcels.list_parcels at visit 4',
    )


def test_a_counterfactual_that_does_not_fit(world: World) -> None:
    task = with_facts({"note_nowhere": {"body": "x"}})
    refused(world, task, "crossing", "counterfactual fact-0: s0.update.notes_note.note_nowhere: there is no row")


# revisit


def _without_moment() -> Task:
    """It says what the parcel cost and not when it was sent: that was known at the first visit."""
    task = sound()
    text = task.model_dump_json().replace("data.items.-1.sent_at", "data.items.-1.price")
    task = Task.model_validate_json(text, strict=True)
    price = "trim_scale(p.price)::text"
    criteria = [item.model_copy(update={"sql": item.sql.replace(MOMENT, price)}) for item in task.criteria]
    return spoilt(task, criteria=criteria)


def test_a_visit_that_is_not_needed(world: World) -> None:
    refused(world, _without_moment(), "revisit", "coming back to parcels is not needed", "visit 4 in place of visit 6")


def test_nothing_is_read_again(world: World) -> None:
    task = called(
        10, arguments={"receiver": {"$from": "person", "path": "data.items.0.body", "match": "(.+) \\w+ takes"}}
    )
    refused(world, task, "revisit", "nothing is read again")


# broken


def test_an_idle_criterion(world: World) -> None:
    task = judged_too("something-done", "state", "SELECT count(*) > 0 AS passed FROM row_changes")
    refused(world, task, "broken", "criterion something-done is idle")


def test_an_idle_guard(world: World) -> None:
    task = judged_too("sky", "must_not_change", "SELECT count(*) < 99 AS passed FROM weather_day")
    refused(world, task, "broken", "criterion sky is idle")


def test_a_guard_that_minds_what_no_variant_does(world: World) -> None:
    verdict = admit(world, judged_too("sky", "must_not_change", "SELECT count(*) = 1 AS passed FROM weather_day"))
    assert verdict.admitted, verdict.reason


@pytest.mark.parametrize(
    "loophole", ["op = 'delete'", "table_name LIKE 'weather%'", "op = 'update' AND table_name LIKE 'notes%'"]
)
def test_a_guard_with_a_loophole(world: World, loophole: str) -> None:
    guard = next(item.sql for item in sound().criteria if item.name == "nothing-else")
    sql = guard.replace("FILTER (WHERE (", f"FILTER (WHERE ({loophole} OR ", 1)
    assert sql != guard
    refused(world, judged("nothing-else", sql), "broken", "which nobody asked for: say that nothing else may change")


def test_a_loose_answer(world: World) -> None:
    sql = f"SELECT a.text LIKE '%48.5%' AND strpos(a.text, {MOMENT}) > 0 AS passed FROM answer a, parcels_parcel p"
    task = judged("says-when-and-how-much", f"{sql} WHERE p.id = 'parcel_p'")
    refused(world, task, "broken", 'no criterion notices the wrong answer price: 48.5 → "148.5"')


def test_an_answer_that_nothing_looks_at(world: World) -> None:
    task = judged("says-when-and-how-much", "SELECT text IS NOT NULL AS passed FROM answer")
    refused(world, task, "broken", "wrong answer moment", "wrong answer price")


def test_an_argument_that_only_a_report_shows(world: World) -> None:
    """A wrong price would show in the answer, unless the agent says there what should have been."""
    sql = "SELECT count(*) = 1 AS passed FROM parcels_parcel WHERE receiver = 'Ulla Bok' AND status = 'sent'"
    reason = "no criterion notices parcels.pack (call 1) with price: 48.5 → 49.5, all else as if it were right"
    refused(world, judged("blankets-sent", sql), "broken", reason)


def test_a_write_that_nothing_looks_at(world: World) -> None:
    sql = "SELECT count(*) = 1 AS passed FROM notes_note WHERE title = 'Ulla Bok' AND done AND strpos(body, '(') > 0"
    task = judged("note-finished", sql)
    refused(world, task, "broken", "no criterion notices notes.finish_note (call 7) with because")


def test_over_acting_that_nothing_looks_at(world: World) -> None:
    sql = (
        "SELECT count(*) FILTER (WHERE op = 'insert' AND table_name = 'parcels_parcel') <= 2 AS passed FROM row_changes"
    )
    refused(
        world, judged("nothing-else", sql), "broken", "parcels.send (call 5) is called also with id", "must not change"
    )


def test_a_record_made_twice_that_nothing_looks_at(world: World) -> None:
    guard = next(item.sql for item in sound().criteria if item.name == "nothing-else")
    sql = guard.replace("<= 2", "<= 3")
    refused(world, judged("nothing-else", sql), "broken", "parcels.pack (call 1) is called twice", "must not change")


# equivalent


def test_a_criterion_that_wants_an_order(world: World) -> None:
    sent, finished = (f"max(event) FILTER (WHERE tool = '{tool}')" for tool in ("send", "finish_note"))
    sql = f"SELECT {sent} < {finished} AS passed FROM events"
    refused(world, judged_too("in-order", "output", sql), "equivalent", "in another order", "in-order")


def test_a_criterion_that_wants_certain_words(world: World) -> None:
    sql = """
        SELECT count(*) = 1 AS passed FROM notes_note n JOIN parcels_parcel p ON p.receiver = 'Ulla Bok'
        WHERE n.title = 'Parcel under way' AND n.body = 'Packed as ' || p.id || '.'"""
    refused(world, judged("number-noted", sql), "equivalent", "the free texts in other words", "number-noted")


def test_a_criterion_that_wants_certain_calls(world: World) -> None:
    task = judged_too("twelve-calls", "output", "SELECT count(*) = 12 AS passed FROM events WHERE outcome <> 'unknown'")
    refused(world, task, "equivalent", "a read made twice", "a look into weather", "a retry after an error")


def test_a_criterion_that_forbids_mistakes(world: World) -> None:
    sql = "SELECT count(*) FILTER (WHERE outcome <> 'ok') = 0 AND count(*) > 11 AS passed FROM events"
    refused(world, judged_too("no-mistake", "output", sql), "equivalent", "a retry after an error", "no-mistake")


def test_a_criterion_that_names_what_is_made_in_the_run(world: World) -> None:
    verdict = admit(world, sound())
    made = next(item for item in verdict.evidence if item.check == "crossing").detail["edges"][1]["value"]
    sql = (
        f"SELECT count(*) = 1 AS passed FROM notes_note WHERE title = 'Parcel under way' AND strpos(body, '{made}') > 0"
    )
    refused(world, judged("number-noted", sql), "equivalent", "number-noted")


# novelty


def _other_names(task: Task) -> Task:
    text = task.model_dump_json()
    for old, new in {"Ulla Bok": "Vera Holm", "Petra Lind": "Nora Falk", "parcel_p": "parcel_n"}.items():
        text = text.replace(old, new)
    return Task.model_validate_json(text, strict=True).model_copy(update={"name": "other-names"})


def test_an_earlier_task_with_other_names(world: World) -> None:
    task = _other_names(sound())
    assert admit(world, task).admitted
    refused(world, task, "novelty", "it is neighbour-parcels with other names", earlier=Earlier.of([sound()]))


def test_too_many_of_a_family(world: World) -> None:
    origin = Origin(author="family", family="neighbours", area="private life")
    made = [
        spoilt(origin=origin, name=f"made-{number}", instruction=sound().instruction + f"\nThere are {number} of them.")
        for number in range(3, 6)
    ]
    earlier = Earlier.of(made[:1])
    verdict = admit(world, made[2], earlier=earlier)
    assert verdict.admitted, verdict.findings
    assert verdict.evidence[-1].detail["nearest"] == {"task": "made-3", "similarity": 1.0}
    earlier.add(made[1])
    refused(world, made[2], "novelty", "there are 2 tasks of the family neighbours", earlier=earlier)
    other = spoilt(made[2], origin=origin.model_copy(update={"family": "others"}))
    assert admit(world, other, earlier=earlier).stage in (None, "novelty")
