"""Tools for reports."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlmodel import col

from engine.kit import Context, contains, tool
from services.analytics.access import own_report, report_seen, require_open, require_shareable, visible_reports
from services.analytics.figures import data_of, questions, require_range
from services.analytics.metrics import require_values, values_of_dimension
from services.analytics.state import Annotation, Dashboard, Metric, Report, Segment

MAX_REPORTS = 50
"""Reports of one owner."""


@tool
def list_reports(
    ctx: Context,
    metric_id: str | None = None,
    owner_email: str | None = None,
    visibility: str | None = None,
    group_by: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Reports that the user may see."""
    where: list[Any] = [visible_reports(ctx)]
    equal = (
        (Report.metric_id, metric_id),
        (Report.owner_email, owner_email),
        (Report.visibility, visibility),
        (Report.group_by, group_by),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(contains(Report.name, query) | contains(Report.description, query))
    page = ctx.page(Report, *where, order_by=[col(Report.name)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Report, *where)}


def _require_sense(ctx: Context, report: Report, metric: Metric) -> None:
    """Refuse a report whose parts do not go together."""
    custom = report.period == "custom"
    if custom and (report.from_date is None or report.to_date is None):
        ctx.fail("invalid", "A custom period needs from_date and to_date.")
    if not custom and (report.from_date is not None or report.to_date is not None):
        ctx.fail("invalid", f"from_date and to_date go with the period custom, not with {report.period}.")
    if report.from_date is not None and report.to_date is not None:
        require_range(ctx, report.from_date, report.to_date)
    if report.segment_id is not None:
        if report.dimension_values:
            ctx.fail("invalid", "Give dimension_values or segment_id, not both.")
        segment = ctx.require(Segment, report.segment_id)
        if segment.dimension != metric.dimension:
            ctx.fail(
                "invalid", f"segment_id: {segment.name} is of {segment.dimension}, the metric of {metric.dimension}."
            )
    known = values_of_dimension(ctx, col(Metric.id) == metric.id)
    require_values(ctx, list(report.dimension_values), known, "dimension_values")


@tool
def create_report(
    ctx: Context,
    name: str,
    metric_id: str,
    description: str = "",
    period: str = "last_28_days",
    from_date: date | None = None,
    to_date: date | None = None,
    group_by: str = "none",
    dimension_values: list[str] | None = None,
    segment_id: str | None = None,
) -> Any:
    """Save a question."""
    metric = ctx.require(Metric, metric_id)
    require_open(ctx, metric)
    if ctx.count(Report, col(Report.owner_email) == ctx.user.email) >= MAX_REPORTS:
        ctx.fail("limit", f"You own {MAX_REPORTS} reports, the most allowed; delete one first.")
    report = Report(
        id=ctx.new_id("rpt"),
        name=name,
        description=description,
        metric_id=metric.id,
        period=period,
        from_date=from_date,
        to_date=to_date,
        group_by=group_by,
        dimension_values=dimension_values or [],
        segment_id=segment_id,
        owner_email=ctx.user.email,
        updated_at=ctx.now(),
    )
    _require_sense(ctx, report, metric)
    return ctx.add(report)


@tool
def get_report(ctx: Context, report_id: str) -> Any:
    """A report's definition."""
    return report_seen(ctx, report_id)


@tool
def update_report(
    ctx: Context,
    report_id: str,
    name: str | None = None,
    description: str | None = None,
    period: str | None = None,
    from_date: date | None = None,
    to_date: date | None = None,
    group_by: str | None = None,
    dimension_values: list[str] | None = None,
    segment_id: str | None = "",
    visibility: str | None = None,
    shared_with_emails: list[str] | None = None,
) -> Any:
    """Change or share a report; an empty ``segment_id`` stands for none given."""
    report = own_report(ctx, report_id)
    changes = {
        "name": name,
        "description": description,
        "period": period,
        "from_date": from_date,
        "to_date": to_date,
        "group_by": group_by,
        "dimension_values": dimension_values,
        "visibility": visibility,
        "shared_with_emails": shared_with_emails,
    }
    given = {key: value for key, value in changes.items() if value is not None}
    if not given and segment_id == "":
        ctx.fail("invalid", f"Give at least one of {', '.join(changes)} and segment_id.")
    metric = ctx.require(Metric, report.metric_id)
    if segment_id:
        ctx.require(Segment, segment_id)
    if period is not None and period != "custom":
        # The days belong to a custom period; those given now are refused below.
        report.from_date = report.to_date = None
    for key, value in given.items():
        setattr(report, key, value)
    if segment_id != "":
        report.segment_id = segment_id
    _require_sense(ctx, report, metric)
    require_shareable(ctx, metric, report.visibility, list(report.shared_with_emails))
    report.updated_at = ctx.now()
    ctx.flush()
    return report


@tool
def delete_report(ctx: Context, report_id: str) -> Any:
    """Remove a report of one's own."""
    report = own_report(ctx, report_id)
    shown = ctx.first(Dashboard, col(Dashboard.report_ids).contains([report.id]))
    if shown is not None:
        ctx.fail("conflict", f"The dashboard {shown.name!r} ({shown.id}) shows {report.id}; it stays as long.")
    ctx.delete(report)
    return {"id": report_id, "deleted": True}


def figures_of(ctx: Context, report: Report, first: date | None = None, last: date | None = None) -> dict[str, Any]:
    """A report's figures, for its own period or for other days."""
    (question,) = questions(ctx, [report])
    require_open(ctx, question.metric)
    if first is not None and last is not None:
        question.first, question.last = first, last
    found = ctx.list(
        Annotation,
        col(Annotation.day) >= question.first,
        col(Annotation.day) <= question.last,
        col(Annotation.metric_id).is_(None) | (col(Annotation.metric_id) == report.metric_id),
        order_by=[col(Annotation.day)],
    )
    return (
        {"report_id": report.id, "name": report.name, "metric_id": report.metric_id, "group_by": report.group_by}
        | question.answer(data_of(ctx, [question]))
        | {"annotations": [item.out("id", "day", "text") for item in found]}
    )


@tool
def run_report(ctx: Context, report_id: str, from_date: date | None = None, to_date: date | None = None) -> Any:
    """A report's figures."""
    report = report_seen(ctx, report_id)
    if (from_date is None) != (to_date is None):
        ctx.fail("invalid", "Give from_date and to_date together, or neither.")
    if from_date is not None and to_date is not None:
        require_range(ctx, from_date, to_date)
    return figures_of(ctx, report, from_date, to_date)
