"""Tools for dashboards and exports."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from sqlmodel import col

from engine.kit import Context, contains, jsonable, tool
from services.analytics.access import report_seen, visible_reports
from services.analytics.figures import data_of, questions
from services.analytics.reports import figures_of
from services.analytics.state import Dashboard, Export, Metric, Report

MAX_DASHBOARDS = 20
"""Dashboards of one owner."""

MAX_EXPORTS = 50
"""Exports that one person keeps."""


def _dashboard_views(ctx: Context, dashboards: list[Dashboard]) -> list[dict[str, Any]]:
    wanted = {key for item in dashboards for key in item.report_ids}
    asked = questions(ctx, ctx.list(Report, col(Report.id).in_(wanted), visible_reports(ctx)))
    asked = [item for item in asked if item.metric.sensitivity != "confidential"]
    data = data_of(ctx, asked)
    tiles: dict[str, dict[str, Any]] = {}
    for item in asked:
        answer = item.answer(data)
        figures = {key: answer[key] for key in ("unit", "total", "change_percent", "from_date", "to_date")}
        tiles[item.report.id] = {"report_id": item.report.id, "name": item.report.name} | figures
    return [
        board.out() | {"tiles": [tiles.get(key, {"report_id": key}) for key in board.report_ids]}
        for board in dashboards
    ]


@tool
def list_dashboards(
    ctx: Context,
    owner_email: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Dashboards with the totals of their tiles."""
    where: list[Any] = [] if owner_email is None else [col(Dashboard.owner_email) == owner_email]
    if query is not None:
        where.append(contains(Dashboard.name, query))
    page = ctx.page(Dashboard, *where, order_by=[col(Dashboard.name)], limit=limit, cursor=cursor)
    return {
        "items": _dashboard_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Dashboard, *where),
    }


@tool
def create_dashboard(ctx: Context, name: str, report_ids: list[str]) -> Any:
    """Put reports together."""
    if ctx.exists(Dashboard, col(Dashboard.name) == name):
        ctx.fail("conflict", f"A dashboard is named {name!r} already; choose another name.")
    if ctx.count(Dashboard, col(Dashboard.owner_email) == ctx.user.email) >= MAX_DASHBOARDS:
        ctx.fail("limit", f"You own {MAX_DASHBOARDS} dashboards, the most allowed.")
    for key in report_ids:
        report_seen(ctx, key)
    made = ctx.add(
        Dashboard(
            id=ctx.new_id("dsh"),
            name=name,
            report_ids=report_ids,
            owner_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    return _dashboard_views(ctx, [made])[0]


@tool
def list_exports(
    ctx: Context,
    report_id: str | None = None,
    format: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """The user's exports."""
    where: list[Any] = [col(Export.owner_email) == ctx.user.email]
    if report_id is not None:
        where.append(col(Export.report_id) == report_id)
    if format is not None:
        where.append(col(Export.format) == format)
    page = ctx.page(Export, *where, order_by=[col(Export.created_at).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Export, *where)}


@tool
def create_export(ctx: Context, report_id: str, format: str = "csv") -> Any:
    """Keep a report's figures as they are now."""
    report = report_seen(ctx, report_id)
    if ctx.require(Metric, report.metric_id).sensitivity == "confidential":
        ctx.fail("forbidden", f"The report {report.name!r} shows confidential figures, which are not exported.")
    if ctx.count(Export, col(Export.owner_email) == ctx.user.email) >= MAX_EXPORTS:
        ctx.fail("limit", f"You keep {MAX_EXPORTS} exports, the most allowed.")
    return ctx.add(
        Export(
            id=ctx.new_id("exp"),
            report_id=report.id,
            format=format,
            content=written(figures_of(ctx, report), format),
            owner_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )


def written(figures: dict[str, Any], form: str) -> str:
    """Figures as the text of a file."""
    if form == "json":
        return json.dumps(jsonable(figures), ensure_ascii=False, indent=1)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([figures["group_by"], figures["unit"]])
    writer.writerows([[item["key"], item["value"]] for item in figures["groups"]] or [["total", figures["total"]]])
    return out.getvalue()
