"""Tools for segments, templates and automations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, func, select
from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context, contains, tool
from services.campaigns.audience import check_conditions, mailable, sizes
from services.campaigns.state import Audience, Automation, Segment, Subscriber, Template

MAX_SEGMENTS = 40
"""Segments of one audience."""


class Condition(TypedDict):
    """One condition of a segment."""

    field: str
    operator: str
    value: str


class Step(TypedDict):
    """One mail of an automation."""

    template_id: str
    delay_days: int


@tool
def create_segment(ctx: Context, audience_id: str, name: str, conditions: list[Condition], match: str = "all") -> Any:
    """Describe a part of an audience."""
    audience = ctx.require(Audience, audience_id)
    of_audience = col(Segment.audience_id) == audience.id
    if ctx.exists(Segment, of_audience, col(Segment.name) == name):
        ctx.fail("conflict", f"{audience.name} has a segment named {name!r} already; choose another name.")
    if ctx.count(Segment, of_audience) >= MAX_SEGMENTS:
        ctx.fail("limit", f"{audience.name} has {MAX_SEGMENTS} segments, the most allowed.")
    plain = [dict(item) for item in conditions]
    check_conditions(ctx, plain)
    segment = ctx.add(
        Segment(
            id=ctx.new_id("seg"),
            audience_id=audience.id,
            name=name,
            match=match,
            conditions=plain,
            created_at=ctx.now(),
        )
    )
    return segment.out() | {"size": sizes(ctx, [segment])[segment.id]}


@tool
def list_segments(
    ctx: Context, audience_id: str | None = None, query: str | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Segments with the number of those who may be mailed now."""
    where: list[Any] = [] if audience_id is None else [col(Segment.audience_id) == audience_id]
    if query is not None:
        where.append(contains(Segment.name, query))
    page = ctx.page(Segment, *where, limit=limit, cursor=cursor)
    size = sizes(ctx, page.items)
    items = [item.out() | {"size": size[item.id]} for item in page.items]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(Segment, *where)}


@tool
def list_templates(
    ctx: Context, query: str | None = None, archived: bool | None = None, limit: int = 20, cursor: str | None = None
) -> Any:
    """Templates with their text."""
    where: list[Any] = [] if archived is None else [col(Template.archived).is_(archived)]
    if query is not None:
        where.append(
            contains(Template.name, query) | contains(Template.subject, query) | contains(Template.body, query)
        )
    return ctx.page(Template, *where, limit=limit, cursor=cursor).out() | {"total": ctx.count(Template, *where)}


@tool
def list_automations(ctx: Context, audience_id: str | None = None, status: str | None = None) -> Any:
    """Automations with the number of those who are in them."""
    equal = ((Automation.audience_id, audience_id), (Automation.status, status))
    where = [col(column) == value for column, value in equal if value is not None]
    return {"items": _views(ctx, ctx.list(Automation, *where)), "next_cursor": None}


def _views(ctx: Context, automations: Sequence[Automation]) -> list[dict[str, Any]]:
    if not automations:
        return []
    columns: list[Any] = []
    for number, item in enumerate(automations):
        if item.trigger == "tagged":
            entered = col(Subscriber.tags).contains([item.trigger_tag])
        else:
            entered = col(Subscriber.joined_on) >= (item.active_since or ctx.today())
        columns.append(func.count().filter(and_(*mailable(item.audience_id), entered)).label(f"a{number}"))
    counts = ctx.rows(select(*columns).select_from(Subscriber))[0]
    return [
        item.out()
        | {
            "length_days": sum(step["delay_days"] for step in item.steps),
            "enrolled_count": counts[number] if item.active_since is not None else 0,
        }
        for number, item in enumerate(automations)
    ]


@tool
def update_automation(
    ctx: Context,
    automation_id: str,
    name: str | None = None,
    steps: list[Step] | None = None,
    status: str | None = None,
) -> Any:
    """Rename an automation, change its mails, start or pause it."""
    found = ctx.require(Automation, automation_id)
    if name is None and steps is None and status is None:
        ctx.fail("invalid", "Nothing to change: give name, steps or status.")
    if name is not None and ctx.exists(Automation, col(Automation.name) == name, col(Automation.id) != found.id):
        ctx.fail("conflict", f"Another automation is named {name!r}; choose another name.")
    if steps is not None and found.status == "active" and status != "paused":
        ctx.fail("conflict", f"Automation {found.id} is active; pause it before you change its steps.")
    if status == "paused" and found.status == "draft":
        ctx.fail("conflict", f"Automation {found.id} is a draft that never ran; there is nothing to pause.")
    if name is not None:
        found.name = name
    if steps is not None:
        found.steps = [dict(step) for step in steps]
    _require_templates(ctx, found)
    if status == "active" and found.active_since is None:
        found.active_since = ctx.today()
    found.status = status or found.status
    found.updated_at = ctx.now()
    ctx.flush()
    return _views(ctx, [found])[0]


def _require_templates(ctx: Context, automation: Automation) -> None:
    wanted = [step["template_id"] for step in automation.steps]
    known = {item.id: item for item in ctx.list(Template, col(Template.id).in_(wanted))}
    for template_id in wanted:
        if template_id not in known:
            ctx.fail("not_found", f"There is no template {template_id!r}; list_templates shows them.")
        if known[template_id].archived:
            ctx.fail("conflict", f"Template {template_id} is archived; choose one in use.")
