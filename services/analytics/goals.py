"""Tools for goals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.analytics.access import require_open
from services.analytics.figures import aggregate, require_range
from services.analytics.metrics import require_values, values_of_dimension
from services.analytics.state import DailyValue, Goal, Metric


def _goal_views(ctx: Context, goals: Sequence[Goal]) -> list[dict[str, Any]]:
    """Goals with what has been reached of them."""
    if not goals:
        return []
    metrics = {item.id: item for item in ctx.list(Metric, col(Metric.id).in_({goal.metric_id for goal in goals}))}
    data = ctx.list(
        DailyValue,
        col(DailyValue.metric_id).in_(list(metrics)),
        col(DailyValue.day) >= min(goal.from_date for goal in goals),
        col(DailyValue.day) <= max(goal.to_date for goal in goals),
    )
    views = []
    for goal in goals:
        metric = metrics[goal.metric_id]
        values = [
            item.value
            for item in data
            if item.metric_id == metric.id
            and goal.from_date <= item.day <= goal.to_date
            and goal.dimension_value in (None, item.dimension_value)
        ]
        value = aggregate(metric, values)
        views.append(
            goal.out()
            | {
                "unit": metric.unit,
                "current_value": value,
                "attainment_percent": None if value is None else round(100 * value / goal.target, 2),
                "state": _goal_state(goal, metric, value or 0.0, ctx.today()),
            }
        )
    return views


def _goal_state(goal: Goal, metric: Metric, value: float, today: date) -> str:
    over = goal.to_date < today
    due = goal.target
    if not over and metric.aggregation == "sum":
        length = (goal.to_date - goal.from_date).days + 1
        due = goal.target * max((today - goal.from_date).days, 0) / length
    good = value >= due if goal.direction == "at_least" else value <= due
    if over:
        return "met" if good else "missed"
    return "on_track" if good else "behind"


@tool
def list_goals(
    ctx: Context,
    metric_id: str | None = None,
    owner_email: str | None = None,
    ending_after: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Goals by end of period."""
    equal = ((Goal.metric_id, metric_id), (Goal.owner_email, owner_email))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if ending_after is not None:
        where.append(col(Goal.to_date) > ending_after)
    page = ctx.page(Goal, *where, order_by=[col(Goal.to_date)], limit=limit, cursor=cursor)
    return {"items": _goal_views(ctx, page.items), "next_cursor": page.next_cursor, "total": ctx.count(Goal, *where)}


@tool
def create_goal(
    ctx: Context,
    name: str,
    metric_id: str,
    target: float,
    from_date: date,
    to_date: date,
    direction: str = "at_least",
    dimension_value: str | None = None,
) -> Any:
    """Set a target."""
    metric = ctx.require(Metric, metric_id)
    require_open(ctx, metric)
    require_range(ctx, from_date, to_date)
    if to_date <= ctx.today():
        ctx.fail("invalid", "to_date must lie in the future.")
    if dimension_value is not None:
        known = values_of_dimension(ctx, col(Metric.id) == metric.id)
        require_values(ctx, [dimension_value], known, "dimension_value")
    if ctx.exists(Goal, col(Goal.name) == name):
        ctx.fail("conflict", f"A goal is named {name!r} already; choose another name.")
    goal = ctx.add(
        Goal(
            id=ctx.new_id("gol"),
            name=name,
            metric_id=metric.id,
            direction=direction,
            target=target,
            from_date=from_date,
            to_date=to_date,
            dimension_value=dimension_value,
            owner_email=ctx.user.email,
        )
    )
    return _goal_views(ctx, [goal])[0]
