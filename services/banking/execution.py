"""What happens when money moves, and what stands in its way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context
from services.banking.money import ZERO, balances, convert, in_usd
from services.banking.state import Account, Payee, Signatory, Transaction, Transfer

APPROVAL_ABOVE = Decimal(5000)
UNVERIFIED_LIMIT = Decimal(1000)
DAYS_AHEAD = 365


def check_day(ctx: Context, day: date) -> None:
    """Refuse days on which the bank does not pay."""
    if day < ctx.today():
        ctx.fail("invalid", f"{day} lies in the past.")
    if (day - ctx.today()).days > DAYS_AHEAD:
        ctx.fail("invalid", f"Payments are scheduled at most {DAYS_AHEAD} days ahead.")
    if day.weekday() >= 5:
        ctx.fail("invalid", f"{day} is a weekend; the bank pays from Monday to Friday.")


def check_payee(ctx: Context, payee: Payee, amount_usd: Decimal) -> None:
    """Refuse blocked payees, and larger sums for those who are not verified."""
    if payee.status == "blocked":
        ctx.fail("forbidden", f"{payee.name} ({payee.id}) is blocked; ask finance.")
    if payee.status == "unverified" and amount_usd > UNVERIFIED_LIMIT:
        ctx.fail(
            "limit",
            f"{payee.name} ({payee.id}) is not verified and gets at most {UNVERIFIED_LIMIT} USD; this is {amount_usd}.",
        )


def check_funds(ctx: Context, account: Account, amount: Decimal) -> None:
    """Refuse what the account cannot pay now."""
    available = balances(ctx, [account])[account.id]["available"]
    if amount > available:
        ctx.fail(
            "conflict", f"{account.name} ({account.id}) has {available} {account.currency} available, not {amount}."
        )


def settle_amounts(ctx: Context, transfer: Transfer, target_currency: str) -> None:
    """Derive what a transfer is worth in USD and in the currency of whoever gets it."""
    transfer.amount_usd = in_usd(ctx, transfer.amount, transfer.currency)
    transfer.credited_currency = target_currency
    transfer.credited_amount = convert(ctx, transfer.amount, transfer.currency, target_currency)
    if ZERO in (transfer.amount_usd, transfer.credited_amount):
        ctx.fail("invalid", f"{transfer.amount} {transfer.currency} is too little to be exchanged.")


def spent_today(ctx: Context, person: Signatory) -> Decimal:
    """What somebody started today for payees, in USD, cancelled transfers left out."""
    today = ctx.today()
    statement: Any = select(func.sum(col(Transfer.amount_usd))).where(
        col(Transfer.created_by_id) == person.id,
        col(Transfer.payee_id).is_not(None),
        col(Transfer.status) != "cancelled",
        col(Transfer.created_at) >= datetime(today.year, today.month, today.day, tzinfo=UTC),
    )
    return ctx.rows(statement)[0][0] or ZERO


def execute(ctx: Context, transfer: Transfer) -> None:
    """Book a transfer, with the rates of today."""
    now = ctx.now()
    settle_amounts(ctx, transfer, transfer.credited_currency)
    source = ctx.require(Account, transfer.from_account_id)
    target = ctx.require(Account, transfer.to_account_id) if transfer.to_account_id else None
    payee = ctx.require(Payee, transfer.payee_id) if transfer.payee_id else None
    transfer.status = "completed"
    transfer.completed_at = now

    def book(account: Account, amount: Decimal, counterparty: str) -> None:
        ctx.add(
            Transaction(
                id=ctx.new_id("txn"),
                account_id=account.id,
                posted_at=now,
                amount=amount,
                currency=account.currency,
                counterparty=counterparty,
                description=transfer.number,
                reference=transfer.reference,
                category=transfer.category,
                transfer_id=transfer.id,
            )
        )

    book(source, -transfer.amount, payee.name if payee else target.name if target else "")
    if target is not None:
        book(target, transfer.credited_amount or ZERO, source.name)
    ctx.flush()


def transfer_views(ctx: Context, transfers: Sequence[Transfer]) -> list[dict[str, Any]]:
    """Transfers with the names of those concerned."""
    payees = {item.id: item.name for item in ctx.list(Payee, col(Payee.id).in_({t.payee_id for t in transfers}))}
    ids = {key for item in transfers for key in (item.from_account_id, item.to_account_id) if key}
    accounts = {item.id: item.name for item in ctx.list(Account, col(Account.id).in_(ids))}
    people = {key for item in transfers for key in (item.created_by_id, item.approved_by_id) if key}
    names = {item.id: item.name for item in ctx.list(Signatory, col(Signatory.id).in_(people))}
    return [
        item.out()
        | {
            "from_account_name": accounts[item.from_account_id],
            "to_account_name": accounts.get(item.to_account_id or ""),
            "payee_name": payees.get(item.payee_id or ""),
            "created_by_name": names[item.created_by_id],
            "approved_by_name": names.get(item.approved_by_id or ""),
        }
        for item in transfers
    ]
