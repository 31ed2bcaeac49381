"""Tools that take an invoice from draft to open and out of the books: approval, issue, void, write-off."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.billing.access import (
    customer_names,
    finance_managers,
    next_number,
    reader,
    shown_name,
    stated,
    the_invoice,
    within_limit,
    writer,
)
from services.billing.amounts import ZERO, balance, balances, in_base
from services.billing.invoices import brief, latest_approval, the_draft
from services.billing.lines import invoice_lines
from services.billing.state import BASE_CURRENCY, Approval, Customer, Dispute, Invoice, Staff

APPROVAL_ABOVE = Decimal("5000.00")
"""Draft invoices above this amount in the base currency need an approval."""

MAX_BACKDATING = 30


@tool
def request_approval(ctx: Context, invoice_id: str, comment: str = "") -> Any:
    """Ask for approval of a draft invoice."""
    me = writer(ctx)
    invoice = the_draft(ctx, invoice_id)
    last = latest_approval(ctx, invoice)
    if last is not None and last.status in ("pending", "approved"):
        ctx.fail("conflict", f"{shown_name(invoice)} has a request: {last.id}, {last.status}.")
    value = in_base(ctx, invoice.total, invoice.currency)
    if value <= APPROVAL_ABOVE:
        ctx.fail(
            "invalid",
            f"{value} {BASE_CURRENCY} needs no approval; amounts above {APPROVAL_ABOVE} do.",
        )
    approval = ctx.add(
        Approval(
            id=ctx.new_id("apr"),
            invoice_id=invoice.id,
            status="pending",
            amount=invoice.total,
            base_amount=value,
            requested_by=me.id,
            requested_at=ctx.now(),
            comment=comment,
        )
    )
    return {**approval.out(), "approvers": finance_managers(ctx)}


@tool
def list_approvals(ctx: Context, status: str | None = None, limit: int = 20, cursor: str | None = None) -> Any:
    """List requests for approval, the newest first."""
    reader(ctx)
    where = [Approval.status == status] if status is not None else []
    page = ctx.page(Approval, *where, order_by=col(Approval.requested_at).desc(), limit=limit, cursor=cursor)
    invoices = ctx.list(Invoice, col(Invoice.id).in_([item.invoice_id for item in page.items]))
    known = {invoice.id: invoice for invoice in invoices}
    names = customer_names(ctx, (invoice.customer_id for invoice in invoices))
    staff = {item.id: item.name for item in ctx.list(Staff)}
    return {
        "items": [
            {
                **item.out(),
                "requested_by_name": staff[item.requested_by],
                "customer_name": names[known[item.invoice_id].customer_id],
                "currency": known[item.invoice_id].currency,
            }
            for item in page.items
        ],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Approval, *where),
    }


@tool
def decide_approval(ctx: Context, approval_id: str, decision: str, comment: str = "") -> Any:
    """Approve or reject a pending request of somebody else."""
    me = writer(ctx)
    approval = ctx.require(Approval, approval_id)
    if approval.status != "pending":
        ctx.fail("conflict", f"The request {approval.id!r} is {approval.status} already.")
    if approval.requested_by == me.id:
        ctx.fail(
            "forbidden",
            f"Nobody decides their own request; ask a finance manager ({finance_managers(ctx)}).",
        )
    within_limit(ctx, me, approval.base_amount, BASE_CURRENCY, "An approval")
    approval.status = decision
    approval.decided_by = me.id
    approval.decided_at = ctx.now()
    if comment:
        approval.comment = comment
    return approval


@tool
def finalize_invoice(ctx: Context, invoice_id: str, issue_date: date | None = None) -> Any:
    """Issue a draft: it gets its number and due date and is owed from then on."""
    writer(ctx)
    invoice = the_draft(ctx, invoice_id)
    customer = ctx.require(Customer, invoice.customer_id)
    day = issue_date or ctx.today()
    if not ctx.today() - timedelta(days=MAX_BACKDATING) <= day <= ctx.today():
        ctx.fail("invalid", f"issue_date must lie within the last {MAX_BACKDATING} days, up to {ctx.today()}.")
    if not invoice_lines(ctx, invoice) or invoice.total <= 0:
        ctx.fail("invalid", f"{shown_name(invoice)} has a total of zero; add lines first.")
    if customer.status != "active":
        said = customer.status.replace("_", " ")
        ctx.fail("conflict", f"{customer.name} is {said}; no invoice can be issued before that changes.")
    if customer.po_required and not invoice.po_number:
        ctx.fail("conflict", f"{customer.name} needs a purchase order number; set po_number with update_invoice.")
    _approved(ctx, invoice)
    _within_credit(ctx, customer, invoice)
    invoice.number = next_number(ctx, Invoice, "INV-", 2001)
    invoice.status = "open"
    invoice.issue_date = day
    invoice.due_date = day + timedelta(days=invoice.terms_days)
    invoice.finalized_at = ctx.now()
    return brief(ctx, invoice)


def _approved(ctx: Context, invoice: Invoice) -> None:
    if in_base(ctx, invoice.total, invoice.currency) <= APPROVAL_ABOVE:
        return
    approval = latest_approval(ctx, invoice)
    if approval is None or approval.status != "approved" or approval.amount != invoice.total:
        stands = approval.status if approval else "missing"
        ctx.fail(
            "conflict",
            f"Invoices above {APPROVAL_ABOVE} {BASE_CURRENCY} need an approval; that of "
            f"{shown_name(invoice)} is {stands}. Use request_approval; {finance_managers(ctx)} can decide.",
        )


def _within_credit(ctx: Context, customer: Customer, invoice: Invoice) -> None:
    if customer.credit_limit is None:
        return
    issued = ctx.list(Invoice, Invoice.customer_id == customer.id, col(Invoice.status).in_(("open", "paid")))
    owed = sum((item.due for item in balances(ctx, issued).values()), ZERO)
    if owed + invoice.total > customer.credit_limit:
        ctx.fail(
            "limit",
            f"{customer.name} owes {owed} {invoice.currency}; with this invoice it would pass the limit "
            f"of {customer.credit_limit} {invoice.currency}.",
            owed=owed,
            credit_limit=customer.credit_limit,
        )


@tool
def void_invoice(ctx: Context, invoice_id: str, reason: str) -> Any:
    """Cancel an open invoice that nothing was paid or credited on; it keeps its number."""
    me = writer(ctx)
    invoice = the_invoice(ctx, invoice_id)
    reason = stated(ctx, "The reason", reason)
    if invoice.status != "open":
        way = "; delete it with delete_draft_invoice" if invoice.status == "draft" else ""
        ctx.fail("conflict", f"{shown_name(invoice)} is {invoice.status}; only open ones can be voided{way}.")
    now = balance(ctx, invoice)
    if now.paid or now.credited:
        ctx.fail("conflict", f"{invoice.number} has payments or credit notes; correct it with a credit note.")
    _no_dispute(ctx, invoice)
    within_limit(ctx, me, invoice.total, invoice.currency, "Voiding an invoice")
    invoice.status, invoice.closing_reason, invoice.closed_at = "void", reason, ctx.now()
    return brief(ctx, invoice)


@tool
def mark_uncollectible(ctx: Context, invoice_id: str, reason: str) -> Any:
    """Write off what is left of an overdue invoice."""
    me = writer(ctx)
    invoice = the_invoice(ctx, invoice_id)
    reason = stated(ctx, "The reason", reason)
    if invoice.status != "open" or invoice.due_date is None or invoice.due_date >= ctx.today():
        ctx.fail("conflict", f"{shown_name(invoice)} is not an overdue open invoice, so it cannot be written off.")
    _no_dispute(ctx, invoice)
    within_limit(ctx, me, balance(ctx, invoice).due, invoice.currency, "A write-off")
    invoice.status, invoice.closing_reason, invoice.closed_at = "uncollectible", reason, ctx.now()
    return brief(ctx, invoice)


def _no_dispute(ctx: Context, invoice: Invoice) -> None:
    found = ctx.first(Dispute, Dispute.invoice_id == invoice.id, Dispute.status == "open")
    if found is not None:
        ctx.fail("conflict", f"{invoice.number} is disputed; resolve the dispute {found.id!r} first.")
