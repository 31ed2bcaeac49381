"""Who the acting user is, whom they lead, and what they may see."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import func
from sqlmodel import col

from engine.kit import Context
from services.hr.state import Employee

PEOPLE_TEAM = "people"


def me(ctx: Context) -> Employee:
    """The acting user's own record."""
    found = ctx.first(Employee, func.lower(col(Employee.email)) == ctx.user.email.lower())
    if found is None or found.status == "left":
        ctx.fail("forbidden", f"{ctx.user.email} is not an employee in this directory.")
    return found


def below(ctx: Context, leader: Employee) -> set[str]:
    """Ids of everybody who reports to a leader, directly or through others."""
    found: set[str] = set()
    layer: Iterable[str] = [leader.id]
    while layer:
        reports = ctx.list(Employee, col(Employee.manager_id).in_(layer))
        layer = [item.id for item in reports if item.id not in found and item.id != leader.id]
        found.update(layer)
    return found


def may_see(ctx: Context, viewer: Employee, employee_id: str) -> bool:
    """Whether somebody's private matters are open to the viewer: their own, their reports', all for the people team."""
    return viewer.id == employee_id or viewer.team == PEOPLE_TEAM or employee_id in below(ctx, viewer)


def require_may_see(ctx: Context, viewer: Employee, employee: Employee, what: str) -> None:
    """Refuse whoever may not see it."""
    if not may_see(ctx, viewer, employee.id):
        ctx.fail(
            "forbidden",
            f"{what} of {employee.name} is open only to them, those who lead them and the people team.",
        )


def names(ctx: Context, ids: Iterable[str | None]) -> dict[str | None, str]:
    """Names by employee id."""
    wanted = {item for item in ids if item}
    return {item.id: item.name for item in ctx.list(Employee, col(Employee.id).in_(wanted))} if wanted else {}
