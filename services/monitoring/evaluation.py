"""Thresholds: when an alert opens and when it is over."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import col

from engine.kit import Context
from services.monitoring.state import Alert, AlertRule, MetricPoint, Monitor


def is_broken(rule: AlertRule, value: float) -> bool:
    """Whether a value breaks a rule's threshold; an equal one keeps it."""
    return value > rule.threshold if rule.comparison == "above" else value < rule.threshold


def newest(ctx: Context, monitor_id: str, metric: str) -> MetricPoint | None:
    """The newest value of a metric."""
    return ctx.first(
        MetricPoint,
        col(MetricPoint.monitor_id) == monitor_id,
        col(MetricPoint.metric) == metric,
        order_by=[col(MetricPoint.at).desc()],
    )


def unresolved(ctx: Context, rule: AlertRule) -> Alert | None:
    """The alert of a rule that is not over."""
    return ctx.first(Alert, col(Alert.alert_rule_id) == rule.id, col(Alert.status) != "resolved")


def end(alert: Alert, at: datetime, by: str | None = None) -> None:
    """Resolve an alert; ``by`` is ``None`` when its threshold is kept again."""
    alert.status = "resolved"
    alert.resolved_at = max(at, alert.fired_at)
    alert.resolved_by = by


def evaluate(ctx: Context, monitor: Monitor, rule: AlertRule, point: MetricPoint | None) -> Alert | None:
    """Compare a rule with a value: opens or resolves its alert. The alert that changed, if any."""
    if point is None or rule.status == "disabled" or monitor.status == "paused":
        return None
    alert = unresolved(ctx, rule)
    if is_broken(rule, point.value):
        if alert is not None:
            return None
        return ctx.add(
            Alert(
                id=ctx.new_id("alt"),
                monitor_id=monitor.id,
                alert_rule_id=rule.id,
                title=rule.name,
                severity=rule.severity,
                value=point.value,
                fired_at=ctx.now(),
            )
        )
    if alert is not None:
        end(alert, ctx.now())
        ctx.flush()
    return alert
