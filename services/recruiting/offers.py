"""Tools for offers."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Money, tool
from services.recruiting.access import me, running, runs, sees_money
from services.recruiting.state import LIVE_OFFERS, Application, Offer, Opening, Staff
from services.recruiting.views import application_views

STRETCH = Decimal("1.10")
LONGEST_VALIDITY = 30
FROM = {
    "approved": ("draft",),
    "sent": ("approved",),
    "accepted": ("sent",),
    "declined": ("sent",),
    "withdrawn": LIVE_OFFERS,
}


def _view(ctx: Context, offer: Offer) -> dict[str, Any]:
    application = application_views(ctx, [ctx.require(Application, offer.application_id)])[0]
    names = ("candidate_name", "candidate_email", "opening_title", "opening_code")
    return offer.out() | {name: application[name] for name in names}


def _next_number(ctx: Context) -> str:
    statement: Any = select(col(Offer.number)).order_by(func.length(col(Offer.number)).desc(), col(Offer.number).desc())
    found = ctx.rows(statement.limit(1))
    return f"OFR-{int(found[0][0].removeprefix('OFR-')) + 1 if found else 101}"


def _places_left(ctx: Context, opening: Opening) -> int:
    hired = ctx.count(Application, col(Application.opening_id) == opening.id, col(Application.status) == "hired")
    return opening.headcount - hired


@tool
def create_offer(
    ctx: Context, application_id: str, salary: Money, start_date: date, expires_on: date, note: str = ""
) -> Any:
    """Draft an offer."""
    application, opening, person = running(ctx, application_id)
    if application.stage != "offer":
        ctx.fail("conflict", f"Application {application.id} is in stage {application.stage}; move it to offer first.")
    live = ctx.first(Offer, col(Offer.application_id) == application.id, col(Offer.status).in_(LIVE_OFFERS))
    if live is not None:
        ctx.fail("conflict", f"Offer {live.number} ({live.id}) is {live.status}; withdraw it before drafting another.")
    if _places_left(ctx, opening) < 1 or opening.status != "open":
        ctx.fail("conflict", f"{opening.title} ({opening.code}) has no free place.")
    top = opening.salary_max * STRETCH
    if not opening.salary_min <= salary <= top:
        ctx.fail("limit", f"The salary for {opening.code} lies between {opening.salary_min} and {top:.2f} a year.")
    if not 0 < (expires_on - ctx.today()).days <= LONGEST_VALIDITY:
        ctx.fail("invalid", f"expires_on lies between tomorrow and {LONGEST_VALIDITY} days ahead.")
    if not expires_on < start_date <= ctx.today() + timedelta(days=366):
        ctx.fail("invalid", "start_date lies after expires_on and within a year.")
    offer = ctx.add(
        Offer(
            id=ctx.new_id("ofr"),
            number=_next_number(ctx),
            application_id=application.id,
            salary=salary,
            currency=opening.currency,
            start_date=start_date,
            expires_on=expires_on,
            above_range=salary > opening.salary_max,
            note=note,
            created_by_id=person.id,
            created_at=ctx.now(),
        )
    )
    return _view(ctx, offer)


@tool
def get_offer(ctx: Context, offer_id: str) -> Any:
    """One offer."""
    person = me(ctx)
    offer = ctx.require(Offer, offer_id)
    opening = ctx.require(Opening, ctx.require(Application, offer.application_id).opening_id)
    if not sees_money(person, opening):
        ctx.fail("forbidden", f"Offer {offer.id} is open only to those who run {opening.code} and to finance.")
    return _view(ctx, offer)


@tool
def update_offer_status(ctx: Context, offer_id: str, status: str, note: str = "") -> Any:
    """Approve, send, answer or withdraw an offer."""
    person = me(ctx)
    offer = ctx.require(Offer, offer_id)
    application = ctx.require(Application, offer.application_id)
    opening = ctx.require(Opening, application.opening_id)
    if status == "approved":
        _require_may_approve(ctx, person, offer, opening)
    elif not runs(person, opening):
        ctx.fail("forbidden", f"Offers for {opening.code} are for its hiring manager and recruiters to handle.")
    if offer.status not in FROM[status]:
        ctx.fail("conflict", f"Offer {offer.number} is {offer.status} and cannot become {status}.")
    if status in ("sent", "accepted") and offer.expires_on < ctx.today():
        ctx.fail("conflict", f"Offer {offer.number} expired on {offer.expires_on}; withdraw it and draft a new one.")
    if status == "accepted" and _places_left(ctx, opening) < 1:
        ctx.fail("conflict", f"{opening.title} ({opening.code}) has no free place any more.")
    offer.status = status
    if status == "approved":
        offer.approved_by_id, offer.approved_at = person.id, ctx.now()
    elif status == "sent":
        offer.sent_at = ctx.now()
    else:
        offer.closed_at = ctx.now()
    if note:
        offer.answer_note = note
    if status == "accepted":
        application.stage, application.status = "hired", "hired"
        application.stage_changed_at = application.closed_at = ctx.now()
        ctx.flush()
        if _places_left(ctx, opening) < 1:
            opening.status = "filled"
    ctx.flush()
    return _view(ctx, offer)


def _require_may_approve(ctx: Context, person: Staff, offer: Offer, opening: Opening) -> None:
    if offer.created_by_id == person.id:
        ctx.fail("forbidden", f"You drafted offer {offer.number}; somebody else approves it.")
    if offer.above_range and person.role != "finance_approver":
        ctx.fail("forbidden", f"Offer {offer.number} lies above the range of {opening.code}; finance approves it.")
    if not sees_money(person, opening):
        ctx.fail("forbidden", f"Offers for {opening.code} are approved by its hiring manager, recruiters or finance.")
