"""Billing as a place of scenarios: customers, quotes and invoices with sums that are right."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import services.billing
from engine.kit.cast import Person
from services.billing.amounts import ZERO, in_steps, retotal
from services.billing.state import Invoice, InvoiceLine, Quote, QuoteLine, TaxRate
from tasks.authoring.draft import Draft

_DATA: dict[str, Any] = json.loads(
    (Path(services.billing.__file__).parent / "seed_data.json").read_text(encoding="utf-8")
)
_PRODUCTS = {row[0]: (f"prd_{number:04d}", row[1], Decimal(row[4])) for number, row in enumerate(_DATA["products"], 1)}
_RATES = [
    TaxRate(id=key, name=name, country=country, percent=Decimal(percent), active=active)
    for key, name, country, percent, active in _DATA["tax_rates"]
]

SKUS: tuple[str, ...] = tuple(sku for sku in _PRODUCTS if sku not in ("CAP-OLD", "EMB-SET", "CAR-MON", "FIT-DAY"))
"""Articles that are sold by the piece."""


def price(sku: str, currency: str) -> Decimal:
    """The list price of an article."""
    return in_steps(_PRODUCTS[sku][2] * Decimal(_DATA["price_factors"][currency]))


def product(d: Draft, sku: str, name: str, prices: Mapping[str, Decimal], description: str) -> str:
    """Plant an article with its list prices by currency; gives the id."""
    key = d.key("prd")
    d.plant("billing_product", id=key, sku=sku, name=name, description=description, category="workwear", unit="piece")
    for currency, amount in prices.items():
        d.plant("billing_price", product_id=key, currency=currency, amount=amount)
    return key


def customer(
    d: Draft,
    name: str,
    contact: Person,
    *,
    currency: str = "EUR",
    terms: int = 30,
    tax: str = "zero",
    address: str = "",
    limit: Decimal | None = None,
    tax_number: str = "",
) -> str:
    """Plant a customer who owes nothing; gives the id."""
    key = d.key("cus")
    d.plant(
        "billing_customer",
        id=key,
        name=name,
        contact_name=contact.name,
        billing_email=contact.email,
        address=address,
        country={"EUR": "NL", "GBP": "GB", "USD": "US", "CAD": "CA", "AUD": "AU"}[currency],
        currency=currency,
        terms_days=terms,
        tax_rate_id=tax,
        tax_number=tax_number,
        credit_limit=limit,
        created_at=d.ago(200),
        updated_at=d.ago(60),
    )
    return key


def quote(
    d: Draft,
    number: str,
    customer_id: str,
    lines: Sequence[tuple[str, int]],
    *,
    currency: str = "EUR",
    status: str = "draft",
    memo: str = "",
    days_ago: int = 4,
    valid_days: int = 26,
    tax: str = "zero",
    described: str = "",
) -> tuple[str, Decimal]:
    """Plant a quote with lines of article and quantity; gives the id and the total.

    Args:
        described: what its lines are called instead of the article's name.
    """
    document = Quote(
        id=d.key("qte"),
        number=number,
        customer_id=customer_id,
        status=status,
        currency=currency,
        valid_until=d.on(valid_days),
        memo=memo,
        subtotal=ZERO,
        tax_total=ZERO,
        total=ZERO,
        created_by="stf_dario",
        created_at=d.ago(days_ago, 10),
        sent_at=None if status == "draft" else d.ago(days_ago, 15),
        decided_at=None if status in ("draft", "sent") else d.ago(1, 11),
    )
    rows = [
        QuoteLine(id=d.key("qln"), quote_id=document.id, **values | ({"description": described} if described else {}))
        for values in (_line(place, line, currency, tax) for place, line in enumerate(lines, 1))
    ]
    retotal(document, rows, _RATES)
    d.plant("billing_quote", **document.values())
    for row in rows:
        d.plant("billing_quote_line", **row.values())
    return document.id, document.total


def invoice(
    d: Draft,
    number: str | None,
    customer_id: str,
    lines: Sequence[tuple[str, int]],
    *,
    currency: str = "EUR",
    days_ago: int = 10,
    terms: int = 30,
    po_number: str = "",
    memo: str = "",
    tax: str = "zero",
    paid_days_ago: int | None = None,
) -> tuple[str, Decimal]:
    """Plant an open invoice, a paid one, or without number a draft; gives the id and the total."""
    issued = d.on(-days_ago) if number else None
    document = Invoice(
        id=d.key("inv"),
        number=number,
        customer_id=customer_id,
        status="draft" if number is None else "open" if paid_days_ago is None else "paid",
        currency=currency,
        terms_days=terms,
        issue_date=issued,
        due_date=issued + timedelta(days=terms) if issued else None,
        po_number=po_number,
        memo=memo,
        subtotal=ZERO,
        tax_total=ZERO,
        total=ZERO,
        created_by="stf_dario",
        created_at=d.ago(days_ago, 10),
        finalized_at=d.ago(days_ago, 11) if number else None,
        closed_at=None if paid_days_ago is None else d.ago(paid_days_ago, 12),
    )
    rows = [
        InvoiceLine(id=d.key("iln"), invoice_id=document.id, **values)
        for values in (_line(place, line, currency, tax) for place, line in enumerate(lines, 1))
    ]
    retotal(document, rows, _RATES)
    d.plant("billing_invoice", **document.values())
    for row in rows:
        d.plant("billing_invoice_line", **row.values())
    if paid_days_ago is not None:
        d.plant(
            "billing_payment",
            id=d.key("pay"),
            invoice_id=document.id,
            customer_id=customer_id,
            amount=document.total,
            currency=currency,
            method="bank_transfer",
            received_on=d.on(-paid_days_ago),
            recorded_by="stf_dario",
            recorded_at=d.ago(paid_days_ago, 12),
        )
    return document.id, document.total


def quote_numbers(d: Draft, count: int) -> list[str]:
    """Numbers of quotes that the seed data do not have."""
    return [f"Q-{number}" for number in d.rng.sample(range(312, 390), count)]


def invoice_numbers(d: Draft, count: int) -> list[str]:
    """Numbers of invoices that the seed data do not have."""
    return [f"INV-{number}" for number in d.rng.sample(range(2052, 2190), count)]


def _line(position: int, line: tuple[str, int], currency: str, tax: str) -> dict[str, Any]:
    sku, quantity = line
    product_id, name, _ = _PRODUCTS[sku]
    return {
        "position": position,
        "product_id": product_id,
        "description": name,
        "quantity": quantity,
        "unit_price": price(sku, currency),
        "discount_percent": ZERO,
        "tax_rate_id": tax,
        "net": ZERO,
    }
