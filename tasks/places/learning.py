"""Learning: learners, courses, sessions and enrolments of a scenario."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from engine.kit.cast import Person

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

MARA = "lrn_mara_lindqvist"


def learner(d: Draft, person: Person, *, team: str = "operations", manager: str = MARA) -> str:
    """Plant somebody who learns; gives their id."""
    key = d.key("lrn")
    d.plant("learning_learner", id=key, name=person.name, email=person.email, team=team, manager_id=manager)
    return key


def course(d: Draft, code: str, title: str, summary: str, *, instructor: bool, minutes: int = 60) -> str:
    """Plant a course with a certificate where an instructor gives it, and one lesson where not; gives its id."""
    key = d.key("crs")
    d.plant(
        "learning_course",
        id=key,
        code=code,
        title=title,
        summary=summary,
        category="safety",
        format="instructor" if instructor else "self_paced",
        minutes=minutes,
        certificate=instructor,
        valid_months=24 if instructor else None,
    )
    if not instructor:
        d.plant(
            "learning_lesson",
            id=d.key("les"),
            course_id=key,
            position=1,
            title="All of it",
            body=summary,
            minutes=minutes,
        )
    return key


def session(d: Draft, of: str, at: datetime, place: str, seats: int, *, instructor: Person, minutes: int = 180) -> str:
    """Plant a date on which a course is given; gives its id."""
    key = d.key("ses")
    d.plant(
        "learning_session",
        id=key,
        course_id=of,
        starts_at=at,
        ends_at=at + timedelta(minutes=minutes),
        place=place,
        instructor_name=instructor.name,
        instructor_email=instructor.email,
        seats=seats,
    )
    return key


def enrolment(
    d: Draft,
    who: str,
    in_: str,
    *,
    at: str | None = None,
    due: date | None = None,
    status: str = "enrolled",
    days_ago: int = 30,
) -> str:
    """Plant somebody's way through a course; gives its id."""
    key = d.key("enr")
    d.plant(
        "learning_enrolment",
        id=key,
        learner_id=who,
        course_id=in_,
        session_id=at,
        status=status,
        due_on=due,
        assigned_by_id=MARA if due else None,
        enrolled_at=d.ago(days_ago, 9, d.rng.randint(0, 59)),
        closed_at=d.ago(2, 15) if status in ("completed", "failed", "withdrawn") else None,
    )
    return key
