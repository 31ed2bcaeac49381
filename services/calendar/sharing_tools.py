"""Tools for calendars and for who may use them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import col

from engine.kit import Context, tool
from services.calendar import access
from services.calendar.state import Calendar, Event, Share
from services.calendar.zones import zone


def _out(ctx: Context, calendar: Calendar, role: str) -> dict[str, Any]:
    return calendar.out() | {"my_role": role}


@tool
def list_calendars(ctx: Context, role: str | None = None) -> Any:
    known = access.roles(ctx)
    found = ctx.list(
        Calendar,
        col(Calendar.id).in_(list(known)),
        order_by=[col(Calendar.is_primary).desc(), col(Calendar.name)],
    )
    mine_first = sorted(found, key=lambda item: known[item.id] != "owner")
    return {"items": [_out(ctx, item, known[item.id]) for item in mine_first if role is None or known[item.id] == role]}


@tool
def get_calendar(ctx: Context, calendar_id: str) -> Any:
    calendar = access.calendar_with(ctx, calendar_id)
    role = access.role_in(ctx, calendar) or ""
    out = _out(ctx, calendar, role) | {
        "event_count": ctx.count(
            Event,
            Event.calendar_id == calendar.id,
            col(Event.series_id).is_(None),
            Event.status != "cancelled",
        )
    }
    if role == "owner":
        shares = ctx.list(Share, Share.calendar_id == calendar.id)
        out["shares"] = [{"email": item.email, "role": item.role} for item in shares]
    return out


def _name_is_new(ctx: Context, name: str, besides: str = "") -> None:
    own = ctx.list(Calendar, Calendar.owner_email == access.me(ctx))
    if any(item.name.lower() == name.lower() and item.id != besides for item in own):
        ctx.fail("conflict", f"You already have a calendar named {name!r}; choose another name.")


def _clean_name(ctx: Context, name: str) -> str:
    clean = name.strip()
    if not clean:
        ctx.fail("invalid", "The name of a calendar cannot be blank.")
    return clean


@tool
def create_calendar(
    ctx: Context, name: str, description: str = "", color: str = "blue", time_zone: str | None = None
) -> Any:
    clean = _clean_name(ctx, name)
    _name_is_new(ctx, clean)
    primary = access.primary_of(ctx, access.me(ctx))
    zone_name = time_zone or (primary.time_zone if primary else "UTC")
    zone(zone_name)
    calendar = ctx.add(
        Calendar(
            id=ctx.new_id("cal"),
            owner_email=access.me(ctx),
            name=clean,
            description=description,
            color=color,
            time_zone=zone_name,
        )
    )
    return _out(ctx, calendar, "owner")


@tool
def update_calendar(
    ctx: Context,
    calendar_id: str,
    name: str | None = None,
    description: str | None = None,
    color: str | None = None,
    time_zone: str | None = None,
) -> Any:
    calendar = access.calendar_with(ctx, calendar_id, "owner")
    if name is None and description is None and color is None and time_zone is None:
        ctx.fail("invalid", "Say what to change: name, description, color or time_zone.")
    if name is not None:
        clean = _clean_name(ctx, name)
        _name_is_new(ctx, clean, calendar.id)
        calendar.name = clean
    if description is not None:
        calendar.description = description
    if color is not None:
        calendar.color = color
    if time_zone is not None:
        zone(time_zone)
        calendar.time_zone = time_zone
    return _out(ctx, calendar, "owner")


@tool
def delete_calendar(ctx: Context, calendar_id: str) -> Any:
    calendar = access.calendar_with(ctx, calendar_id, "owner")
    if calendar.is_primary:
        ctx.fail("forbidden", "Your primary calendar cannot be deleted.")
    to_come = or_(
        col(Event.end_at) > ctx.now(),
        and_(
            col(Event.recurrence).is_not(None),
            or_(col(Event.series_end).is_(None), col(Event.series_end) > ctx.now()),
        ),
    )
    if ctx.exists(Event, Event.calendar_id == calendar.id, Event.status != "cancelled", to_come):
        ctx.fail(
            "conflict",
            f"The calendar {calendar.name!r} still has events to come; cancel or move them first.",
        )
    ctx.delete(calendar)
    return {"deleted": calendar_id}


@tool
def share_calendar(ctx: Context, calendar_id: str, email: str, role: str) -> Any:
    calendar = access.calendar_with(ctx, calendar_id, "owner")
    address = access.norm(email)
    if address == calendar.owner_email:
        ctx.fail("invalid", "You own this calendar; share it with somebody else.")
    if role == "writer" and not access.is_colleague(address):
        ctx.fail("forbidden", f"{address} is outside the organisation and can be reader or free_busy at most.")
    share = ctx.get(Share, calendar.id, address)
    if share is None:
        share = ctx.add(Share(calendar_id=calendar.id, email=address, role=role))
    else:
        share.role = role
    return share


@tool
def unshare_calendar(ctx: Context, calendar_id: str, email: str) -> Any:
    calendar = access.calendar_with(ctx, calendar_id)
    address = access.norm(email)
    if address != access.me(ctx):
        access.calendar_with(ctx, calendar_id, "owner")
    share = ctx.get(Share, calendar.id, address)
    if share is None:
        ctx.fail("not_found", f"The calendar {calendar.name!r} is not shared with {address}.")
    ctx.delete(share)
    return {"calendar_id": calendar.id, "email": address, "removed": True}
