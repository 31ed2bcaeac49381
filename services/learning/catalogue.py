"""Tools for courses, lessons, sessions and certificates."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.learning.access import led_by, me
from services.learning.progress import lessons_of
from services.learning.state import Certificate, Course, Enrolment, Learner, Lesson, Question, Session


@tool
def list_courses(
    ctx: Context,
    query: str | None = None,
    category: str | None = None,
    format: str | None = None,
    mandatory: bool | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """The catalogue by code."""
    me(ctx)
    equal = (
        (Course.category, category),
        (Course.format, format),
        (Course.mandatory, mandatory),
        (Course.status, status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(or_(*(contains(column, query) for column in (Course.title, Course.code, Course.summary))))
    return ctx.page(Course, *where, order_by=[col(Course.code)], limit=limit, cursor=cursor).out()


@tool
def get_course(ctx: Context, course_id: str) -> Any:
    """One course with its lessons and how the user stands with it."""
    person = me(ctx)
    course = ctx.require(Course, course_id)
    latest = ctx.first(
        Enrolment,
        col(Enrolment.course_id) == course.id,
        col(Enrolment.learner_id) == person.id,
        order_by=[col(Enrolment.enrolled_at).desc()],
    )
    return course.out() | {
        "lessons": [item.out("id", "position", "title", "minutes") for item in lessons_of(ctx, course.id)],
        "questions": ctx.count(Question, col(Question.course_id) == course.id),
        "my_enrolment_id": latest.id if latest else None,
        "my_status": latest.status if latest else None,
    }


@tool
def get_lesson(ctx: Context, lesson_id: str) -> Any:
    """One lesson with its text."""
    me(ctx)
    return ctx.require(Lesson, lesson_id)


def session_views(ctx: Context, sessions: list[Session]) -> list[dict[str, Any]]:
    """Sessions with seats taken, free and waited for."""
    statement: Any = (
        select(col(Enrolment.session_id), col(Enrolment.status), func.count())
        .where(col(Enrolment.session_id).in_([item.id for item in sessions]))
        .group_by(col(Enrolment.session_id), col(Enrolment.status))
        .order_by(col(Enrolment.session_id), col(Enrolment.status))
    )
    counts = {(row[0], row[1]): row[2] for row in ctx.rows(statement)}
    courses = {item.id: item.title for item in ctx.list(Course, col(Course.id).in_({s.course_id for s in sessions}))}
    out = []
    for item in sessions:
        taken = counts.get((item.id, "enrolled"), 0) + counts.get((item.id, "completed"), 0)
        out.append(
            item.out()
            | {
                "course_title": courses[item.course_id],
                "free_seats": max(item.seats - taken, 0),
                "waitlisted": counts.get((item.id, "waitlisted"), 0),
            }
        )
    return out


@tool
def list_sessions(
    ctx: Context,
    course_id: str | None = None,
    instructor_email: str | None = None,
    status: str | None = None,
    starts_from: Moment | None = None,
    starts_until: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Sessions by time."""
    me(ctx)
    equal = (
        (Session.course_id, course_id),
        (Session.instructor_email, instructor_email),
        (Session.status, status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if starts_from is not None:
        where.append(col(Session.starts_at) >= starts_from)
    if starts_until is not None:
        where.append(col(Session.starts_at) <= starts_until)
    page = ctx.page(Session, *where, order_by=[col(Session.starts_at)], limit=limit, cursor=cursor)
    return {"items": session_views(ctx, page.items), "next_cursor": page.next_cursor}


def _certificate_views(ctx: Context, certificates: list[Certificate]) -> list[dict[str, Any]]:
    courses = {c.id: c.title for c in ctx.list(Course, col(Course.id).in_({item.course_id for item in certificates}))}
    learners = {
        person.id: person for person in ctx.list(Learner, col(Learner.id).in_({c.learner_id for c in certificates}))
    }
    today = ctx.today()
    return [
        item.out()
        | {
            "course_title": courses[item.course_id],
            "learner_name": learners[item.learner_id].name,
            "learner_email": learners[item.learner_id].email,
            "expired": item.expires_on is not None and item.expires_on < today,
        }
        for item in certificates
    ]


@tool
def list_certificates(
    ctx: Context,
    learner_id: str | None = None,
    course_id: str | None = None,
    expires_from: date | None = None,
    expires_until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Certificates of the user and their people by number."""
    person = me(ctx)
    where: list[Any] = [col(Certificate.learner_id).in_({person.id} | led_by(ctx, person))]
    if learner_id is not None:
        where.append(col(Certificate.learner_id) == learner_id)
    if course_id is not None:
        where.append(col(Certificate.course_id) == course_id)
    if expires_from is not None:
        where.append(col(Certificate.expires_on) >= expires_from)
    if expires_until is not None:
        where.append(col(Certificate.expires_on) <= expires_until)
    page = ctx.page(Certificate, *where, order_by=[col(Certificate.number)], limit=limit, cursor=cursor)
    return {"items": _certificate_views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def get_certificate(ctx: Context, certificate_id: str) -> Any:
    """One certificate."""
    person = me(ctx)
    certificate = ctx.require(Certificate, certificate_id)
    if certificate.learner_id not in {person.id} | led_by(ctx, person):
        ctx.fail("forbidden", f"Certificate {certificate.number} is open to its holder, their leads and people team.")
    return _certificate_views(ctx, [certificate])[0]
