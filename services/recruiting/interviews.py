"""Tools for interviews and scorecards."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context, Moment, tool
from services.recruiting.access import me, running, seen, staff_names, visible_applications
from services.recruiting.state import Application, Interview, Scorecard, Staff
from services.recruiting.views import application_views

SHORTEST, LONGEST = timedelta(minutes=15), timedelta(hours=4)
STAGES_FOR = {"phone_screen": ("screening", "interview")}


def _views(ctx: Context, interviews: list[Interview]) -> list[dict[str, Any]]:
    applications = ctx.list(Application, col(Application.id).in_({item.application_id for item in interviews}))
    shown = {item["id"]: item for item in application_views(ctx, applications)}
    wanted = {key for item in interviews for key in item.interviewer_ids}
    people = {item.id: item for item in ctx.list(Staff, col(Staff.id).in_(wanted))}
    out = []
    for item in interviews:
        application = shown[item.application_id]
        out.append(
            item.out()
            | {
                "candidate_name": application["candidate_name"],
                "candidate_email": application["candidate_email"],
                "opening_title": application["opening_title"],
                "interviewers": [people[key].out("id", "name", "email") for key in item.interviewer_ids],
            }
        )
    return out


@tool
def create_interview(
    ctx: Context,
    application_id: str,
    kind: str,
    starts_at: Moment,
    ends_at: Moment,
    interviewer_ids: list[str],
    place: str = "",
) -> Any:
    """Set up an interview."""
    application, _, person = running(ctx, application_id)
    if application.stage not in STAGES_FOR.get(kind, ("interview",)):
        ctx.fail("conflict", f"Application {application.id} is in stage {application.stage}; move it before a {kind}.")
    if starts_at <= ctx.now():
        ctx.fail("invalid", "starts_at must lie ahead.")
    if not SHORTEST <= ends_at - starts_at <= LONGEST:
        ctx.fail("invalid", "An interview takes between 15 minutes and 4 hours.")
    known = {item.id for item in ctx.list(Staff, col(Staff.id).in_(interviewer_ids))}
    for key in interviewer_ids:
        if key not in known:
            ctx.fail("not_found", f"There is no staff member {key!r}.")
    busy = ctx.first(
        Interview,
        col(Interview.status) == "scheduled",
        col(Interview.starts_at) < ends_at,
        col(Interview.ends_at) > starts_at,
        or_(
            *(col(Interview.interviewer_ids).contains([key]) for key in interviewer_ids),
            col(Interview.application_id).in_(
                select(col(Application.id)).where(col(Application.candidate_id) == application.candidate_id)
            ),
        ),
    )
    if busy is not None:
        ctx.fail("conflict", f"Interview {busy.id} takes place then with the same interviewer or candidate.")
    interview = ctx.add(
        Interview(
            id=ctx.new_id("itv"),
            application_id=application.id,
            kind=kind,
            starts_at=starts_at,
            ends_at=ends_at,
            place=place,
            interviewer_ids=interviewer_ids,
            created_by_id=person.id,
        )
    )
    return _views(ctx, [interview])[0]


@tool
def get_interview(ctx: Context, interview_id: str) -> Any:
    """One interview with its scorecards."""
    me(ctx)
    interview = ctx.require(Interview, interview_id)
    _, _, person = seen(ctx, interview.application_id)
    cards = ctx.list(Scorecard, col(Scorecard.interview_id) == interview.id, order_by=[col(Scorecard.submitted_at)])
    given = {item.interviewer_id for item in cards}
    owes = person.id in interview.interviewer_ids and person.id not in given
    names = staff_names(ctx, given)
    return _views(ctx, [interview])[0] | {
        "missing_scorecards": [key for key in interview.interviewer_ids if key not in given],
        "scorecards": [item.out() | {"interviewer_name": names[item.interviewer_id]} for item in cards]
        if not owes
        else [],
    }


@tool
def list_interviews(
    ctx: Context,
    application_id: str | None = None,
    interviewer_id: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    starts_from: Moment | None = None,
    starts_until: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Interviews open to the user by time."""
    person = me(ctx)
    where: list[Any] = []
    for condition in visible_applications(person):
        inside: Any = select(col(Application.id)).where(condition)
        where.append(col(Interview.application_id).in_(inside))
    equal = ((Interview.application_id, application_id), (Interview.kind, kind), (Interview.status, status))
    where += [col(column) == value for column, value in equal if value is not None]
    if interviewer_id is not None:
        where.append(col(Interview.interviewer_ids).contains([interviewer_id]))
    if starts_from is not None:
        where.append(col(Interview.starts_at) >= starts_from)
    if starts_until is not None:
        where.append(col(Interview.starts_at) <= starts_until)
    page = ctx.page(Interview, *where, order_by=[col(Interview.starts_at)], limit=limit, cursor=cursor)
    return {"items": _views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def cancel_interview(ctx: Context, interview_id: str, reason: str) -> Any:
    """Call off an interview that has not begun."""
    me(ctx)
    interview = ctx.require(Interview, interview_id)
    running(ctx, interview.application_id, active=False)
    if interview.status == "cancelled":
        ctx.fail("conflict", f"Interview {interview.id} is cancelled already.")
    if interview.starts_at <= ctx.now():
        ctx.fail("conflict", f"Interview {interview.id} has begun; it stays on record.")
    interview.status = "cancelled"
    interview.cancel_reason = reason
    ctx.flush()
    return _views(ctx, [interview])[0]


@tool
def create_scorecard(
    ctx: Context,
    interview_id: str,
    recommendation: str,
    score: int,
    strengths: str = "",
    concerns: str = "",
) -> Any:
    """The user's opinion after an interview."""
    person = me(ctx)
    interview = ctx.require(Interview, interview_id)
    if person.id not in interview.interviewer_ids:
        ctx.fail("forbidden", f"Only an interviewer of {interview.id} fills in a scorecard.")
    if interview.status == "cancelled":
        ctx.fail("conflict", f"Interview {interview.id} was cancelled.")
    if interview.starts_at > ctx.now():
        ctx.fail("conflict", f"Interview {interview.id} has not begun yet.")
    if ctx.exists(Scorecard, col(Scorecard.interview_id) == interview.id, col(Scorecard.interviewer_id) == person.id):
        ctx.fail("conflict", f"You have filled in a scorecard for {interview.id} already.")
    card = ctx.add(
        Scorecard(
            id=ctx.new_id("scd"),
            interview_id=interview.id,
            interviewer_id=person.id,
            recommendation=recommendation,
            score=score,
            strengths=strengths,
            concerns=concerns,
            submitted_at=ctx.now(),
        )
    )
    return card.out() | {"interviewer_name": person.name}
