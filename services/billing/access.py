"""Who may do what, and look-ups that several tools share."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from sqlalchemy import func
from sqlmodel import col

from engine.kit import Context
from services.billing.amounts import in_base
from services.billing.state import BASE_CURRENCY, Customer, Invoice, Quote, Staff


def reader(ctx: Context) -> Staff:
    """The user's own entry."""
    me = ctx.first(Staff, Staff.email == ctx.user.email)
    if me is None:
        ctx.fail("forbidden", f"{ctx.user.email} has no access to Billing.")
    return me


def writer(ctx: Context) -> Staff:
    """The user's own entry, which must allow changes."""
    me = reader(ctx)
    if me.role == "viewer":
        ctx.fail("forbidden", "Viewers can read but not change anything in Billing; ask a finance manager.")
    return me


def within_limit(ctx: Context, me: Staff, amount: Decimal, currency: str, what: str) -> None:
    """Refuse a decision on an amount that is above the user's limit."""
    value = in_base(ctx, amount, currency)
    if me.role == "finance_manager" or value <= me.limit_amount:
        return
    ctx.fail(
        "forbidden",
        f"{what} of {value} {BASE_CURRENCY} is above your limit of {me.limit_amount} {BASE_CURRENCY}; "
        f"ask a finance manager ({finance_managers(ctx)}).",
        limit=me.limit_amount,
        amount=value,
    )


def finance_managers(ctx: Context) -> str:
    """Names and addresses of those who may decide any amount."""
    managers = ctx.list(Staff, Staff.role == "finance_manager", order_by=Staff.name)
    return ", ".join(f"{item.name} <{item.email}>" for item in managers) or "none at present"


def the_invoice(ctx: Context, invoice_id: str) -> Invoice:
    """An invoice by id or number."""
    found = ctx.get(Invoice, invoice_id) or ctx.first(Invoice, Invoice.number == invoice_id.strip().upper())
    if found is None:
        ctx.fail("not_found", f"There is no invoice {invoice_id!r}; use list_invoices to find it.")
    return found


def the_quote(ctx: Context, quote_id: str) -> Quote:
    """A quote by id or number."""
    found = ctx.get(Quote, quote_id) or ctx.first(Quote, Quote.number == quote_id.strip().upper())
    if found is None:
        ctx.fail("not_found", f"There is no quote {quote_id!r}; use list_quotes to find it.")
    return found


def shown_name(invoice: Invoice) -> str:
    """How an invoice is called in a message."""
    return invoice.number or f"the draft {invoice.id}"


def next_number(ctx: Context, entity: Any, prefix: str, first: int) -> str:
    """The number after the highest one in use."""
    column = col(entity.number)
    last = ctx.first(entity, column.like(f"{prefix}%"), order_by=[func.length(column).desc(), column.desc()])
    return f"{prefix}{int(last.number.removeprefix(prefix)) + 1 if last else first}"


def customer_names(ctx: Context, ids: Iterable[str]) -> dict[str, str]:
    """Names of these customers."""
    wanted = sorted(set(ids))
    return {row.id: row.name for row in ctx.list(Customer, col(Customer.id).in_(wanted))} if wanted else {}


def something(ctx: Context, *values: Any) -> None:
    """Refuse a change that changes nothing."""
    if all(value is None for value in values):
        ctx.fail("invalid", "Nothing to change: give at least one field.")


def stated(ctx: Context, what: str, text: str) -> str:
    """A required text without spaces around it."""
    text = text.strip()
    if not text:
        ctx.fail("invalid", f"{what} must not be blank.")
    return text
