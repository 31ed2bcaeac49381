"""Tools for taking a course: enrolments, lessons, quizzes."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.learning.access import led_by, me, own_enrolment
from services.learning.progress import (
    complete,
    enrolment_views,
    free_seats,
    lessons_of,
    obstacle,
    promote,
    require_bookable,
)
from services.learning.state import Course, Enrolment, Question, QuizAttempt, Session


def _view(ctx: Context, enrolment: Enrolment) -> dict[str, Any]:
    return enrolment_views(ctx, [enrolment])[0]


@tool
def create_enrolment(ctx: Context, course_id: str, session_id: str | None = None) -> Any:
    """Enrol the user in a course."""
    person = me(ctx)
    course = ctx.require(Course, course_id)
    if (course.format == "instructor") != (session_id is not None):
        ctx.fail("invalid", "session_id is needed for instructor courses, and only for them.")
    reason = obstacle(ctx, person.id, course)
    if reason is not None:
        ctx.fail("conflict", f"You cannot enrol in {course.title} ({course.id}): {reason}.")
    status = "enrolled"
    if session_id is not None and free_seats(ctx, require_bookable(ctx, course, session_id)) < 1:
        status = "waitlisted"
    enrolment = ctx.add(
        Enrolment(
            id=ctx.new_id("enr"),
            learner_id=person.id,
            course_id=course.id,
            session_id=session_id,
            status=status,
            enrolled_at=ctx.now(),
        )
    )
    return _view(ctx, enrolment)


@tool
def get_enrolment(ctx: Context, enrolment_id: str) -> Any:
    """One enrolment."""
    person = me(ctx)
    enrolment = ctx.require(Enrolment, enrolment_id)
    if enrolment.learner_id not in {person.id} | led_by(ctx, person):
        ctx.fail("forbidden", f"Enrolment {enrolment.id} is open to its learner, their leads and the people team.")
    return _view(ctx, enrolment)


@tool
def list_enrolments(
    ctx: Context,
    learner_id: str | None = None,
    course_id: str | None = None,
    session_id: str | None = None,
    status: str | None = None,
    due_until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Enrolments of the user and their people, latest first."""
    person = me(ctx)
    where: list[Any] = [col(Enrolment.learner_id).in_({person.id} | led_by(ctx, person))]
    equal = (
        (Enrolment.learner_id, learner_id),
        (Enrolment.course_id, course_id),
        (Enrolment.session_id, session_id),
        (Enrolment.status, status),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if due_until is not None:
        where.append(col(Enrolment.due_on) <= due_until)
    page = ctx.page(Enrolment, *where, order_by=[col(Enrolment.enrolled_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": enrolment_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Enrolment, *where),
    }


@tool
def update_enrolment(ctx: Context, enrolment_id: str, session_id: str | None = None, due_on: date | None = None) -> Any:
    """Move to another session, or give a new due date."""
    person = me(ctx)
    enrolment = ctx.require(Enrolment, enrolment_id)
    leads = enrolment.learner_id in led_by(ctx, person)
    if enrolment.learner_id != person.id and not leads:
        ctx.fail("forbidden", f"Enrolment {enrolment.id} is for its learner and their leads to change.")
    if session_id is None and due_on is None:
        ctx.fail("invalid", "Give session_id, due_on or both.")
    if enrolment.status not in ("enrolled", "waitlisted"):
        ctx.fail("conflict", f"Enrolment {enrolment.id} is {enrolment.status}.")
    if due_on is not None:
        if not leads:
            ctx.fail("forbidden", "A due date is set by those who lead the learner.")
        if due_on < ctx.today():
            ctx.fail("invalid", "due_on lies in the past.")
        enrolment.due_on = due_on
    if session_id is not None:
        _move(ctx, enrolment, session_id)
    ctx.flush()
    return _view(ctx, enrolment)


def _move(ctx: Context, enrolment: Enrolment, session_id: str) -> None:
    course = ctx.require(Course, enrolment.course_id)
    if course.format != "instructor":
        ctx.fail("invalid", f"{course.title} ({course.id}) has no sessions.")
    if enrolment.session_id == session_id:
        ctx.fail("conflict", f"Enrolment {enrolment.id} is for session {session_id} already.")
    session = require_bookable(ctx, course, session_id)
    old = enrolment.session_id
    status = "enrolled" if free_seats(ctx, session) > 0 else "waitlisted"
    enrolment.session_id, enrolment.status = session.id, status
    ctx.flush()
    promote(ctx, old)


@tool
def withdraw_enrolment(ctx: Context, enrolment_id: str) -> Any:
    """Leave a course before it is completed."""
    enrolment, course, _ = own_enrolment(ctx, enrolment_id)
    if enrolment.assigned_by_id is not None and course.mandatory:
        ctx.fail(
            "forbidden", f"{course.title} is mandatory and was assigned to you; ask your lead for a later due date."
        )
    if enrolment.session_id is not None:
        session = ctx.require(Session, enrolment.session_id)
        if session.starts_at <= ctx.now():
            ctx.fail("conflict", f"Session {session.id} has begun; its instructor records who attended.")
    enrolment.status = "withdrawn"
    enrolment.closed_at = ctx.now()
    ctx.flush()
    promoted = promote(ctx, enrolment.session_id)
    return _view(ctx, enrolment) | {"promoted_enrolment_id": promoted.id if promoted else None}


@tool
def complete_lesson(ctx: Context, enrolment_id: str, lesson_id: str) -> Any:
    """Tick off a lesson."""
    enrolment, course, _ = own_enrolment(ctx, enrolment_id)
    lessons = lessons_of(ctx, course.id)
    wanted = next((item for item in lessons if item.id == lesson_id), None)
    if wanted is None:
        ctx.fail("not_found", f"{course.title} ({course.id}) has no lesson {lesson_id!r}.")
    done = set(enrolment.completed_lesson_ids)
    if wanted.id in done:
        ctx.fail("conflict", f"Lesson {wanted.id} is completed already.")
    before = next((item for item in lessons if item.position < wanted.position and item.id not in done), None)
    if before is not None:
        ctx.fail("conflict", f"Lesson {before.id} ({before.title}) comes first.")
    enrolment.completed_lesson_ids = [*enrolment.completed_lesson_ids, wanted.id]
    ctx.flush()
    if course.pass_percent is None and len(enrolment.completed_lesson_ids) == len(lessons):
        complete(ctx, enrolment, course)
    return _view(ctx, enrolment)


def _questions(ctx: Context, course: Course) -> list[Question]:
    if course.pass_percent is None:
        ctx.fail("not_found", f"{course.title} ({course.id}) has no quiz.")
    return ctx.list(Question, col(Question.course_id) == course.id, order_by=[col(Question.position)])


@tool
def get_quiz(ctx: Context, course_id: str) -> Any:
    """The questions of a course without their answers."""
    person = me(ctx)
    course = ctx.require(Course, course_id)
    questions = _questions(ctx, course)
    enrolled = ctx.exists(
        Enrolment,
        col(Enrolment.course_id) == course.id,
        col(Enrolment.learner_id) == person.id,
        col(Enrolment.status).in_(("enrolled", "completed", "failed")),
    )
    if not enrolled:
        ctx.fail("forbidden", f"The quiz of {course.title} ({course.id}) is open to those who are enrolled.")
    return {
        "course_id": course.id,
        "course_title": course.title,
        "pass_percent": course.pass_percent,
        "attempt_limit": course.attempt_limit,
        "questions": [{"position": item.position, "text": item.text, "options": item.options} for item in questions],
    }


@tool
def create_quiz_attempt(ctx: Context, enrolment_id: str, answers: list[int]) -> Any:
    """Hand in the answers to a quiz."""
    enrolment, course, _ = own_enrolment(ctx, enrolment_id)
    questions = _questions(ctx, course)
    if len(enrolment.completed_lesson_ids) < len(lessons_of(ctx, course.id)):
        ctx.fail("conflict", f"Complete all lessons of {course.title} before its quiz.")
    if len(answers) != len(questions):
        ctx.fail("invalid", f"The quiz has {len(questions)} questions; there are {len(answers)} answers.")
    for question, answer in zip(questions, answers, strict=True):
        if answer > len(question.options):
            ctx.fail("invalid", f"Question {question.position} has {len(question.options)} options, not {answer}.")
    number = ctx.count(QuizAttempt, col(QuizAttempt.enrolment_id) == enrolment.id) + 1
    if number > course.attempt_limit:
        ctx.fail("limit", f"All {course.attempt_limit} attempts at {course.title} are used.")
    correct = sum(item.answer == answer for item, answer in zip(questions, answers, strict=True))
    score = 100 * correct // len(questions)
    attempt = ctx.add(
        QuizAttempt(
            id=ctx.new_id("att"),
            enrolment_id=enrolment.id,
            number=number,
            answers=answers,
            correct=correct,
            score_percent=score,
            passed=score >= (course.pass_percent or 0),
            submitted_at=ctx.now(),
        )
    )
    if attempt.passed:
        complete(ctx, enrolment, course)
    elif number == course.attempt_limit:
        enrolment.status = "failed"
        enrolment.closed_at = ctx.now()
        ctx.flush()
    return attempt.out() | {"attempts_left": course.attempt_limit - number, "enrolment_status": enrolment.status}


@tool
def list_quiz_attempts(
    ctx: Context, enrolment_id: str, passed: bool | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Attempts of one enrolment, first one first."""
    get_enrolment(ctx, enrolment_id)
    where: list[Any] = [col(QuizAttempt.enrolment_id) == enrolment_id]
    if passed is not None:
        where.append(col(QuizAttempt.passed) == passed)
    return ctx.page(QuizAttempt, *where, order_by=[col(QuizAttempt.submitted_at)], limit=limit, cursor=cursor).out()
