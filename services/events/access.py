"""Who may do what, and the state in which an event shows."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, select
from sqlmodel import col

from engine.kit import Context
from services.events.state import ROLES, Event, Order, Staff, TicketType


def my_roles(ctx: Context) -> dict[str, str]:
    """The user's role at every event on whose staff they are."""
    return {item.event_id: item.role for item in ctx.list(Staff, col(Staff.email) == ctx.user.email)}


def visible_events(ctx: Context) -> ColumnElement[bool]:
    """The condition for events that the user can see: drafts are for their staff."""
    return (col(Event.status) != "draft") | col(Event.id).in_(sorted(my_roles(ctx)))


def visible_event(ctx: Context, event_id: str) -> Event:
    """An event that the user can see."""
    event = ctx.first(Event, col(Event.id) == event_id, visible_events(ctx))
    if event is None:
        ctx.fail("not_found", f"There is no event {event_id!r} that you can see; list_events finds events.")
    return event


def event_for(ctx: Context, event_id: str, least: str) -> Event:
    """An event on whose staff the user has at least that role."""
    event = visible_event(ctx, event_id)
    role = my_roles(ctx).get(event.id)
    if role is None or ROLES.index(role) < ROLES.index(least):
        have = f"are {role}" if role else "are not on the staff"
        ctx.fail("forbidden", f"You {have} of {event.code}; this needs {least}. Ask {event.organizer_name}.")
    return event


def open_event(ctx: Context, event_id: str, least: str) -> Event:
    """Such an event that is neither cancelled nor past."""
    event = event_for(ctx, event_id, least)
    shown = shown_status(ctx, event)
    if shown in ("cancelled", "past"):
        ctx.fail("conflict", f"Event {event.code} is {shown}; it cannot be changed or sold any more.")
    return event


def order_for(ctx: Context, order_id: str, least: str) -> Order:
    """An order at an event on whose staff the user has at least that role."""
    order = ctx.get(Order, order_id)
    if order is None or order.event_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no order {order_id!r} that you can see; list_orders finds orders.")
    event_for(ctx, order.event_id, least)
    return order


def _has_seats() -> ColumnElement[bool]:
    left = select(col(TicketType.event_id)).where(col(TicketType.sold) < col(TicketType.capacity))
    return col(Event.id).in_(left)


def with_status(ctx: Context, status: str) -> ColumnElement[bool]:
    """The condition for events that show in a state."""
    if status in ("draft", "cancelled"):
        return col(Event.status) == status
    live = col(Event.status) == "on_sale"
    if status == "past":
        return live & (col(Event.ends_at) <= ctx.now())
    coming = live & (col(Event.ends_at) > ctx.now())
    return coming & (_has_seats() if status == "on_sale" else ~_has_seats())


def shown_status(ctx: Context, event: Event) -> str:
    """draft, on_sale, sold_out, cancelled or past."""
    if event.status != "on_sale":
        return event.status
    if event.ends_at <= ctx.now():
        return "past"
    seats = ctx.exists(
        TicketType, col(TicketType.event_id) == event.id, col(TicketType.sold) < col(TicketType.capacity)
    )
    return "on_sale" if seats else "sold_out"


def event_lines(ctx: Context, events: list[Event]) -> list[dict[str, Any]]:
    """Events in a list, each in the state in which it shows."""
    ids = [event.id for event in events]
    seats = {row.id for row in ctx.rows(select(col(Event.id)).where(col(Event.id).in_(ids), _has_seats()))}
    roles = my_roles(ctx)
    lines = []
    for event in events:
        status = event.status
        if status == "on_sale":
            past = event.ends_at <= ctx.now()
            status = "past" if past else "on_sale" if event.id in seats else "sold_out"
        lines.append(event.out(without=("number",)) | {"status": status, "my_role": roles.get(event.id)})
    return lines
