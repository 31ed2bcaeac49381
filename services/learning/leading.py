"""Tools for those who lead or teach: assignments, attendance, reports."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.learning.access import led_by, me
from services.learning.catalogue import session_views
from services.learning.progress import complete, enrolment_views, is_overdue, obstacle
from services.learning.state import Course, Enrolment, Learner, Session


@tool
def assign_course(
    ctx: Context,
    course_id: str,
    due_on: date,
    team: str | None = None,
    learner_ids: list[str] | None = None,
) -> Any:
    """Enrol people of one's own in a course, with a due date."""
    person = me(ctx)
    course = ctx.require(Course, course_id)
    led = led_by(ctx, person)
    if course.format != "self_paced":
        ctx.fail("conflict", f"{course.title} ({course.id}) is given in sessions; people book a seat themselves.")
    if (team is None) == (learner_ids is None):
        ctx.fail("invalid", "Give either team or learner_ids.")
    if due_on < ctx.today():
        ctx.fail("invalid", "due_on lies in the past.")
    if learner_ids is not None:
        learners = ctx.list(Learner, col(Learner.id).in_(learner_ids), order_by=[col(Learner.name)])
        unknown = sorted(set(learner_ids) - {item.id for item in learners})
        if unknown:
            ctx.fail("not_found", f"There is no learner {unknown[0]!r}.")
        foreign = [item for item in learners if item.id not in led]
        if foreign:
            ctx.fail("forbidden", f"{foreign[0].name} ({foreign[0].id}) is not led by you.")
    else:
        learners = ctx.list(Learner, col(Learner.team) == team, col(Learner.id).in_(led), order_by=[col(Learner.name)])
        if not learners:
            ctx.fail("forbidden", f"You lead nobody in the team {team}.")
    made, skipped = [], []
    for learner in learners:
        reason = obstacle(ctx, learner.id, course)
        if reason is not None:
            skipped.append({"learner_id": learner.id, "learner_name": learner.name, "reason": reason})
            continue
        made.append(
            ctx.add(
                Enrolment(
                    id=ctx.new_id("enr"),
                    learner_id=learner.id,
                    course_id=course.id,
                    due_on=due_on,
                    assigned_by_id=person.id,
                    enrolled_at=ctx.now(),
                )
            )
        )
    if not made:
        ctx.fail("conflict", f"Nobody can be enrolled in {course.title} ({course.id}).", skipped=skipped)
    return {"items": enrolment_views(ctx, made), "next_cursor": None, "skipped": skipped}


@tool
def record_attendance(ctx: Context, session_id: str, enrolment_ids: list[str]) -> Any:
    """Complete the enrolments of those who attended a session."""
    person = me(ctx)
    session = ctx.require(Session, session_id)
    if session.instructor_email.lower() != person.email.lower():
        ctx.fail("forbidden", f"Only {session.instructor_name}, who teaches it, records attendance of {session.id}.")
    if session.status == "cancelled":
        ctx.fail("conflict", f"Session {session.id} was cancelled.")
    if session.starts_at > ctx.now():
        ctx.fail("conflict", f"Session {session.id} has not begun yet.")
    course = ctx.require(Course, session.course_id)
    found = ctx.list(Enrolment, col(Enrolment.id).in_(enrolment_ids), order_by=[col(Enrolment.enrolled_at)])
    known = {item.id: item for item in found if item.session_id == session.id}
    for key in enrolment_ids:
        if key not in known:
            ctx.fail("not_found", f"Session {session.id} has no enrolment {key!r}.")
        if known[key].status != "enrolled":
            ctx.fail("conflict", f"Enrolment {key} is {known[key].status}, not enrolled.")
    for enrolment in known.values():
        complete(ctx, enrolment, course)
    return session_views(ctx, [session])[0] | {"completed": enrolment_views(ctx, list(known.values()))}


@tool
def get_completion_report(ctx: Context, course_id: str | None = None, team: str | None = None) -> Any:
    """How far the user's people are, by course."""
    person = me(ctx)
    led = led_by(ctx, person)
    if not led:
        ctx.fail("forbidden", "You lead nobody; list_enrolments shows your own courses.")
    if course_id is not None:
        ctx.require(Course, course_id)
    people = ctx.list(
        Learner,
        col(Learner.id).in_(led),
        *([] if team is None else [col(Learner.team) == team]),
        order_by=[col(Learner.name)],
    )
    ids = [item.id for item in people]
    enrolments = ctx.list(
        Enrolment,
        col(Enrolment.learner_id).in_(ids),
        col(Enrolment.status) != "withdrawn",
        *([] if course_id is None else [col(Enrolment.course_id) == course_id]),
        order_by=[col(Enrolment.enrolled_at)],
    )
    latest = {(item.course_id, item.learner_id): item for item in enrolments}
    wanted = {course for course, _ in latest} if course_id is None else {course_id}
    names = {item.id: item for item in people}
    items = []
    for course in ctx.list(Course, col(Course.id).in_(wanted), order_by=[col(Course.code)]):
        mine = [item for (key, _), item in latest.items() if key == course.id]
        done = [item for item in mine if item.status == "completed"]
        late = sorted(
            (item for item in mine if is_overdue(item, ctx.today())), key=lambda item: names[item.learner_id].name
        )
        items.append(
            {
                "course_id": course.id,
                "course_code": course.code,
                "course_title": course.title,
                "mandatory": course.mandatory,
                "enrolled": len(mine),
                "completed": len(done),
                "completion_percent": 100 * len(done) // len(mine) if mine else 0,
                "overdue": [
                    {
                        "enrolment_id": item.id,
                        "learner_id": item.learner_id,
                        "learner_name": names[item.learner_id].name,
                        "learner_email": names[item.learner_id].email,
                        "due_on": item.due_on,
                    }
                    for item in late
                ],
                "not_enrolled": [item.out("id", "name") for item in people if (course.id, item.id) not in latest],
            }
        )
    return {"items": items, "next_cursor": None, "people": [item.out("id", "name", "email", "team") for item in people]}
