"""Tools on invoices and their lines."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, Money, contains, tool
from services.billing.access import (
    customer_names,
    reader,
    shown_name,
    something,
    the_invoice,
    writer,
)
from services.billing.amounts import ZERO, balance, balances, overdue_days
from services.billing.lines import NewLine, checked, compute, invoice_lines, taxes_of
from services.billing.state import (
    Approval,
    CreditNote,
    Customer,
    Dispute,
    Invoice,
    InvoiceLine,
    Payment,
    Quote,
    Refund,
    Reminder,
)


def brief(ctx: Context, invoice: Invoice) -> dict[str, Any]:
    """An invoice's own fields and balance, for the result of a change."""
    return {
        **invoice.out(),
        "customer_name": ctx.require(Customer, invoice.customer_id).name,
        **balance(ctx, invoice).out(),
        "overdue_days": overdue_days(ctx, invoice),
    }


@tool
def list_invoices(
    ctx: Context,
    query: str | None = None,
    customer_id: str | None = None,
    status: str | None = None,
    overdue: bool | None = None,
    disputed: bool | None = None,
    issued_from: date | None = None,
    issued_to: date | None = None,
    due_from: date | None = None,
    due_to: date | None = None,
    currency: str | None = None,
    min_total: Money | None = None,
    max_total: Money | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List invoices, the newest first."""
    reader(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(
            or_(
                contains(Invoice.number, query),
                contains(Invoice.po_number, query),
                contains(Invoice.memo, query),
            )
        )
    for column, value in (
        (Invoice.customer_id, customer_id),
        (Invoice.status, status),
        (Invoice.currency, currency),
    ):
        if value is not None:
            where.append(column == value)
    if overdue is not None:
        late = (col(Invoice.status) == "open") & (col(Invoice.due_date) < ctx.today())
        where.append(late if overdue else or_(col(Invoice.due_date).is_(None), ~late))
    open_disputes = {item.invoice_id for item in ctx.list(Dispute, Dispute.status == "open")}
    if disputed is not None:
        among = col(Invoice.id).in_(sorted(open_disputes))
        where.append(among if disputed else ~among)
    bounds: tuple[tuple[Any, Any, Any], ...] = (
        (Invoice.issue_date, issued_from, issued_to),
        (Invoice.due_date, due_from, due_to),
        (Invoice.total, min_total, max_total),
    )
    for bounded, low, high in bounds:
        if low is not None:
            where.append(bounded >= low)
        if high is not None:
            where.append(bounded <= high)
    page = ctx.page(Invoice, *where, order_by=col(Invoice.created_at).desc(), limit=limit, cursor=cursor)
    names = customer_names(ctx, (item.customer_id for item in page.items))
    now = balances(ctx, page.items)
    return {
        "items": [
            {
                **item.out(),
                "customer_name": names[item.customer_id],
                **now[item.id].out(),
                "overdue_days": overdue_days(ctx, item),
                "disputed": item.id in open_disputes,
            }
            for item in page.items
        ],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Invoice, *where),
    }


@tool
def get_invoice(ctx: Context, invoice_id: str) -> Any:
    """One invoice with everything that hangs on it."""
    reader(ctx)
    invoice = the_invoice(ctx, invoice_id)
    lines = invoice_lines(ctx, invoice)
    payments = ctx.list(Payment, Payment.invoice_id == invoice.id, order_by=Payment.received_on)
    refunds: dict[str, list[dict[str, Any]]] = {}
    for refund in ctx.list(Refund, col(Refund.payment_id).in_([item.id for item in payments])):
        refunds.setdefault(refund.payment_id, []).append(refund.out("id", "amount", "reason", "refunded_at"))
    notes = ctx.list(CreditNote, CreditNote.invoice_id == invoice.id, order_by=CreditNote.issued_at)
    disputes = ctx.list(Dispute, Dispute.invoice_id == invoice.id, order_by=Dispute.opened_at)
    reminders = ctx.list(Reminder, Reminder.invoice_id == invoice.id, order_by=Reminder.level)
    approval = latest_approval(ctx, invoice)
    return {
        **brief(ctx, invoice),
        "disputed": any(item.status == "open" for item in disputes),
        "lines": [line.out(without=("invoice_id",)) for line in lines],
        "taxes": taxes_of(ctx, lines),
        "payments": [
            {
                **item.out("id", "amount", "method", "bank_reference", "received_on"),
                "refunds": refunds.get(item.id, []),
            }
            for item in payments
        ],
        "credit_notes": [item.out("id", "number", "amount", "reason", "issued_at") for item in notes],
        "disputes": [item.out(without=("invoice_id",)) for item in disputes],
        "reminders": [item.out("id", "level", "sent_to", "sent_at", "balance") for item in reminders],
        "approval": approval.out(without=("invoice_id",)) if approval else None,
    }


def latest_approval(ctx: Context, invoice: Invoice) -> Approval | None:
    """The newest request for approval of an invoice."""
    return ctx.first(Approval, Approval.invoice_id == invoice.id, order_by=col(Approval.requested_at).desc())


@tool
def create_invoice(
    ctx: Context,
    customer_id: str,
    lines: list[NewLine],
    po_number: str = "",
    memo: str = "",
    terms_days: int | None = None,
    discount_percent: Money = ZERO,
) -> Any:
    """Make a draft invoice."""
    me = writer(ctx)
    customer = ctx.require(Customer, customer_id)
    if customer.status == "archived":
        ctx.fail("conflict", f"{customer.name} is archived; make the customer active first.")
    values = checked(ctx, customer, lines)
    invoice = ctx.add(
        Invoice(
            id=ctx.new_id("inv"),
            customer_id=customer_id,
            status="draft",
            currency=customer.currency,
            terms_days=customer.terms_days if terms_days is None else terms_days,
            po_number=po_number.strip(),
            memo=memo,
            discount_percent=discount_percent,
            subtotal=ZERO,
            tax_total=ZERO,
            total=ZERO,
            created_by=me.id,
            created_at=ctx.now(),
        )
    )
    for position, value in enumerate(values, 1):
        ctx.add(InvoiceLine(id=ctx.new_id("iln"), invoice_id=invoice.id, position=position, **value))
    return _changed(ctx, invoice)


@tool
def update_invoice(
    ctx: Context,
    invoice_id: str,
    po_number: str | None = None,
    memo: str | None = None,
    terms_days: int | None = None,
    discount_percent: Money | None = None,
) -> Any:
    """Change a draft invoice."""
    writer(ctx)
    something(ctx, po_number, memo, terms_days, discount_percent)
    invoice = the_draft(ctx, invoice_id)
    if po_number is not None:
        invoice.po_number = po_number.strip()
    if memo is not None:
        invoice.memo = memo
    if terms_days is not None:
        invoice.terms_days = terms_days
    if discount_percent is not None:
        invoice.discount_percent = discount_percent
    return _changed(ctx, invoice)


@tool
def add_invoice_line(ctx: Context, invoice_id: str, line: NewLine) -> Any:
    """Add a line at the end of a draft invoice."""
    writer(ctx)
    invoice = the_draft(ctx, invoice_id)
    (value,) = checked(ctx, ctx.require(Customer, invoice.customer_id), [line])
    present = invoice_lines(ctx, invoice)
    position = present[-1].position + 1 if present else 1
    ctx.add(InvoiceLine(id=ctx.new_id("iln"), invoice_id=invoice.id, position=position, **value))
    return _changed(ctx, invoice)


@tool
def remove_invoice_line(ctx: Context, invoice_id: str, line_id: str) -> Any:
    """Take a line off a draft invoice; later lines move up."""
    writer(ctx)
    invoice = the_draft(ctx, invoice_id)
    line = ctx.get(InvoiceLine, line_id)
    if line is None or line.invoice_id != invoice.id:
        ctx.fail("not_found", f"There is no line {line_id!r} on {shown_name(invoice)}.")
    ctx.delete(line)
    for position, left in enumerate(invoice_lines(ctx, invoice), 1):
        left.position = position
    return _changed(ctx, invoice)


@tool
def delete_draft_invoice(ctx: Context, invoice_id: str) -> Any:
    """Delete a draft invoice; a quote that it came from is accepted again."""
    writer(ctx)
    invoice = the_draft(ctx, invoice_id)
    from_quote, key = invoice.quote_id, invoice.id
    ctx.delete(invoice)
    if from_quote is not None:
        ctx.require(Quote, from_quote).status = "accepted"
    return {"deleted": key}


def the_draft(ctx: Context, invoice_id: str) -> Invoice:
    """An invoice that can still be changed."""
    invoice = the_invoice(ctx, invoice_id)
    if invoice.status != "draft":
        ctx.fail(
            "conflict",
            f"The invoice {invoice.number} is {invoice.status}; only drafts can be changed. "
            "Correct an issued invoice with a credit note, or void it.",
        )
    return invoice


def _changed(ctx: Context, invoice: Invoice) -> dict[str, Any]:
    """Recompute a draft after a change; an approval of the earlier total is worth nothing then."""
    before = invoice.total
    compute(ctx, invoice)
    if invoice.total != before:
        for approval in ctx.list(
            Approval, Approval.invoice_id == invoice.id, col(Approval.status).in_(("pending", "approved"))
        ):
            approval.status = "withdrawn"
    lines = [line.out(without=("invoice_id",)) for line in invoice_lines(ctx, invoice)]
    return {**brief(ctx, invoice), "lines": lines}
