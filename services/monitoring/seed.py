"""The monitoring as it stands when a story starts; its content is in ``seed_data.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.kit import Entity, Person, Seed
from services.monitoring.state import (
    Alert,
    AlertRule,
    Channel,
    Dashboard,
    MetricPoint,
    Monitor,
    Route,
    Silence,
)


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    data = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
    return _Watch(seed, data).rows()


class _Watch:
    """Makes the rows; colleagues go by their first names in the data."""

    def __init__(self, seed: Seed, data: dict[str, Any]) -> None:
        self.seed = seed
        self.data = data
        self.people: dict[str, Person] = {item.handle.split(".")[0]: item for item in seed.colleagues}
        self.rules: list[AlertRule] = []
        self.drawn = seed.random("noise")

    def rows(self) -> Iterator[Entity]:
        yield from self._monitors()
        yield from self._rules()
        yield from self._alerts()
        for number, (name, first, start, last, end, reason, author) in enumerate(self.data["silences"], 1):
            yield Silence(
                id=f"sil_{number:04d}",
                monitor_id=f"mon_{name}",
                starts_at=self.seed.at(first, start),
                ends_at=self.seed.at(last, end),
                reason=reason,
                created_by=self._email(author),
            )
        for name, title, kind, target in self.data["channels"]:
            yield Channel(id=f"chl_{name}", name=title, kind=kind, target=target)
        for number, (name, severity, team) in enumerate(self.data["routes"], 1):
            yield Route(id=f"rte_{number:04d}", channel_id=f"chl_{name}", min_severity=severity, team=team)
        for number, (name, description, monitors, owner, day) in enumerate(self.data["dashboards"], 1):
            yield Dashboard(
                id=f"dsh_{number:04d}",
                name=name,
                description=description,
                monitor_ids=[f"mon_{item}" for item in monitors.split()],
                owner_email=self._email(owner),
                created_at=self.seed.at(day),
            )

    def _email(self, first_name: str) -> str:
        return self.people[first_name].email

    def _at(self, moment: list[int]) -> datetime:
        return self.seed.at(*moment)

    def _noise(self, metric: str, value: float) -> int:
        """Ordinary response times vary a little with the seed, far from every threshold."""
        return self.drawn.randint(0, 9) if metric == "response_ms" and value < 1000 else 0

    def _monitors(self) -> Iterator[Entity]:
        points: list[MetricPoint] = []
        for name, title, kind, target, team, owner, status, metrics in self.data["monitors"]:
            yield Monitor(
                id=f"mon_{name}",
                name=title,
                kind=kind,
                target=target,
                team=team,
                owner_email=self._email(owner),
                metrics=list(metrics),
                status=status,
            )
            for metric, values in metrics.items():
                for day, hour, minute, value in values:
                    points.append(
                        MetricPoint(
                            id=f"pnt_{len(points) + 1:04d}",
                            monitor_id=f"mon_{name}",
                            metric=metric,
                            value=float(value) + self._noise(metric, value),
                            at=self.seed.at(day, hour, minute),
                        )
                    )
        yield from points

    def _rules(self) -> Iterator[Entity]:
        for number, row in enumerate(self.data["rules"], 1):
            monitor, name, metric, comparison, threshold, severity, status, runbook, author, day = row
            rule = AlertRule(
                id=f"rul_{number:04d}",
                monitor_id=f"mon_{monitor}",
                name=name,
                metric=metric,
                comparison=comparison,
                threshold=float(threshold),
                severity=severity,
                status=status,
                runbook=runbook,
                created_by=self._email(author),
                created_at=self.seed.at(day),
            )
            self.rules.append(rule)
            yield rule

    def _alerts(self) -> Iterator[Entity]:
        for number, (place, value, fired, taken, resolved, note) in enumerate(self.data["alerts"], 1):
            rule = self.rules[place - 1]
            yield Alert(
                id=f"alt_{number:04d}",
                monitor_id=rule.monitor_id,
                alert_rule_id=rule.id,
                title=rule.name,
                severity=rule.severity,
                status="resolved" if resolved else "acknowledged" if taken else "firing",
                value=float(value),
                fired_at=self._at(fired),
                acknowledged_at=self._at(taken[1]) if taken else None,
                acknowledged_by=self._email(taken[0]) if taken else None,
                resolved_at=self._at(resolved) if resolved else None,
                note=note,
            )
