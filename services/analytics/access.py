"""Who may see which figures."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import HOME_DOMAIN, Context
from services.analytics.state import Metric, Report


def visible_reports(ctx: Context) -> Any:
    """The condition for reports that the user may see."""
    mine = col(Report.owner_email) == ctx.user.email
    return or_(mine, col(Report.visibility) == "company", col(Report.shared_with_emails).contains([ctx.user.email]))


def report_seen(ctx: Context, report_id: str) -> Report:
    """A report that the user may see; others look as if they did not exist."""
    found = ctx.first(Report, col(Report.id) == report_id, visible_reports(ctx))
    if found is None:
        ctx.fail("not_found", f"There is no report {report_id!r} that you may see; list_reports shows them.")
    return found


def own_report(ctx: Context, report_id: str) -> Report:
    """A report of the user's own."""
    report = report_seen(ctx, report_id)
    if report.owner_email != ctx.user.email:
        ctx.fail("forbidden", f"The report {report.name!r} belongs to {report.owner_email}; create one of your own.")
    return report


def require_open(ctx: Context, metric: Metric) -> None:
    """Refuse a confidential metric to whoever is not of its team."""
    if metric.sensitivity == "confidential" and ctx.user.email != metric.owner_email and ctx.user.team != metric.team:
        ctx.fail("forbidden", f"{metric.title} is confidential; ask {metric.owner_email}.")


def require_shareable(ctx: Context, metric: Metric, visibility: str, emails: list[str]) -> None:
    """Refuse to show a report to more people than its metric allows."""
    if metric.sensitivity == "confidential" and (emails or visibility != "private"):
        ctx.fail("forbidden", f"{metric.title} is confidential; its reports stay private.")
    strangers = [item for item in emails if not item.lower().endswith(f"@{HOME_DOMAIN}")]
    if strangers and metric.sensitivity != "public":
        ctx.fail("forbidden", f"{metric.title} is {metric.sensitivity}; it is not shared with {strangers[0]}.")
