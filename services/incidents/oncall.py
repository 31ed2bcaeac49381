"""Who is on call, and the tools around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, contains, tool
from services.incidents.state import Incident, Override, Schedule, Service, Teammate

MAX_OVERRIDE = timedelta(days=31)
"""How long an override may be."""


def require_teammates(ctx: Context, emails: Iterable[str], what: str) -> None:
    """Refuse addresses that are no colleague's."""
    wanted = set(emails)
    known = {item.email for item in ctx.list(Teammate, col(Teammate.email).in_(wanted))}
    if wanted - known:
        ctx.fail("invalid", f"{what}: {min(wanted - known)} is no colleague who can be called.")


def shift(schedule: Schedule, at: datetime, overrides: Sequence[Override]) -> tuple[str, datetime | None, str | None]:
    """Who is on call at an instant, until when (``None``: beyond the calendar), and by which override."""
    mine = [item for item in overrides if item.schedule_id == schedule.id]
    for item in mine:
        if item.starts_at <= at < item.ends_at:
            return item.person_email, item.ends_at, item.id
    length = timedelta(days=schedule.shift_days)
    place = (at - schedule.starts_at) // length
    try:
        end: datetime | None = schedule.starts_at + (place + 1) * length
    except OverflowError:
        end = None
    later = [item.starts_at for item in mine if item.starts_at > at]
    ends = [item for item in (end, *later) if item is not None]
    return schedule.rotation[place % len(schedule.rotation)], min(ends, default=None), None


def on_call(ctx: Context, schedule_id: str, at: datetime) -> str:
    """The address of whoever is on call."""
    schedule = ctx.require(Schedule, schedule_id)
    overrides = ctx.list(
        Override,
        col(Override.schedule_id) == schedule.id,
        col(Override.starts_at) <= at,
        col(Override.ends_at) > at,
    )
    return shift(schedule, at, overrides)[0]


def called(ctx: Context, service: Service, level: int) -> str:
    """The address of whoever a step of a service's escalation policy calls now."""
    step = service.escalation_steps[level - 1]
    if "person_email" in step:
        return str(step["person_email"])
    return on_call(ctx, step["schedule_id"], ctx.now())


@tool
def list_services(
    ctx: Context,
    query: str | None = None,
    team: str | None = None,
    owner_email: str | None = None,
    tier: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Services with owners and escalation."""
    equal = ((Service.team, team), (Service.owner_email, owner_email), (Service.tier, tier))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(contains(Service.name, query) | contains(Service.description, query))
    page = ctx.page(Service, *where, order_by=[col(Service.name)], limit=limit, cursor=cursor)
    counts = {
        row[0]: row[1]
        for row in ctx.rows(
            select(col(Incident.service_id), func.count())
            .where(
                col(Incident.service_id).in_([item.id for item in page.items]),
                col(Incident.status) != "resolved",
            )
            .group_by(col(Incident.service_id))
        )
    }
    items = [item.out() | {"unresolved_incidents": counts.get(item.id, 0)} for item in page.items]
    return {"items": items, "next_cursor": page.next_cursor, "total": ctx.count(Service, *where)}


@tool
def list_on_call(
    ctx: Context, at: Moment | None = None, schedule_id: str | None = None, person_email: str | None = None
) -> Any:
    """Schedules with who is on call at an instant."""
    moment = at or ctx.now()
    where = [] if schedule_id is None else [col(Schedule.id) == schedule_id]
    schedules = ctx.list(Schedule, *where, order_by=[col(Schedule.name)])
    overrides = ctx.list(Override, col(Override.ends_at) > moment)
    names = {item.email: item.name for item in ctx.list(Teammate)}
    items = []
    for schedule in schedules:
        email, ends, override_id = shift(schedule, moment, overrides)
        if person_email is None or email == person_email:
            items.append(
                schedule.out()
                | {
                    "person_email": email,
                    "person_name": names[email],
                    "shift_ends_at": ends,
                    "override_id": override_id,
                }
            )
    return {"items": items, "next_cursor": None}


@tool
def list_overrides(
    ctx: Context,
    schedule_id: str | None = None,
    person_email: str | None = None,
    ending_after: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Overrides by start."""
    equal = ((Override.schedule_id, schedule_id), (Override.person_email, person_email))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if ending_after is not None:
        where.append(col(Override.ends_at) > ending_after)
    page = ctx.page(Override, *where, order_by=[col(Override.starts_at)], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Override, *where)}


def _require_place(ctx: Context, schedule: Schedule) -> None:
    if ctx.user.email not in (*schedule.rotation, schedule.manager_email):
        people = ", ".join([*schedule.rotation, schedule.manager_email])
        ctx.fail("forbidden", f"Overrides of {schedule.name} are for its members and manager: {people}.")


@tool
def create_override(
    ctx: Context, schedule_id: str, person_email: str, starts_at: Moment, ends_at: Moment, reason: str = ""
) -> Any:
    """Let somebody take over."""
    schedule = ctx.require(Schedule, schedule_id)
    _require_place(ctx, schedule)
    if person_email not in (*schedule.rotation, schedule.manager_email):
        ctx.fail("invalid", f"person_email: {person_email} is no member of {schedule.name}.")
    if ends_at <= starts_at:
        ctx.fail("invalid", "ends_at must be later than starts_at.")
    if ends_at <= ctx.now():
        ctx.fail("invalid", "ends_at must lie in the future.")
    if ends_at - starts_at > MAX_OVERRIDE:
        ctx.fail("limit", f"An override lasts at most {MAX_OVERRIDE.days} days; change the rotation for longer times.")
    other = ctx.first(
        Override,
        col(Override.schedule_id) == schedule.id,
        col(Override.starts_at) < ends_at,
        col(Override.ends_at) > starts_at,
    )
    if other is not None:
        ctx.fail(
            "conflict", f"The override {other.id} of {schedule.name} overlaps; delete it first or choose another time."
        )
    return ctx.add(
        Override(
            id=ctx.new_id("ovr"),
            schedule_id=schedule.id,
            person_email=person_email,
            starts_at=starts_at,
            ends_at=ends_at,
            reason=reason,
            created_by=ctx.user.email,
        )
    )


@tool
def delete_override(ctx: Context, override_id: str) -> Any:
    """Let the rotation hold again."""
    override = ctx.require(Override, override_id)
    _require_place(ctx, ctx.require(Schedule, override.schedule_id))
    if override.ends_at <= ctx.now():
        ctx.fail("conflict", f"The override {override.id} is over and stays for the record.")
    ctx.delete(override)
    return {"id": override_id, "deleted": True}
