"""Tools for standing orders."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from engine.kit import Context, Money, tool
from services.banking.access import initiator, me, open_account, paying_account, visible_accounts
from services.banking.execution import APPROVAL_ABOVE, check_day
from services.banking.money import in_usd
from services.banking.state import Account, Payee, StandingOrder


def _order_views(ctx: Context, orders: list[StandingOrder]) -> list[dict[str, Any]]:
    payees = {item.id: item.name for item in ctx.list(Payee, col(Payee.id).in_({order.payee_id for order in orders}))}
    return [item.out() | {"payee_name": payees[item.payee_id]} for item in orders]


@tool
def create_standing_order(
    ctx: Context,
    account_id: str,
    payee_id: str,
    amount: Money,
    frequency: str,
    next_on: date,
    reference: str,
    end_on: date | None = None,
    category: str = "suppliers",
) -> Any:
    """A payment that repeats."""
    person = initiator(ctx)
    account = paying_account(ctx, person, account_id)
    payee = ctx.require(Payee, payee_id)
    if payee.status != "verified":
        ctx.fail("conflict", f"{payee.name} ({payee.id}) is {payee.status}; standing orders need a verified payee.")
    if next_on <= ctx.today():
        ctx.fail("invalid", "next_on lies after today.")
    check_day(ctx, next_on)
    if end_on is not None and end_on < next_on:
        ctx.fail("invalid", "end_on lies before next_on.")
    if in_usd(ctx, amount, account.currency) > APPROVAL_ABOVE:
        ctx.fail("limit", f"A standing order pays at most {APPROVAL_ABOVE} USD at a time; use transfers above that.")
    order = ctx.add(
        StandingOrder(
            id=ctx.new_id("sto"),
            account_id=account.id,
            payee_id=payee.id,
            amount=amount,
            currency=account.currency,
            frequency=frequency,
            next_on=next_on,
            end_on=end_on,
            reference=reference,
            category=category,
            created_by_id=person.id,
            created_at=ctx.now(),
        )
    )
    return _order_views(ctx, [order])[0]


@tool
def get_standing_order(ctx: Context, standing_order_id: str) -> Any:
    """One standing order."""
    person = me(ctx)
    order = ctx.require(StandingOrder, standing_order_id)
    open_account(ctx, person, order.account_id)
    return _order_views(ctx, [order])[0]


@tool
def list_standing_orders(
    ctx: Context,
    account_id: str | None = None,
    payee_id: str | None = None,
    status: str | None = None,
    frequency: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Standing orders by the next day of payment."""
    person = me(ctx)
    inside = select(col(Account.id)).where(*visible_accounts(person))
    where: list[Any] = [col(StandingOrder.account_id).in_(inside)]
    equal = (
        (StandingOrder.account_id, account_id),
        (StandingOrder.payee_id, payee_id),
        (StandingOrder.status, status),
        (StandingOrder.frequency, frequency),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(StandingOrder, *where, order_by=[col(StandingOrder.next_on)], limit=limit, cursor=cursor)
    return {"items": _order_views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def cancel_standing_order(ctx: Context, standing_order_id: str) -> Any:
    """End a standing order."""
    person = initiator(ctx)
    order = ctx.require(StandingOrder, standing_order_id)
    open_account(ctx, person, order.account_id)
    if order.created_by_id != person.id and person.role != "approver":
        ctx.fail("forbidden", f"Standing order {order.id} is for its creator or an approver to cancel.")
    if order.status == "cancelled":
        ctx.fail("conflict", f"Standing order {order.id} is cancelled already.")
    order.status = "cancelled"
    order.cancelled_at = ctx.now()
    ctx.flush()
    return _order_views(ctx, [order])[0]
