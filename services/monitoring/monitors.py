"""Tools for monitors, their values and uptime."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.monitoring.evaluation import evaluate, newest
from services.monitoring.state import Alert, AlertRule, MetricPoint, Monitor

MAX_UPTIME_DAYS = 92
"""Days that an uptime summary spans at most."""


def _with_open(severity: str) -> Any:
    return select(col(Alert.monitor_id)).where(col(Alert.status) != "resolved", col(Alert.severity) == severity)


def _in_state(state: str) -> list[Any]:
    """Conditions for monitors in a state."""
    if state == "paused":
        return [col(Monitor.status) == "paused"]
    active = col(Monitor.status) == "active"
    down, degraded = col(Monitor.id).in_(_with_open("critical")), col(Monitor.id).in_(_with_open("warning"))
    if state == "down":
        return [active, down]
    return [active, ~down, degraded if state == "degraded" else ~degraded]


def states(ctx: Context, monitors: list[Monitor]) -> dict[str, tuple[str, int]]:
    """State and number of unresolved alerts by monitor."""
    ids = [item.id for item in monitors]
    found: dict[str, list[str]] = defaultdict(list)
    for alert in ctx.list(Alert, col(Alert.monitor_id).in_(ids), col(Alert.status) != "resolved"):
        found[alert.monitor_id].append(alert.severity)
    out = {}
    for item in monitors:
        worst = "down" if "critical" in found[item.id] else "degraded" if "warning" in found[item.id] else "ok"
        out[item.id] = ("paused" if item.status == "paused" else worst, len(found[item.id]))
    return out


@tool
def list_monitors(
    ctx: Context,
    query: str | None = None,
    kind: str | None = None,
    team: str | None = None,
    state: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Monitors with their newest values."""
    where: list[Any] = [] if state is None else _in_state(state)
    if query is not None:
        where.append(contains(Monitor.name, query) | contains(Monitor.target, query))
    if kind is not None:
        where.append(col(Monitor.kind) == kind)
    if team is not None:
        where.append(col(Monitor.team) == team)
    page = ctx.page(Monitor, *where, order_by=[col(Monitor.name)], limit=limit, cursor=cursor)
    known = states(ctx, page.items)
    values = _newest_values(ctx, [item.id for item in page.items])
    items = [
        item.out()
        | {"state": known[item.id][0], "unresolved_alerts": known[item.id][1], "newest_values": values[item.id]}
        for item in page.items
    ]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(Monitor, *where)}


