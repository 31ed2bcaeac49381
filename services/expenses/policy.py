"""Conversion, limits and totals: everything about an expense that follows from something else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context
from services.expenses.state import (
    BASE_CURRENCY,
    CardTransaction,
    Category,
    ExchangeRate,
    Expense,
    PerDiemRate,
    Report,
)

OLDEST_DAYS = 90


def cents(amount: Decimal) -> Decimal:
    """Rounded to two decimals, halves up."""
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def rate_on(ctx: Context, currency: str, day: date) -> ExchangeRate | None:
    """The rate that held on a day."""
    return ctx.first(
        ExchangeRate,
        col(ExchangeRate.currency) == currency,
        col(ExchangeRate.valid_from) <= day,
        order_by=[col(ExchangeRate.valid_from).desc()],
    )


def in_usd(ctx: Context, amount: Decimal, currency: str, day: date) -> Decimal:
    """An amount in USD by the rate of the day."""
    if currency == BASE_CURRENCY:
        return amount
    rate = rate_on(ctx, currency, day)
    if rate is None:
        ctx.fail("invalid", f"There is no {currency} rate for {day}; get_exchange_rate shows the first one.")
    return cents(amount * Decimal(str(rate.rate)))


def settle(ctx: Context, expense: Expense, category: Category) -> None:
    """Check an expense and derive its amounts.

    Raises:
        ToolError: it cannot stand in a report, whatever its justification.
    """
    today = ctx.today()
    if expense.spent_on > today:
        ctx.fail("invalid", f"spent_on {expense.spent_on} lies ahead.")
    if (today - expense.spent_on).days > OLDEST_DAYS:
        ctx.fail("limit", f"Expenses older than {OLDEST_DAYS} days are not paid; spent_on is {expense.spent_on}.")
    if category.kind == "mileage":
        if expense.distance_km is None or expense.place is not None or expense.days is not None:
            ctx.fail("invalid", f"{category.name} takes distance_km, and neither place nor days.")
        expense.currency = BASE_CURRENCY
        expense.amount = cents(expense.distance_km * (category.rate_per_km or Decimal(0)))
    elif category.kind == "per_diem":
        if expense.place is None or expense.days is None or expense.distance_km is not None:
            ctx.fail("invalid", f"{category.name} takes place and days, and no distance_km.")
        rate = ctx.first(PerDiemRate, col(PerDiemRate.place) == expense.place)
        if rate is None:
            ctx.fail("not_found", f"There is no per diem for {expense.place!r}; list_categories shows the places.")
        expense.currency = rate.currency
        expense.amount = rate.daily_amount * expense.days
    elif expense.place is not None or expense.days is not None or expense.distance_km is not None:
        ctx.fail("invalid", f"place, days and distance_km do not go with {category.name}.")
    if expense.amount <= 0:
        ctx.fail("invalid", "amount must be above zero.")
    expense.amount_usd = in_usd(ctx, expense.amount, expense.currency, expense.spent_on)


def problems(expense: Expense, category: Category, today: date) -> list[str]:
    """What keeps an expense from being submitted."""
    found = []
    if (today - expense.spent_on).days > OLDEST_DAYS:
        found.append("too_old")
    if category.receipt_above is not None and expense.amount_usd > category.receipt_above and not expense.receipt:
        found.append("receipt_missing")
    over = category.limit_amount is not None and expense.amount_usd > category.limit_amount
    if over and not expense.justification.strip():
        found.append("justification_missing")
    return found


def expense_views(ctx: Context, expenses: Sequence[Expense]) -> list[dict[str, Any]]:
    """Expenses with category, card match and what is wrong with them."""
    categories = {item.id: item for item in ctx.list(Category)}
    cards = {
        item.expense_id: item
        for item in ctx.list(CardTransaction, col(CardTransaction.expense_id).in_([item.id for item in expenses]))
    }
    today = ctx.today()
    out = []
    for item in expenses:
        category = categories[item.category_id]
        card = cards.get(item.id)
        out.append(
            item.out()
            | {
                "category_name": category.name,
                "over_limit": category.limit_amount is not None and item.amount_usd > category.limit_amount,
                "problems": problems(item, category, today),
                "card_transaction_id": card.id if card else None,
            }
        )
    return out


def totals(ctx: Context, reports: Sequence[Report]) -> dict[str, dict[str, Any]]:
    """Sums of reports in USD: all of it, what the company card paid, and what is to be paid back."""
    found: dict[str, dict[str, Any]] = {
        item.id: {"expenses": 0, "total_usd": Decimal(0), "card_usd": Decimal(0), "reimbursable_usd": Decimal(0)}
        for item in reports
    }
    lines = ctx.list(Expense, col(Expense.report_id).in_(found))
    matched = {
        item.expense_id
        for item in ctx.list(CardTransaction, col(CardTransaction.expense_id).in_([line.id for line in lines]))
    }
    for line in lines:
        sums = found[line.report_id]
        sums["expenses"] += 1
        sums["total_usd"] += line.amount_usd
        sums["card_usd" if line.id in matched else "reimbursable_usd"] += line.amount_usd
    return found
