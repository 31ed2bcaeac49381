"""Monitoring: monitors with rules and alerts, dashboards and silences of a scenario."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from engine.kit.cast import COLLEAGUES, Person

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

KENJI = COLLEAGUES[11]


def monitor(d: Draft, name: str, target: str, *, metric: str = "error_percent", owner: Person = KENJI) -> str:
    """Plant a host that is watched; gives its id."""
    key = d.key("mon")
    d.plant(
        "monitoring_monitor",
        id=key,
        name=name,
        kind="host",
        target=target,
        team=owner.team,
        owner_email=owner.email,
        metrics=[metric],
    )
    d.plant("monitoring_metric_point", id=d.key("pnt"), monitor_id=key, metric=metric, value=12.0, at=d.ago(0, 7, 30))
    return key


def alert(
    d: Draft,
    of: str,
    title: str,
    severity: str,
    *,
    value: float = 12.0,
    fired: datetime,
    status: str = "firing",
    by: Person = KENJI,
    note: str = "",
) -> str:
    """Plant an alert of a monitor; gives its id."""
    key = d.key("alt")
    taken = status != "firing"
    d.plant(
        "monitoring_alert",
        id=key,
        monitor_id=of,
        title=title,
        severity=severity,
        status=status,
        value=value,
        fired_at=fired,
        acknowledged_at=fired + timedelta(minutes=7) if taken else None,
        acknowledged_by=by.email if taken else None,
        resolved_at=fired + timedelta(minutes=40) if status == "resolved" else None,
        note=note,
    )
    return key


def dashboard(d: Draft, name: str, monitors: list[str], *, description: str = "", owner: Person = KENJI) -> str:
    """Plant a dashboard; gives its id."""
    key = d.key("dsh")
    d.plant(
        "monitoring_dashboard",
        id=key,
        name=name,
        description=description,
        monitor_ids=monitors,
        owner_email=owner.email,
        created_at=d.ago(60, 10),
    )
    return key


def silence(d: Draft, of: str, starts: datetime, hours: int, reason: str, *, by: Person = KENJI) -> str:
    """Plant a silence of a monitor; gives its id."""
    key = d.key("sil")
    d.plant(
        "monitoring_silence",
        id=key,
        monitor_id=of,
        starts_at=starts,
        ends_at=starts + timedelta(hours=hours),
        reason=reason,
        created_by=by.email,
    )
    return key
