"""What the monitoring remembers."""

from __future__ import annotations

from datetime import datetime

from engine.kit import Entity, field, key, ref

SEVERITIES = ("info", "warning", "critical")


class MonitoringEntity(Entity):
    """Base of the monitoring's entities."""

    __service__ = "monitoring"


class Monitor(MonitoringEntity, table=True):
    """A host, endpoint or job that is watched."""

    id: str = key("mon")
    name: str = field("name", unique=True, max_length=80)
    kind: str = field("category", choices=("host", "endpoint", "job"))
    target: str = field("code", max_length=200, description="address or name of what is watched")
    team: str = field("category", max_length=40)
    owner_email: str = field("email", max_length=200)
    metrics: list[str] = field("tags")
    status: str = field("status", choices=("active", "paused"), default="active")


class MetricPoint(MonitoringEntity, table=True):
    """A measured value."""

    id: str = key("pnt")
    monitor_id: str = ref("monitoring_monitor.id", on_delete="cascade")
    metric: str = field("code", max_length=60)
    value: float = field("ratio")
    at: datetime = field("datetime", index=True)


class AlertRule(MonitoringEntity, table=True):
    """A threshold and how bad it is when it is broken."""

    id: str = key("rul")
    monitor_id: str = ref("monitoring_monitor.id", on_delete="cascade")
    name: str = field("title", min_length=1, max_length=120)
    metric: str = field("code", max_length=60)
    comparison: str = field("category", choices=("above", "below"))
    threshold: float = field("ratio")
    severity: str = field("category", choices=SEVERITIES)
    status: str = field("status", choices=("enabled", "disabled"), default="enabled")
    runbook: str = field("text", default="", max_length=300)
    created_by: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class Alert(MonitoringEntity, table=True):
    """A broken threshold; whether a firing one is silenced follows from the silences."""

    id: str = key("alt")
    monitor_id: str = ref("monitoring_monitor.id", on_delete="cascade")
    alert_rule_id: str | None = ref("monitoring_alert_rule.id", default=None, on_delete="set null")
    title: str = field("title", max_length=120)
    severity: str = field("category", choices=SEVERITIES)
    status: str = field("status", choices=("firing", "acknowledged", "resolved"), default="firing", index=True)
    value: float = field("ratio", description="value that broke the threshold first")
    fired_at: datetime = field("datetime", index=True)
    acknowledged_at: datetime | None = field("datetime", default=None)
    acknowledged_by: str | None = field("email", default=None, max_length=200)
    resolved_at: datetime | None = field("datetime", default=None)
    resolved_by: str | None = field("email", default=None, max_length=200, description="None: by a kept threshold")
    note: str = field("text", default="", max_length=1_000)


class Silence(MonitoringEntity, table=True):
    """A time in which the alerts of a monitor call nobody."""

    id: str = key("sil")
    monitor_id: str = ref("monitoring_monitor.id", on_delete="cascade")
    starts_at: datetime = field("datetime")
    ends_at: datetime = field("datetime")
    reason: str = field("text", min_length=1, max_length=300)
    created_by: str = field("email", max_length=200)


class Channel(MonitoringEntity, table=True):
    """A way to reach people."""

    id: str = key("chl")
    name: str = field("name", unique=True, max_length=80)
    kind: str = field("category", choices=("email", "chat", "pager"))
    target: str = field("code", max_length=200, description="mail address, chat channel or pager of a schedule")


class Route(MonitoringEntity, table=True):
    """Alerts of at least a severity, of one team (``None``: of all), that go to a channel."""

    id: str = key("rte")
    channel_id: str = ref("monitoring_channel.id", on_delete="cascade")
    min_severity: str = field("category", choices=SEVERITIES)
    team: str | None = field("category", default=None, max_length=40)


class Dashboard(MonitoringEntity, table=True):
    """Monitors that are looked at together."""

    id: str = key("dsh")
    name: str = field("name", unique=True, min_length=1, max_length=80)
    description: str = field("text", default="", max_length=500)
    monitor_ids: list[str] = field("tags")
    owner_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
