"""Tools on money that came in and went back: payments, refunds, credit notes."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context, Money, contains, tool
from services.billing.access import (
    customer_names,
    next_number,
    reader,
    shown_name,
    stated,
    the_invoice,
    within_limit,
    writer,
)
from services.billing.amounts import ZERO, balance, settle
from services.billing.state import CreditNote, Invoice, Payment, Refund, Staff


@tool
def record_payment(
    ctx: Context,
    invoice_id: str,
    amount: Money,
    method: str,
    received_on: date | None = None,
    bank_reference: str = "",
) -> Any:
    """Record money received for an invoice; the last of it makes the invoice paid."""
    me = writer(ctx)
    invoice = the_invoice(ctx, invoice_id)
    if invoice.status not in ("open", "uncollectible"):
        way = "finalize it first" if invoice.status == "draft" else "nothing is owed on it"
        ctx.fail("conflict", f"{shown_name(invoice)} is {invoice.status}; {way}.")
    due = balance(ctx, invoice).due
    if amount > due:
        ctx.fail(
            "invalid",
            f"{amount} is more than the {due} {invoice.currency} owed on {invoice.number}.",
            due=due,
        )
    day = received_on or ctx.today()
    if day > ctx.today():
        ctx.fail("invalid", f"received_on lies in the future (today is {ctx.today()}).")
    payment = ctx.add(
        Payment(
            id=ctx.new_id("pay"),
            invoice_id=invoice.id,
            customer_id=invoice.customer_id,
            amount=amount,
            currency=invoice.currency,
            method=method,
            bank_reference=bank_reference.strip(),
            received_on=day,
            recorded_by=me.id,
            recorded_at=ctx.now(),
        )
    )
    return {**payment.out(), **_after(ctx, invoice)}


def _after(ctx: Context, invoice: Invoice) -> dict[str, Any]:
    now = settle(ctx, invoice)
    return {"invoice_number": invoice.number, "invoice_status": invoice.status, **now.out()}


def _refunded(ctx: Context, payment_ids: list[str]) -> dict[str, Decimal]:
    out: dict[str, Decimal] = {}
    for refund in ctx.list(Refund, col(Refund.payment_id).in_(payment_ids)):
        out[refund.payment_id] = out.get(refund.payment_id, ZERO) + refund.amount
    return out


@tool
def list_payments(
    ctx: Context,
    query: str | None = None,
    customer_id: str | None = None,
    invoice_id: str | None = None,
    method: str | None = None,
    received_from: date | None = None,
    received_to: date | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List payments, those received last first."""
    reader(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(contains(Payment.bank_reference, query))
    if customer_id is not None:
        where.append(Payment.customer_id == customer_id)
    if invoice_id is not None:
        where.append(Payment.invoice_id == the_invoice(ctx, invoice_id).id)
    if method is not None:
        where.append(Payment.method == method)
    if received_from is not None:
        where.append(Payment.received_on >= received_from)
    if received_to is not None:
        where.append(Payment.received_on <= received_to)
    page = ctx.page(Payment, *where, order_by=col(Payment.received_on).desc(), limit=limit, cursor=cursor)
    names = customer_names(ctx, (item.customer_id for item in page.items))
    invoices = ctx.list(Invoice, col(Invoice.id).in_([item.invoice_id for item in page.items]))
    numbers = {item.id: item.number for item in invoices}
    refunded = _refunded(ctx, [item.id for item in page.items])
    return {
        "items": [
            {
                **item.out(),
                "customer_name": names[item.customer_id],
                "invoice_number": numbers[item.invoice_id],
                "refunded": refunded.get(item.id, ZERO),
            }
            for item in page.items
        ],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Payment, *where),
    }


@tool
def refund_payment(ctx: Context, payment_id: str, reason: str, amount: Money | None = None) -> Any:
    """Give back a payment or a part of it."""
    me = writer(ctx)
    payment = ctx.require(Payment, payment_id)
    reason = stated(ctx, "The reason", reason)
    left = payment.amount - _refunded(ctx, [payment.id]).get(payment.id, ZERO)
    if left <= 0:
        ctx.fail("conflict", f"The payment {payment.id!r} has been refunded in full.")
    giving = left if amount is None else amount
    if giving > left:
        ctx.fail(
            "invalid",
            f"Only {left} {payment.currency} of the payment {payment.id!r} can be refunded.",
            left=left,
        )
    within_limit(ctx, me, giving, payment.currency, "A refund")
    refund = ctx.add(
        Refund(
            id=ctx.new_id("rfd"),
            payment_id=payment.id,
            amount=giving,
            reason=reason,
            refunded_by=me.id,
            refunded_at=ctx.now(),
        )
    )
    return {**refund.out(), **_after(ctx, ctx.require(Invoice, payment.invoice_id))}


@tool
def create_credit_note(ctx: Context, invoice_id: str, amount: Money, reason: str) -> Any:
    """Lower what is owed on an open or paid invoice."""
    me = writer(ctx)
    invoice = the_invoice(ctx, invoice_id)
    note = credit(ctx, me, invoice, amount, reason)
    return {**note.out(), **_after(ctx, invoice)}


def credit(
    ctx: Context, me: Staff, invoice: Invoice, amount: Decimal, reason: str, dispute_id: str | None = None
) -> CreditNote:
    """Issue a credit note, within the rules that hold for all of them."""
    reason = stated(ctx, "The reason", reason)
    if invoice.status not in ("open", "paid"):
        ctx.fail("conflict", f"{shown_name(invoice)} is {invoice.status}; only open or paid invoices take credit.")
    left = invoice.total - balance(ctx, invoice).credited
    if amount > left:
        ctx.fail(
            "invalid",
            f"At most {left} {invoice.currency} of {invoice.number} can still be credited.",
            left=left,
        )
    within_limit(ctx, me, amount, invoice.currency, "A credit note")
    return ctx.add(
        CreditNote(
            id=ctx.new_id("crn"),
            number=next_number(ctx, CreditNote, "CN-", 101),
            invoice_id=invoice.id,
            dispute_id=dispute_id,
            amount=amount,
            currency=invoice.currency,
            reason=reason,
            issued_by=me.id,
            issued_at=ctx.now(),
        )
    )
