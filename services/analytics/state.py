"""What the analytics remember."""

from __future__ import annotations

from datetime import date, datetime

from engine.kit import Entity, field, key, ref

PERIODS = ("last_7_days", "last_14_days", "last_28_days", "this_month", "last_month", "custom")
GROUPINGS = ("none", "dimension", "day", "week", "month")


class AnalyticsEntity(Entity):
    """Base of the entities of analytics."""

    __service__ = "analytics"


class Metric(AnalyticsEntity, table=True):
    """Something that is measured by day, split by one dimension."""

    id: str = key("met")
    title: str = field("title", unique=True, max_length=120)
    description: str = field("text", default="", max_length=500)
    unit: str = field("code", max_length=20, description="a currency, percent or count")
    aggregation: str = field("category", choices=("sum", "average"))
    dimension: str = field("category", max_length=40)
    sensitivity: str = field("category", choices=("public", "internal", "confidential"), default="internal")
    team: str = field("category", max_length=40)
    owner_email: str = field("email", max_length=200)


class DailyValue(AnalyticsEntity, table=True):
    """What was measured on a day for one value of the dimension."""

    metric_id: str = ref("analytics_metric.id", key=True, on_delete="cascade")
    day: date = field("date", key=True)
    dimension_value: str = field("category", key=True, max_length=60)
    value: float = field("ratio")


class Segment(AnalyticsEntity, table=True):
    """A named set of values of a dimension."""

    id: str = key("seg")
    name: str = field("name", unique=True, min_length=1, max_length=80)
    dimension: str = field("category", max_length=40)
    dimension_values: list[str] = field("tags")
    owner_email: str = field("email", max_length=200)


class Report(AnalyticsEntity, table=True):
    """A question to a metric that is asked again and again."""

    id: str = key("rpt")
    name: str = field("title", min_length=1, max_length=120)
    description: str = field("text", default="", max_length=1_000)
    metric_id: str = ref("analytics_metric.id")
    period: str = field("category", choices=PERIODS, default="last_28_days")
    from_date: date | None = field("date", default=None)
    to_date: date | None = field("date", default=None)
    group_by: str = field("category", choices=GROUPINGS, default="none")
    dimension_values: list[str] = field("tags", default_factory=list)
    segment_id: str | None = ref("analytics_segment.id", default=None)
    visibility: str = field("category", choices=("private", "company"), default="private")
    shared_with_emails: list[str] = field("tags", default_factory=list)
    owner_email: str = field("email", max_length=200)
    updated_at: datetime = field("datetime")


class Goal(AnalyticsEntity, table=True):
    """A target for a period."""

    id: str = key("gol")
    name: str = field("title", unique=True, min_length=1, max_length=120)
    metric_id: str = ref("analytics_metric.id")
    direction: str = field("category", choices=("at_least", "at_most"), default="at_least")
    target: float = field("ratio")
    from_date: date = field("date")
    to_date: date = field("date", index=True)
    dimension_value: str | None = field("category", default=None, max_length=60)
    owner_email: str = field("email", max_length=200)


class Annotation(AnalyticsEntity, table=True):
    """What happened on a day that explains figures; without a metric it concerns all."""

    id: str = key("ann")
    day: date = field("date", index=True)
    text: str = field("text", min_length=1, max_length=500)
    metric_id: str | None = ref("analytics_metric.id", default=None)
    author_email: str = field("email", max_length=200)


class Dashboard(AnalyticsEntity, table=True):
    """Reports that are looked at together."""

    id: str = key("dsh")
    name: str = field("name", unique=True, min_length=1, max_length=80)
    report_ids: list[str] = field("tags")
    owner_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")


class Export(AnalyticsEntity, table=True):
    """The figures of a report as they were."""

    id: str = key("exp")
    report_id: str = ref("analytics_report.id", on_delete="cascade")
    format: str = field("category", choices=("csv", "json"))
    content: str = field("text")
    owner_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
