"""Tools for payees and transfers."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context, Money, contains, tool
from services.banking.access import initiator, me, open_account, paying_account, visible_accounts
from services.banking.execution import (
    APPROVAL_ABOVE,
    check_day,
    check_funds,
    check_payee,
    execute,
    settle_amounts,
    spent_today,
    transfer_views,
)
from services.banking.money import ZERO
from services.banking.state import Account, Payee, Signatory, Transfer


@tool
def list_payees(
    ctx: Context,
    query: str | None = None,
    status: str | None = None,
    currency: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Payees by name."""
    me(ctx)
    equal = ((Payee.status, status), (Payee.currency, currency))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(or_(contains(Payee.name, query), contains(Payee.account_number, query)))
    return ctx.page(Payee, *where, order_by=[col(Payee.name)], limit=limit, cursor=cursor).out()


@tool
def get_payee(ctx: Context, payee_id: str) -> Any:
    """One payee, with what was paid so far."""
    me(ctx)
    payee = ctx.require(Payee, payee_id)
    paid: Any = select(func.count(), func.sum(col(Transfer.amount_usd))).where(
        col(Transfer.payee_id) == payee.id, col(Transfer.status) == "completed"
    )
    number, total = ctx.rows(paid)[0]
    return payee.out() | {"completed_transfers": number, "paid_usd": total or ZERO}


@tool
def create_payee(
    ctx: Context,
    name: str,
    account_number: str,
    currency: str,
    country: str,
    bank_name: str = "",
    email: str | None = None,
) -> Any:
    """A new payee, not verified yet."""
    person = initiator(ctx)
    known = ctx.first(Payee, col(Payee.account_number) == account_number)
    if known is not None:
        ctx.fail("conflict", f"Account {account_number} belongs to payee {known.name} ({known.id}) already.")
    return ctx.add(
        Payee(
            id=ctx.new_id("pye"),
            name=name,
            bank_name=bank_name,
            account_number=account_number,
            currency=currency,
            country=country,
            email=email,
            created_by_id=person.id,
            created_at=ctx.now(),
        )
    )


@tool
def create_transfer(
    ctx: Context,
    from_account_id: str,
    amount: Money,
    reference: str,
    payee_id: str | None = None,
    to_account_id: str | None = None,
    execute_on: date | None = None,
    category: str | None = None,
    note: str = "",
) -> Any:
    """Pay a payee or move money between accounts, at once or later."""
    person = initiator(ctx)
    source = paying_account(ctx, person, from_account_id)
    if (payee_id is None) == (to_account_id is None):
        ctx.fail("invalid", "Give either payee_id or to_account_id.")
    day = ctx.today() if execute_on is None else execute_on
    check_day(ctx, day)
    transfer = Transfer(
        id=ctx.new_id("trf"),
        number=_next_number(ctx),
        from_account_id=source.id,
        to_account_id=to_account_id,
        payee_id=payee_id,
        amount=amount,
        currency=source.currency,
        amount_usd=ZERO,
        credited_currency=source.currency,
        reference=reference,
        note=note,
        category=category or ("internal" if payee_id is None else "suppliers"),
        status="scheduled",
        execute_on=day,
        created_by_id=person.id,
        created_at=ctx.now(),
    )
    if to_account_id is not None:
        target = paying_account(ctx, person, to_account_id)
        if target.id == source.id:
            ctx.fail("invalid", "from_account_id and to_account_id are the same account.")
        settle_amounts(ctx, transfer, target.currency)
    elif payee_id is not None:
        payee = ctx.require(Payee, payee_id)
        settle_amounts(ctx, transfer, payee.currency)
        check_payee(ctx, payee, transfer.amount_usd)
        _check_daily_limit(ctx, person, transfer.amount_usd)
        if transfer.amount_usd > APPROVAL_ABOVE:
            transfer.status = "pending_approval"
    if day == ctx.today():
        check_funds(ctx, source, amount)
    ctx.add(transfer)
    if transfer.status == "scheduled" and day == ctx.today():
        execute(ctx, transfer)
    return transfer_views(ctx, [transfer])[0]


