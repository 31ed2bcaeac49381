"""Learning: what leads and instructors see and do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from services.learning.state import Certificate, Enrolment
from tests.services.play import Play
from tests.services.test_learning import AMARA, HANA, LUIS, MARA, Desk, as_user


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("learning"))


def test_what_leads_see(desk: Desk) -> None:
    shown = desk.every("list_enrolments", limit=4)
    assert {item["learner_id"] for item in shown} == {MARA, HANA, LUIS, AMARA}
    assert len({item["id"] for item in shown}) == len(shown) == desk("list_enrolments")["total"]
    assert {i["status"] for i in desk.every("list_enrolments", status="waitlisted")} == {"waitlisted"}
    late = desk.every("list_enrolments", due_until="2026-03-01", status="enrolled")
    assert [(item["learner_id"], item["overdue"]) for item in late] == [(LUIS, True)]
    jonah = next(item for item in desk.play.rows(Enrolment) if item.learner_id == "lrn_jonah_whitfield")
    desk.no("forbidden", "get_enrolment", enrolment_id=jonah.id)
    desk.no("forbidden", "update_enrolment", enrolment_id=jonah.id, due_on="2026-04-01")
    longer = desk("update_enrolment", enrolment_id=late[0]["id"], due_on="2026-03-20")
    assert (longer["due_on"], longer["overdue"]) == ("2026-03-20", False)
    desk.no("invalid", "update_enrolment", enrolment_id=late[0]["id"], due_on="2026-03-01")
    desk.no("not_found", "get_enrolment", enrolment_id="enr_x")


def test_certificates(desk: Desk) -> None:
    found = desk.every("list_certificates", limit=3)
    assert {item["learner_id"] for item in found} == {MARA, HANA, LUIS, AMARA}
    soon = desk.every("list_certificates", expires_from="2026-03-02", expires_until="2026-04-30")
    assert [item["course_id"] for item in soon] == ["crs_first_aid"]
    foreign = next(item for item in desk.play.rows(Certificate) if item.learner_id == "lrn_elena_sorokina")
    desk.no("forbidden", "get_certificate", certificate_id=foreign.id)
    desk.no("not_found", "get_certificate", certificate_id="crt_x")


def test_assigning(desk: Desk) -> None:
    made = desk("assign_course", course_id="crs_outage", due_on="2026-03-31", team="support")
    assert [item["learner_id"] for item in made["items"]] == [LUIS]
    assert made["items"][0]["assigned_by_id"] == MARA
    assert {item["learner_id"] for item in made["skipped"]} == {AMARA, HANA}
    desk.no("conflict", "assign_course", course_id="crs_outage", due_on="2026-03-31", team="support")
    one = desk("assign_course", course_id="crs_lead", due_on="2026-03-02", learner_ids=[AMARA])
    assert desk("get_enrolment", enrolment_id=one["items"][0]["id"])["due_on"] == "2026-03-02"
    for code, more in (
        ("forbidden", {"team": "sales"}),
        ("forbidden", {"learner_ids": ["lrn_priya_raman"]}),
        ("forbidden", {"learner_ids": [MARA]}),
        ("not_found", {"learner_ids": ["lrn_x"]}),
        ("invalid", {}),
        ("invalid", {"team": "support", "learner_ids": [LUIS]}),
        ("invalid", {"team": "support", "due_on": "2026-03-01"}),
        ("conflict", {"team": "support", "course_id": "crs_dock"}),
        ("not_found", {"team": "support", "course_id": "crs_x"}),
    ):
        desk.no(code, "assign_course", **{"course_id": "crs_lead", "due_on": "2026-03-31"} | more)


def test_attendance(desk: Desk) -> None:
    rows = {item["learner_id"]: item["id"] for item in desk.every("list_enrolments", session_id="ses_0002")}
    dario = next(i.id for i in desk.play.rows(Enrolment) if i.session_id == "ses_0002" and "dario" in i.learner_id)
    done = desk("record_attendance", session_id="ses_0002", enrolment_ids=[rows[HANA], dario])
    assert {item["status"] for item in done["completed"]} == {"completed"}
    (proof,) = desk.every("list_certificates", learner_id=HANA, course_id="crs_dock")
    assert proof["expires_on"] == "2028-03-02"
    desk.no("conflict", "record_attendance", session_id="ses_0002", enrolment_ids=[rows[HANA]])
    desk.no("not_found", "record_attendance", session_id="ses_0002", enrolment_ids=["enr_0001"])
    desk.no("forbidden", "record_attendance", session_id="ses_0001", enrolment_ids=[rows[LUIS]])
    desk.no("conflict", "record_attendance", session_id="ses_0007", enrolment_ids=[rows[LUIS]])
    desk.no("not_found", "record_attendance", session_id="ses_x", enrolment_ids=[rows[LUIS]])


def test_completion_report(desk: Desk) -> None:
    report = desk("get_completion_report")
    assert [item["name"] for item in report["people"]] == ["Amara Diallo", "Hana Takeda", "Luis Herrera"]
    security = next(item for item in report["items"] if item["course_id"] == "crs_security")
    assert (security["enrolled"], security["completed"], security["completion_percent"]) == (3, 2, 66)
    assert [item["learner_id"] for item in security["overdue"]] == [LUIS]
    (fire,) = desk("get_completion_report", course_id="crs_fire", team="support")["items"]
    assert [item["id"] for item in fire["not_enrolled"]] == [AMARA]
    assert desk("get_completion_report", team="sales")["people"] == []
    desk.no("not_found", "get_completion_report", course_id="crs_x")


def test_only_leads_get_reports(play: Callable[..., Play]) -> None:
    desk = Desk(play("learning", edit=as_user(LUIS)))
    desk.no("forbidden", "get_completion_report")
    people = Desk(play("learning", edit=as_user("lrn_ruth_abernathy")))
    assert len(people("get_completion_report")["people"]) == 13
