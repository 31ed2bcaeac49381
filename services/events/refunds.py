"""Refunds by the event's policy."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.events.access import event_for, my_roles, order_for
from services.events.seats import cents, offer_to_waitlist
from services.events.state import Attendee, Event, Order, Refund, TicketType


def policy_percent(ctx: Context, event: Event) -> int:
    """What the policy gives back today: all, half or nothing of the price paid."""
    left = event.starts_at - ctx.now()
    if event.status == "cancelled":
        return 100
    if left <= timedelta(0):
        return 0
    if left >= timedelta(days=event.full_refund_days):
        return 100
    return 50 if left >= timedelta(days=event.half_refund_days) else 0


def give_back(
    ctx: Context, order: Order, attendees: list[Attendee], percent: int, reason: str, kinds: dict[str, TicketType]
) -> Refund:
    """Take tickets back and note what is paid for them."""
    amount = sum((cents(one.price_paid * percent / 100) for one in attendees), Decimal(0))
    for one in attendees:
        one.status = "refunded"
        kinds[one.ticket_type_id].sold -= 1
    order.refunded += amount
    ctx.flush()
    left = ctx.exists(Attendee, col(Attendee.order_id) == order.id, col(Attendee.status) != "refunded")
    order.status = "partly_refunded" if left else "refunded"
    return ctx.add(
        Refund(
            id=ctx.new_id("rfd"),
            order_id=order.id,
            tickets=len(attendees),
            percent=percent,
            amount=amount,
            reason=reason,
            refunded_by_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )


def kinds_of(ctx: Context, event: Event) -> dict[str, TicketType]:
    """An event's ticket types by id."""
    return {item.id: item for item in ctx.list(TicketType, col(TicketType.event_id) == event.id)}


def refund_all(ctx: Context, event: Event, reason: str) -> list[dict[str, Any]]:
    """Give everything back that is still valid, because the event is cancelled."""
    kinds = kinds_of(ctx, event)
    by_order: dict[str, list[Attendee]] = {}
    for one in ctx.list(Attendee, col(Attendee.event_id) == event.id, col(Attendee.status) != "refunded"):
        by_order.setdefault(one.order_id, []).append(one)
    orders = ctx.list(Order, col(Order.id).in_(sorted(by_order)), order_by=[col(Order.number)])
    return [give_back(ctx, order, by_order[order.id], 100, reason, kinds).out() for order in orders]


@tool
def refund_order(
    ctx: Context,
    order_id: str,
    reason: str,
    attendee_ids: list[str] | None = None,
    percent: int | None = None,
) -> Any:
    """Take tickets of an order back and pay for them by the policy, or what a manager says."""
    order = order_for(ctx, order_id, "seller")
    event = event_for(ctx, order.event_id, "seller")
    everybody = {one.id: one for one in ctx.list(Attendee, col(Attendee.order_id) == order.id)}
    chosen = [one for one in everybody.values() if one.status == "valid" and attendee_ids is None]
    for one in attendee_ids or []:
        if one not in everybody:
            ctx.fail("not_found", f"Order {order.code} has no attendee {one!r}; get_order shows them.")
        if everybody[one].status != "valid":
            ctx.fail("conflict", f"The ticket {everybody[one].code} is {everybody[one].status} and stays so.")
        chosen.append(everybody[one])
    if not chosen:
        ctx.fail("conflict", f"Order {order.code} has no ticket left that could be refunded.")
    if percent is not None and my_roles(ctx)[event.id] != "manager":
        ctx.fail("forbidden", f"Only a manager of {event.code} may refund another share than the policy's.")
    share = policy_percent(ctx, event) if percent is None else percent
    if percent is None and share == 0:
        ctx.fail(
            "conflict",
            f"The policy of {event.code} gives nothing back any more (half until {event.half_refund_days} days before "
            "the start); a manager may set percent.",
        )
    kinds = kinds_of(ctx, event)
    refund = give_back(ctx, order, chosen, share, reason, kinds)
    return refund.out() | {
        "order_code": order.code,
        "order_status": order.status,
        "currency": order.currency,
        "attendee_ids": [one.id for one in chosen],
        "offers": offer_to_waitlist(ctx, event, list(kinds.values())),
    }