def _newest_values(ctx: Context, ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    last = (
        select(col(MetricPoint.monitor_id), col(MetricPoint.metric), func.max(col(MetricPoint.at)).label("at"))
        .where(col(MetricPoint.monitor_id).in_(ids))
        .group_by(col(MetricPoint.monitor_id), col(MetricPoint.metric))
        .subquery()
    )
    statement = (
        select(MetricPoint)
        .join(
            last,
            (col(MetricPoint.monitor_id) == last.c.monitor_id)
            & (col(MetricPoint.metric) == last.c.metric)
            & (col(MetricPoint.at) == last.c.at),
        )
        .order_by(col(MetricPoint.metric), col(MetricPoint.id))
    )
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for (point,) in ctx.rows(statement):
        found[point.monitor_id].append(point.out("metric", "value", "at"))
    return found


def metric_of(ctx: Context, monitor_id: str, metric: str) -> Monitor:
    """The monitor, if it has such a metric."""
    monitor = ctx.require(Monitor, monitor_id)
    if metric not in monitor.metrics:
        ctx.fail("not_found", f"{monitor.name} has no metric {metric!r}; it has {', '.join(monitor.metrics)}.")
    return monitor


@tool
def list_metric_points(
    ctx: Context,
    monitor_id: str,
    metric: str,
    since: Moment | None = None,
    until: Moment | None = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    """Values of a metric with their extremes and average."""
    monitor = metric_of(ctx, monitor_id, metric)
    where: list[Any] = [col(MetricPoint.monitor_id) == monitor.id, col(MetricPoint.metric) == metric]
    if since is not None:
        where.append(col(MetricPoint.at) >= since)
    if until is not None:
        where.append(col(MetricPoint.at) < until)
    page = ctx.page(MetricPoint, *where, order_by=[col(MetricPoint.at).desc()], limit=limit, cursor=cursor)
    value = col(MetricPoint.value)
    row = ctx.rows(select(func.count(), func.min(value), func.max(value), func.avg(value)).where(*where))[0]
    return page.out() | {
        "total": row[0],
        "minimum": row[1],
        "maximum": row[2],
        "average": None if row[3] is None else round(row[3], 4),
    }


@tool
def create_metric_point(ctx: Context, monitor_id: str, metric: str, value: float, at: Moment | None = None) -> Any:
    """Record a value; rules look at it at once."""
    monitor = metric_of(ctx, monitor_id, metric)
    moment = at or ctx.now()
    if monitor.status == "paused":
        ctx.fail("conflict", f"{monitor.name} is paused and takes no values.")
    if moment > ctx.now():
        ctx.fail("invalid", "at: a value cannot be measured in the future.")
    last = newest(ctx, monitor.id, metric)
    if last is not None and last.at >= moment:
        ctx.fail("conflict", f"The newest value of {metric} is of {last.at.isoformat()}; give a later instant.")
    point = ctx.add(MetricPoint(id=ctx.new_id("pnt"), monitor_id=monitor.id, metric=metric, value=value, at=moment))
    rules = ctx.list(AlertRule, col(AlertRule.monitor_id) == monitor.id, col(AlertRule.metric) == metric)
    changed = [evaluate(ctx, monitor, rule, point) for rule in rules]
    return point.out() | {"changed_alerts": [item.out("id", "title", "status") for item in changed if item is not None]}


@tool
def get_uptime_summary(
    ctx: Context, from_date: date, to_date: date, monitor_id: str | None = None, team: str | None = None
) -> Any:
    """Time without critical alerts, by monitor."""
    if to_date < from_date:
        ctx.fail("invalid", "to_date must not be before from_date.")
    if from_date > ctx.today():
        ctx.fail("invalid", "from_date must not lie in the future.")
    if (to_date - from_date).days >= MAX_UPTIME_DAYS:
        ctx.fail("limit", f"Ask for at most {MAX_UPTIME_DAYS} days at once.")
    start = datetime.combine(from_date, time.min, UTC)
    stop = min(datetime.combine(to_date, time.min, UTC) + timedelta(days=1), ctx.now())
    where = [] if team is None else [col(Monitor.team) == team]
    if monitor_id is not None:
        where.append(col(Monitor.id) == ctx.require(Monitor, monitor_id).id)
    monitors = ctx.list(Monitor, *where, order_by=[col(Monitor.name)])
    times: dict[str, list[tuple[datetime, datetime]]] = defaultdict(list)
    for alert in ctx.list(
        Alert,
        col(Alert.monitor_id).in_([item.id for item in monitors]),
        col(Alert.severity) == "critical",
        col(Alert.fired_at) < stop,
        col(Alert.resolved_at).is_(None) | (col(Alert.resolved_at) > start),
        order_by=[col(Alert.fired_at)],
    ):
        times[alert.monitor_id].append((max(alert.fired_at, start), min(alert.resolved_at or stop, stop)))
    whole = max((stop - start).total_seconds(), 1.0)
    items = []
    for item in monitors:
        outages = _merged(times[item.id])
        down = sum((last - first).total_seconds() for first, last in outages)
        items.append(
            {
                "monitor_id": item.id,
                "name": item.name,
                "team": item.team,
                "outages": len(outages),
                "downtime_minutes": round(down / 60),
                "uptime_percent": round(100 * (1 - down / whole), 3),
            }
        )
    items.sort(key=lambda row: (row["uptime_percent"], row["name"]))
    return {"from_date": from_date, "to_date": to_date, "items": items, "next_cursor": None}


def _merged(times: list[tuple[datetime, datetime]]) -> list[tuple[datetime, datetime]]:
    """Times by start, with those that overlap made one."""
    out: list[tuple[datetime, datetime]] = []
    for first, last in times:
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    return out
