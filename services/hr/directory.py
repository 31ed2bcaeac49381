"""Tools for people: directory, chart, emergency contact, job changes."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.hr.access import PEOPLE_TEAM, below, may_see, me, names
from services.hr.state import Employee, JobChange, LeaveRequest, LeaveType

PRIVATE = ("emergency_contact_name", "emergency_contact_phone", "emergency_contact_relation")
INTERNAL = ("annual_leave_days", "carried_over_days", "carried_over_year")


def _away(ctx: Context, day: date, ids: list[str]) -> set[str]:
    absences = ctx.list(
        LeaveRequest,
        col(LeaveRequest.employee_id).in_(ids),
        col(LeaveRequest.status) == "approved",
        col(LeaveRequest.start_date) <= day,
        col(LeaveRequest.end_date) >= day,
    )
    return {item.employee_id for item in absences}


def employee_views(ctx: Context, employees: list[Employee]) -> list[dict[str, Any]]:
    """Employees for the directory, without what is private."""
    known = names(ctx, [item.manager_id for item in employees])
    ids = [item.id for item in employees]
    statement: Any = (
        select(col(Employee.manager_id), func.count())
        .where(col(Employee.manager_id).in_(ids), col(Employee.status) != "left")
        .group_by(col(Employee.manager_id))
        .order_by(col(Employee.manager_id))
    )
    reports = {row[0]: row[1] for row in ctx.rows(statement)}
    away = _away(ctx, ctx.today(), ids)
    return [
        item.out(without=PRIVATE + INTERNAL)
        | {
            "manager_name": known.get(item.manager_id),
            "direct_reports": reports.get(item.id, 0),
            "away_today": item.id in away,
        }
        for item in employees
    ]


def employee_view(ctx: Context, viewer: Employee, employee: Employee) -> dict[str, Any]:
    """One employee; the emergency contact only for themselves and the people team."""
    shown = employee.id == viewer.id or viewer.team == PEOPLE_TEAM
    private = {name: getattr(employee, name) if shown else None for name in PRIVATE}
    return employee_views(ctx, [employee])[0] | private


@tool
def list_employees(
    ctx: Context,
    query: str | None = None,
    team: str | None = None,
    location: str | None = None,
    manager_id: str | None = None,
    status: str | None = None,
    away_on: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """The directory by name."""
    me(ctx)
    equal = (
        (Employee.team, team),
        (Employee.location, location),
        (Employee.manager_id, manager_id),
        (Employee.status, status),
    )
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(or_(*(contains(item, query) for item in (Employee.name, Employee.email, Employee.title))))
    if away_on is not None:
        absent: Any = select(col(LeaveRequest.employee_id)).where(
            col(LeaveRequest.status) == "approved",
            col(LeaveRequest.start_date) <= away_on,
            col(LeaveRequest.end_date) >= away_on,
        )
        where.append(col(Employee.id).in_(absent))
    page = ctx.page(Employee, *where, order_by=[col(Employee.name)], limit=limit, cursor=cursor)
    return {
        "items": employee_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Employee, *where),
    }


@tool
def get_employee(ctx: Context, employee_id: str) -> Any:
    """One employee."""
    return employee_view(ctx, me(ctx), ctx.require(Employee, employee_id))


@tool
def get_org_chart(ctx: Context, employee_id: str | None = None, depth: int = 3) -> Any:
    """The tree of those who report to somebody, or the whole company."""
    me(ctx)
    if employee_id is not None:
        ctx.require(Employee, employee_id)
    people = ctx.list(Employee, col(Employee.status) != "left", order_by=[col(Employee.name)])
    reports: dict[str | None, list[Employee]] = {}
    for person in people:
        reports.setdefault(person.manager_id, []).append(person)

    def node(person: Employee, levels: int) -> dict[str, Any]:
        under = reports.get(person.id, [])
        return person.out("id", "name", "email", "title", "team", "location", "status") | {
            "direct_reports": len(under),
            "reports": [node(item, levels - 1) for item in under] if levels > 1 else [],
        }

    roots = reports.get(None, []) if employee_id is None else [item for item in people if item.id == employee_id]
    return {"items": [node(item, depth) for item in roots]}


@tool
def update_emergency_contact(ctx: Context, name: str, phone: str, relation: str) -> Any:
    """Whom to call when something happens to the user."""
    employee = me(ctx)
    employee.emergency_contact_name = name
    employee.emergency_contact_phone = phone
    employee.emergency_contact_relation = relation
    ctx.flush()
    return employee_view(ctx, employee, employee)


@tool
def list_job_changes(
    ctx: Context,
    employee_id: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    effective_from: date | None = None,
    effective_until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Job changes that the user may see, latest first."""
    viewer = me(ctx)
    where: list[Any] = []
    if employee_id is not None:
        employee = ctx.require(Employee, employee_id)
        if not may_see(ctx, viewer, employee.id):
            ctx.fail("forbidden", f"Job changes of {employee.name} are open only to them, their leads and people team.")
        where.append(col(JobChange.employee_id) == employee.id)
    elif viewer.team != PEOPLE_TEAM:
        where.append(col(JobChange.employee_id).in_({viewer.id} | below(ctx, viewer)))
    equal = ((JobChange.kind, kind), (JobChange.status, status))
    where += [col(column) == value for column, value in equal if value is not None]
    if effective_from is not None:
        where.append(col(JobChange.effective_date) >= effective_from)
    if effective_until is not None:
        where.append(col(JobChange.effective_date) <= effective_until)
    page = ctx.page(JobChange, *where, order_by=[col(JobChange.effective_date).desc()], limit=limit, cursor=cursor)
    known = names(ctx, [item.employee_id for item in page.items])
    return {
        "items": [item.out() | {"employee_name": known[item.employee_id]} for item in page.items],
        "next_cursor": page.next_cursor,
    }


def hidden_types(ctx: Context) -> list[str]:
    """Leave types of which others do not hear."""
    return [item.id for item in ctx.list(LeaveType, col(LeaveType.visible_to_all).is_(False))]
