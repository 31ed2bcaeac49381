"""Who the acting user is and whose reports they may see."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context
from services.expenses.state import Employee, Expense, Report

EDITABLE = ("draft", "rejected")


def me(ctx: Context) -> Employee:
    """The acting user's own record."""
    found = ctx.first(Employee, func.lower(col(Employee.email)) == ctx.user.email.lower())
    if found is None:
        ctx.fail("forbidden", f"{ctx.user.email} has no access to expenses; ask finance.")
    return found


def visible_reports(person: Employee) -> list[Any]:
    """Conditions on ``Report``: one's own, those one decides or has decided, those of one's people; all for finance."""
    if person.role == "finance":
        return []
    people = select(col(Employee.id)).where(col(Employee.approver_id) == person.id)
    return [
        or_(
            col(Report.employee_id) == person.id,
            col(Report.approver_id) == person.id,
            col(Report.forwarded_by_id) == person.id,
            col(Report.employee_id).in_(people),
        )
    ]


def seen_report(ctx: Context, report_id: str) -> tuple[Report, Employee]:
    """A report that the user may see."""
    person = me(ctx)
    report = ctx.require(Report, report_id)
    if not ctx.exists(Report, col(Report.id) == report.id, *visible_reports(person)):
        ctx.fail("forbidden", f"Report {report.number} ({report.id}) is open to its owner, its approver and finance.")
    return report, person


def own_report(ctx: Context, report_id: str) -> tuple[Report, Employee]:
    """A report of the user that can still be changed."""
    person = me(ctx)
    report = ctx.require(Report, report_id)
    if report.employee_id != person.id:
        ctx.fail("forbidden", f"Report {report.number} ({report.id}) is not yours; only its owner changes it.")
    if report.status not in EDITABLE:
        ctx.fail("conflict", f"Report {report.number} is {report.status}; only drafts and rejected ones are changed.")
    return report, person


def own_expense(ctx: Context, expense_id: str) -> tuple[Expense, Report]:
    """An expense of the user whose report can still be changed."""
    me(ctx)
    expense = ctx.require(Expense, expense_id)
    report, _ = own_report(ctx, expense.report_id)
    return expense, report
