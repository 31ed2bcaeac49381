"""Tools for attendees, check-in and the waitlist."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import func
from sqlmodel import col

from engine.kit import Context, contains, tool
from services.events.access import event_for, my_roles, open_event
from services.events.refunds import kinds_of
from services.events.seats import type_views
from services.events.state import Attendee, WaitlistEntry

DOORS_OPEN = timedelta(hours=12)
"""How long before the start people are checked in."""


@tool
def list_attendees(
    ctx: Context,
    event_id: str | None = None,
    query: str | None = None,
    email: str | None = None,
    order_id: str | None = None,
    ticket_type_id: str | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Attendees of the user's events, by name."""
    where: list[Any] = [col(Attendee.event_id).in_(sorted(my_roles(ctx)))]
    for word in (query or "").split():
        where.append(contains(Attendee.name, word) | contains(Attendee.email, word) | contains(Attendee.code, word))
    equal = (
        (Attendee.event_id, event_id),
        (Attendee.email, email),
        (Attendee.order_id, order_id),
        (Attendee.ticket_type_id, ticket_type_id),
        (Attendee.status, status),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    return ctx.page(Attendee, *where, order_by=[col(Attendee.name)], limit=limit, cursor=cursor).out()


@tool
def check_in_attendee(ctx: Context, attendee_id: str) -> Any:
    """Note that somebody has come."""
    one = ctx.get(Attendee, attendee_id)
    if one is None or one.event_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no attendee {attendee_id!r} that you can see; list_attendees finds them.")
    event = open_event(ctx, one.event_id, "door")
    if one.status != "valid":
        ctx.fail("conflict", f"The ticket {one.code} of {one.name} is {one.status}; nobody enters with it.")
    if event.starts_at - ctx.now() > DOORS_OPEN:
        ctx.fail("conflict", f"Check-in at {event.code} opens 12 hours before the start, {event.starts_at:%Y-%m-%d}.")
    one.status = "checked_in"
    one.checked_in_at = ctx.now()
    ctx.flush()
    return one


@tool
def create_waitlist_entry(
    ctx: Context, event_id: str, ticket_type_id: str, name: str, email: str, quantity: int = 1
) -> Any:
    """Let somebody wait for tickets that are sold out."""
    event = open_event(ctx, event_id, "seller")
    kind = kinds_of(ctx, event).get(ticket_type_id)
    if kind is None:
        ctx.fail("not_found", f"Event {event.code} has no ticket type {ticket_type_id!r}; get_event shows them.")
    if event.status == "draft":
        ctx.fail("conflict", f"Event {event.code} is a draft; nobody waits for it yet.")
    if quantity > kind.max_per_order:
        ctx.fail("limit", f"One order takes at most {kind.max_per_order} tickets of {kind.name!r}.")
    same = (col(WaitlistEntry.ticket_type_id) == kind.id, col(WaitlistEntry.email) == email)
    running = func.coalesce(col(WaitlistEntry.offer_expires_at) > ctx.now(), True)
    if ctx.exists(WaitlistEntry, *same, col(WaitlistEntry.status).in_(("waiting", "offered")), running):
        ctx.fail("conflict", f"{email} waits for {kind.name!r} already.")
    if type_views(ctx, [kind])[0]["available"] >= quantity:
        ctx.fail("conflict", f"{kind.name!r} has enough tickets left; create_order sells them.")
    return ctx.add(
        WaitlistEntry(
            id=ctx.new_id("wle"),
            event_id=event.id,
            ticket_type_id=kind.id,
            name=name,
            email=email,
            quantity=quantity,
            created_at=ctx.now(),
        )
    )


@tool
def list_waitlist_entries(
    ctx: Context,
    event_id: str,
    ticket_type_id: str | None = None,
    email: str | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Who waits for tickets of an event, longest first."""
    event = event_for(ctx, event_id, "seller")
    where: list[Any] = [col(WaitlistEntry.event_id) == event.id]
    equal = (
        (WaitlistEntry.ticket_type_id, ticket_type_id),
        (WaitlistEntry.email, email),
        (WaitlistEntry.status, status),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    return ctx.page(WaitlistEntry, *where, order_by=[col(WaitlistEntry.created_at)], limit=limit, cursor=cursor).out()
