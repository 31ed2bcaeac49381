"""Periods and the figures of reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.analytics.state import DailyValue, Metric, Report, Segment

FIRST_DAY, LAST_DAY = date(2020, 1, 1), date(2035, 12, 31)
"""The days that reports and goals may speak of."""

MAX_DAYS = 366
"""Days of one period."""

_LENGTHS = {"last_7_days": 7, "last_14_days": 14, "last_28_days": 28}


def require_range(ctx: Context, first: date, last: date) -> None:
    """Refuse days that are no period."""
    if last < first:
        ctx.fail("invalid", "to_date must not be before from_date.")
    if first < FIRST_DAY or last > LAST_DAY:
        ctx.fail("invalid", f"from_date and to_date lie between {FIRST_DAY} and {LAST_DAY}.")
    if (last - first).days >= MAX_DAYS:
        ctx.fail("limit", f"A period has at most {MAX_DAYS} days.")


def period_of(report: Report, today: date) -> tuple[date, date]:
    """First and last day of a report's period; all but custom ones end before today."""
    yesterday = today - timedelta(days=1)
    if report.period in _LENGTHS:
        return today - timedelta(days=_LENGTHS[report.period]), yesterday
    if report.period == "this_month":
        return today.replace(day=1), max(yesterday, today.replace(day=1))
    if report.period == "last_month":
        end = today.replace(day=1) - timedelta(days=1)
        return end.replace(day=1), end
    return report.from_date or yesterday, report.to_date or yesterday


def wanted_values(report: Report, segments: dict[str, Segment]) -> set[str] | None:
    """The dimension's values that a report is about; ``None`` for all."""
    if report.segment_id is not None:
        return set(segments[report.segment_id].dimension_values)
    return set(report.dimension_values) or None


def aggregate(metric: Metric, values: Sequence[float]) -> float | None:
    """Sum or average, rounded to two decimals."""
    if not values:
        return None
    total = sum(values)
    return round(total if metric.aggregation == "sum" else total / len(values), 2)


def _group(item: DailyValue, group_by: str) -> str:
    if group_by == "dimension":
        return item.dimension_value
    if group_by == "week":
        return (item.day - timedelta(days=item.day.weekday())).isoformat()
    return item.day.strftime("%Y-%m") if group_by == "month" else item.day.isoformat()


@dataclass
class Question:
    """A report's question with its days settled."""

    report: Report
    metric: Metric
    first: date
    last: date
    values: set[str] | None

    @property
    def earlier(self) -> date:
        """First day of the period of equal length before."""
        return self.first - (self.last - self.first) - timedelta(days=1)

    def answer(self, data: Sequence[DailyValue]) -> dict[str, Any]:
        """Total, change and groups, from values of any days and metrics."""
        mine = [
            item
            for item in data
            if item.metric_id == self.metric.id and (self.values is None or item.dimension_value in self.values)
        ]
        now = [item for item in mine if self.first <= item.day <= self.last]
        total = aggregate(self.metric, [item.value for item in now])
        before = aggregate(self.metric, [item.value for item in mine if self.earlier <= item.day < self.first])
        change = None if total is None or not before else round(100 * (total - before) / abs(before), 2)
        return {
            "from_date": self.first,
            "to_date": self.last,
            "unit": self.metric.unit,
            "total": total,
            "previous_total": before,
            "change_percent": change,
            "groups": self._groups(now),
        }

    def _groups(self, data: Sequence[DailyValue]) -> list[dict[str, Any]]:
        if self.report.group_by == "none":
            return []
        found: dict[str, list[float]] = defaultdict(list)
        for item in data:
            found[_group(item, self.report.group_by)].append(item.value)
        groups = [{"key": key, "value": aggregate(self.metric, found[key]) or 0.0} for key in sorted(found)]
        if self.report.group_by == "dimension":
            groups.sort(key=lambda item: (-float(str(item["value"])), str(item["key"])))
        return groups


def questions(ctx: Context, reports: Sequence[Report]) -> list[Question]:
    """The questions of reports for their own periods."""
    metrics = {item.id: item for item in ctx.list(Metric, col(Metric.id).in_({r.metric_id for r in reports}))}
    wanted = {item.segment_id for item in reports if item.segment_id}
    segments = {item.id: item for item in ctx.list(Segment, col(Segment.id).in_(wanted))}
    return [
        Question(item, metrics[item.metric_id], *period_of(item, ctx.today()), wanted_values(item, segments))
        for item in reports
    ]


def data_of(ctx: Context, asked: Sequence[Question]) -> list[DailyValue]:
    """The values that questions are answered from, in one query."""
    if not asked:
        return []
    return ctx.list(
        DailyValue,
        col(DailyValue.metric_id).in_({item.metric.id for item in asked}),
        col(DailyValue.day) >= min(item.earlier for item in asked),
        col(DailyValue.day) <= max(item.last for item in asked),
    )
