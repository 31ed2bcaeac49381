"""Lines of quotes and invoices: from a caller's argument to checked values."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pydantic import BaseModel
from sqlmodel import col

from engine.kit import Context, Money
from services.billing.access import stated
from services.billing.amounts import MAX_TOTAL, ZERO, cents, retotal
from services.billing.state import (
    Customer,
    Invoice,
    InvoiceLine,
    Price,
    Product,
    Quote,
    QuoteLine,
    TaxRate,
)

MAX_LINES = 50


class NewLine(BaseModel):
    """A line as a caller gives it."""

    product_id: str | None = None
    description: str | None = None
    quantity: int
    unit_price: Money | None = None
    discount_percent: Money = ZERO
    tax_rate_id: str | None = None


def checked(ctx: Context, customer: Customer, lines: list[NewLine]) -> list[dict[str, Any]]:
    """Values of the lines, with descriptions and prices from the price list where none are given."""
    wanted = sorted({line.product_id for line in lines if line.product_id is not None})
    products = {row.id: row for row in ctx.list(Product, col(Product.id).in_(wanted))} if wanted else {}
    prices: dict[str, Decimal] = {}
    if wanted:
        listed = ctx.list(Price, col(Price.product_id).in_(wanted), Price.currency == customer.currency)
        prices = {row.product_id: row.amount for row in listed}
    rates = {row.id: row for row in ctx.list(TaxRate)}
    out = []
    for line in lines:
        price, text = line.unit_price, line.description
        if line.product_id is not None:
            product = products.get(line.product_id) or ctx.require(Product, line.product_id)
            if not product.active:
                ctx.fail("invalid", f"{product.name} ({product.id}) is no longer sold.")
            text = product.name if text is None else text
            price = prices.get(product.id) if price is None else price
            if price is None:
                ctx.fail("invalid", f"{product.name} has no list price in {customer.currency}; give a unit_price.")
        elif text is None or price is None:
            ctx.fail("invalid", "A line without product_id needs a description and a unit_price.")
        rate_id = customer.tax_rate_id if line.tax_rate_id is None else line.tax_rate_id
        rate = rates.get(rate_id) or ctx.require(TaxRate, rate_id)
        if not rate.active:
            ctx.fail("invalid", f"The tax rate {rate.id!r} is no longer in use.")
        out.append(
            {
                "product_id": line.product_id,
                "description": stated(ctx, "A line's description", text),
                "quantity": line.quantity,
                "unit_price": price,
                "discount_percent": line.discount_percent,
                "tax_rate_id": rate.id,
                "net": cents(line.quantity * price),
            }
        )
    return out


def invoice_lines(ctx: Context, invoice: Invoice) -> list[InvoiceLine]:
    """The lines of an invoice in order."""
    return ctx.list(InvoiceLine, InvoiceLine.invoice_id == invoice.id, order_by=InvoiceLine.position)


def quote_lines(ctx: Context, quote: Quote) -> list[QuoteLine]:
    """The lines of a quote in order."""
    return ctx.list(QuoteLine, QuoteLine.quote_id == quote.id, order_by=QuoteLine.position)


def compute(ctx: Context, document: Invoice | Quote) -> None:
    """Recompute a document's figures from its lines."""
    ctx.flush()
    lines = invoice_lines(ctx, document) if isinstance(document, Invoice) else quote_lines(ctx, document)
    if len(lines) > MAX_LINES:
        ctx.fail("limit", f"A document can have at most {MAX_LINES} lines.")
    retotal(document, lines, ctx.list(TaxRate))
    if document.total > MAX_TOTAL:
        ctx.fail("limit", f"The total would be above {MAX_TOTAL}; split the document.")
    ctx.flush()


def taxes_of(ctx: Context, lines: list[Any]) -> list[dict[str, Any]]:
    """The taxes by rate of lines whose nets are settled."""
    by_rate: dict[str, Decimal] = {}
    for line in lines:
        by_rate[line.tax_rate_id] = by_rate.get(line.tax_rate_id, ZERO) + line.net
    rates = ctx.list(TaxRate, col(TaxRate.id).in_(sorted(by_rate))) if by_rate else []
    return [
        {
            "tax_rate_id": rate.id,
            "percent": rate.percent,
            "net": by_rate[rate.id],
            "tax": cents(by_rate[rate.id] * rate.percent / 100),
        }
        for rate in rates
    ]