def _check_daily_limit(ctx: Context, person: Signatory, amount_usd: Decimal) -> None:
    if person.daily_limit is None:
        return
    spent = spent_today(ctx, person)
    if spent + amount_usd > person.daily_limit:
        ctx.fail(
            "limit",
            f"You start payments to payees of up to {person.daily_limit} USD a day; {spent} are used and this one "
            f"comes to {amount_usd}.",
        )


def _next_number(ctx: Context) -> str:
    statement: Any = select(col(Transfer.number)).order_by(
        func.length(col(Transfer.number)).desc(), col(Transfer.number).desc()
    )
    found = ctx.rows(statement.limit(1))
    return f"TRF-{int(found[0][0].removeprefix('TRF-')) + 1 if found else 8801}"


@tool
def get_transfer(ctx: Context, transfer_id: str) -> Any:
    """One transfer."""
    person = me(ctx)
    transfer = ctx.require(Transfer, transfer_id)
    open_account(ctx, person, transfer.from_account_id)
    return transfer_views(ctx, [transfer])[0]


@tool
def list_transfers(
    ctx: Context,
    from_account_id: str | None = None,
    payee_id: str | None = None,
    status: str | None = None,
    reference: str | None = None,
    created_by_id: str | None = None,
    execute_from: date | None = None,
    execute_until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Transfers from accounts open to the user, latest first."""
    person = me(ctx)
    where: list[Any] = [col(Transfer.from_account_id).in_(select(col(Account.id)).where(*visible_accounts(person)))]
    equal = (
        (Transfer.from_account_id, from_account_id),
        (Transfer.payee_id, payee_id),
        (Transfer.status, status),
        (Transfer.reference, reference),
        (Transfer.created_by_id, created_by_id),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if execute_from is not None:
        where.append(col(Transfer.execute_on) >= execute_from)
    if execute_until is not None:
        where.append(col(Transfer.execute_on) <= execute_until)
    page = ctx.page(Transfer, *where, order_by=[col(Transfer.created_at).desc()], limit=limit, cursor=cursor)
    return {
        "items": transfer_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Transfer, *where),
    }


@tool
def approve_transfer(ctx: Context, transfer_id: str) -> Any:
    """The second approval."""
    person = me(ctx)
    transfer = ctx.require(Transfer, transfer_id)
    source = paying_account(ctx, person, transfer.from_account_id)
    if person.role != "approver":
        ctx.fail("forbidden", "You may not approve transfers.")
    if transfer.created_by_id == person.id:
        ctx.fail("forbidden", f"You started {transfer.number}; somebody else approves it.")
    if transfer.status != "pending_approval":
        ctx.fail("conflict", f"Transfer {transfer.number} is {transfer.status}; there is nothing to approve.")
    if person.approval_limit is not None and transfer.amount_usd > person.approval_limit:
        ctx.fail("limit", f"You approve up to {person.approval_limit} USD; {transfer.number} is {transfer.amount_usd}.")
    if transfer.payee_id is not None:
        check_payee(ctx, ctx.require(Payee, transfer.payee_id), transfer.amount_usd)
    transfer.approved_by_id = person.id
    if transfer.execute_on <= ctx.today():
        check_funds(ctx, source, transfer.amount)
        execute(ctx, transfer)
    else:
        transfer.status = "scheduled"
    ctx.flush()
    return transfer_views(ctx, [transfer])[0]


@tool
def cancel_transfer(ctx: Context, transfer_id: str) -> Any:
    """Call off a transfer that has not been executed."""
    person = initiator(ctx)
    transfer = ctx.require(Transfer, transfer_id)
    open_account(ctx, person, transfer.from_account_id)
    if transfer.created_by_id != person.id and person.role != "approver":
        ctx.fail("forbidden", f"Transfer {transfer.number} is for its creator or an approver to cancel.")
    if transfer.status not in ("pending_approval", "scheduled"):
        ctx.fail("conflict", f"Transfer {transfer.number} is {transfer.status} and cannot be cancelled.")
    transfer.status = "cancelled"
    transfer.cancelled_at = ctx.now()
    ctx.flush()
    return transfer_views(ctx, [transfer])[0]
