"""Tools for accounts, transactions, statements, cards and rates."""

from __future__ import annotations

from calendar import monthrange
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import col

from engine.kit import Context, Moment, Money, contains, tool
from services.banking.access import me, open_account, visible_accounts
from services.banking.money import ZERO, balances, in_usd, rate_on
from services.banking.state import BASE_CURRENCY, Account, Card, ExchangeRate, Transaction

HIGHEST_CARD_LIMIT = Decimal(5000)


@tool
def list_accounts(
    ctx: Context,
    currency: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Accounts open to the user, with their money."""
    where = visible_accounts(me(ctx))
    equal = ((Account.currency, currency), (Account.kind, kind), (Account.status, status))
    where += [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(Account, *where, order_by=[col(Account.name)], limit=limit, cursor=cursor)
    money = balances(ctx, page.items)
    return {"items": [item.out() | money[item.id] for item in page.items], "next_cursor": page.next_cursor}


@tool
def list_transactions(
    ctx: Context,
    account_id: str | None = None,
    query: str | None = None,
    category: str | None = None,
    status: str | None = None,
    direction: str | None = None,
    reference: str | None = None,
    card_id: str | None = None,
    min_amount: Money | None = None,
    max_amount: Money | None = None,
    posted_from: Moment | None = None,
    posted_until: Moment | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Transactions of accounts open to the user, latest first."""
    person = me(ctx)
    where: list[Any] = [col(Transaction.account_id).in_(select(col(Account.id)).where(*visible_accounts(person)))]
    if account_id is not None:
        where.append(col(Transaction.account_id) == open_account(ctx, person, account_id).id)
    equal = (
        (Transaction.category, category),
        (Transaction.status, status),
        (Transaction.reference, reference),
        (Transaction.card_id, card_id),
    )
    where += [col(column) == value for column, value in equal if value is not None]
    if query is not None:
        columns = (Transaction.counterparty, Transaction.description, Transaction.reference)
        where.append(or_(*(contains(column, query) for column in columns)))
    if direction is not None:
        where.append(col(Transaction.amount) > 0 if direction == "in" else col(Transaction.amount) < 0)
    if min_amount is not None:
        where.append(func.abs(col(Transaction.amount)) >= min_amount)
    if max_amount is not None:
        where.append(func.abs(col(Transaction.amount)) <= max_amount)
    if posted_from is not None:
        where.append(col(Transaction.posted_at) >= posted_from)
    if posted_until is not None:
        where.append(col(Transaction.posted_at) <= posted_until)
    page = ctx.page(Transaction, *where, order_by=[col(Transaction.posted_at).desc()], limit=limit, cursor=cursor)
    return page.out() | {"total": ctx.count(Transaction, *where)}


@tool
def get_statement(ctx: Context, account_id: str, month: str) -> Any:
    """One account's month: from the opening to the closing balance."""
    account = open_account(ctx, me(ctx), account_id)
    year, number = int(month[:4]), int(month[5:])
    if year < 1:
        ctx.fail("invalid", "month lies in the years 0001 to 9999.")
    first = datetime(year, number, 1, tzinfo=UTC)
    last = datetime(year, number, monthrange(year, number)[1], 23, 59, 59, 999999, tzinfo=UTC)
    if first > ctx.now():
        ctx.fail("invalid", f"{month} has not begun yet.")
    booked = [col(Transaction.account_id) == account.id, col(Transaction.status) == "booked"]
    before: Any = select(func.sum(col(Transaction.amount))).where(*booked, col(Transaction.posted_at) < first)
    opening = ctx.rows(before)[0][0] or ZERO
    items = ctx.list(
        Transaction,
        *booked,
        col(Transaction.posted_at) >= first,
        col(Transaction.posted_at) <= last,
        order_by=[col(Transaction.posted_at)],
    )
    by_category: dict[str, Decimal] = defaultdict(Decimal)
    for item in items:
        by_category[item.category] += item.amount
    money_in = sum((item.amount for item in items if item.amount > 0), ZERO)
    money_out = sum((-item.amount for item in items if item.amount < 0), ZERO)
    return {
        "account_id": account.id,
        "account_name": account.name,
        "currency": account.currency,
        "month": month,
        "opening_balance": opening,
        "money_in": money_in,
        "money_out": money_out,
        "closing_balance": opening + money_in - money_out,
        "by_category": [{"category": name, "total": by_category[name]} for name in sorted(by_category)],
        "transactions": [item.out(without=("account_id", "currency", "status")) for item in items],
    }


def _card_views(ctx: Context, cards: list[Card]) -> list[dict[str, Any]]:
    today = ctx.today()
    month = datetime(today.year, today.month, 1, tzinfo=UTC)
    statement: Any = (
        select(col(Transaction.card_id), func.sum(col(Transaction.amount)))
        .where(
            col(Transaction.card_id).in_([item.id for item in cards]),
            col(Transaction.status) != "released",
            col(Transaction.posted_at) >= month,
            col(Transaction.posted_at) < month + timedelta(days=monthrange(today.year, today.month)[1]),
        )
        .group_by(col(Transaction.card_id))
        .order_by(col(Transaction.card_id))
    )
    spent = {row[0]: -row[1] for row in ctx.rows(statement)}
    return [
        item.out()
        | {
            "spent_this_month": spent.get(item.id, ZERO),
            "left_this_month": max(item.monthly_limit - spent.get(item.id, ZERO), ZERO),
        }
        for item in cards
    ]


@tool
def list_cards(
    ctx: Context,
    holder_email: str | None = None,
    status: str | None = None,
    account_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Company cards by holder."""
    person = me(ctx)
    where: list[Any] = [col(Card.account_id).in_(select(col(Account.id)).where(*visible_accounts(person)))]
    equal = ((Card.holder_email, holder_email), (Card.status, status), (Card.account_id, account_id))
    where += [col(column) == value for column, value in equal if value is not None]
    page = ctx.page(Card, *where, order_by=[col(Card.holder_name)], limit=limit, cursor=cursor)
    return {"items": _card_views(ctx, page.items), "next_cursor": page.next_cursor}


@tool
def update_card(ctx: Context, card_id: str, status: str | None = None, monthly_limit: Money | None = None) -> Any:
    """Freeze or free a card, or change what it may spend."""
    person = me(ctx)
    card = ctx.require(Card, card_id)
    manages = card.manager_id == person.id and card.holder_email.lower() != person.email.lower()
    holds = card.holder_email.lower() == person.email.lower()
    if status is None and monthly_limit is None:
        ctx.fail("invalid", "Give status, monthly_limit or both.")
    if not manages and not (holds and status == "frozen" and monthly_limit is None):
        ctx.fail(
            "forbidden",
            f"Card {card.id} is managed by {card.manager_id}; its holder may only freeze it.",
        )
    if card.status == "cancelled":
        ctx.fail("conflict", f"Card {card.id} is cancelled for good.")
    if status == "active" and card.expires_on < ctx.today():
        ctx.fail("conflict", f"Card {card.id} expired on {card.expires_on}.")
    if status is not None:
        card.status = status
    if monthly_limit is not None:
        if in_usd(ctx, monthly_limit, card.currency) > HIGHEST_CARD_LIMIT:
            ctx.fail("limit", f"A card spends at most {HIGHEST_CARD_LIMIT} USD a month, or as much in its currency.")
        card.monthly_limit = monthly_limit
    ctx.flush()
    return _card_views(ctx, [card])[0]


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
