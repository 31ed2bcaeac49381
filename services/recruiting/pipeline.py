"""Tools for openings and applications."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.recruiting.access import me, running, runs, seen, sees_money, staff_names, visible_applications
from services.recruiting.state import (
    LIVE_OFFERS,
    STAGES,
    Application,
    Candidate,
    Interview,
    Note,
    Offer,
    Opening,
    Scorecard,
)
from services.recruiting.views import application_views

REAPPLY_DAYS = 180


@tool
def list_openings(
    ctx: Context,
    query: str | None = None,
    team: str | None = None,
    status: str | None = None,
    hiring_manager_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Openings by code, with the counts of their applications."""
    person = me(ctx)
    equal = ((Opening.team, team), (Opening.status, status), (Opening.hiring_manager_id, hiring_manager_id))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        columns = (Opening.title, Opening.code, Opening.description, Opening.location)
        where.append(or_(*(contains(column, query) for column in columns)))
    page = ctx.page(Opening, *where, order_by=[col(Opening.code)], limit=limit, cursor=cursor)
    statement: Any = (
        select(col(Application.opening_id), col(Application.status), col(Application.stage), func.count())
        .where(col(Application.opening_id).in_([item.id for item in page.items]))
        .group_by(col(Application.opening_id), col(Application.status), col(Application.stage))
        .order_by(col(Application.opening_id), col(Application.status), col(Application.stage))
    )
    counts: dict[str, dict[str, int]] = {item.id: dict.fromkeys(STAGES, 0) for item in page.items}
    for opening_id, state, stage, number in ctx.rows(statement):
        if state in ("active", "hired"):
            counts[opening_id][stage] += number
    names = staff_names(ctx, [key for item in page.items for key in (item.hiring_manager_id, item.recruiter_id)])
    items = []
    for item in page.items:
        view = item.out() | {
            "hiring_manager_name": names[item.hiring_manager_id],
            "recruiter_name": names[item.recruiter_id],
            "active_by_stage": {stage: counts[item.id][stage] for stage in STAGES if stage != "hired"},
            "filled": counts[item.id]["hired"],
        }
        if not sees_money(person, item):
            view |= {"salary_min": None, "salary_max": None}
        items.append(view)
    return {"items": items, "next_cursor": page.next_cursor}


@tool
def create_application(ctx: Context, opening_id: str, candidate_id: str) -> Any:
    """Put a candidate forward for an opening."""
    person = me(ctx)
    opening = ctx.require(Opening, opening_id)
    candidate = ctx.require(Candidate, candidate_id)
    if not runs(person, opening):
        ctx.fail("forbidden", f"{opening.title} ({opening.code}) is for its hiring manager and recruiters to run.")
    if opening.status != "open":
        ctx.fail("conflict", f"{opening.title} ({opening.code}) is {opening.status} and takes no applications.")
    earlier = ctx.first(
        Application,
        col(Application.opening_id) == opening.id,
        col(Application.candidate_id) == candidate.id,
        or_(
            col(Application.status).in_(("active", "hired")),
            col(Application.closed_at) > ctx.now() - timedelta(days=REAPPLY_DAYS),
        ),
    )
    if earlier is not None:
        ctx.fail(
            "conflict",
            f"{candidate.name} has application {earlier.id} for {opening.code} ({earlier.status}); "
            f"a new one is possible {REAPPLY_DAYS} days after it was closed.",
        )
    now = ctx.now()
    application = ctx.add(
        Application(
            id=ctx.new_id("apl"),
            opening_id=opening.id,
            candidate_id=candidate.id,
            applied_at=now,
            stage_changed_at=now,
        )
    )
    return application_views(ctx, [application])[0]


@tool
def get_application(ctx: Context, application_id: str) -> Any:
    """One application with everything that belongs to it."""
    application, opening, person = seen(ctx, application_id)
    interviews = ctx.list(
        Interview, col(Interview.application_id) == application.id, order_by=[col(Interview.starts_at)]
    )
    offers = ctx.list(Offer, col(Offer.application_id) == application.id, order_by=[col(Offer.created_at)])
    notes = ctx.list(Note, col(Note.application_id) == application.id, order_by=[col(Note.created_at)])
    names = staff_names(ctx, [item.author_id for item in notes])
    cards = ctx.count(Scorecard, col(Scorecard.interview_id).in_([item.id for item in interviews]))
    return application_views(ctx, [application])[0] | {
        "interviews": [item.out("id", "kind", "starts_at", "ends_at", "status") for item in interviews],
        "scorecards": cards,
        "offers": [item.out() for item in offers] if sees_money(person, opening) else [],
        "notes": [item.out(without=("application_id",)) | {"author_name": names[item.author_id]} for item in notes],
    }


