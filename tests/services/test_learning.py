"""Learning: enrolments and seats, lessons and quizzes, certificates, leading others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.learning import service
from services.learning.progress import add_months
from services.learning.state import Certificate, Course, Enrolment, Learner, Lesson, Question, QuizAttempt, Session
from tests.services.desk import AnyDesk
from tests.services.play import Play

MARA, HANA, LUIS, AMARA = "lrn_mara_lindqvist", "lrn_hana_takeda", "lrn_luis_herrera", "lrn_amara_diallo"


class Desk(AnyDesk):
    """A shorthand for the calls of one play."""

    service = "learning"

    def of(self, learner_id: str, course_id: str) -> Any:
        return self.every("list_enrolments", learner_id=learner_id, course_id=course_id)[0]

    def answers(self, course_id: str, wrong: int = 0) -> list[int]:
        asked = [item for item in self.play.rows(Question) if item.course_id == course_id]
        asked.sort(key=lambda item: item.position)
        return [item.answer % len(item.options) + 1 if n < wrong else item.answer for n, item in enumerate(asked)]


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("learning"))


def as_user(name: str) -> Callable[[Entity], None]:
    """Mara's address becomes somebody else's: the user acts as that person."""

    def edit(row: Entity) -> None:
        if isinstance(row, Learner):
            if row.id == MARA:
                row.email = "former.user@larkspur.example"
            elif row.id == name:
                row.email = COLLEAGUES[0].email

    return edit


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def dump(number: int) -> list[Any]:
        return [(type(row).__name__, row.values()) for row in service.seed(Seed("learning", number))]

    assert dump(0) == dump(0) != dump(1)
    assert 150 <= len(dump(0)) <= 230
    cast = {person.email: person.name for person in COLLEAGUES}
    assert {v["email"]: v["name"] for name, v in dump(0) if name == "Learner"} == cast


def test_seed_keeps_the_rules(desk: Desk) -> None:
    courses = {item.id: item for item in desk.play.rows(Course)}
    sessions = {item.id: item for item in desk.play.rows(Session)}
    lessons = desk.play.rows(Lesson)
    enrolments = {item.id: item for item in desk.play.rows(Enrolment)}
    proofs = {item.enrolment_id for item in desk.play.rows(Certificate)}
    for item in enrolments.values():
        course = courses[item.course_id]
        assert (item.closed_at is None) == (item.status in ("enrolled", "waitlisted"))
        assert item.session_id is None or sessions[item.session_id].course_id == course.id
        assert (item.id in proofs) == (item.status == "completed" and course.certificate)
        if item.status == "completed" and course.format == "self_paced":
            assert len(item.completed_lesson_ids) == sum(lesson.course_id == course.id for lesson in lessons)
    for session in sessions.values():
        taken = [e for e in enrolments.values() if e.session_id == session.id and e.status in ("enrolled", "completed")]
        waiting = [e for e in enrolments.values() if e.session_id == session.id and e.status == "waitlisted"]
        assert len(taken) <= session.seats and (not waiting or len(taken) == session.seats)
    for attempt in desk.play.rows(QuizAttempt):
        course = courses[enrolments[attempt.enrolment_id].course_id]
        assert attempt.number <= course.attempt_limit and course.pass_percent is not None
        assert attempt.passed == (attempt.score_percent >= course.pass_percent)
        assert not attempt.passed or enrolments[attempt.enrolment_id].status == "completed"
    mine = [c for c in desk.play.rows(Certificate) if c.learner_id == MARA and c.course_id == "crs_first_aid"]
    assert [item.expires_on for item in mine] == [date(2026, 3, 31)]


def test_months_are_added_to_the_end_of_short_ones() -> None:
    assert add_months(date(2024, 2, 29), 12) == date(2025, 2, 28)
    assert add_months(date(2025, 12, 31), 2) == date(2026, 2, 28)
    assert add_months(date(2025, 11, 30), 1) == date(2025, 12, 30)


def test_catalogue(desk: Desk) -> None:
    found = desk.every("list_courses", limit=5)
    assert len(found) == 12 and [item["code"] for item in found] == sorted(item["code"] for item in found)
    assert {i["id"] for i in desk.every("list_courses", mandatory=True)} == {"crs_fire", "crs_security", "crs_privacy"}
    assert {i["format"] for i in desk.every("list_courses", format="instructor")} == {"instructor"}
    assert [i["id"] for i in desk.every("list_courses", status="retired")] == ["crs_scanner_old"]
    assert [i["id"] for i in desk.every("list_courses", query="gp-778", category="skills")] == ["crs_complaints"]
    fire = desk("get_course", course_id="crs_fire")
    assert [item["position"] for item in fire["lessons"]] == [1, 2, 3]
    assert (fire["questions"], fire["my_status"]) == (5, "enrolled")
    assert "yard" in desk("get_lesson", lesson_id="les_fire_3")["body"]
    desk.no("not_found", "get_course", course_id="crs_x")
    desk.no("not_found", "get_lesson", lesson_id="les_x")
    desk.no("invalid", "list_courses", cursor="x")


def test_sessions(desk: Desk) -> None:
    ahead = desk.every("list_sessions", course_id="crs_first_aid", starts_from="2026-03-02T00:00:00Z", limit=2)
    assert [(i["free_seats"], i["waitlisted"]) for i in ahead] == [(0, 2), (5, 0), (6, 0)]
    assert {i["status"] for i in desk.every("list_sessions", status="cancelled")} == {"cancelled"}
    mine = desk.every("list_sessions", instructor_email="mara.lindqvist@larkspur.example")
    assert [item["id"] for item in mine] == ["ses_0002", "ses_0007"]
    assert desk.every("list_sessions", starts_until="0001-01-01T00:00:00Z") == []


def test_renewal_and_waitlist(desk: Desk) -> None:
    full = desk("create_enrolment", course_id="crs_first_aid", session_id="ses_0004")
    assert (full["status"], full["waitlist_position"]) == ("waitlisted", 3)
    assert desk("get_enrolment", enrolment_id=full["id"]) == full
    assert full["id"] in {i["id"] for i in desk.every("list_enrolments", session_id="ses_0004", limit=1)}
    desk.no("conflict", "create_enrolment", course_id="crs_first_aid", session_id="ses_0006")
    moved = desk("update_enrolment", enrolment_id=full["id"], session_id="ses_0006")
    assert (moved["status"], moved["waitlist_position"], moved["session_id"]) == ("enrolled", None, "ses_0006")
    desk.no("conflict", "update_enrolment", enrolment_id=full["id"], session_id="ses_0006")
    desk.no("invalid", "update_enrolment", enrolment_id=full["id"], session_id="ses_0005")
    desk.no("conflict", "update_enrolment", enrolment_id=full["id"], session_id="ses_0001")
    desk.no("not_found", "update_enrolment", enrolment_id=full["id"], session_id="ses_x")
    desk.no("invalid", "update_enrolment", enrolment_id=full["id"])
    desk.no("forbidden", "update_enrolment", enrolment_id=full["id"], due_on="2026-04-01")
    left = desk("withdraw_enrolment", enrolment_id=full["id"])
    assert (left["status"], left["promoted_enrolment_id"]) == ("withdrawn", None)
    desk.no("conflict", "withdraw_enrolment", enrolment_id=full["id"])
    assert desk("create_enrolment", course_id="crs_first_aid", session_id="ses_0006")["id"] != full["id"]


def test_a_free_seat_goes_to_who_waits(play: Callable[..., Play]) -> None:
    desk = Desk(play("learning", edit=as_user("lrn_priya_raman")))
    mine = desk.of("lrn_priya_raman", "crs_first_aid")
    left = desk("withdraw_enrolment", enrolment_id=mine["id"])
    waited = next(item for item in desk.play.rows(Enrolment) if item.id == left["promoted_enrolment_id"])
    assert (waited.learner_id, waited.status) == (AMARA, "enrolled")
    again = desk("create_enrolment", course_id="crs_first_aid", session_id="ses_0004")
    assert (again["status"], again["waitlist_position"]) == ("waitlisted", 2)
    elsewhere = desk("update_enrolment", enrolment_id=again["id"], session_id="ses_0008")
    assert elsewhere["status"] == "enrolled"


@pytest.mark.parametrize(
    ("code", "course", "session"),
    [
        ("conflict", "crs_fire", None),
        ("conflict", "crs_security", None),
        ("conflict", "crs_scanner", None),
        ("conflict", "crs_scanner_old", None),
        ("conflict", "crs_outage", None),
        ("conflict", "crs_forklift", "ses_0005"),
        ("invalid", "crs_first_aid", None),
        ("invalid", "crs_complaints", "ses_0004"),
        ("invalid", "crs_first_aid", "ses_0005"),
        ("conflict", "crs_first_aid", "ses_0001"),
        ("not_found", "crs_first_aid", "ses_x"),
        ("not_found", "crs_x", None),
    ],
)
def test_refused_enrolments(desk: Desk, code: str, course: str, session: str | None) -> None:
    more = {} if session is None else {"session_id": session}
    desk.no(code, "create_enrolment", course_id=course, **more)


def test_failed_quiz_waits_two_weeks(play: Callable[..., Play]) -> None:
    desk = Desk(play("learning", edit=as_user("lrn_jonah_whitfield")))
    assert "14 days" in desk.no("conflict", "create_enrolment", course_id="crs_security")["message"]


def test_lessons_go_in_order(desk: Desk) -> None:
    key = desk.of(MARA, "crs_lead")["id"]
    desk.no("conflict", "complete_lesson", enrolment_id=key, lesson_id="les_lead_1")
    desk.no("conflict", "complete_lesson", enrolment_id=key, lesson_id="les_lead_3")
    desk.no("not_found", "complete_lesson", enrolment_id=key, lesson_id="les_fire_1")
    assert desk("complete_lesson", enrolment_id=key, lesson_id="les_lead_2")["progress_percent"] == 66
    done = desk("complete_lesson", enrolment_id=key, lesson_id="les_lead_3")
    assert (done["status"], done["progress_percent"]) == ("completed", 100)
    desk.no("conflict", "complete_lesson", enrolment_id=key, lesson_id="les_lead_3")
    desk.no("forbidden", "complete_lesson", enrolment_id=desk.of(LUIS, "crs_slots")["id"], lesson_id="les_slots_1")
    desk.no("not_found", "complete_lesson", enrolment_id="enr_x", lesson_id="les_lead_3")


def test_quiz_and_certificate(desk: Desk) -> None:
    key = desk.of(MARA, "crs_fire")["id"]
    quiz = desk("get_quiz", course_id="crs_fire")
    assert len(quiz["questions"]) == 5 and "answer" not in quiz["questions"][0]
    desk.no("conflict", "create_quiz_attempt", enrolment_id=key, answers=desk.answers("crs_fire"))
    desk("complete_lesson", enrolment_id=key, lesson_id="les_fire_3")
    desk.no("invalid", "create_quiz_attempt", enrolment_id=key, answers=[1])
    desk.no("invalid", "create_quiz_attempt", enrolment_id=key, answers=[10] * 5)
    desk.no("invalid_arguments", "create_quiz_attempt", enrolment_id=key, answers=[0] * 5)
    first = desk("create_quiz_attempt", enrolment_id=key, answers=desk.answers("crs_fire", wrong=2))
    assert (first["score_percent"], first["passed"], first["attempts_left"]) == (60, False, 2)
    second = desk("create_quiz_attempt", enrolment_id=key, answers=desk.answers("crs_fire", wrong=1))
    assert (second["score_percent"], second["passed"], second["enrolment_status"]) == (80, True, "completed")
    desk.no("conflict", "create_quiz_attempt", enrolment_id=key, answers=desk.answers("crs_fire"))
    listed = desk.every("list_quiz_attempts", enrolment_id=key, limit=1)
    assert [item["number"] for item in listed] == [1, 2] and listed[1]["answers"] == second["answers"]
    assert [i["id"] for i in desk.every("list_quiz_attempts", enrolment_id=key, passed=True)] == [second["id"]]
    (proof,) = desk.every("list_certificates", learner_id=MARA, course_id="crs_fire")
    assert (proof["issued_on"], proof["expires_on"], proof["expired"]) == ("2026-03-02", "2027-03-02", False)
    assert proof["number"] == f"CERT-{200 + len(desk.play.rows(Certificate))}"
    assert desk("get_certificate", certificate_id=proof["id"]) == proof
    assert desk("create_enrolment", course_id="crs_forklift", session_id="ses_0005")["status"] == "enrolled"


def test_attempts_are_limited(desk: Desk) -> None:
    key = desk.of(MARA, "crs_slots")["id"]
    wrong = desk.answers("crs_slots", wrong=4)
    assert desk("create_quiz_attempt", enrolment_id=key, answers=wrong)["attempts_left"] == 1
    last = desk("create_quiz_attempt", enrolment_id=key, answers=wrong)
    assert (last["score_percent"], last["enrolment_status"]) == (0, "failed")
    desk.no("conflict", "create_quiz_attempt", enrolment_id=key, answers=wrong)
    desk.no("conflict", "create_enrolment", course_id="crs_slots")
    desk.no("forbidden", "get_quiz", course_id="crs_complaints")
    desk.no("not_found", "get_quiz", course_id="crs_scanner")
    desk.no("not_found", "list_quiz_attempts", enrolment_id="enr_x")


def test_mandatory_assignments_stay(desk: Desk) -> None:
    desk.no("forbidden", "withdraw_enrolment", enrolment_id=desk.of(MARA, "crs_fire")["id"])
    desk.no("forbidden", "withdraw_enrolment", enrolment_id=desk.of(LUIS, "crs_slots")["id"])
    assert desk("withdraw_enrolment", enrolment_id=desk.of(MARA, "crs_slots")["id"])["status"] == "withdrawn"
    desk.no("not_found", "withdraw_enrolment", enrolment_id="enr_x")
