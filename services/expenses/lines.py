"""Tools for expenses, card transactions, categories and rates."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import or_, select
from sqlmodel import col

from engine.kit import Context, Money, contains, tool
from services.expenses.access import me, own_expense, own_report, seen_report, visible_reports
from services.expenses.policy import expense_views, rate_on, settle
from services.expenses.state import (
    BASE_CURRENCY,
    CardTransaction,
    Category,
    ExchangeRate,
    Expense,
    PerDiemRate,
    Report,
)

MATCH_DAYS = 5
KEEP: Any = object()
"""An argument that was not given, where null has a meaning of its own."""


def _view(ctx: Context, expense: Expense) -> dict[str, Any]:
    return expense_views(ctx, [expense])[0]


def _match_of(ctx: Context, expense_id: str) -> CardTransaction | None:
    return ctx.first(CardTransaction, col(CardTransaction.expense_id) == expense_id)


def _category(ctx: Context, category_id: str) -> Category:
    category = ctx.require(Category, category_id)
    if not category.active:
        ctx.fail("conflict", f"{category.name} ({category.id}) is not used any more.")
    return category


@tool
def create_expense(
    ctx: Context,
    report_id: str,
    category_id: str,
    spent_on: date,
    amount: Money | None = None,
    currency: str | None = None,
    merchant: str = "",
    description: str = "",
    receipt: str | None = None,
    justification: str = "",
    place: str | None = None,
    days: int | None = None,
    distance_km: int | None = None,
) -> Any:
    """A new line of a report."""
    report, _ = own_report(ctx, report_id)
    category = _category(ctx, category_id)
    ordinary = category.kind == "receipt"
    if ordinary != (amount is not None) or ordinary != (currency is not None):
        ctx.fail("invalid", "amount and currency are needed for ordinary categories, and only for them.")
    expense = Expense(
        id=ctx.new_id("exp"),
        report_id=report.id,
        category_id=category.id,
        spent_on=spent_on,
        merchant=merchant,
        description=description,
        amount=amount if amount is not None else Decimal(0),
        currency=currency or BASE_CURRENCY,
        amount_usd=Decimal(0),
        receipt=receipt,
        justification=justification,
        place=place,
        days=days,
        distance_km=distance_km,
        created_at=ctx.now(),
    )
    settle(ctx, expense, category)
    return _view(ctx, ctx.add(expense))


@tool
def get_expense(ctx: Context, expense_id: str) -> Any:
    """One expense."""
    me(ctx)
    expense = ctx.require(Expense, expense_id)
    seen_report(ctx, expense.report_id)
    return _view(ctx, expense)


@tool
def list_expenses(
    ctx: Context,
    query: str | None = None,
    report_id: str | None = None,
    category_id: str | None = None,
    currency: str | None = None,
    spent_from: date | None = None,
    spent_until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Expenses of reports open to the user, latest first."""
    inside: Any = select(col(Report.id)).where(*visible_reports(me(ctx)))
    where: list[Any] = [col(Expense.report_id).in_(inside)]
    equal = ((Expense.report_id, report_id), (Expense.category_id, category_id), (Expense.currency, currency))
    where += [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        where.append(or_(contains(Expense.merchant, query), contains(Expense.description, query)))
    if spent_from is not None:
        where.append(col(Expense.spent_on) >= spent_from)
    if spent_until is not None:
        where.append(col(Expense.spent_on) <= spent_until)
    page = ctx.page(Expense, *where, order_by=[col(Expense.spent_on).desc()], limit=limit, cursor=cursor)
    return {
        "items": expense_views(ctx, page.items),
        "next_cursor": page.next_cursor,
        "total": ctx.count(Expense, *where),
    }


@tool
def update_expense(
    ctx: Context,
    expense_id: str,
    category_id: str = KEEP,
    spent_on: date = KEEP,
    amount: Money = KEEP,
    currency: str = KEEP,
    merchant: str = KEEP,
    description: str = KEEP,
    receipt: str | None = KEEP,
    justification: str = KEEP,
    place: str = KEEP,
    days: int = KEEP,
    distance_km: int = KEEP,
) -> Any:
    """Change an expense; its amounts are derived anew."""
    expense, _ = own_expense(ctx, expense_id)
    sums = {
        "spent_on": spent_on,
        "amount": amount,
        "currency": currency,
        "place": place,
        "days": days,
        "distance_km": distance_km,
    }
    texts = {
        "category_id": category_id,
        "merchant": merchant,
        "description": description,
        "receipt": receipt,
        "justification": justification,
    }
    changes = {name: value for name, value in (sums | texts).items() if value is not KEEP}
    if not changes:
        ctx.fail("invalid", "Give at least one thing to change.")
    match = _match_of(ctx, expense.id)
    if match is not None and sums.keys() & changes.keys():
        ctx.fail("conflict", f"Expense {expense.id} is matched with card transaction {match.id}; release it first.")
    old = ctx.require(Category, expense.category_id)
    category = old if category_id is KEEP else _category(ctx, category_id)
    if category.kind != old.kind:
        ctx.fail("invalid", f"{old.name} and {category.name} are counted differently; create another expense.")
    if category.kind != "receipt" and ("amount" in changes or "currency" in changes):
        ctx.fail("invalid", f"amount and currency of {category.name} are derived.")
    for name, value in changes.items():
        setattr(expense, name, value)
    settle(ctx, expense, category)
    ctx.flush()
    return _view(ctx, expense)


@tool
def delete_expense(ctx: Context, expense_id: str) -> Any:
    """Remove an expense from its report."""
    expense, _ = own_expense(ctx, expense_id)
    ctx.delete(expense)
    return {"id": expense_id, "deleted": True}


@tool
def list_card_transactions(
    ctx: Context,
    query: str | None = None,
    matched: bool | None = None,
    currency: str | None = None,
    posted_from: date | None = None,
    posted_until: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """The user's own card payments, latest first."""
    where: list[Any] = [col(CardTransaction.employee_id) == me(ctx).id]
    if query is not None:
        where.append(contains(CardTransaction.merchant, query))
    if matched is not None:
        free = col(CardTransaction.expense_id).is_(None)
        where.append(~free if matched else free)
    if currency is not None:
        where.append(col(CardTransaction.currency) == currency)
    if posted_from is not None:
        where.append(col(CardTransaction.posted_on) >= posted_from)
    if posted_until is not None:
        where.append(col(CardTransaction.posted_on) <= posted_until)
    order = [col(CardTransaction.posted_on).desc()]
    page = ctx.page(CardTransaction, *where, order_by=order, limit=limit, cursor=cursor)
    return {
        "items": [item.out() | {"matched": item.expense_id is not None} for item in page.items],
        "next_cursor": page.next_cursor,
    }


@tool
def match_card_transaction(ctx: Context, card_transaction_id: str, expense_id: str | None) -> Any:
    """Tie a card payment to an expense, or release it."""
    person = me(ctx)
    payment = ctx.require(CardTransaction, card_transaction_id)
    if payment.employee_id != person.id:
        ctx.fail("forbidden", f"Card transaction {payment.id} is not yours.")
    if payment.expense_id is not None:
        own_expense(ctx, payment.expense_id)
    if expense_id is None:
        if payment.expense_id is None:
            ctx.fail("conflict", f"Card transaction {payment.id} is not matched.")
    else:
        if payment.expense_id is not None:
            ctx.fail(
                "conflict", f"Card transaction {payment.id} is matched with {payment.expense_id}; release it first."
            )
        expense, _ = own_expense(ctx, expense_id)
        other = _match_of(ctx, expense.id)
        if other is not None:
            ctx.fail("conflict", f"Expense {expense.id} is matched with {other.id} already.")
        if (expense.amount, expense.currency) != (payment.amount, payment.currency):
            ctx.fail(
                "conflict",
                f"The card was charged {payment.amount} {payment.currency}, the expense says "
                f"{expense.amount} {expense.currency}.",
            )
        if abs((expense.spent_on - payment.posted_on).days) > MATCH_DAYS:
            ctx.fail("conflict", f"{expense.spent_on} and {payment.posted_on} lie more than {MATCH_DAYS} days apart.")
    payment.expense_id = expense_id
    ctx.flush()
    return payment.out() | {"matched": payment.expense_id is not None}


@tool
def list_categories(ctx: Context, kind: str | None = None, active: bool | None = None) -> Any:
    """Categories with their policy, and the flat rates for days away."""
    me(ctx)
    equal = ((Category.kind, kind), (Category.active, active))
    where: list[Any] = [col(column) == value for column, value in equal if value is not None]
    return {
        "items": ctx.list(Category, *where, order_by=[col(Category.name)]),
        "next_cursor": None,
        "per_diem_rates": ctx.list(PerDiemRate, order_by=[col(PerDiemRate.place)]),
    }


@tool
def get_exchange_rate(ctx: Context, currency: str, on: date | None = None) -> Any:
    """What a currency is worth in USD on a day."""
    me(ctx)
    day = ctx.today() if on is None else on
    if currency == BASE_CURRENCY:
        return {"currency": currency, "on": day, "rate": 1.0, "valid_from": None}
    rate = rate_on(ctx, currency, day)
    if rate is None:
        first = ctx.first(ExchangeRate, col(ExchangeRate.currency) == currency, order_by=[col(ExchangeRate.valid_from)])
        since = f"; the first one holds from {first.valid_from}" if first else ""
        ctx.fail("not_found", f"There is no {currency} rate for {day}{since}.")
    return {"currency": currency, "on": day, "rate": rate.rate, "valid_from": rate.valid_from}
