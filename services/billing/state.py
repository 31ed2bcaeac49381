"""Entities of the billing service."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from engine.kit import Entity, field, key, ref

BASE_CURRENCY = "USD"
"""The company's own currency: approval limits are in it, rates lead to it."""

TERMS = (0, 7, 14, 30, 45, 60)
METHODS = ("bank_transfer", "card", "cheque", "direct_debit", "cash")
DISPUTE_REASONS = ("wrong_quantity", "wrong_price", "damaged_goods", "not_delivered", "duplicate", "other")


class BillingEntity(Entity):
    """Base of this service's entities."""

    __service__ = "billing"


class Staff(BillingEntity, table=True):
    """A colleague with access to billing, and up to what amount they may decide."""

    id: str = key("stf")
    name: str = field("person", max_length=120)
    email: str = field("email", max_length=200, unique=True)
    role: str = field("category", choices=("finance_manager", "accountant", "clerk", "viewer"))
    limit_amount: Decimal = field("money", ge=0, description="in the base currency; finance managers have none")


class TaxRate(BillingEntity, table=True):
    """A tax rate that lines refer to."""

    id: str = key()
    name: str = field("name", max_length=80)
    country: str = field("code", max_length=2, default="")
    percent: Decimal = field("percent", ge=0, le=100)
    active: bool = field("flag", default=True)


class ExchangeRate(BillingEntity, table=True):
    """What one unit of a currency was worth in the base currency from a day on."""

    currency: str = field("currency", max_length=3, key=True)
    valid_from: date = field("date", key=True)
    rate: float = field("ratio", ge=0)


class Product(BillingEntity, table=True):
    """An article of the price list."""

    id: str = key("prd")
    sku: str = field("code", max_length=40, unique=True)
    name: str = field("name", max_length=120)
    description: str = field("text", max_length=1000, default="")
    category: str = field("category", max_length=40)
    unit: str = field("category", choices=("piece", "pair", "pack", "hour", "month"))
    active: bool = field("flag", default=True)


class Price(BillingEntity, table=True):
    """A product's list price in one currency."""

    product_id: str = ref("billing_product.id", key=True, on_delete="cascade")
    currency: str = field("currency", max_length=3, key=True)
    amount: Decimal = field("money", ge=0)


class Customer(BillingEntity, table=True):
    """Somebody who gets invoices."""

    id: str = key("cus")
    name: str = field("company", max_length=160, unique=True)
    contact_name: str = field("person", max_length=120)
    billing_email: str = field("email", max_length=200)
    address: str = field("address", max_length=300, default="")
    country: str = field("code", max_length=2)
    currency: str = field("currency", max_length=3)
    terms_days: int = field("quantity", ge=0, le=60)
    tax_rate_id: str = ref("billing_tax_rate.id")
    tax_number: str = field("code", max_length=40, default="")
    credit_limit: Decimal | None = field("money", ge=0, default=None)
    po_required: bool = field("flag", default=False)
    status: str = field("status", choices=("active", "on_hold", "archived"), default="active")
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")


class Quote(BillingEntity, table=True):
    """An offer with prices. Its figures follow from its lines."""

    id: str = key("qte")
    number: str = field("code", max_length=20, unique=True)
    customer_id: str = ref("billing_customer.id")
    status: str = field("status", choices=("draft", "sent", "accepted", "declined", "converted"))
    currency: str = field("currency", max_length=3)
    discount_percent: Decimal = field("percent", ge=0, le=100, default=Decimal(0))
    valid_until: date = field("date")
    memo: str = field("text", max_length=1000, default="")
    subtotal: Decimal = field("money")
    tax_total: Decimal = field("money")
    total: Decimal = field("money")
    created_by: str = ref("billing_staff.id")
    created_at: datetime = field("datetime", index=True)
    sent_at: datetime | None = field("datetime", default=None)
    decided_at: datetime | None = field("datetime", default=None)


class Invoice(BillingEntity, table=True):
    """A bill. It gets its number when it is finalized; its figures follow from its lines."""

    id: str = key("inv")
    number: str | None = field("code", max_length=20, unique=True, default=None)
    customer_id: str = ref("billing_customer.id")
    quote_id: str | None = ref("billing_quote.id", default=None)
    status: str = field("status", choices=("draft", "open", "paid", "void", "uncollectible"), index=True)
    currency: str = field("currency", max_length=3)
    terms_days: int = field("quantity", ge=0, le=60)
    issue_date: date | None = field("date", default=None)
    due_date: date | None = field("date", default=None)
    po_number: str = field("code", max_length=60, default="")
    memo: str = field("text", max_length=1000, default="")
    discount_percent: Decimal = field("percent", ge=0, le=100, default=Decimal(0))
    subtotal: Decimal = field("money")
    tax_total: Decimal = field("money")
    total: Decimal = field("money")
    closing_reason: str = field("text", max_length=500, default="")
    created_by: str = ref("billing_staff.id")
    created_at: datetime = field("datetime", index=True)
    finalized_at: datetime | None = field("datetime", default=None)
    closed_at: datetime | None = field("datetime", default=None)


