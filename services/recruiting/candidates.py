"""Tools for candidates."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, or_
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.recruiting.access import me, staff_names, visible_applications
from services.recruiting.state import Application, Candidate, Staff
from services.recruiting.views import application_views


@tool
def create_candidate(
    ctx: Context,
    name: str,
    email: str,
    source: str,
    phone: str = "",
    location: str = "",
    current_company: str = "",
    referred_by_id: str | None = None,
) -> Any:
    """A new candidate."""
    me(ctx)
    if (source == "referral") != (referred_by_id is not None):
        ctx.fail("invalid", "referred_by_id is required for the source referral, and only for it.")
    if referred_by_id is not None:
        ctx.require(Staff, referred_by_id)
    known = ctx.first(Candidate, func.lower(col(Candidate.email)) == email.lower())
    if known is not None:
        ctx.fail("conflict", f"{known.name} ({known.id}) has the address {email} already; use that candidate.")
    return ctx.add(
        Candidate(
            id=ctx.new_id("cnd"),
            name=name,
            email=email,
            phone=phone,
            location=location,
            current_company=current_company,
            source=source,
            referred_by_id=referred_by_id,
            created_at=ctx.now(),
        )
    )


@tool
def get_candidate(ctx: Context, candidate_id: str) -> Any:
    """One candidate with the applications open to the user."""
    person = me(ctx)
    candidate = ctx.require(Candidate, candidate_id)
    where: list[Any] = [col(Application.candidate_id) == candidate.id, *visible_applications(person)]
    applications = ctx.list(Application, *where, order_by=[col(Application.applied_at).desc()])
    return candidate.out() | {
        "referred_by_name": staff_names(ctx, [candidate.referred_by_id]).get(candidate.referred_by_id),
        "applications": application_views(ctx, applications),
    }


@tool
def list_candidates(
    ctx: Context,
    query: str | None = None,
    source: str | None = None,
    referred_by_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Candidates by name."""
    me(ctx)
    equal = ((Candidate.source, source), (Candidate.referred_by_id, referred_by_id))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        columns = (Candidate.name, Candidate.email, Candidate.current_company, Candidate.location)
        where.append(or_(*(contains(column, query) for column in columns)))
    page = ctx.page(Candidate, *where, order_by=[col(Candidate.name)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Candidate, *where)}