@tool
def list_applications(
    ctx: Context,
    opening_id: str | None = None,
    candidate_id: str | None = None,
    stage: str | None = None,
    status: str | None = None,
    rejection_reason: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Applications open to the user, latest first."""
    person = me(ctx)
    equal = (
        (Application.opening_id, opening_id),
        (Application.candidate_id, candidate_id),
        (Application.stage, stage),
        (Application.status, status),
        (Application.rejection_reason, rejection_reason),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    where += visible_applications(person)
    page = ctx.page(Application, *where, order_by=[col(Application.applied_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": application_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Application, *where),
    }


@tool
def move_application(ctx: Context, application_id: str, stage: str) -> Any:
    """Take an application to another stage."""
    application, opening, _ = running(ctx, application_id)
    if opening.status != "open":
        ctx.fail(
            "conflict", f"{opening.title} ({opening.code}) is {opening.status}; its applications stay as they are."
        )
    old, new = STAGES.index(application.stage), STAGES.index(stage)
    if new == old:
        ctx.fail("conflict", f"Application {application.id} is in stage {stage} already.")
    if new > old + 1:
        ctx.fail("conflict", f"Application {application.id} is in stage {application.stage}; go on step by step.")
    if stage == "offer":
        _require_good_cards(ctx, application)
    if ctx.exists(Offer, col(Offer.application_id) == application.id, col(Offer.status).in_(LIVE_OFFERS)):
        ctx.fail("conflict", f"Application {application.id} has a live offer; withdraw it first.")
    application.stage = stage
    application.stage_changed_at = ctx.now()
    ctx.flush()
    return application_views(ctx, [application])[0]


def _require_good_cards(ctx: Context, application: Application) -> None:
    inside = select(col(Interview.id)).where(
        col(Interview.application_id) == application.id, col(Interview.status) == "scheduled"
    )
    cards = ctx.list(Scorecard, col(Scorecard.interview_id).in_(inside))
    good = sum(card.recommendation in ("yes", "strong_yes") for card in cards)
    if len(cards) < 2 or 2 * good <= len(cards) or any(card.recommendation == "strong_no" for card in cards):
        ctx.fail(
            "conflict",
            f"Application {application.id} needs at least two scorecards, more yes than no and no strong_no, "
            f"before an offer; it has {len(cards)}, {good} of them yes.",
        )


@tool
def reject_application(ctx: Context, application_id: str, reason: str, note: str = "") -> Any:
    """End an active application and cancel the interviews to come."""
    application, _, _ = running(ctx, application_id)
    offer = ctx.first(Offer, col(Offer.application_id) == application.id, col(Offer.status).in_(LIVE_OFFERS))
    if offer is not None:
        ctx.fail("conflict", f"Offer {offer.number} ({offer.id}) is {offer.status}; withdraw it first.")
    ahead = ctx.list(
        Interview,
        col(Interview.application_id) == application.id,
        col(Interview.status) == "scheduled",
        col(Interview.starts_at) > ctx.now(),
    )
    for interview in ahead:
        interview.status = "cancelled"
        interview.cancel_reason = "The application was closed."
    application.status = "withdrawn" if reason == "candidate_withdrew" else "rejected"
    application.rejection_reason = reason
    application.rejection_note = note
    application.closed_at = ctx.now()
    ctx.flush()
    return application_views(ctx, [application])[0] | {"cancelled_interviews": [item.id for item in ahead]}


@tool
def create_note(ctx: Context, application_id: str, body: str) -> Any:
    """A remark on an application."""
    application, _, person = seen(ctx, application_id)
    note = Note(
        id=ctx.new_id("nte"), application_id=application.id, author_id=person.id, body=body, created_at=ctx.now()
    )
    return ctx.add(note).out() | {"author_name": person.name}
