"""Tools for dashboards."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, contains, tool
from services.monitoring.monitors import states
from services.monitoring.state import Dashboard, Monitor

MAX_DASHBOARDS = 20
"""Dashboards of one owner."""


def _dashboard_views(ctx: Context, dashboards: list[Dashboard]) -> list[dict[str, Any]]:
    wanted = {key for item in dashboards for key in item.monitor_ids}
    monitors = {item.id: item for item in ctx.list(Monitor, col(Monitor.id).in_(wanted))}
    known = states(ctx, list(monitors.values()))
    return [
        item.out()
        | {
            "monitors": [
                {"id": key, "name": monitors[key].name, "state": known[key][0], "unresolved_alerts": known[key][1]}
                for key in item.monitor_ids
                if key in monitors
            ]
        }
        for item in dashboards
    ]


@tool
def list_dashboards(
    ctx: Context,
    query: str | None = None,
    owner_email: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Dashboards with the state of their monitors."""
    where: list[Any] = []
    if query is not None:
        where.append(contains(Dashboard.name, query) | contains(Dashboard.description, query))
    if owner_email is not None:
        where.append(col(Dashboard.owner_email) == owner_email)
    page = ctx.page(Dashboard, *where, order_by=[col(Dashboard.name)], limit=limit, cursor=cursor)
    return {
        "items": _dashboard_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Dashboard, *where),
    }


@tool
def create_dashboard(ctx: Context, name: str, monitor_ids: list[str], description: str = "") -> Any:
    """Put monitors together."""
    if ctx.exists(Dashboard, col(Dashboard.name) == name):
        ctx.fail("conflict", f"A dashboard is named {name!r} already; choose another name.")
    if ctx.count(Dashboard, col(Dashboard.owner_email) == ctx.user.email) >= MAX_DASHBOARDS:
        ctx.fail("limit", f"You own {MAX_DASHBOARDS} dashboards, the most allowed.")
    found = {item.id for item in ctx.list(Monitor, col(Monitor.id).in_(monitor_ids))}
    missing = [item for item in monitor_ids if item not in found]
    if missing:
        ctx.fail("not_found", f"There is no monitor {missing[0]!r}.")
    made = ctx.add(
        Dashboard(
            id=ctx.new_id("dsh"),
            name=name,
            description=description,
            monitor_ids=monitor_ids,
            owner_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    return _dashboard_views(ctx, [made])[0]
