"""Working days and leave balances, always derived from the requests."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context
from services.hr.state import Employee, LeaveRequest, LeaveType, PublicHoliday


def holidays(ctx: Context, location: str, start: date, end: date) -> list[PublicHoliday]:
    """Public holidays of a place in a span, both ends included."""
    return ctx.list(
        PublicHoliday,
        col(PublicHoliday.location) == location,
        col(PublicHoliday.day) >= start,
        col(PublicHoliday.day) <= end,
        order_by=[col(PublicHoliday.day)],
    )


def business_days(start: date, end: date, off: set[date]) -> int:
    """Mondays to Fridays of a span that are no holidays, both ends included."""
    days = (date.fromordinal(number) for number in range(start.toordinal(), end.toordinal() + 1))
    return sum(day.weekday() < 5 and day not in off for day in days)


def entitled(employee: Employee, kind: LeaveType, year: int) -> tuple[int | None, int]:
    """Days of a year and those carried over; ``None`` is without limit. The first year counts by its months."""
    if year < employee.start_date.year or (employee.end_date is not None and year > employee.end_date.year):
        return 0, 0
    if not kind.personal_days:
        return kind.yearly_days, 0
    days = employee.annual_leave_days
    if year == employee.start_date.year:
        months = 13 - employee.start_date.month
        days = (2 * days * months + 12) // 24  # rounded to the nearest whole day, halves up
    return days, employee.carried_over_days if year == employee.carried_over_year else 0


def taken(ctx: Context, employee_id: str, year: int) -> dict[tuple[str, str], int]:
    """Days of the year's requests by leave type and state."""
    statement: Any = (
        select(col(LeaveRequest.leave_type_id), col(LeaveRequest.status), func.sum(col(LeaveRequest.business_days)))
        .where(
            col(LeaveRequest.employee_id) == employee_id,
            col(LeaveRequest.start_date) >= date(year, 1, 1),
            col(LeaveRequest.start_date) <= date(year, 12, 31),
        )
        .group_by(col(LeaveRequest.leave_type_id), col(LeaveRequest.status))
        .order_by(col(LeaveRequest.leave_type_id), col(LeaveRequest.status))
    )
    return {(row[0], row[1]): int(row[2]) for row in ctx.rows(statement)}


def balance(employee: Employee, kind: LeaveType, year: int, used: dict[tuple[str, str], int]) -> dict[str, Any]:
    """One leave type's figures for a year."""
    days, carried = entitled(employee, kind, year)
    approved, pending = used.get((kind.id, "approved"), 0), used.get((kind.id, "pending"), 0)
    return {
        "leave_type_id": kind.id,
        "name": kind.name,
        "description": kind.description,
        "paid": kind.paid,
        "needs_approval": kind.needs_approval,
        "notice_days": kind.notice_days,
        "entitled_days": days,
        "carried_over_days": carried,
        "approved_days": approved,
        "pending_days": pending,
        "remaining_days": None if days is None else days + carried - approved - pending,
    }


def earliest_start(kind: LeaveType, today: date) -> date:
    """The first day for which this leave can be asked for today."""
    return today - timedelta(days=kind.days_back) if kind.days_back else today + timedelta(days=kind.notice_days)
