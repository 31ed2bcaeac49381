"""Analytics as a place of scenarios: metrics with daily values, reports; annotations as entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from engine.kit.cast import Person
from tasks.authoring.draft import Draft
from tasks.authoring.terms import Template, text
from tasks.places.base import Entry


def metric(
    d: Draft,
    title: str,
    values: Mapping[str, Sequence[float]],
    *,
    dimension: str = "channel",
    unit: str = "count",
    sensitivity: str = "internal",
    aggregation: str = "sum",
    owner: Person | None = None,
    description: str = "",
) -> str:
    """Plant a metric with values by dimension value, the last one of yesterday; gives the id."""
    key = d.key("met")
    d.plant(
        "analytics_metric",
        id=key,
        title=title,
        description=description,
        unit=unit,
        aggregation=aggregation,
        dimension=dimension,
        sensitivity=sensitivity,
        team="marketing",
        owner_email=(owner or d.user).email,
    )
    for name, row in values.items():
        for back, value in enumerate(reversed(row), 1):
            d.plant(
                "analytics_daily_value",
                metric_id=key,
                day=d.calendar_day(-back),
                dimension_value=name,
                value=float(value),
            )
    return key


def report(
    d: Draft,
    name: str,
    metric_id: str,
    *,
    description: str = "",
    period: str = "last_7_days",
    group_by: str = "none",
    values: tuple[str, ...] = (),
    owner: Person | None = None,
    visibility: str = "company",
) -> str:
    """Plant a report; gives the id."""
    key = d.key("rpt")
    d.plant(
        "analytics_report",
        id=key,
        name=name,
        description=description,
        metric_id=metric_id,
        period=period,
        group_by=group_by,
        dimension_values=list(values),
        visibility=visibility,
        owner_email=(owner or d.user).email,
        updated_at=d.ago(12, 11),
    )
    return key


class AnalyticsEntry(Entry):
    """Annotations of a day's figures; where no day is given any will do."""

    service = "analytics"

    def add(
        self, d: Draft, goal: str, *, title: Template, words: Template, day: date | Template | None = None
    ) -> Template:
        said = {"$text": "{title}: {words}", "title": title, "words": words}
        made = d.act(
            goal, "analytics", "create_annotation", day=text(d.on(0).isoformat()) if day is None else day, text=said
        )
        return made.at("data.id")

    def what(self, d: Draft) -> str:
        return d.either(
            "an annotation in Analytics",
            "a remark among the annotations in Analytics",
        )

    def reference(self, d: Draft) -> str:
        return "the id of the annotation"


ENTRY = AnalyticsEntry()
