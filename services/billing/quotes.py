"""Tools on quotes."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, Money, contains, tool
from services.billing.access import customer_names, next_number, reader, something, the_quote, writer
from services.billing.amounts import ZERO
from services.billing.lines import NewLine, checked, compute, quote_lines, taxes_of
from services.billing.state import Customer, Invoice, InvoiceLine, Quote, QuoteLine


def _expired(ctx: Context, quote: Quote) -> bool:
    return quote.status == "sent" and quote.valid_until < ctx.today()


def _full(ctx: Context, quote: Quote) -> dict[str, Any]:
    lines = quote_lines(ctx, quote)
    invoice = ctx.first(Invoice, Invoice.quote_id == quote.id)
    return {
        **quote.out(),
        "customer_name": ctx.require(Customer, quote.customer_id).name,
        "expired": _expired(ctx, quote),
        "lines": [line.out(without=("quote_id",)) for line in lines],
        "taxes": taxes_of(ctx, lines),
        "invoice_id": invoice.id if invoice else None,
    }


@tool
def list_quotes(
    ctx: Context,
    query: str | None = None,
    customer_id: str | None = None,
    status: str | None = None,
    expired: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List quotes, the newest first."""
    reader(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(or_(contains(Quote.number, query), contains(Quote.memo, query)))
    if customer_id is not None:
        where.append(Quote.customer_id == customer_id)
    if status is not None:
        where.append(Quote.status == status)
    if expired is not None:
        late = (col(Quote.status) == "sent") & (col(Quote.valid_until) < ctx.today())
        where.append(late if expired else ~late)
    page = ctx.page(Quote, *where, order_by=col(Quote.created_at).desc(), limit=limit, cursor=cursor)
    names = customer_names(ctx, (quote.customer_id for quote in page.items))
    return {
        "items": [
            {**quote.out(), "customer_name": names[quote.customer_id], "expired": _expired(ctx, quote)}
            for quote in page.items
        ],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Quote, *where),
    }


@tool
def get_quote(ctx: Context, quote_id: str) -> Any:
    """One quote with its lines and taxes."""
    reader(ctx)
    return _full(ctx, the_quote(ctx, quote_id))


@tool
def create_quote(
    ctx: Context,
    customer_id: str,
    lines: list[NewLine],
    valid_until: date | None = None,
    discount_percent: Money = ZERO,
    memo: str = "",
) -> Any:
    """Make a draft quote."""
    me = writer(ctx)
    customer = ctx.require(Customer, customer_id)
    if customer.status == "archived":
        ctx.fail("conflict", f"{customer.name} is archived; make the customer active first.")
    values = checked(ctx, customer, lines)
    quote = ctx.add(
        Quote(
            id=ctx.new_id("qte"),
            number=next_number(ctx, Quote, "Q-", 301),
            customer_id=customer_id,
            status="draft",
            currency=customer.currency,
            discount_percent=discount_percent,
            valid_until=_valid(ctx, valid_until or ctx.today() + timedelta(days=30)),
            memo=memo,
            subtotal=ZERO,
            tax_total=ZERO,
            total=ZERO,
            created_by=me.id,
            created_at=ctx.now(),
        )
    )
    for position, value in enumerate(values, 1):
        ctx.add(QuoteLine(id=ctx.new_id("qln"), quote_id=quote.id, position=position, **value))
    compute(ctx, quote)
    return _full(ctx, quote)


@tool
def update_quote(
    ctx: Context,
    quote_id: str,
    lines: list[NewLine] | None = None,
    valid_until: date | None = None,
    discount_percent: Money | None = None,
    memo: str | None = None,
) -> Any:
    """Change a draft quote, or prolong a sent one."""
    writer(ctx)
    something(ctx, lines, valid_until, discount_percent, memo)
    quote = the_quote(ctx, quote_id)
    only_date = lines is None and discount_percent is None and memo is None
    if quote.status != "draft" and not (quote.status == "sent" and only_date):
        allowed = "only valid_until can change" if quote.status == "sent" else "it cannot be changed"
        ctx.fail("conflict", f"The quote {quote.number} is {quote.status}; {allowed}.")
    if valid_until is not None:
        quote.valid_until = _valid(ctx, valid_until)
    if discount_percent is not None:
        quote.discount_percent = discount_percent
    if memo is not None:
        quote.memo = memo
    if lines is not None:
        values = checked(ctx, ctx.require(Customer, quote.customer_id), lines)
        for line in quote_lines(ctx, quote):
            ctx.delete(line)
        for position, value in enumerate(values, 1):
            ctx.add(QuoteLine(id=ctx.new_id("qln"), quote_id=quote.id, position=position, **value))
    compute(ctx, quote)
    return _full(ctx, quote)


@tool
def send_quote(ctx: Context, quote_id: str) -> Any:
    """Mark a draft quote as sent to the customer."""
    writer(ctx)
    quote = the_quote(ctx, quote_id)
    if quote.status != "draft":
        ctx.fail("conflict", f"The quote {quote.number} is {quote.status}; only drafts can be sent.")
    if quote.total <= 0:
        ctx.fail("invalid", f"The quote {quote.number} has a total of zero.")
    _valid(ctx, quote.valid_until)
    quote.status, quote.sent_at = "sent", ctx.now()
    return _full(ctx, quote)


@tool
def decide_quote(ctx: Context, quote_id: str, decision: str) -> Any:
    """Record that the customer accepted or declined a sent quote."""
    writer(ctx)
    quote = the_quote(ctx, quote_id)
    if quote.status != "sent":
        ctx.fail("conflict", f"The quote {quote.number} is {quote.status}; only sent quotes can be decided.")
    if decision == "accepted" and _expired(ctx, quote):
        ctx.fail(
            "conflict",
            f"The quote {quote.number} expired on {quote.valid_until}; prolong it with update_quote first.",
        )
    quote.status, quote.decided_at = decision, ctx.now()
    return _full(ctx, quote)


@tool
def convert_quote(ctx: Context, quote_id: str, po_number: str = "") -> Any:
    """Make a draft invoice of an accepted quote."""
    me = writer(ctx)
    quote = the_quote(ctx, quote_id)
    if quote.status != "accepted":
        ctx.fail("conflict", f"The quote {quote.number} is {quote.status}; only accepted quotes can be converted.")
    customer = ctx.require(Customer, quote.customer_id)
    if customer.status == "archived":
        ctx.fail("conflict", f"{customer.name} is archived; make the customer active first.")
    quote.status = "converted"
    invoice = ctx.add(
        Invoice(
            id=ctx.new_id("inv"),
            customer_id=customer.id,
            quote_id=quote.id,
            status="draft",
            currency=quote.currency,
            terms_days=customer.terms_days,
            po_number=po_number.strip(),
            memo=quote.memo,
            discount_percent=quote.discount_percent,
            subtotal=ZERO,
            tax_total=ZERO,
            total=ZERO,
            created_by=me.id,
            created_at=ctx.now(),
        )
    )
    for line in quote_lines(ctx, quote):
        values = line.out(without=("id", "quote_id"))
        ctx.add(InvoiceLine(id=ctx.new_id("iln"), invoice_id=invoice.id, **values))
    compute(ctx, invoice)
    return {
        "quote_id": quote.id,
        "quote_status": quote.status,
        "invoice_id": invoice.id,
        **invoice.out("status", "currency", "subtotal", "tax_total", "total"),
    }


def _valid(ctx: Context, valid_until: date) -> date:
    if valid_until < ctx.today():
        ctx.fail("invalid", f"valid_until {valid_until} lies in the past (today is {ctx.today()}).")
    return valid_until
