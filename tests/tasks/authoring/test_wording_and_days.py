"""What families plant and say fits an office: its days, and whether there are older notes to speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import islice

import pytest

from tasks.authoring import Family, Plan, families, plans
from tasks.authoring.draft import Draft
from tasks.authoring.draw import is_workday, workdays
from tasks.errors import DraftError
from tasks.places import calendar
from tasks.sampling.dials import Dials

FAMILIES = list(families().values())
WRITTEN = {
    "mail_message": "at",
    "chat_message": "posted_at",
    "docs_page": "published_at",
    "files_item": "updated_at",
    "tickets_comment": "created_at",
    "boards_comment": "created_at",
    "contacts_note": "created_at",
    "tables_row": "created_at",
    "calendar_event": "start_at",
    "expenses_report": "submitted_at",
    "recruiting_note": "created_at",
    "inventory_movement": "moved_at",
    "shipping_shipment": "created_at",
    "clinic_appointment": "starts_at",
}
"""Tables of what people write or meet for, with the field that says when."""

OLDER = re.compile(
    r"\bolder (sheets|versions|arrangement)|old (editions|versions)|corrected more than once|have been corrected"
    r"|corrects (him|her)self|changed his mind|and he has revised|one of them has changed|was handed over"
    r"|were reshuffled|out of date|are history|got some numbers wrong"
)


def told(plan: Plan) -> Draft:
    """What its family makes of a plan."""
    draft = Draft(plan)
    families()[plan.family].tell(draft)
    return draft


def days_of(draft: Draft) -> Iterator[tuple[str, date]]:
    """The days on which people of the scenario write or meet."""
    insert = draft.s0().insert
    for table, field in WRITTEN.items():
        for row in insert.get(table, []):
            if (at := row.get(field)) and not row.get("all_day"):
                yield table, datetime.fromisoformat(at.replace("Z", "+00:00")).date()


@pytest.mark.parametrize("family", [one for one in FAMILIES if one.area != "private life"], ids=lambda one: one.name)
def test_nobody_in_the_office_writes_or_meets_when_it_is_closed(family: Family) -> None:
    found = set()
    for plan in islice(plans(23, None, [family.name]), 3):
        for table, day in days_of(told(plan)):
            assert is_workday(day), f"{table}: {day:%A} {day}"
            found.add(table)
    assert found, "the test looks at nothing this family plants"


@pytest.mark.parametrize("family", [one for one in FAMILIES if one.area == "private life"], ids=lambda one: one.name)
def test_the_surgery_and_the_workmen_come_on_working_days(family: Family) -> None:
    for plan in islice(plans(29, None, [family.name]), 4):
        insert = told(plan).s0().insert
        for row in insert.get("clinic_appointment", []):
            assert is_workday(date.fromisoformat(row["starts_at"][:10])), row["starts_at"]
    if family.name == "visit-must-move":
        offered = {draft.facts["offered-day"].value for draft in map(told, islice(plans(29, None, [family.name]), 30))}
        assert len(offered) > 4 and all(map(is_workday, offered))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_no_word_about_older_notes_where_there_are_none(family: Family) -> None:
    dials = Dials().but(stale=0, length=(7, 12), services=(2, 8), carried=1)
    for plan in islice(plans(31, dials, [family.name]), 4):
        words = told(plan).instruction()
        assert not OLDER.search(words), words


@pytest.mark.parametrize("stale", [0, 1])
def test_a_warning_of_older_notes_is_given_where_there_are_some(stale: int) -> None:
    dials = Dials().but(stale=stale, length=(7, 12), services=(2, 8), carried=1)
    draft = Draft(next(plans(0, dials, ["held-stock"])))
    draft.say("First read the note.")
    draft.warn("The newest counts.", "Of several the newest holds.")
    assert ("newest" in draft.instruction()) == bool(stale)


def test_a_meeting_was_entered_before_it_took_place() -> None:
    draft = Draft(next(plans(0, None, ["held-stock"])))
    for days in (3, 200):
        calendar.event(draft, "Round", draft.ago(days, 9))
    assert all(row["created_at"] < row["start_at"] for row in draft.s0().insert["calendar_event"])


def test_working_days_leave_out_weekends_and_holidays() -> None:
    monday = date(2026, 3, 2)
    assert workdays(monday, -1) == date(2026, 2, 27)
    assert workdays(monday, -5) == date(2026, 2, 23)
    assert workdays(date(2026, 4, 2), 1) == date(2026, 4, 7), "Easter lies between"
    assert workdays(monday, 0) == monday


def test_days_are_counted_alike_from_both_sides() -> None:
    office, home = (told(next(plans(0, None, [name]))) for name in ("held-stock", "visit-must-move"))
    assert office.ago(3).date() == office.on(-3) == date(2026, 2, 25)
    assert home.ago(1).date() == office.calendar_day(-1) == date(2026, 3, 1)
    assert office.ago(0, 15, 5) < office.start, "nothing was written after the scenario begins"
    assert office.at(monday := office.start.date(), 8, 90) - office.at(monday, 8) == timedelta(minutes=90)


def test_further_records_are_told_where_the_first_one_is() -> None:
    draft = Draft(next(plans(0, None, ["held-stock"])))
    draft.file_on("a card", "a page that gives the card's code")
    draft.say("First read the note.")
    draft.say("Then make a card.")
    draft.say("That is all.")
    words = draft.instruction()
    assert words.startswith("First read the note. Then make a card. ") and words.endswith("That is all.")
    assert words.count("a page that gives the card's code") == 1
    draft.file_on("a ticket", "a page that gives the ticket's id")
    with pytest.raises(DraftError, match="never says so"):
        draft.instruction()
