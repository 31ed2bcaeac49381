"""Reports: statements of account and the aging of what is owed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.billing.access import customer_names, reader
from services.billing.amounts import ZERO, balances, overdue_days
from services.billing.state import CreditNote, Customer, Invoice, Payment, Refund

BUCKETS = ((0, "current"), (30, "days_1_to_30"), (60, "days_31_to_60"), (90, "days_61_to_90"))
OLDEST = "days_over_90"


@tool
def get_statement(ctx: Context, customer_id: str, from_date: date, to_date: date | None = None) -> Any:
    """A customer's account over a period, with the balance after each entry."""
    reader(ctx)
    customer = ctx.require(Customer, customer_id)
    until = to_date or ctx.today()
    if until < from_date:
        ctx.fail("invalid", "to_date lies before from_date.")
    entries = _entries(ctx, customer)
    opening = sum((amount for day, _, _, _, amount in entries if day < from_date), ZERO)
    running, shown = opening, []
    for day, _, kind, reference, amount in entries:
        if from_date <= day <= until:
            running += amount
            shown.append({"date": day, "kind": kind, "reference": reference, "amount": amount, "balance": running})
    return {
        "customer_id": customer.id,
        "customer_name": customer.name,
        "currency": customer.currency,
        "from_date": from_date,
        "to_date": until,
        "opening_balance": opening,
        "entries": shown,
        "closing_balance": running,
    }


def _entries(ctx: Context, customer: Customer) -> list[tuple[date, int, str, str, Decimal]]:
    """What changed the account: day, rank in the day, kind, reference, amount (positive: more is owed)."""
    issued = ctx.list(Invoice, Invoice.customer_id == customer.id, col(Invoice.number).is_not(None))
    numbers = {invoice.id: invoice.number or "" for invoice in issued}
    now = balances(ctx, issued)
    out: list[tuple[date, int, str, str, Decimal]] = []
    for invoice in issued:
        if invoice.issue_date is not None:
            out.append((invoice.issue_date, 0, "invoice", numbers[invoice.id], invoice.total))
        if invoice.closed_at is None:
            continue
        if invoice.status == "void":
            out.append((invoice.closed_at.date(), 1, "void", numbers[invoice.id], -invoice.total))
        if invoice.status == "uncollectible":
            left = now[invoice.id].due
            out.append((invoice.closed_at.date(), 4, "write_off", numbers[invoice.id], -left))
    for note in ctx.list(CreditNote, col(CreditNote.invoice_id).in_(list(numbers))):
        out.append((note.issued_at.date(), 1, "credit_note", note.number, -note.amount))
    payments = ctx.list(Payment, Payment.customer_id == customer.id)
    for payment in payments:
        out.append((payment.received_on, 2, "payment", numbers[payment.invoice_id], -payment.amount))
    of = {payment.id: numbers[payment.invoice_id] for payment in payments}
    for refund in ctx.list(Refund, col(Refund.payment_id).in_(list(of))):
        out.append((refund.refunded_at.date(), 3, "refund", of[refund.payment_id], refund.amount))
    return sorted(out)


@tool
def get_aging_report(ctx: Context, currency: str | None = None, customer_id: str | None = None) -> Any:
    """What is owed today by customer, by how long it is overdue."""
    reader(ctx)
    where: list[Any] = [Invoice.status == "open"]
    if currency is not None:
        where.append(Invoice.currency == currency)
    if customer_id is not None:
        where.append(Invoice.customer_id == ctx.require(Customer, customer_id).id)
    invoices = ctx.list(Invoice, *where)
    now = balances(ctx, invoices)
    names = customer_names(ctx, (invoice.customer_id for invoice in invoices))
    customers: dict[tuple[str, str], dict[str, Decimal]] = {}
    totals: dict[str, dict[str, Decimal]] = {}
    for invoice in invoices:
        bucket = _bucket(overdue_days(ctx, invoice))
        place = (names[invoice.customer_id], invoice.customer_id)
        for row in (
            customers.setdefault(place, _empty()),
            totals.setdefault(invoice.currency, _empty()),
        ):
            row[bucket] += now[invoice.id].due
            row["total"] += now[invoice.id].due
    currencies = {invoice.customer_id: invoice.currency for invoice in invoices}
    return {
        "as_of": ctx.today(),
        "customers": [
            {"customer_id": key, "customer_name": name, "currency": currencies[key], **row}
            for (name, key), row in sorted(customers.items())
        ],
        "totals": [{"currency": code, **row} for code, row in sorted(totals.items())],
    }


def _empty() -> dict[str, Decimal]:
    return dict.fromkeys([*(name for _, name in BUCKETS), OLDEST, "total"], ZERO)


def _bucket(days: int) -> str:
    return next((name for most, name in BUCKETS if days <= most), OLDEST)
