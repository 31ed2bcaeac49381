"""Tools for metrics, their values, segments and annotations."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.analytics.access import require_open
from services.analytics.state import Annotation, DailyValue, Metric, Segment


@tool
def list_metrics(
    ctx: Context,
    query: str | None = None,
    dimension: str | None = None,
    sensitivity: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Metrics with what they are split by."""
    where: list[Any] = []
    if query is not None:
        where.append(contains(Metric.title, query) | contains(Metric.description, query))
    if dimension is not None:
        where.append(col(Metric.dimension) == dimension)
    if sensitivity is not None:
        where.append(col(Metric.sensitivity) == sensitivity)
    page = ctx.page(Metric, *where, order_by=[col(Metric.title)], limit=limit, cursor=cursor)
    statement = (
        select(
            col(DailyValue.metric_id),
            col(DailyValue.dimension_value),
            func.min(col(DailyValue.day)),
            func.max(col(DailyValue.day)),
        )
        .where(col(DailyValue.metric_id).in_([item.id for item in page.items]))
        .group_by(col(DailyValue.metric_id), col(DailyValue.dimension_value))
        .order_by(col(DailyValue.metric_id), col(DailyValue.dimension_value))
    )
    found: dict[str, list[tuple[str, date, date]]] = defaultdict(list)
    for metric_id, value, first, last in ctx.rows(statement):
        found[metric_id].append((value, first, last))
    items = [
        item.out()
        | {
            "dimension_values": [row[0] for row in found[item.id]],
            "first_day": min((row[1] for row in found[item.id]), default=None),
            "last_day": max((row[2] for row in found[item.id]), default=None),
        }
        for item in page.items
    ]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(Metric, *where)}


@tool
def list_daily_values(
    ctx: Context,
    metric_id: str,
    from_date: date | None = None,
    to_date: date | None = None,
    dimension_value: str | None = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    """Values by day."""
    metric = ctx.require(Metric, metric_id)
    require_open(ctx, metric)
    where: list[Any] = [col(DailyValue.metric_id) == metric.id]
    if from_date is not None:
        where.append(col(DailyValue.day) >= from_date)
    if to_date is not None:
        where.append(col(DailyValue.day) <= to_date)
    if dimension_value is not None:
        where.append(col(DailyValue.dimension_value) == dimension_value)
    order = [col(DailyValue.day), col(DailyValue.dimension_value)]
    page = ctx.page(DailyValue, *where, order_by=order, limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(DailyValue, *where)}


def values_of_dimension(ctx: Context, *where: Any) -> set[str]:
    """The values that occur in the metrics of the conditions."""
    statement = (
        select(col(DailyValue.dimension_value))
        .join(Metric, col(Metric.id) == col(DailyValue.metric_id))
        .where(*where)
        .distinct()
        .order_by(col(DailyValue.dimension_value))
    )
    return {row[0] for row in ctx.rows(statement)}


def require_values(ctx: Context, wanted: list[str], known: set[str], what: str) -> None:
    """Refuse values that the dimension does not have."""
    unknown = [item for item in wanted if item not in known]
    if unknown:
        ctx.fail("invalid", f"{what}: there is no value {unknown[0]!r}; there are {', '.join(sorted(known))}.")


@tool
def list_segments(
    ctx: Context, dimension: str | None = None, query: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Segments by name."""
    where: list[Any] = [] if dimension is None else [col(Segment.dimension) == dimension]
    if query is not None:
        where.append(contains(Segment.name, query))
    page = ctx.page(Segment, *where, order_by=[col(Segment.name)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Segment, *where)}


@tool
def create_segment(ctx: Context, name: str, dimension: str, dimension_values: list[str]) -> Any:
    """Name a set of values."""
    known = values_of_dimension(ctx, col(Metric.dimension) == dimension)
    if not known:
        ctx.fail("invalid", f"dimension: no metric is split by {dimension!r}; list_metrics shows the dimensions.")
    require_values(ctx, dimension_values, known, "dimension_values")
    if ctx.exists(Segment, col(Segment.name) == name):
        ctx.fail("conflict", f"A segment is named {name!r} already; choose another name.")
    return ctx.add(
        Segment(
            id=ctx.new_id("seg"),
            name=name,
            dimension=dimension,
            dimension_values=dimension_values,
            owner_email=ctx.user.email,
        )
    )


@tool
def list_annotations(
    ctx: Context,
    metric_id: str | None = None,
    from_date: date | None = None,
    to_date: date | None = None,
    author_email: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Annotations by day."""
    equal = ((Annotation.metric_id, metric_id), (Annotation.author_email, author_email))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if from_date is not None:
        where.append(col(Annotation.day) >= from_date)
    if to_date is not None:
        where.append(col(Annotation.day) <= to_date)
    if query is not None:
        where.append(contains(Annotation.text, query))
    page = ctx.page(Annotation, *where, order_by=[col(Annotation.day)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Annotation, *where)}


@tool
def create_annotation(ctx: Context, day: date, text: str, metric_id: str | None = None) -> Any:
    """Note what happened."""
    if metric_id is not None:
        ctx.require(Metric, metric_id)
    return ctx.add(
        Annotation(id=ctx.new_id("ann"), day=day, text=text, metric_id=metric_id, author_email=ctx.user.email)
    )
