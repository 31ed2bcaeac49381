"""Tools for events, ticket types and discount codes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context, Moment, Money, contains, tool
from services.events.access import (
    event_lines,
    open_event,
    shown_status,
    visible_event,
    visible_events,
    with_status,
)
from services.events.refunds import refund_all
from services.events.seats import held, offer_to_waitlist, type_views
from services.events.state import Event, Order, Staff, TicketType, WaitlistEntry

MAX_TYPES = 30
MAX_LENGTH = timedelta(days=31)
"""How long an event may last."""


@tool
def list_events(
    ctx: Context,
    query: str | None = None,
    status: str | None = None,
    city: str | None = None,
    organizer_email: str | None = None,
    starts_from: Moment | None = None,
    starts_to: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Events by start."""
    where: list[Any] = [visible_events(ctx)]
    for word in (query or "").split():
        where.append(
            contains(Event.title, word)
            | contains(Event.description, word)
            | contains(Event.venue, word)
            | contains(Event.code, word)
        )
    if status is not None:
        where.append(with_status(ctx, status))
    if city is not None:
        where.append(col(Event.city) == city)
    if organizer_email is not None:
        where.append(col(Event.organizer_email) == organizer_email)
    if starts_from is not None:
        where.append(col(Event.starts_at) >= starts_from)
    if starts_to is not None:
        where.append(col(Event.starts_at) <= starts_to)
    page = ctx.page(Event, *where, order_by=[col(Event.starts_at)], limit=limit, cursor=cursor)
    return {"items": event_lines(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def get_event(ctx: Context, event_id: str) -> Any:
    """An event with its ticket types and staff."""
    return event_view(ctx, visible_event(ctx, event_id))


def event_view(ctx: Context, event: Event) -> dict[str, Any]:
    """An event in full."""
    types = ctx.list(TicketType, col(TicketType.event_id) == event.id, order_by=[col(TicketType.name)])
    staff = ctx.list(Staff, col(Staff.event_id) == event.id, order_by=[col(Staff.name)])
    return event_lines(ctx, [event])[0] | {
        "ticket_types": type_views(ctx, types),
        "staff": [person.out("email", "name", "role") for person in staff],
    }


def _require_start(ctx: Context, starts_at: datetime) -> None:
    if starts_at <= ctx.now():
        ctx.fail("invalid", "starts_at must lie in the future.")


def _require_times(ctx: Context, starts_at: datetime, ends_at: datetime) -> None:
    if ends_at <= ctx.now():
        ctx.fail("invalid", "ends_at must lie in the future.")
    if not timedelta(0) < ends_at - starts_at <= MAX_LENGTH:
        ctx.fail("invalid", f"ends_at must come after starts_at, at most {MAX_LENGTH.days} days.")


def _require_policy(ctx: Context, full: int, half: int) -> None:
    if half > full:
        ctx.fail("invalid", "half_refund_days must not be more than full_refund_days.")


@tool
def create_event(
    ctx: Context,
    title: str,
    venue: str,
    city: str,
    starts_at: Moment,
    ends_at: Moment,
    description: str = "",
    currency: str = "USD",
    full_refund_days: int = 14,
    half_refund_days: int = 7,
) -> Any:
    """A new draft, managed by the user."""
    _require_start(ctx, starts_at)
    _require_times(ctx, starts_at, ends_at)
    _require_policy(ctx, full_refund_days, half_refund_days)
    number = (ctx.rows(select(func.max(col(Event.number))))[0][0] or 0) + 1
    event = ctx.add(
        Event(
            id=ctx.new_id("evt"),
            code=f"EV-{number}",
            number=number,
            title=title,
            description=description,
            venue=venue,
            city=city,
            starts_at=starts_at,
            ends_at=ends_at,
            currency=currency,
            organizer_name=ctx.user.name,
            organizer_email=ctx.user.email,
            full_refund_days=full_refund_days,
            half_refund_days=half_refund_days,
            created_at=ctx.now(),
        )
    )
    ctx.add(Staff(event_id=event.id, email=ctx.user.email, name=ctx.user.name, role="manager"))
    return event_view(ctx, event)


@tool
def update_event(
    ctx: Context,
    event_id: str,
    title: str | None = None,
    description: str | None = None,
    venue: str | None = None,
    city: str | None = None,
    starts_at: Moment | None = None,
    ends_at: Moment | None = None,
    full_refund_days: int | None = None,
    half_refund_days: int | None = None,
) -> Any:
    """Change an event that is neither cancelled nor past."""
    event = open_event(ctx, event_id, "manager")
    given = {
        "title": title,
        "description": description,
        "venue": venue,
        "city": city,
        "starts_at": starts_at,
        "ends_at": ends_at,
        "full_refund_days": full_refund_days,
        "half_refund_days": half_refund_days,
    }
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if not changes:
        ctx.fail("invalid", "Give at least one field to change.")
    if starts_at is not None:
        _require_start(ctx, starts_at)
    if starts_at is not None or ends_at is not None:
        _require_times(ctx, starts_at or event.starts_at, ends_at or event.ends_at)
    policy = {"full_refund_days", "half_refund_days"} & changes.keys()
    if policy and ctx.exists(Order, col(Order.event_id) == event.id):
        ctx.fail("conflict", f"Tickets of {event.code} are sold under its refund policy, which therefore stays.")
    for name, value in changes.items():
        setattr(event, name, value)
    _require_policy(ctx, event.full_refund_days, event.half_refund_days)
    ctx.flush()
    return event_view(ctx, event)


@tool
def set_event_status(ctx: Context, event_id: str, status: str, note: str = "") -> Any:
    """Put an event on sale, take it back to draft, or cancel it."""
    event = open_event(ctx, event_id, "manager")
    if event.status == status:
        ctx.fail("conflict", f"Event {event.code} is {shown_status(ctx, event)} already.")
    refunds: list[dict[str, Any]] = []
    if status == "on_sale":
        if not ctx.exists(TicketType, col(TicketType.event_id) == event.id):
            ctx.fail("conflict", f"Event {event.code} has no ticket type; create_ticket_type adds one.")
        if event.starts_at <= ctx.now():
            ctx.fail("conflict", f"Event {event.code} would have started already; change starts_at first.")
    elif status == "draft":
        if ctx.exists(Order, col(Order.event_id) == event.id):
            ctx.fail("conflict", f"Event {event.code} has orders, so it cannot be a draft again; cancel it instead.")
    else:
        if not note.strip():
            ctx.fail("invalid", "note: say why the event is cancelled.")
        refunds = refund_all(ctx, event, note)
        for entry in ctx.list(
            WaitlistEntry,
            col(WaitlistEntry.event_id) == event.id,
            col(WaitlistEntry.status).in_(("waiting", "offered")),
        ):
            entry.status = "closed"
            entry.offer_expires_at = None
    event.status = status
    event.status_note = note
    ctx.flush()
    return event_view(ctx, event) | {"refunds": refunds}


def _require_type_name(ctx: Context, event: Event, name: str) -> None:
    if ctx.exists(TicketType, col(TicketType.event_id) == event.id, col(TicketType.name) == name):
        ctx.fail("conflict", f"Event {event.code} has a ticket type {name!r} already; choose another name.")


def _require_window(ctx: Context, event: Event, start: datetime, end: datetime) -> None:
    if not start < end <= event.ends_at:
        ctx.fail("invalid", "sales_end must come after sales_start, and not after the event's end.")


@tool
def create_ticket_type(
    ctx: Context,
    event_id: str,
    name: str,
    price: Money,
    capacity: int,
    max_per_order: int = 10,
    sales_start: Moment | None = None,
    sales_end: Moment | None = None,
) -> Any:
    """A further kind of ticket."""
    event = open_event(ctx, event_id, "manager")
    _require_type_name(ctx, event, name)
    if ctx.count(TicketType, col(TicketType.event_id) == event.id) >= MAX_TYPES:
        ctx.fail("limit", f"Event {event.code} has {MAX_TYPES} ticket types, the most allowed.")
    start, end = sales_start or ctx.now(), sales_end or event.starts_at
    _require_window(ctx, event, start, end)
    added = ctx.add(
        TicketType(
            id=ctx.new_id("tty"),
            event_id=event.id,
            name=name,
            price=price,
            capacity=capacity,
            max_per_order=max_per_order,
            sales_start=start,
            sales_end=end,
        )
    )
    return type_views(ctx, [added])[0]


@tool
def update_ticket_type(
    ctx: Context,
    ticket_type_id: str,
    name: str | None = None,
    price: Money | None = None,
    capacity: int | None = None,
    max_per_order: int | None = None,
    sales_start: Moment | None = None,
    sales_end: Moment | None = None,
) -> Any:
    """Change a kind of ticket; more of them go to the waitlist first."""
    kind = ctx.require(TicketType, ticket_type_id)
    event = open_event(ctx, kind.event_id, "manager")
    given = (name, price, capacity, max_per_order, sales_start, sales_end)
    if all(value is None for value in given):
        ctx.fail("invalid", "Give at least one field to change.")
    if name is not None and name != kind.name:
        _require_type_name(ctx, event, name)
        kind.name = name
    if capacity is not None:
        bound = kind.sold + held(ctx, [kind.id]).get(kind.id, 0)
        if capacity < bound:
            ctx.fail("conflict", f"{bound} tickets of {kind.name!r} are sold or offered; {capacity} is too few.")
        kind.capacity = capacity
    kind.price = kind.price if price is None else price
    kind.max_per_order = max_per_order or kind.max_per_order
    kind.sales_start = sales_start or kind.sales_start
    kind.sales_end = sales_end or kind.sales_end
    if sales_start is not None or sales_end is not None:
        _require_window(ctx, event, kind.sales_start, kind.sales_end)
    ctx.flush()
    offers = offer_to_waitlist(ctx, event, [kind]) if capacity is not None else []
    return type_views(ctx, [kind])[0] | {"offers": offers}
