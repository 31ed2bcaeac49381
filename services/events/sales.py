"""Tools for orders, attendees, the waitlist and figures."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context, Moment, tool
from services.events.access import event_for, my_roles, open_event, order_for, shown_status
from services.events.codes import usable
from services.events.refunds import kinds_of
from services.events.seats import discount_of, held, shares, type_views
from services.events.state import Attendee, DiscountCode, Event, Order, Refund, TicketType, WaitlistEntry


class Guest(TypedDict):
    """Who comes with a ticket."""

    ticket_type_id: str
    name: str
    email: str


@tool
def create_order(
    ctx: Context,
    event_id: str,
    buyer_name: str,
    buyer_email: str,
    attendees: list[Guest],
    company: str | None = None,
    discount_code: str | None = None,
) -> Any:
    """Sell tickets."""
    event = open_event(ctx, event_id, "seller")
    if event.status == "draft":
        ctx.fail("conflict", f"Event {event.code} is a draft; set_event_status puts it on sale.")
    if event.starts_at <= ctx.now():
        ctx.fail("conflict", f"Event {event.code} has started; nothing is sold any more.")
    kinds = kinds_of(ctx, event)
    wanted = Counter(guest["ticket_type_id"] for guest in attendees)
    _require_seats(ctx, event, kinds, wanted, buyer_email)
    _require_new_guests(ctx, event, attendees)
    prices = [kinds[guest["ticket_type_id"]].price for guest in attendees]
    subtotal = sum(prices, Decimal(0))
    code = _code(ctx, event, discount_code) if discount_code is not None else None
    discount = discount_of(code, subtotal) if code else Decimal(0)
    number = (ctx.rows(select(func.max(col(Order.number))))[0][0] or 0) + 1
    order = ctx.add(
        Order(
            id=ctx.new_id("ord"),
            code=f"EO-{number}",
            number=number,
            event_id=event.id,
            buyer_name=buyer_name,
            buyer_email=buyer_email,
            company=company,
            currency=event.currency,
            subtotal=subtotal,
            discount=discount,
            total=subtotal - discount,
            discount_code=code.code if code else None,
            created_at=ctx.now(),
        )
    )
    if code:
        code.used += 1
    for place, (guest, paid) in enumerate(zip(attendees, shares(order.total, prices), strict=True), 1):
        ctx.add(
            Attendee(
                id=ctx.new_id("att"),
                code=f"{order.code}-{place}",
                order_id=order.id,
                event_id=event.id,
                ticket_type_id=guest["ticket_type_id"],
                name=guest["name"],
                email=guest["email"],
                price_paid=paid,
            )
        )
    for type_id, count in wanted.items():
        kinds[type_id].sold += count
    _convert(ctx, buyer_email, wanted)
    ctx.flush()
    return order_view(ctx, order)


def _require_seats(ctx: Context, event: Event, kinds: dict[str, TicketType], wanted: Counter[str], buyer: str) -> None:
    taken = held(ctx, list(kinds), but_for=buyer)
    for type_id, count in wanted.items():
        kind = kinds.get(type_id)
        if kind is None:
            ctx.fail("not_found", f"Event {event.code} has no ticket type {type_id!r}; get_event shows them.")
        if not kind.sales_start <= ctx.now() < kind.sales_end:
            ctx.fail("conflict", f"{kind.name!r} is not on sale now; get_event shows when it is.")
        if count > kind.max_per_order:
            ctx.fail("limit", f"One order takes at most {kind.max_per_order} tickets of {kind.name!r}.")
        free = max(kind.capacity - kind.sold - taken.get(type_id, 0), 0)
        if count > free:
            ctx.fail("conflict", f"{kind.name!r} has {free} tickets left; create_waitlist_entry keeps a place in line.")


def _require_new_guests(ctx: Context, event: Event, attendees: list[Guest]) -> None:
    emails = [guest["email"] for guest in attendees]
    twice = sorted(email for email, count in Counter(emails).items() if count > 1)
    known = ctx.first(
        Attendee,
        col(Attendee.event_id) == event.id,
        col(Attendee.email).in_(emails),
        col(Attendee.status) != "refunded",
        order_by=[col(Attendee.code)],
    )
    if twice or known:
        who = twice[0] if twice or known is None else known.email
        ctx.fail("conflict", f"{who} can hold one ticket of {event.code} only; name another attendee.")


def _code(ctx: Context, event: Event, code: str) -> DiscountCode:
    found = ctx.first(DiscountCode, col(DiscountCode.event_id) == event.id, col(DiscountCode.code) == code)
    if found is None:
        ctx.fail("not_found", f"Event {event.code} has no discount code {code!r}.")
    if not usable(ctx, found):
        ctx.fail("conflict", f"The discount code {code} is used up or has ended.")
    return found


def _convert(ctx: Context, buyer: str, wanted: Counter[str]) -> None:
    """Whoever bought what was offered to them waits no more."""
    for entry in ctx.list(
        WaitlistEntry,
        col(WaitlistEntry.email) == buyer,
        col(WaitlistEntry.ticket_type_id).in_(sorted(wanted)),
        col(WaitlistEntry.status).in_(("waiting", "offered")),
    ):
        entry.status = "converted"
        entry.offer_expires_at = None


def order_view(ctx: Context, order: Order) -> dict[str, Any]:
    """An order with attendees and refunds."""
    attendees = ctx.list(Attendee, col(Attendee.order_id) == order.id)
    attendees.sort(key=lambda one: int(one.code.rsplit("-", 1)[1]))
    refunds = ctx.list(Refund, col(Refund.order_id) == order.id, order_by=[col(Refund.created_at)])
    return order.out(without=("number",)) | {
        "attendees": [one.out(without=("order_id", "event_id")) for one in attendees],
        "refunds": [one.out(without=("order_id",)) for one in refunds],
    }


@tool
def get_order(ctx: Context, order_id: str) -> Any:
    """An order in full."""
    return order_view(ctx, order_for(ctx, order_id, "door"))


@tool
def list_orders(
    ctx: Context,
    event_id: str | None = None,
    code: str | None = None,
    buyer_email: str | None = None,
    company: str | None = None,
    status: str | None = None,
    created_after: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Orders at the user's events, newest first."""
    where: list[Any] = [col(Order.event_id).in_(sorted(my_roles(ctx)))]
    equal = (
        (Order.event_id, event_id),
        (Order.code, code),
        (Order.buyer_email, buyer_email),
        (Order.company, company),
        (Order.status, status),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if created_after is not None:
        where.append(col(Order.created_at) > created_after)
    page = ctx.page(Order, *where, order_by=[col(Order.number).desc()], limit=limit, cursor=cursor)
    return {"items": [item.out(without=("number",)) for item in page.items], "next_cursor": page.next_cursor}


@tool
def get_sales_summary(ctx: Context, event_id: str) -> Any:
    """What was sold, given back and checked in, by ticket type."""
    event = event_for(ctx, event_id, "seller")
    kinds = ctx.list(TicketType, col(TicketType.event_id) == event.id, order_by=[col(TicketType.name)])
    grouped = ctx.rows(
        select(col(Attendee.ticket_type_id), col(Attendee.status), func.count(), func.sum(col(Attendee.price_paid)))
        .where(col(Attendee.event_id) == event.id)
        .group_by(col(Attendee.ticket_type_id), col(Attendee.status))
        .order_by(col(Attendee.ticket_type_id), col(Attendee.status))
    )
    orders = ctx.list(Order, col(Order.event_id) == event.id)
    lines = []
    for view in type_views(ctx, kinds):
        own = {status: (number, paid) for kind, status, number, paid in grouped if kind == view["id"]}
        lines.append(
            {name: view[name] for name in ("id", "name", "price", "capacity", "sold", "held", "available")}
            | {
                "checked_in": own.get("checked_in", (0, 0))[0],
                "refunded_tickets": own.get("refunded", (0, 0))[0],
                "gross": sum((paid for _, paid in own.values()), Decimal(0)),
            }
        )
    return {
        "event_id": event.id,
        "code": event.code,
        "status": shown_status(ctx, event),
        "currency": event.currency,
        "orders": len(orders),
        "gross": sum((order.total for order in orders), Decimal(0)),
        "discounts": sum((order.discount for order in orders), Decimal(0)),
        "refunded": sum((order.refunded for order in orders), Decimal(0)),
        "net": sum((order.total - order.refunded for order in orders), Decimal(0)),
        "tickets_sold": sum(kind.sold for kind in kinds),
        "waiting": ctx.count(
            WaitlistEntry, col(WaitlistEntry.event_id) == event.id, col(WaitlistEntry.status) == "waiting"
        ),
        "ticket_types": lines,
    }
