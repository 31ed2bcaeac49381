"""Monitoring: monitors with metrics, alert rules, alerts, silences, notification routes and dashboards."""

from pathlib import Path

from engine.kit import Service
from services.monitoring import seed, state, tools

service = Service(
    name="monitoring",
    title="Monitoring",
    domain="operations",
    summary="Monitors of hosts, endpoints and jobs with metrics, alert rules with thresholds, alerts, silences, "
    "notification channels, uptime and dashboards.",
    entities=[
        state.Monitor,
        state.MetricPoint,
        state.AlertRule,
        state.Alert,
        state.Silence,
        state.Channel,
        state.Route,
        state.Dashboard,
    ],
    tools=tools,
    specification=Path(__file__).with_name("tools.json"),
    seed=seed.rows,
)
