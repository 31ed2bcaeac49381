"""How an enrolment begins, goes on and ends."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context
from services.learning.state import Certificate, Course, Enrolment, Learner, Lesson, QuizAttempt, Session

RENEWAL_DAYS = 60
RETRY_DAYS = 14


def add_months(day: date, months: int) -> date:
    """The same day some months later, or the last one of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def lessons_of(ctx: Context, course_id: str) -> list[Lesson]:
    """A course's lessons in order."""
    return ctx.list(Lesson, col(Lesson.course_id) == course_id, order_by=[col(Lesson.position)])


def obstacle(ctx: Context, learner_id: str, course: Course) -> str | None:
    """Why somebody cannot be enrolled in a course now, or ``None``."""
    if course.status == "retired":
        return f"{course.title} is retired"
    mine = ctx.list(Enrolment, col(Enrolment.learner_id) == learner_id, order_by=[col(Enrolment.enrolled_at)])
    done = {item.course_id for item in mine if item.status == "completed"}
    for item in mine:
        if item.course_id != course.id:
            continue
        if item.status in ("enrolled", "waitlisted"):
            return f"enrolment {item.id} is under way"
        if item.status == "failed" and item.closed_at and item.closed_at > ctx.now() - timedelta(days=RETRY_DAYS):
            return f"the quiz was failed less than {RETRY_DAYS} days ago ({item.id})"
    missing = [key for key in course.prerequisite_ids if key not in done]
    if missing:
        return f"course {missing[0]} must be completed first"
    if course.id in done:
        soon = ctx.today() + timedelta(days=RENEWAL_DAYS)
        valid = ctx.exists(
            Certificate,
            col(Certificate.learner_id) == learner_id,
            col(Certificate.course_id) == course.id,
            or_(col(Certificate.expires_on).is_(None), col(Certificate.expires_on) > soon),
        )
        if valid or not course.certificate:
            return f"it is completed; a certificate is renewed in its last {RENEWAL_DAYS} days"
    return None


def free_seats(ctx: Context, session: Session) -> int:
    """Seats of a session that nobody has."""
    taken = ctx.count(
        Enrolment, col(Enrolment.session_id) == session.id, col(Enrolment.status).in_(("enrolled", "completed"))
    )
    return session.seats - taken


def require_bookable(ctx: Context, course: Course, session_id: str) -> Session:
    """A session of the course that lies ahead."""
    session = ctx.require(Session, session_id)
    if session.course_id != course.id:
        ctx.fail("invalid", f"Session {session.id} belongs to another course than {course.id}.")
    if session.status == "cancelled":
        ctx.fail("conflict", f"Session {session.id} is cancelled; list_sessions shows others.")
    if session.starts_at <= ctx.now():
        ctx.fail("conflict", f"Session {session.id} has begun; list_sessions shows others.")
    return session


def promote(ctx: Context, session_id: str | None) -> Enrolment | None:
    """Give a seat that became free to whoever waits longest."""
    if session_id is None or free_seats(ctx, ctx.require(Session, session_id)) < 1:
        return None
    first = ctx.first(
        Enrolment,
        col(Enrolment.session_id) == session_id,
        col(Enrolment.status) == "waitlisted",
        order_by=[col(Enrolment.enrolled_at)],
    )
    if first is not None:
        first.status = "enrolled"
        ctx.flush()
    return first


def complete(ctx: Context, enrolment: Enrolment, course: Course) -> None:
    """End an enrolment well, with a certificate where the course gives one."""
    enrolment.status = "completed"
    enrolment.closed_at = ctx.now()
    ctx.flush()
    if course.certificate:
        today = ctx.today()
        ctx.add(
            Certificate(
                id=ctx.new_id("crt"),
                number=_next_number(ctx),
                learner_id=enrolment.learner_id,
                course_id=course.id,
                enrolment_id=enrolment.id,
                issued_on=today,
                expires_on=add_months(today, course.valid_months) if course.valid_months else None,
            )
        )


def _next_number(ctx: Context) -> str:
    statement: Any = select(col(Certificate.number)).order_by(
        func.length(col(Certificate.number)).desc(), col(Certificate.number).desc()
    )
    found = ctx.rows(statement.limit(1))
    return f"CERT-{int(found[0][0].removeprefix('CERT-')) + 1 if found else 201}"


def enrolment_views(ctx: Context, enrolments: Sequence[Enrolment]) -> list[dict[str, Any]]:
    """Enrolments with names, progress and what is left."""
    courses = {item.id: item for item in ctx.list(Course, col(Course.id).in_({e.course_id for e in enrolments}))}
    learners = {item.id: item for item in ctx.list(Learner, col(Learner.id).in_({e.learner_id for e in enrolments}))}
    sessions = {
        item.id: item
        for item in ctx.list(Session, col(Session.id).in_({e.session_id for e in enrolments if e.session_id}))
    }
    count: Any = (
        select(col(Lesson.course_id), func.count())
        .where(col(Lesson.course_id).in_(courses))
        .group_by(col(Lesson.course_id))
        .order_by(col(Lesson.course_id))
    )
    lessons = {row[0]: row[1] for row in ctx.rows(count)}
    tried: Any = (
        select(col(QuizAttempt.enrolment_id), func.count())
        .where(col(QuizAttempt.enrolment_id).in_([item.id for item in enrolments]))
        .group_by(col(QuizAttempt.enrolment_id))
        .order_by(col(QuizAttempt.enrolment_id))
    )
    attempts = {row[0]: row[1] for row in ctx.rows(tried)}
    waiting = ctx.list(
        Enrolment,
        col(Enrolment.session_id).in_(sessions),
        col(Enrolment.status) == "waitlisted",
        order_by=[col(Enrolment.enrolled_at)],
    )
    out = []
    for item in enrolments:
        course, learner = courses[item.course_id], learners[item.learner_id]
        session = sessions.get(item.session_id or "")
        line = [other.id for other in waiting if other.session_id == item.session_id]
        total = lessons.get(course.id, 0)
        share = 100 * len(item.completed_lesson_ids) // total if total else 0
        out.append(
            item.out()
            | {
                "learner_name": learner.name,
                "learner_email": learner.email,
                "course_title": course.title,
                "course_code": course.code,
                "progress_percent": 100 if item.status == "completed" else share,
                "attempts_left": max(course.attempt_limit - attempts.get(item.id, 0), 0)
                if course.pass_percent is not None
                else None,
                "session_starts_at": session.starts_at if session else None,
                "waitlist_position": line.index(item.id) + 1 if item.id in line else None,
                "overdue": is_overdue(item, ctx.today()),
            }
        )
    return out


def is_overdue(enrolment: Enrolment, today: date) -> bool:
    """Whether an enrolment should have been completed by now."""
    return enrolment.status in ("enrolled", "waitlisted", "failed") and bool(
        enrolment.due_on and enrolment.due_on < today
    )
