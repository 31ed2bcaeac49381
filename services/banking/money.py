"""Balances and conversion: everything that is summed up or derived."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context
from services.banking.state import BASE_CURRENCY, Account, ExchangeRate, Transaction

ZERO = Decimal(0)


def cents(amount: Decimal) -> Decimal:
    """Rounded to two decimals, halves up."""
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def balances(ctx: Context, accounts: Sequence[Account]) -> dict[str, dict[str, Decimal]]:
    """Balance, holds and available money by account id."""
    statement: Any = (
        select(col(Transaction.account_id), col(Transaction.status), func.sum(col(Transaction.amount)))
        .where(col(Transaction.account_id).in_([item.id for item in accounts]))
        .group_by(col(Transaction.account_id), col(Transaction.status))
        .order_by(col(Transaction.account_id), col(Transaction.status))
    )
    sums = {(row[0], row[1]): row[2] for row in ctx.rows(statement)}
    found = {}
    for account in accounts:
        balance, held = sums.get((account.id, "booked"), ZERO), sums.get((account.id, "held"), ZERO)
        found[account.id] = {
            "balance": balance,
            "held": -held,
            "available": balance + held + account.overdraft,
        }
    return found


def rate_on(ctx: Context, currency: str, day: date) -> ExchangeRate | None:
    """The rate in USD that held on a day."""
    return ctx.first(
        ExchangeRate,
        col(ExchangeRate.currency) == currency,
        col(ExchangeRate.valid_from) <= day,
        order_by=[col(ExchangeRate.valid_from).desc()],
    )


def in_usd(ctx: Context, amount: Decimal, currency: str) -> Decimal:
    """An amount in USD by today's rate."""
    return convert(ctx, amount, currency, BASE_CURRENCY)


def convert(ctx: Context, amount: Decimal, currency: str, target: str) -> Decimal:
    """An amount in another currency by today's rates."""
    if currency == target:
        return amount
    return cents(amount * _usd(ctx, currency) / _usd(ctx, target))


def _usd(ctx: Context, currency: str) -> Decimal:
    if currency == BASE_CURRENCY:
        return Decimal(1)
    rate = rate_on(ctx, currency, ctx.today())
    if rate is None or rate.rate <= 0:
        ctx.fail("invalid", f"There is no {currency} rate today.")
    return Decimal(str(rate.rate))
