"""Who may see and change what."""

from __future__ import annotations

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy import false as sql_false
from sqlmodel import col

from engine.kit import HOME_DOMAIN, Context
from services.calendar.state import Attendee, Calendar, Event, Profile, Share

EDITORS = ("owner", "writer")


def norm(email: str) -> str:
    """An address as it is stored."""
    return email.strip().lower()


def me(ctx: Context) -> str:
    """The user's address."""
    return norm(ctx.user.email)


def roles(ctx: Context) -> dict[str, str]:
    """The user's role for every calendar that they own or that is shared with them."""
    found = {share.calendar_id: share.role for share in ctx.list(Share, Share.email == me(ctx))}
    return found | {item.id: "owner" for item in ctx.list(Calendar, Calendar.owner_email == me(ctx))}


def role_in(ctx: Context, calendar: Calendar) -> str | None:
    """The user's role in that calendar."""
    if calendar.owner_email == me(ctx):
        return "owner"
    share = ctx.get(Share, calendar.id, me(ctx))
    return share.role if share else None


def calendar_with(ctx: Context, calendar_id: str, *allowed: str) -> Calendar:
    """A calendar in which the user has one of these roles (any role if none is named)."""
    calendar = ctx.get(Calendar, calendar_id)
    role = role_in(ctx, calendar) if calendar else None
    if calendar is None or role is None:
        ctx.fail("not_found", f"There is no calendar {calendar_id!r} that you can see.")
    if allowed and role not in allowed:
        ctx.fail(
            "forbidden",
            f"You have the role {role!r} in the calendar {calendar.name!r}; this needs "
            f"{' or '.join(allowed)}. Ask its owner, {calendar.owner_email}.",
        )
    return calendar


def primary_of(ctx: Context, email: str) -> Calendar | None:
    """Somebody's primary calendar."""
    return ctx.first(Calendar, Calendar.owner_email == email, col(Calendar.is_primary).is_(True))


def invited_to(email: str) -> ColumnElement[bool]:
    """Events to which that person is invited."""
    return col(Event.id).in_(select(col(Attendee.event_id)).where(col(Attendee.email) == email))


def in_calendars(calendar_ids: list[str]) -> ColumnElement[bool]:
    """Events of these calendars."""
    return col(Event.calendar_id).in_(calendar_ids) if calendar_ids else sql_false()


def mine(ctx: Context, calendar_ids: list[str]) -> ColumnElement[bool]:
    """Events of these calendars, and those to which the user is invited."""
    return or_(in_calendars(calendar_ids), invited_to(me(ctx)))


def event_seen(ctx: Context, event_id: str) -> tuple[Event, str]:
    """An event and what the user may do with it: ``edit``, ``read`` or only know that it is ``busy``."""
    event = ctx.get(Event, event_id)
    level = level_of(ctx, event, roles(ctx), invited=None) if event else None
    if event is None or level is None:
        ctx.fail("not_found", f"There is no event {event_id!r} that you can see.")
    return event, level


def level_of(ctx: Context, event: Event, known: dict[str, str], invited: bool | None) -> str | None:
    """What the user may do with an event, given their roles; ``None`` as ``invited`` looks it up."""
    role = known.get(event.calendar_id)
    if role in EDITORS or event.organizer_email == me(ctx):
        return "edit"
    if invited is None:
        invited = ctx.get(Attendee, event.id, me(ctx)) is not None
    if invited:
        return "read"
    if role == "reader":
        return "read" if event.visibility == "normal" else "busy"
    return "busy" if role == "free_busy" else None


def event_to_read(ctx: Context, event_id: str) -> Event:
    """An event whose details the user may see."""
    event, level = event_seen(ctx, event_id)
    if level == "busy":
        ctx.fail(
            "forbidden",
            f"You can see only that {event.organizer_email} is busy then, not the event's details.",
        )
    return event


def event_to_edit(ctx: Context, event_id: str) -> Event:
    """An event that the user may change and that is not cancelled."""
    event, level = event_seen(ctx, event_id)
    if level != "edit":
        ctx.fail(
            "forbidden",
            f"Only the organizer {event.organizer_email} and writers of the calendar may change "
            f"event {event_id!r}. You can answer it with respond_to_invitation.",
        )
    if event.status == "cancelled":
        ctx.fail("conflict", f"Event {event_id!r} is cancelled and can no longer be changed.")
    return event


def is_colleague(email: str) -> bool:
    """Whether an address belongs to the user's organisation."""
    return email.endswith("@" + HOME_DOMAIN)


def name_of(ctx: Context, email: str) -> str:
    """A colleague's name; empty for others."""
    profile = ctx.get(Profile, email)
    return profile.name if profile else ""
