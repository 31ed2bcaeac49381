"""Tools for alert rules."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.monitoring.evaluation import end, evaluate, newest, unresolved
from services.monitoring.monitors import metric_of
from services.monitoring.state import AlertRule, Monitor

MAX_RULES = 10
"""Alert rules of one monitor."""


def require_team(ctx: Context, monitor: Monitor) -> None:
    """Refuse whoever is neither of the monitor's team nor its owner."""
    if ctx.user.team != monitor.team and ctx.user.email != monitor.owner_email:
        ctx.fail("forbidden", f"{monitor.name} belongs to {monitor.team}; ask {monitor.owner_email}.")


@tool
def list_alert_rules(
    ctx: Context,
    monitor_id: str | None = None,
    metric: str | None = None,
    severity: str | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Alert rules by name."""
    equal = (
        (AlertRule.monitor_id, monitor_id),
        (AlertRule.metric, metric),
        (AlertRule.severity, severity),
        (AlertRule.status, status),
    )
    where = [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(AlertRule, *where, order_by=[col(AlertRule.name)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(AlertRule, *where)}


def _require_single(ctx: Context, rule: AlertRule, threshold: float) -> None:
    twin = ctx.first(
        AlertRule,
        col(AlertRule.monitor_id) == rule.monitor_id,
        col(AlertRule.metric) == rule.metric,
        col(AlertRule.comparison) == rule.comparison,
        col(AlertRule.threshold) == threshold,
        col(AlertRule.id) != rule.id,
    )
    if twin is not None:
        ctx.fail("conflict", f"The rule {twin.id} ({twin.name}) has this threshold already.")


@tool
def create_alert_rule(
    ctx: Context,
    monitor_id: str,
    name: str,
    metric: str,
    comparison: str,
    threshold: float,
    severity: str,
    runbook: str = "",
) -> Any:
    """Add a rule and compare it with the newest value."""
    monitor = metric_of(ctx, monitor_id, metric)
    require_team(ctx, monitor)
    rule = AlertRule(
        id=ctx.new_id("rul"),
        monitor_id=monitor.id,
        name=name,
        metric=metric,
        comparison=comparison,
        threshold=threshold,
        severity=severity,
        runbook=runbook,
        created_by=ctx.user.email,
        created_at=ctx.now(),
    )
    _require_single(ctx, rule, threshold)
    if ctx.count(AlertRule, col(AlertRule.monitor_id) == monitor.id) >= MAX_RULES:
        ctx.fail("limit", f"{monitor.name} has {MAX_RULES} rules, the most allowed; delete one first.")
    ctx.add(rule)
    alert = evaluate(ctx, monitor, rule, newest(ctx, monitor.id, metric))
    return rule.out() | {"alert_id": alert.id if alert is not None else None}


@tool
def update_alert_rule(
    ctx: Context,
    alert_rule_id: str,
    name: str | None = None,
    threshold: float | None = None,
    severity: str | None = None,
    status: str | None = None,
    runbook: str | None = None,
) -> Any:
    """Change a rule."""
    rule = ctx.require(AlertRule, alert_rule_id)
    monitor = ctx.require(Monitor, rule.monitor_id)
    require_team(ctx, monitor)
    if all(item is None for item in (name, threshold, severity, status, runbook)):
        ctx.fail("invalid", "Give at least one of name, threshold, severity, status and runbook.")
    if threshold is not None:
        _require_single(ctx, rule, threshold)
        rule.threshold = threshold
    if name is not None:
        rule.name = name
    if severity is not None:
        rule.severity = severity
    if runbook is not None:
        rule.runbook = runbook
    if status is not None:
        rule.status = status
    ctx.flush()
    alert = unresolved(ctx, rule)
    if rule.status == "disabled":
        if alert is not None:
            end(alert, ctx.now(), ctx.user.email)
    elif threshold is not None or status is not None:
        evaluate(ctx, monitor, rule, newest(ctx, monitor.id, rule.metric))
    ctx.flush()
    alert = unresolved(ctx, rule)
    return rule.out() | {"alert_id": alert.id if alert is not None else None}


@tool
def delete_alert_rule(ctx: Context, alert_rule_id: str) -> Any:
    """Remove a rule; its alerts stay."""
    rule = ctx.require(AlertRule, alert_rule_id)
    require_team(ctx, ctx.require(Monitor, rule.monitor_id))
    alert = unresolved(ctx, rule)
    if alert is not None:
        end(alert, ctx.now(), ctx.user.email)
        ctx.flush()
    ctx.delete(rule)
    return {"id": alert_rule_id, "deleted": True}