class QuoteLine(BillingEntity, table=True):
    """A line of a quote."""

    id: str = key("qln")
    quote_id: str = ref("billing_quote.id", on_delete="cascade")
    position: int = field("quantity", ge=1)
    product_id: str | None = ref("billing_product.id", default=None)
    description: str = field("text", max_length=300)
    quantity: int = field("quantity", ge=1)
    unit_price: Decimal = field("money", ge=0)
    discount_percent: Decimal = field("percent", ge=0, le=100)
    tax_rate_id: str = ref("billing_tax_rate.id")
    net: Decimal = field("money")


class InvoiceLine(BillingEntity, table=True):
    """A line of an invoice."""

    id: str = key("iln")
    invoice_id: str = ref("billing_invoice.id", on_delete="cascade")
    position: int = field("quantity", ge=1)
    product_id: str | None = ref("billing_product.id", default=None)
    description: str = field("text", max_length=300)
    quantity: int = field("quantity", ge=1)
    unit_price: Decimal = field("money", ge=0)
    discount_percent: Decimal = field("percent", ge=0, le=100)
    tax_rate_id: str = ref("billing_tax_rate.id")
    net: Decimal = field("money")


class Approval(BillingEntity, table=True):
    """A request to approve a large draft invoice, and what became of it."""

    id: str = key("apr")
    invoice_id: str = ref("billing_invoice.id", on_delete="cascade")
    status: str = field("status", choices=("pending", "approved", "rejected", "withdrawn"))
    amount: Decimal = field("money")
    base_amount: Decimal = field("money", description="the amount in the base currency on that day")
    requested_by: str = ref("billing_staff.id")
    requested_at: datetime = field("datetime")
    decided_by: str | None = ref("billing_staff.id", default=None)
    decided_at: datetime | None = field("datetime", default=None)
    comment: str = field("text", max_length=500, default="")


class Payment(BillingEntity, table=True):
    """Money received for an invoice."""

    id: str = key("pay")
    invoice_id: str = ref("billing_invoice.id")
    customer_id: str = ref("billing_customer.id")
    amount: Decimal = field("money", ge=0.01)
    currency: str = field("currency", max_length=3)
    method: str = field("category", choices=METHODS)
    bank_reference: str = field("code", max_length=60, default="")
    received_on: date = field("date", index=True)
    recorded_by: str = ref("billing_staff.id")
    recorded_at: datetime = field("datetime")


class Refund(BillingEntity, table=True):
    """Money of a payment that was given back."""

    id: str = key("rfd")
    payment_id: str = ref("billing_payment.id")
    amount: Decimal = field("money", ge=0.01)
    reason: str = field("text", min_length=1, max_length=500)
    refunded_by: str = ref("billing_staff.id")
    refunded_at: datetime = field("datetime")


class Dispute(BillingEntity, table=True):
    """A customer's objection to an invoice."""

    id: str = key("dsp")
    invoice_id: str = ref("billing_invoice.id")
    status: str = field("status", choices=("open", "accepted", "rejected", "withdrawn"))
    reason: str = field("category", choices=DISPUTE_REASONS)
    amount: Decimal = field("money", ge=0.01)
    description: str = field("text", max_length=2000)
    raised_by: str = field("person", max_length=120, default="")
    opened_by: str = ref("billing_staff.id")
    opened_at: datetime = field("datetime", index=True)
    resolution: str = field("text", max_length=2000, default="")
    resolved_at: datetime | None = field("datetime", default=None)


class CreditNote(BillingEntity, table=True):
    """A document that lowers what is owed on an invoice."""

    id: str = key("crn")
    number: str = field("code", max_length=20, unique=True)
    invoice_id: str = ref("billing_invoice.id")
    dispute_id: str | None = ref("billing_dispute.id", default=None)
    amount: Decimal = field("money", ge=0.01)
    currency: str = field("currency", max_length=3)
    reason: str = field("text", min_length=1, max_length=500)
    issued_by: str = ref("billing_staff.id")
    issued_at: datetime = field("datetime")


class Reminder(BillingEntity, table=True):
    """A dunning letter for an overdue invoice."""

    id: str = key("rem")
    invoice_id: str = ref("billing_invoice.id")
    level: int = field("quantity", ge=1, le=3)
    sent_to: str = field("email", max_length=200)
    message: str = field("text", max_length=3000, default="")
    balance: Decimal = field("money")
    sent_by: str = ref("billing_staff.id")
    sent_at: datetime = field("datetime")
