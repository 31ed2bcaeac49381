"""Tools on invoices that are disputed or late: disputes and reminders."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlmodel import col

from engine.kit import Context, Money, tool
from services.billing.access import customer_names, reader, shown_name, stated, the_invoice, writer
from services.billing.amounts import balance, overdue_days, settle
from services.billing.payments import credit
from services.billing.state import Customer, Dispute, Invoice, Reminder

REMINDER_AFTER = {1: 1, 2: 14, 3: 30}
"""Days after the due date from which each level of reminder may be sent."""

REMINDER_PAUSE = timedelta(days=7)


@tool
def open_dispute(
    ctx: Context,
    invoice_id: str,
    reason: str,
    description: str,
    amount: Money | None = None,
    raised_by: str = "",
) -> Any:
    """Record that a customer objects to an open invoice."""
    me = writer(ctx)
    invoice = the_invoice(ctx, invoice_id)
    description = stated(ctx, "The description", description)
    if invoice.status != "open":
        ctx.fail("conflict", f"{shown_name(invoice)} is {invoice.status}; only open invoices can be disputed.")
    present = ctx.first(Dispute, Dispute.invoice_id == invoice.id, Dispute.status == "open")
    if present is not None:
        ctx.fail("conflict", f"{invoice.number} is disputed already ({present.id}); resolve that dispute first.")
    due = balance(ctx, invoice).due
    disputed = due if amount is None else amount
    if disputed > due:
        ctx.fail("invalid", f"Only {due} {invoice.currency} is owed on {invoice.number}; dispute at most that.")
    return ctx.add(
        Dispute(
            id=ctx.new_id("dsp"),
            invoice_id=invoice.id,
            status="open",
            reason=reason,
            amount=disputed,
            description=description,
            raised_by=raised_by.strip(),
            opened_by=me.id,
            opened_at=ctx.now(),
        )
    )


@tool
def resolve_dispute(
    ctx: Context, dispute_id: str, outcome: str, resolution: str, credit_amount: Money | None = None
) -> Any:
    """End a dispute; accepting it issues a credit note."""
    me = writer(ctx)
    dispute = ctx.require(Dispute, dispute_id)
    resolution = stated(ctx, "The resolution", resolution)
    if dispute.status != "open":
        ctx.fail("conflict", f"The dispute {dispute.id!r} is {dispute.status} already.")
    if outcome != "accepted" and credit_amount is not None:
        ctx.fail("invalid", "credit_amount goes only with the outcome accepted.")
    invoice = ctx.require(Invoice, dispute.invoice_id)
    note = None
    if outcome == "accepted":
        amount = dispute.amount if credit_amount is None else credit_amount
        if amount > dispute.amount:
            ctx.fail("invalid", f"Only {dispute.amount} {invoice.currency} is disputed; credit at most that.")
        note = credit(ctx, me, invoice, amount, f"Dispute accepted: {resolution}"[:500], dispute.id)
    dispute.status, dispute.resolution, dispute.resolved_at = outcome, resolution, ctx.now()
    now = settle(ctx, invoice)
    return {
        **dispute.out(),
        "credit_note": note.out("id", "number", "amount") if note else None,
        "invoice_number": invoice.number,
        "invoice_status": invoice.status,
        **now.out(),
    }


@tool
def list_disputes(
    ctx: Context,
    status: str | None = None,
    customer_id: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List disputes, the newest first."""
    reader(ctx)
    where: list[Any] = []
    if status is not None:
        where.append(Dispute.status == status)
    if customer_id is not None:
        mine = ctx.list(Invoice, Invoice.customer_id == customer_id)
        where.append(col(Dispute.invoice_id).in_([item.id for item in mine]))
    page = ctx.page(Dispute, *where, order_by=col(Dispute.opened_at).desc(), limit=limit, cursor=cursor)
    invoices = {
        item.id: item for item in ctx.list(Invoice, col(Invoice.id).in_([item.invoice_id for item in page.items]))
    }
    names = customer_names(ctx, (item.customer_id for item in invoices.values()))
    return {
        "items": [
            {
                **item.out(),
                "invoice_number": invoices[item.invoice_id].number,
                "currency": invoices[item.invoice_id].currency,
                "customer_name": names[invoices[item.invoice_id].customer_id],
            }
            for item in page.items
        ],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Dispute, *where),
    }


@tool
def send_reminder(ctx: Context, invoice_id: str, message: str = "", to: str | None = None) -> Any:
    """Send the next reminder for an overdue invoice."""
    me = writer(ctx)
    invoice = the_invoice(ctx, invoice_id)
    days = overdue_days(ctx, invoice)
    if not days:
        ctx.fail("conflict", f"{shown_name(invoice)} is not overdue, so there is nothing to remind of.")
    if ctx.exists(Dispute, Dispute.invoice_id == invoice.id, Dispute.status == "open"):
        ctx.fail("conflict", f"{invoice.number} is disputed; no reminders go out until the dispute is resolved.")
    last = ctx.first(Reminder, Reminder.invoice_id == invoice.id, order_by=col(Reminder.level).desc())
    level = last.level + 1 if last else 1
    if level not in REMINDER_AFTER:
        ctx.fail("limit", f"{invoice.number} has had its last reminder; collect or write off what is owed.")
    if days < REMINDER_AFTER[level]:
        ctx.fail(
            "conflict",
            f"Reminder {level} goes out {REMINDER_AFTER[level]} days after the due date; "
            f"{invoice.number} is {days} day(s) overdue.",
        )
    if last is not None and ctx.now() - last.sent_at < REMINDER_PAUSE:
        ctx.fail("conflict", f"The last reminder for {invoice.number} is less than {REMINDER_PAUSE.days} days old.")
    customer = ctx.require(Customer, invoice.customer_id)
    reminder = ctx.add(
        Reminder(
            id=ctx.new_id("rem"),
            invoice_id=invoice.id,
            level=level,
            sent_to=(to or customer.billing_email).strip().lower(),
            message=message,
            balance=balance(ctx, invoice).due,
            sent_by=me.id,
            sent_at=ctx.now(),
        )
    )
    return {**reminder.out(), "invoice_number": invoice.number, "overdue_days": days}
