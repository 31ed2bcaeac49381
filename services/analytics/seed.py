"""The analytics as they stand when a story starts; their content is in ``seed_data.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from engine.kit import Entity, Person, Seed
from services.analytics.boards import written
from services.analytics.figures import Question, period_of, wanted_values
from services.analytics.state import (
    Annotation,
    DailyValue,
    Dashboard,
    Export,
    Goal,
    Metric,
    Report,
    Segment,
)


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    data = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
    return _Figures(seed, data).rows()


class _Figures:
    """Makes the rows; colleagues go by their first names in the data."""

    def __init__(self, seed: Seed, data: dict[str, Any]) -> None:
        self.seed = seed
        self.data = data
        self.people: dict[str, Person] = {item.handle.split(".")[0]: item for item in seed.colleagues}
        self.metrics: dict[str, Metric] = {}
        self.values: list[DailyValue] = []
        self.segments: dict[str, Segment] = {}
        self.reports: list[Report] = []

    def rows(self) -> Iterator[Entity]:
        for name, title, description, unit, aggregation, dimension, sensitivity, team, owner in self.data["metrics"]:
            self.metrics[name] = Metric(
                id=f"met_{name}",
                title=title,
                description=description,
                unit=unit,
                aggregation=aggregation,
                dimension=dimension,
                sensitivity=sensitivity,
                team=team,
                owner_email=self._email(owner),
            )
            self._measure(name, **self.data["values"][name])
        yield from self.metrics.values()
        yield from self.values
        for number, (name, dimension, values, owner) in enumerate(self.data["segments"], 1):
            self.segments[name] = Segment(
                id=f"seg_{number:02d}",
                name=name,
                dimension=dimension,
                dimension_values=values,
                owner_email=self._email(owner),
            )
        yield from self.segments.values()
        yield from self._reports()
        yield from self._more()

    def _email(self, first_name: str) -> str:
        return self.people[first_name].email

    def _measure(
        self,
        name: str,
        days: list[int],
        weekend: float,
        digits: int,
        base: dict[str, float],
        days_off: dict[str, float],
        top: float | None = None,
    ) -> None:
        """Values around a base, every so many days until yesterday; some days differ by a factor."""
        chance = self.seed.random(name)
        start, step = days
        spread = 0.04 if top else 0.1
        for number in range(start, 0, step):
            day = self.seed.at(number).date()
            factor = days_off.get(str(number), 1.0) * (weekend if day.weekday() >= 5 else 1.0)
            for key, middle in base.items():
                value = round(middle * factor * (1 + chance.uniform(-spread, spread)), digits)
                value = min(value, top) if top else value
                self.values.append(
                    DailyValue(metric_id=f"met_{name}", day=day, dimension_value=key, value=float(value))
                )

    def _reports(self) -> Iterator[Entity]:
        for number, row in enumerate(self.data["reports"], 1):
            name, description, metric, period, days, group_by, values, segment, visibility, shared, owner = row
            report = Report(
                id=f"rpt_{number:04d}",
                name=name,
                description=description,
                metric_id=f"met_{metric}",
                period=period,
                from_date=date.fromisoformat(days[0]) if days else None,
                to_date=date.fromisoformat(days[1]) if days else None,
                group_by=group_by,
                dimension_values=values,
                segment_id=self.segments[segment].id if segment else None,
                visibility=visibility,
                shared_with_emails=shared,
                owner_email=self._email(owner),
                updated_at=self.seed.at(-30 + number, 11),
            )
            self.reports.append(report)
            yield report

    def _more(self) -> Iterator[Entity]:
        for number, (name, metric, direction, target, first, last, value, owner) in enumerate(self.data["goals"], 1):
            yield Goal(
                id=f"gol_{number:02d}",
                name=name,
                metric_id=f"met_{metric}",
                direction=direction,
                target=float(target),
                from_date=date.fromisoformat(first),
                to_date=date.fromisoformat(last),
                dimension_value=value or None,
                owner_email=self._email(owner),
            )
        for number, (day, text, metric, author) in enumerate(self.data["annotations"], 1):
            yield Annotation(
                id=f"ann_{number:04d}",
                day=self.seed.at(day).date(),
                text=text,
                metric_id=f"met_{metric}" if metric else None,
                author_email=self._email(author),
            )
        for number, (name, reports, owner) in enumerate(self.data["dashboards"], 1):
            yield Dashboard(
                id=f"dsh_{number:02d}",
                name=name,
                report_ids=[f"rpt_{item:04d}" for item in reports],
                owner_email=self._email(owner),
                created_at=self.seed.at(-40 + number),
            )
        for number, (place, form, owner, day, ago) in enumerate(self.data["exports"], 1):
            yield Export(
                id=f"exp_{number:04d}",
                report_id=f"rpt_{place:04d}",
                format=form,
                content=self._content(self.reports[place - 1], form, ago),
                owner_email=self._email(owner),
                created_at=self.seed.at(day, 8, 30),
            )

    def _content(self, report: Report, form: str, days_ago: int) -> str:
        today = self.seed.start.date() - timedelta(days=days_ago)
        metric = self.metrics[report.metric_id.removeprefix("met_")]
        segments = {item.id: item for item in self.segments.values()}
        question = Question(report, metric, *period_of(report, today), wanted_values(report, segments))
        head = {"report_id": report.id, "name": report.name, "metric_id": metric.id, "group_by": report.group_by}
        return written(head | question.answer(self.values) | {"annotations": []}, form)
