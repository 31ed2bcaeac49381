"""Tools for alerts, silences and notification routes."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.monitoring.evaluation import end
from services.monitoring.rules import require_team
from services.monitoring.state import SEVERITIES, Alert, Channel, Monitor, Route, Silence

MAX_SILENCE = timedelta(days=14)
"""How long a silence may be."""


def _silenced(at: datetime) -> Any:
    """The monitors that are silenced at an instant, as a subquery."""
    return select(col(Silence.monitor_id)).where(col(Silence.starts_at) <= at, col(Silence.ends_at) > at)


def _alert_views(ctx: Context, alerts: list[Alert]) -> list[dict[str, Any]]:
    """Alerts with the monitor's name, whether they are silenced, and where they go."""
    monitors = {m.id: m for m in ctx.list(Monitor, col(Monitor.id).in_({a.monitor_id for a in alerts}))}
    quiet = {row[0] for row in ctx.rows(_silenced(ctx.now()))}
    channels = {item.id: item.name for item in ctx.list(Channel)}
    routes = ctx.list(Route)
    views = []
    for alert in alerts:
        monitor = monitors[alert.monitor_id]
        rank = SEVERITIES.index(alert.severity)
        reached = {
            channels[item.channel_id]
            for item in routes
            if item.team in (None, monitor.team) and SEVERITIES.index(item.min_severity) <= rank
        }
        silenced = alert.status == "firing" and alert.monitor_id in quiet
        views.append(
            alert.out()
            | {
                "status": "silenced" if silenced else alert.status,
                "monitor_name": monitor.name,
                "team": monitor.team,
                "channels": sorted(reached),
            }
        )
    return views


@tool
def list_alerts(
    ctx: Context,
    monitor_id: str | None = None,
    alert_rule_id: str | None = None,
    severity: str | None = None,
    status: str | None = None,
    fired_after: Moment | None = None,
    fired_before: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Alerts that meet every filter."""
    equal = ((Alert.monitor_id, monitor_id), (Alert.alert_rule_id, alert_rule_id), (Alert.severity, severity))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if status in ("firing", "silenced"):
        quiet = col(Alert.monitor_id).in_(_silenced(ctx.now()))
        where += [col(Alert.status) == "firing", quiet if status == "silenced" else ~quiet]
    elif status is not None:
        where.append(col(Alert.status) == status)
    if fired_after is not None:
        where.append(col(Alert.fired_at) >= fired_after)
    if fired_before is not None:
        where.append(col(Alert.fired_at) < fired_before)
    page = ctx.page(Alert, *where, order_by=[col(Alert.fired_at).desc()], limit=limit, cursor=cursor)
    return {"items": _alert_views(ctx, page.items), "next_cursor": page.next_cursor, "total": ctx.count(Alert, *where)}


@tool
def acknowledge_alert(ctx: Context, alert_id: str, note: str = "") -> Any:
    """Look after an alert."""
    alert = ctx.require(Alert, alert_id)
    if alert.status != "firing":
        ctx.fail("conflict", f"The alert {alert.id} is {alert.status}; only firing ones are acknowledged.")
    alert.status = "acknowledged"
    alert.acknowledged_at = ctx.now()
    alert.acknowledged_by = ctx.user.email
    alert.note = note
    ctx.flush()
    return _alert_views(ctx, [alert])[0]


@tool
def resolve_alert(ctx: Context, alert_id: str, note: str) -> Any:
    """End an alert by hand."""
    alert = ctx.require(Alert, alert_id)
    if alert.status == "resolved":
        ctx.fail("conflict", f"The alert {alert.id} is resolved already.")
    end(alert, ctx.now(), ctx.user.email)
    alert.note = note
    ctx.flush()
    return _alert_views(ctx, [alert])[0]


@tool
def list_silences(
    ctx: Context,
    monitor_id: str | None = None,
    at: Moment | None = None,
    created_by: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Silences by start."""
    equal = ((Silence.monitor_id, monitor_id), (Silence.created_by, created_by))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if at is not None:
        where += [col(Silence.starts_at) <= at, col(Silence.ends_at) > at]
    page = ctx.page(Silence, *where, order_by=[col(Silence.starts_at)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Silence, *where)}


@tool
def create_silence(ctx: Context, monitor_id: str, starts_at: Moment, ends_at: Moment, reason: str) -> Any:
    """Let a monitor's alerts call nobody for a time."""
    monitor = ctx.require(Monitor, monitor_id)
    if ends_at <= starts_at:
        ctx.fail("invalid", "ends_at must be later than starts_at.")
    if ends_at <= ctx.now():
        ctx.fail("invalid", "ends_at must lie in the future.")
    if ends_at - starts_at > MAX_SILENCE:
        ctx.fail("limit", f"A silence lasts at most {MAX_SILENCE.days} days; disable the rule for longer times.")
    return ctx.add(
        Silence(
            id=ctx.new_id("sil"),
            monitor_id=monitor.id,
            starts_at=starts_at,
            ends_at=ends_at,
            reason=reason,
            created_by=ctx.user.email,
        )
    )


@tool
def delete_silence(ctx: Context, silence_id: str) -> Any:
    """Let alerts call again."""
    silence = ctx.require(Silence, silence_id)
    if silence.created_by != ctx.user.email:
        require_team(ctx, ctx.require(Monitor, silence.monitor_id))
    if silence.ends_at <= ctx.now():
        ctx.fail("conflict", f"The silence {silence.id} is over and stays for the record.")
    ctx.delete(silence)
    return {"id": silence_id, "deleted": True}


@tool
def list_channels(
    ctx: Context, kind: str | None = None, query: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Channels with their routes."""
    where: list[Any] = [] if kind is None else [col(Channel.kind) == kind]
    if query is not None:
        where.append(contains(Channel.name, query) | contains(Channel.target, query))
    page = ctx.page(Channel, *where, order_by=[col(Channel.name)], limit=limit, cursor=cursor)
    routes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for item in ctx.list(Route, col(Route.channel_id).in_([channel.id for channel in page.items])):
        routes[item.channel_id].append(item.out("id", "min_severity", "team"))
    items = [item.out() | {"routes": routes[item.id]} for item in page.items]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(Channel, *where)}


@tool
def create_route(ctx: Context, channel_id: str, min_severity: str) -> Any:
    """Send alerts of one's own team to a channel."""
    channel = ctx.require(Channel, channel_id)
    team = ctx.user.team
    there = ctx.first(
        Route,
        col(Route.channel_id) == channel.id,
        col(Route.min_severity) == min_severity,
        col(Route.team) == team,
    )
    if there is not None:
        ctx.fail("conflict", f"The route {there.id} sends these alerts to {channel.name} already.")
    return ctx.add(Route(id=ctx.new_id("rte"), channel_id=channel.id, min_severity=min_severity, team=team))
