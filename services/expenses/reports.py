"""Tools for reports: from draft to money back."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.expenses.access import me, own_report, seen_report, visible_reports
from services.expenses.policy import expense_views, totals
from services.expenses.state import Employee, Expense, Report


def _views(ctx: Context, reports: list[Report]) -> list[dict[str, Any]]:
    sums = totals(ctx, reports)
    ids = {key for item in reports for key in (item.employee_id, item.approver_id, item.decided_by_id) if key}
    people = {item.id: item for item in ctx.list(Employee, col(Employee.id).in_(ids))}
    return [
        item.out()
        | {
            "employee_name": people[item.employee_id].name,
            "employee_email": people[item.employee_id].email,
            "approver_name": people[item.approver_id].name if item.approver_id else None,
        }
        | sums[item.id]
        for item in reports
    ]


def _view(ctx: Context, report: Report) -> dict[str, Any]:
    lines = expense_views(ctx, ctx.list(Expense, col(Expense.report_id) == report.id, order_by=[col(Expense.spent_on)]))
    by_category: dict[str, Decimal] = defaultdict(Decimal)
    for line in lines:
        by_category[line["category_name"]] += line["amount_usd"]
    return _views(ctx, [report])[0] | {
        "by_category": [{"category_name": name, "total_usd": by_category[name]} for name in sorted(by_category)],
        "problems": [{"expense_id": line["id"], "problem": problem} for line in lines for problem in line["problems"]],
    }


def _next_number(ctx: Context) -> str:
    statement: Any = select(col(Report.number)).order_by(
        func.length(col(Report.number)).desc(), col(Report.number).desc()
    )
    found = ctx.rows(statement.limit(1))
    return f"EXP-{int(found[0][0].removeprefix('EXP-')) + 1 if found else 1001}"


@tool
def list_reports(
    ctx: Context,
    query: str | None = None,
    status: str | None = None,
    employee_id: str | None = None,
    approver_id: str | None = None,
    company: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Reports open to the user, latest first."""
    where = visible_reports(me(ctx))
    equal = (
        (Report.status, status),
        (Report.employee_id, employee_id),
        (Report.approver_id, approver_id),
        (Report.company, company),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(or_(*(contains(column, query) for column in (Report.title, Report.purpose, Report.number))))
    page = ctx.page(Report, *where, order_by=[col(Report.created_at).desc()], limit=limit, cursor=cursor)
    return {"items": _views(ctx, page.items), "next_cursor": page.next_cursor, "total": ctx.count(Report, *where)}


@tool
def get_report(ctx: Context, report_id: str) -> Any:
    """One report with its sums and what is wrong with it."""
    report, _ = seen_report(ctx, report_id)
    return _view(ctx, report)


@tool
def create_report(ctx: Context, title: str, purpose: str = "", company: str = "") -> Any:
    """A new draft of the user."""
    person = me(ctx)
    report = Report(
        id=ctx.new_id("rep"),
        number=_next_number(ctx),
        title=title,
        purpose=purpose,
        company=company,
        employee_id=person.id,
        created_at=ctx.now(),
    )
    return _view(ctx, ctx.add(report))


@tool
def update_report(
    ctx: Context, report_id: str, title: str | None = None, purpose: str | None = None, company: str | None = None
) -> Any:
    """Change what a report is about."""
    report, _ = own_report(ctx, report_id)
    given = {"title": title, "purpose": purpose, "company": company}
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes:
        ctx.fail("invalid", "Give at least one of title, purpose and company.")
    for name, value in changes.items():
        setattr(report, name, value)
    ctx.flush()
    return _view(ctx, report)


@tool
def delete_report(ctx: Context, report_id: str) -> Any:
    """Delete a draft with its expenses; card payments matched with them become free."""
    report, _ = own_report(ctx, report_id)
    if report.status != "draft":
        ctx.fail("conflict", f"Report {report.number} was {report.status}; only drafts are deleted.")
    ctx.delete(report)
    return {"id": report_id, "deleted": True}


@tool
def submit_report(ctx: Context, report_id: str) -> Any:
    """Hand a report in to the approver."""
    report, person = own_report(ctx, report_id)
    view = _view(ctx, report)
    if not view["expenses"]:
        ctx.fail("conflict", f"Report {report.number} has no expenses.")
    if view["problems"]:
        first = view["problems"][0]
        ctx.fail(
            "conflict",
            f"Expense {first['expense_id']} of report {report.number} has the problem {first['problem']}.",
            problems=view["problems"],
        )
    if person.approver_id is None:
        ctx.fail("conflict", "You have no approver; ask finance to name one.")
    report.status = "submitted"
    report.submitted_at = ctx.now()
    report.approver_id = person.approver_id
    report.forwarded_by_id = report.decided_by_id = report.decided_at = None
    report.decision_note = ""
    ctx.flush()
    return _view(ctx, report)


def _decidable(ctx: Context, report_id: str) -> tuple[Report, Employee]:
    report, person = seen_report(ctx, report_id)
    if report.employee_id == person.id:
        ctx.fail("forbidden", "Nobody decides their own report.")
    if report.status != "submitted":
        ctx.fail("conflict", f"Report {report.number} is {report.status}, not submitted.")
    if report.approver_id != person.id:
        ctx.fail("forbidden", f"Report {report.number} waits for another approver ({report.approver_id}).")
    return report, person


@tool
def approve_report(ctx: Context, report_id: str, note: str = "") -> Any:
    """Approve, or pass on what exceeds the approver's limit."""
    report, person = _decidable(ctx, report_id)
    total = totals(ctx, [report])[report.id]["total_usd"]
    report.decision_note = note
    if person.approval_limit is not None and total > person.approval_limit and person.approver_id is not None:
        report.forwarded_by_id = person.id
        report.approver_id = person.approver_id
    else:
        report.status = "approved"
        report.decided_by_id = person.id
        report.decided_at = ctx.now()
    ctx.flush()
    return _view(ctx, report)


@tool
def reject_report(ctx: Context, report_id: str, reason: str) -> Any:
    """Send a report back to its owner."""
    report, person = _decidable(ctx, report_id)
    report.status = "rejected"
    report.decided_by_id = person.id
    report.decided_at = ctx.now()
    report.decision_note = reason
    ctx.flush()
    return _view(ctx, report)


@tool
def reimburse_report(ctx: Context, report_id: str, payment_reference: str) -> Any:
    """Record that an approved report was paid back."""
    report, person = seen_report(ctx, report_id)
    if person.payout_limit is None and person.role != "finance":
        ctx.fail("forbidden", "You pay nothing back; finance does.")
    if report.employee_id == person.id:
        ctx.fail("forbidden", "Nobody pays their own report back.")
    if report.status != "approved":
        ctx.fail("conflict", f"Report {report.number} is {report.status}, not approved.")
    due = totals(ctx, [report])[report.id]["reimbursable_usd"]
    if person.payout_limit is not None and due > person.payout_limit:
        ctx.fail("limit", f"You pay back up to {person.payout_limit} USD; {report.number} comes to {due}. Ask finance.")
    report.status = "reimbursed"
    report.reimbursed_at = ctx.now()
    report.payment_reference = payment_reference
    ctx.flush()
    return _view(ctx, report)
