"""Who the acting user is and which openings are theirs to run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context
from services.recruiting.state import Application, Interview, Opening, Staff


def me(ctx: Context) -> Staff:
    """The acting user's own record."""
    found = ctx.first(Staff, func.lower(col(Staff.email)) == ctx.user.email.lower())
    if found is None:
        ctx.fail("forbidden", f"{ctx.user.email} has no part in recruiting; ask the people team.")
    return found


def runs(person: Staff, opening: Opening) -> bool:
    """Whether somebody decides about an opening's applications."""
    return person.role == "recruiter" or opening.hiring_manager_id == person.id


def sees_money(person: Staff, opening: Opening) -> bool:
    """Whether salaries of an opening are open to somebody."""
    return runs(person, opening) or person.role == "finance_approver"


def running(ctx: Context, application_id: str, *, active: bool = True) -> tuple[Application, Opening, Staff]:
    """An application that the user may decide about, with its opening."""
    person = me(ctx)
    application = ctx.require(Application, application_id)
    opening = ctx.require(Opening, application.opening_id)
    if not runs(person, opening):
        ctx.fail("forbidden", f"{opening.title} ({opening.code}) is for its hiring manager and recruiters to run.")
    if active and application.status != "active":
        ctx.fail("conflict", f"Application {application.id} is {application.status}.")
    return application, opening, person


def seen(ctx: Context, application_id: str) -> tuple[Application, Opening, Staff]:
    """An application open to the user: they run the opening, approve its money, or interview for it."""
    person = me(ctx)
    application = ctx.require(Application, application_id)
    opening = ctx.require(Opening, application.opening_id)
    if not sees_money(person, opening) and not ctx.exists(
        Interview,
        col(Interview.application_id) == application.id,
        col(Interview.interviewer_ids).contains([person.id]),
    ):
        ctx.fail("forbidden", f"Application {application.id} is open to those who run the opening or interview for it.")
    return application, opening, person


def visible_applications(person: Staff) -> list[Any]:
    """Conditions on ``Application``: those open to somebody."""
    if person.role in ("recruiter", "finance_approver"):
        return []
    mine = select(col(Opening.id)).where(col(Opening.hiring_manager_id) == person.id)
    interviewed = select(col(Interview.application_id)).where(col(Interview.interviewer_ids).contains([person.id]))
    return [col(Application.opening_id).in_(mine) | col(Application.id).in_(interviewed)]


def staff_names(ctx: Context, ids: Iterable[str | None]) -> dict[str | None, str]:
    """Names by staff id."""
    wanted = {item for item in ids if item}
    return {item.id: item.name for item in ctx.list(Staff, col(Staff.id).in_(wanted))} if wanted else {}
