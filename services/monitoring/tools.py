"""The monitoring's tools."""

from services.monitoring.alerts import (
    acknowledge_alert,
    create_route,
    create_silence,
    delete_silence,
    list_alerts,
    list_channels,
    list_silences,
    resolve_alert,
)
from services.monitoring.dashboards import create_dashboard, list_dashboards
from services.monitoring.monitors import (
    create_metric_point,
    get_uptime_summary,
    list_metric_points,
    list_monitors,
)
from services.monitoring.rules import (
    create_alert_rule,
    delete_alert_rule,
    list_alert_rules,
    update_alert_rule,
)

__all__ = [
    "acknowledge_alert",
    "create_alert_rule",
    "create_dashboard",
    "create_metric_point",
    "create_route",
    "create_silence",
    "delete_alert_rule",
    "delete_silence",
    "get_uptime_summary",
    "list_alert_rules",
    "list_alerts",
    "list_channels",
    "list_dashboards",
    "list_metric_points",
    "list_monitors",
    "list_silences",
    "resolve_alert",
    "update_alert_rule",
]
