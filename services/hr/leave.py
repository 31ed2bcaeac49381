"""Tools for leave: requests, decisions, balances, holidays."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import col

from engine.kit import Context, tool
from services.hr.access import PEOPLE_TEAM, below, may_see, me, names, require_may_see
from services.hr.balances import balance, business_days, earliest_start, holidays, taken
from services.hr.directory import hidden_types
from services.hr.state import Employee, LeaveRequest, LeaveType, PublicHoliday

MAX_SPAN = 366
LIVE = ("pending", "approved")


def _views(ctx: Context, viewer: Employee, requests: list[LeaveRequest]) -> list[dict[str, Any]]:
    known = names(ctx, [person for item in requests for person in (item.employee_id, item.cover_id, item.approver_id)])
    types = {item.id: item.name for item in ctx.list(LeaveType)}
    under = below(ctx, viewer)
    out = []
    for item in requests:
        view = item.out() | {
            "employee_name": known[item.employee_id],
            "leave_type_name": types[item.leave_type_id],
            "cover_name": known.get(item.cover_id),
            "approver_name": known.get(item.approver_id),
        }
        if item.employee_id != viewer.id and item.employee_id not in under and viewer.team != PEOPLE_TEAM:
            view |= {"note": "", "decision_note": ""}
        out.append(view)
    return out


def _visible(ctx: Context, viewer: Employee) -> list[Any]:
    if viewer.team == PEOPLE_TEAM:
        return []
    own = col(LeaveRequest.employee_id).in_({viewer.id} | below(ctx, viewer))
    known = and_(col(LeaveRequest.status) == "approved", col(LeaveRequest.leave_type_id).not_in(hidden_types(ctx)))
    return [or_(own, known)]


def _overlapping(employee_id: str, start: date, end: date, states: tuple[str, ...]) -> list[Any]:
    return [
        col(LeaveRequest.employee_id) == employee_id,
        col(LeaveRequest.status).in_(states),
        col(LeaveRequest.start_date) <= end,
        col(LeaveRequest.end_date) >= start,
    ]


def _working_days(ctx: Context, employee: Employee, start: date, end: date) -> int:
    if end < start:
        ctx.fail("invalid", "end_date lies before start_date.")
    if (end - start).days >= MAX_SPAN or start.year != end.year:
        ctx.fail("invalid", "One request stays inside one calendar year; split it at the turn of the year.")
    published = holidays(ctx, employee.location, date(start.year, 1, 1), date(start.year, 12, 31))
    if not published:
        ctx.fail("invalid", f"Public holidays of {employee.location} for {start.year} are not published yet.")
    days = business_days(start, end, {item.day for item in published})
    if days == 0:
        ctx.fail("invalid", f"{start} to {end} holds no working day in {employee.location}.")
    return days


def _approver_of(ctx: Context, employee: Employee) -> str | None:
    if employee.manager_id is not None:
        return employee.manager_id
    partner = ctx.first(
        Employee, col(Employee.team) == PEOPLE_TEAM, col(Employee.status) == "active", col(Employee.id) != employee.id
    )
    return partner.id if partner else None


def _check_cover(ctx: Context, employee: Employee, cover_id: str, start: date, end: date) -> None:
    cover = ctx.require(Employee, cover_id)
    if cover.id == employee.id or cover.status != "active":
        ctx.fail("invalid", f"{cover.name} cannot cover; name an active colleague.")
    away = ctx.first(LeaveRequest, *_overlapping(cover.id, start, end, ("approved",)))
    if away is not None:
        ctx.fail("conflict", f"{cover.name} is away from {away.start_date} to {away.end_date}; name another cover.")


@tool
def create_leave_request(
    ctx: Context,
    leave_type_id: str,
    start_date: date,
    end_date: date,
    note: str = "",
    cover_id: str | None = None,
) -> Any:
    """Ask for leave for the user."""
    employee = me(ctx)
    kind = ctx.require(LeaveType, leave_type_id)
    days = _working_days(ctx, employee, start_date, end_date)
    earliest = earliest_start(kind, ctx.today())
    if start_date < earliest:
        ctx.fail("limit", f"{kind.name} can be entered today for {earliest} or later.", earliest=earliest.isoformat())
    other = ctx.first(LeaveRequest, *_overlapping(employee.id, start_date, end_date, LIVE))
    if other is not None:
        ctx.fail("conflict", f"It overlaps leave request {other.id} ({other.start_date} to {other.end_date}).")
    figures = balance(employee, kind, start_date.year, taken(ctx, employee.id, start_date.year))
    left = figures["remaining_days"]
    if left is not None and days > left:
        ctx.fail("limit", f"{days} working days asked for, {left} of {kind.name} remain in {start_date.year}.")
    if cover_id is not None:
        _check_cover(ctx, employee, cover_id, start_date, end_date)
    request = ctx.add(
        LeaveRequest(
            id=ctx.new_id("lvr"),
            employee_id=employee.id,
            leave_type_id=kind.id,
            start_date=start_date,
            end_date=end_date,
            business_days=days,
            status="pending" if kind.needs_approval else "approved",
            note=note,
            cover_id=cover_id,
            approver_id=_approver_of(ctx, employee),
            created_at=ctx.now(),
            decided_at=None if kind.needs_approval else ctx.now(),
        )
    )
    return _views(ctx, employee, [request])[0]


@tool
def get_leave_request(ctx: Context, leave_request_id: str) -> Any:
    """One request."""
    viewer = me(ctx)
    request = ctx.require(LeaveRequest, leave_request_id)
    if not ctx.exists(LeaveRequest, col(LeaveRequest.id) == request.id, *_visible(ctx, viewer)):
        ctx.fail("forbidden", f"Leave request {request.id} is not open to you.")
    return _views(ctx, viewer, [request])[0]


@tool
def list_leave_requests(
    ctx: Context,
    employee_id: str | None = None,
    approver_id: str | None = None,
    leave_type_id: str | None = None,
    status: str | None = None,
    starts_from: date | None = None,
    starts_until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Requests that the user may see, earliest start first."""
    viewer = me(ctx)
    where = _visible(ctx, viewer)
    equal = (
        (LeaveRequest.employee_id, employee_id),
        (LeaveRequest.approver_id, approver_id),
        (LeaveRequest.leave_type_id, leave_type_id),
        (LeaveRequest.status, status),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if starts_from is not None:
        where.append(col(LeaveRequest.start_date) >= starts_from)
    if starts_until is not None:
        where.append(col(LeaveRequest.start_date) <= starts_until)
    page = ctx.page(LeaveRequest, *where, order_by=[col(LeaveRequest.start_date)], limit=limit, cursor=cursor)
    return {
        "items": _views(ctx, viewer, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(LeaveRequest, *where),
    }


@tool
def cancel_leave_request(ctx: Context, leave_request_id: str) -> Any:
    """Withdraw a request of one's own."""
    viewer = me(ctx)
    request = ctx.require(LeaveRequest, leave_request_id)
    if request.employee_id != viewer.id:
        ctx.fail("forbidden", f"Leave request {request.id} is not yours; only its owner cancels it.")
    if request.status not in LIVE:
        ctx.fail("conflict", f"Leave request {request.id} is {request.status} and cannot be cancelled.")
    if request.status == "approved" and request.start_date <= ctx.today():
        ctx.fail("conflict", f"Leave request {request.id} has begun; ask the people team to correct it.")
    request.status = "cancelled"
    request.decided_at = ctx.now()
    request.decided_by_id = viewer.id
    ctx.flush()
    return _views(ctx, viewer, [request])[0]


def _decidable(ctx: Context, leave_request_id: str) -> tuple[Employee, LeaveRequest]:
    viewer = me(ctx)
    request = ctx.require(LeaveRequest, leave_request_id)
    if request.employee_id == viewer.id:
        ctx.fail("forbidden", "Nobody decides their own leave; the approver of the request does.")
    if not may_see(ctx, viewer, request.employee_id):
        ctx.fail(
            "forbidden", f"Leave request {request.id} is for its employee's managers or the people team to decide."
        )
    if request.status != "pending":
        ctx.fail("conflict", f"Leave request {request.id} is {request.status}, not pending.")
    return viewer, request


@tool
def approve_leave_request(ctx: Context, leave_request_id: str, note: str = "") -> Any:
    """Say yes to somebody's leave."""
    viewer, request = _decidable(ctx, leave_request_id)
    if request.cover_id is not None:
        away = ctx.first(
            LeaveRequest, *_overlapping(request.cover_id, request.start_date, request.end_date, ("approved",))
        )
        if away is not None:
            ctx.fail("conflict", f"The cover is away too ({away.id}, {away.start_date} to {away.end_date}).")
    return _decide(ctx, viewer, request, "approved", note)


@tool
def decline_leave_request(ctx: Context, leave_request_id: str, reason: str) -> Any:
    """Say no to somebody's leave."""
    viewer, request = _decidable(ctx, leave_request_id)
    return _decide(ctx, viewer, request, "declined", reason)


def _decide(ctx: Context, viewer: Employee, request: LeaveRequest, status: str, note: str) -> dict[str, Any]:
    request.status = status
    request.decision_note = note
    request.decided_by_id = viewer.id
    request.decided_at = ctx.now()
    ctx.flush()
    return _views(ctx, viewer, [request])[0]


@tool
def get_leave_balance(ctx: Context, employee_id: str | None = None, year: int | None = None) -> Any:
    """Every leave type's rules and figures for one employee and year."""
    viewer = me(ctx)
    employee = viewer if employee_id is None else ctx.require(Employee, employee_id)
    require_may_see(ctx, viewer, employee, "The leave balance")
    wanted = ctx.today().year if year is None else year
    used = taken(ctx, employee.id, wanted)
    items = [balance(employee, kind, wanted, used) for kind in ctx.list(LeaveType, order_by=[col(LeaveType.name)])]
    return {"employee_id": employee.id, "employee_name": employee.name, "year": wanted, "items": items}


@tool
def list_public_holidays(
    ctx: Context,
    location: str | None = None,
    from_: date | None = None,
    until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Public holidays by day."""
    me(ctx)
    where: list[Any] = []
    if location is not None:
        where.append(col(PublicHoliday.location) == location)
    if from_ is not None:
        where.append(col(PublicHoliday.day) >= from_)
    if until is not None:
        where.append(col(PublicHoliday.day) <= until)
    return ctx.page(PublicHoliday, *where, order_by=[col(PublicHoliday.day)], limit=limit, cursor=cursor).out()
