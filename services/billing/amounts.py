"""Arithmetic with money: exact decimals, rounded half up to the cent where a rule says so.

A line's net is quantity x unit price, less the line's discount, less the document's discount, rounded. A tax
is computed per rate on the sum of that rate's nets, rounded. The total is the sum of the nets and the taxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Protocol

from sqlmodel import col

from engine.kit import Context
from services.billing.state import (
    BASE_CURRENCY,
    CreditNote,
    ExchangeRate,
    Invoice,
    Payment,
    Refund,
    TaxRate,
)

ZERO = Decimal("0.00")
CENT = Decimal("0.01")
MAX_TOTAL = Decimal("999999999.99")


class Line(Protocol):
    """What the arithmetic needs of a line."""

    quantity: int
    unit_price: Decimal
    discount_percent: Decimal
    tax_rate_id: str
    net: Decimal


class Document(Protocol):
    """What the arithmetic needs of a quote or invoice."""

    discount_percent: Decimal
    subtotal: Decimal
    tax_total: Decimal
    total: Decimal


def cents(value: Decimal) -> Decimal:
    """Rounded half up to the cent."""
    return value.quantize(CENT, ROUND_HALF_UP)


def in_steps(value: Decimal) -> Decimal:
    """Rounded half up to the next five cents, as list prices are."""
    return ((value * 20).quantize(Decimal(1), ROUND_HALF_UP) / 20).quantize(CENT)


def retotal(document: Document, lines: Sequence[Line], rates: Iterable[TaxRate]) -> None:
    """Bring a document's figures, and its lines' nets, up to date."""
    keep = 1 - document.discount_percent / 100
    by_rate: dict[str, Decimal] = {}
    for line in lines:
        gross = line.quantity * line.unit_price
        line.net = cents(gross * (1 - line.discount_percent / 100) * keep)
        by_rate[line.tax_rate_id] = by_rate.get(line.tax_rate_id, ZERO) + line.net
    tax_total = ZERO
    for rate in rates:
        if rate.id in by_rate:
            tax_total += cents(by_rate[rate.id] * rate.percent / 100)
    document.subtotal = sum(by_rate.values(), ZERO)
    document.tax_total = tax_total
    document.total = document.subtotal + document.tax_total


class Balance:
    """What was paid and credited on an invoice, and what is left."""

    def __init__(self, invoice: Invoice) -> None:
        self.invoice = invoice
        self.paid = ZERO
        self.credited = ZERO

    @property
    def due(self) -> Decimal:
        """What is owed; below zero when the customer has money to get back."""
        if self.invoice.status in ("draft", "void"):
            return ZERO
        return self.invoice.total - self.paid - self.credited

    def out(self) -> dict[str, Decimal]:
        """The three figures of a result."""
        return {"amount_paid": self.paid, "amount_credited": self.credited, "amount_due": self.due}


def balances(ctx: Context, invoices: Sequence[Invoice]) -> dict[str, Balance]:
    """The balance of each invoice."""
    out = {invoice.id: Balance(invoice) for invoice in invoices}
    if not out:
        return out
    payments = {item.id: item for item in ctx.list(Payment, col(Payment.invoice_id).in_(list(out)))}
    for payment in payments.values():
        out[payment.invoice_id].paid += payment.amount
    if payments:
        for refund in ctx.list(Refund, col(Refund.payment_id).in_(list(payments))):
            out[payments[refund.payment_id].invoice_id].paid -= refund.amount
    for note in ctx.list(CreditNote, col(CreditNote.invoice_id).in_(list(out))):
        out[note.invoice_id].credited += note.amount
    return out


def balance(ctx: Context, invoice: Invoice) -> Balance:
    """The balance of one invoice."""
    return balances(ctx, [invoice])[invoice.id]


def settle(ctx: Context, invoice: Invoice) -> Balance:
    """Bring an issued invoice's status in line with its balance."""
    ctx.flush()
    now = balance(ctx, invoice)
    if now.due <= 0 and invoice.status in ("open", "uncollectible"):
        invoice.status, invoice.closed_at, invoice.closing_reason = "paid", ctx.now(), ""
    elif now.due > 0 and invoice.status == "paid":
        invoice.status, invoice.closed_at = "open", None
    return now


def rate_on(ctx: Context, currency: str, day: date) -> tuple[Decimal, date | None]:
    """What one unit of a currency was worth in the base currency on a day, and since when."""
    if currency == BASE_CURRENCY:
        return Decimal(1), None
    found = ctx.first(
        ExchangeRate,
        ExchangeRate.currency == currency,
        ExchangeRate.valid_from <= day,
        order_by=col(ExchangeRate.valid_from).desc(),
    )
    if found is None:
        ctx.fail("not_found", f"There is no exchange rate of {currency} for {day}.")
    return Decimal(str(found.rate)), found.valid_from


def in_base(ctx: Context, amount: Decimal, currency: str) -> Decimal:
    """An amount in the base currency at today's rate."""
    return cents(amount * rate_on(ctx, currency, ctx.today())[0])


def overdue_days(ctx: Context, invoice: Invoice) -> int:
    """Days since the due date of an open invoice; 0 when it is not overdue."""
    if invoice.status != "open" or invoice.due_date is None:
        return 0
    return max((ctx.today() - invoice.due_date).days, 0)
