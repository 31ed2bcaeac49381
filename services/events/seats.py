"""Free tickets, what offers hold of them, and money in cents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context
from services.events.state import DiscountCode, Event, TicketType, WaitlistEntry

CENT = Decimal("0.01")
OFFER_HOURS = 48
"""How long an offer to the waitlist holds its tickets."""


def cents(amount: Decimal) -> Decimal:
    """An amount rounded to cents."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def shares(total: Decimal, prices: Sequence[Decimal]) -> list[Decimal]:
    """A total split in proportion to prices, to the cent."""
    whole = sum(prices, Decimal(0))
    found: list[Decimal] = []
    so_far = given = Decimal(0)
    for price in prices:
        so_far += price
        upto = cents(total * so_far / whole) if whole else Decimal(0)
        found.append(upto - given)
        given = upto
    return found


def discount_of(code: DiscountCode, subtotal: Decimal) -> Decimal:
    """What a code takes off."""
    return cents(subtotal * code.value / 100) if code.kind == "percent" else min(code.value, subtotal)


def held(ctx: Context, type_ids: Sequence[str], but_for: str | None = None) -> dict[str, int]:
    """Tickets that running offers hold, by ticket type; those for one address may be left out."""
    statement = select(col(WaitlistEntry.ticket_type_id), func.sum(col(WaitlistEntry.quantity))).where(
        col(WaitlistEntry.ticket_type_id).in_(list(type_ids)),
        col(WaitlistEntry.status) == "offered",
        col(WaitlistEntry.offer_expires_at) > ctx.now(),
    )
    if but_for is not None:
        statement = statement.where(col(WaitlistEntry.email) != but_for)
    grouped = statement.group_by(col(WaitlistEntry.ticket_type_id)).order_by(col(WaitlistEntry.ticket_type_id))
    return {type_id: int(number) for type_id, number in ctx.rows(grouped)}


def type_views(ctx: Context, types: Sequence[TicketType]) -> list[dict[str, Any]]:
    """Ticket types with what is left of them."""
    taken = held(ctx, [item.id for item in types])
    return [
        item.out()
        | {
            "held": taken.get(item.id, 0),
            "available": max(item.capacity - item.sold - taken.get(item.id, 0), 0),
            "on_sale_now": item.sales_start <= ctx.now() < item.sales_end,
        }
        for item in types
    ]


def offer_to_waitlist(ctx: Context, event: Event, types: Sequence[TicketType]) -> list[dict[str, Any]]:
    """Offer free tickets to those who wait longest; the first who wants more than there are stops it."""
    made = []
    if event.status != "on_sale" or event.starts_at <= ctx.now():
        return []
    for kind in types:
        free = kind.capacity - kind.sold - held(ctx, [kind.id]).get(kind.id, 0)
        waiting = ctx.list(
            WaitlistEntry,
            col(WaitlistEntry.ticket_type_id) == kind.id,
            col(WaitlistEntry.status) == "waiting",
            order_by=[col(WaitlistEntry.created_at)],
        )
        for entry in waiting:
            if entry.quantity > free:
                break
            free -= entry.quantity
            entry.status = "offered"
            entry.offer_expires_at = ctx.now() + timedelta(hours=OFFER_HOURS)
            made.append(entry)
    ctx.flush()
    return [entry.out() for entry in made]
