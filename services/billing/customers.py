"""Tools on customers and the price list."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import or_
from sqlmodel import col

from engine.kit import Context, Money, contains, tool
from services.billing.access import reader, something, stated, writer
from services.billing.amounts import ZERO, balances, cents, overdue_days, rate_on
from services.billing.state import BASE_CURRENCY, Customer, Dispute, Invoice, Price, Product, TaxRate


@tool
def list_customers(
    ctx: Context,
    query: str | None = None,
    status: str | None = None,
    currency: str | None = None,
    country: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List customers by name."""
    reader(ctx)
    where: list[Any] = []
    if query is not None:
        where.append(
            or_(
                contains(Customer.name, query),
                contains(Customer.contact_name, query),
                contains(Customer.billing_email, query),
            )
        )
    for column, value in (
        (Customer.status, status),
        (Customer.currency, currency),
        (Customer.country, country),
    ):
        if value is not None:
            where.append(column == value)
    page = ctx.page(Customer, *where, order_by=Customer.name, limit=limit, cursor=cursor)
    return {**page.out(), "total": ctx.count(Customer, *where)}


@tool
def get_customer(ctx: Context, customer_id: str) -> Any:
    """One customer with what they owe."""
    reader(ctx)
    customer = ctx.require(Customer, customer_id)
    invoices = ctx.list(Invoice, Invoice.customer_id == customer_id, col(Invoice.status).in_(("open", "paid")))
    now = balances(ctx, invoices)
    late = [now[item.id].due for item in invoices if overdue_days(ctx, item)]
    disputes = ctx.count(Dispute, col(Dispute.invoice_id).in_([item.id for item in invoices]), Dispute.status == "open")
    return {
        **customer.out(),
        "balance": sum((item.due for item in now.values()), ZERO),
        "overdue_balance": sum(late, ZERO),
        "open_invoices": sum(item.status == "open" for item in invoices),
        "overdue_invoices": len(late),
        "open_disputes": disputes,
    }


@tool
def create_customer(
    ctx: Context,
    name: str,
    contact_name: str,
    billing_email: str,
    country: str,
    currency: str,
    tax_rate_id: str,
    terms_days: int = 30,
    address: str = "",
    tax_number: str = "",
    credit_limit: Money | None = None,
    po_required: bool = False,
) -> Any:
    """Add a customer."""
    writer(ctx)
    name = stated(ctx, "The name", name)
    if (other := ctx.first(Customer, Customer.name == name)) is not None:
        ctx.fail("conflict", f"There already is a customer {name!r} ({other.id}).", customer_id=other.id)
    return ctx.add(
        Customer(
            id=ctx.new_id("cus"),
            name=name,
            contact_name=stated(ctx, "The contact's name", contact_name),
            billing_email=billing_email.strip().lower(),
            address=address.strip(),
            country=country,
            currency=currency,
            terms_days=terms_days,
            tax_rate_id=_usable_rate(ctx, tax_rate_id),
            tax_number=tax_number.strip(),
            credit_limit=credit_limit,
            po_required=po_required,
            created_at=ctx.now(),
            updated_at=ctx.now(),
        )
    )


@tool
def update_customer(
    ctx: Context,
    customer_id: str,
    contact_name: str | None = None,
    billing_email: str | None = None,
    address: str | None = None,
    terms_days: int | None = None,
    tax_rate_id: str | None = None,
    tax_number: str | None = None,
    credit_limit: Money | None = None,
    remove_credit_limit: bool = False,
    po_required: bool | None = None,
    status: str | None = None,
) -> Any:
    """Change a customer; documents that exist already keep their terms and taxes."""
    writer(ctx)
    something(
        ctx,
        contact_name,
        billing_email,
        address,
        terms_days,
        tax_rate_id,
        tax_number,
        credit_limit,
        remove_credit_limit or None,
        po_required,
        status,
    )
    customer = ctx.require(Customer, customer_id)
    if contact_name is not None:
        customer.contact_name = stated(ctx, "The contact's name", contact_name)
    if billing_email is not None:
        customer.billing_email = billing_email.strip().lower()
    if tax_rate_id is not None:
        customer.tax_rate_id = _usable_rate(ctx, tax_rate_id)
    if credit_limit is not None and remove_credit_limit:
        ctx.fail("invalid", "Give either credit_limit or remove_credit_limit, not both.")
    if credit_limit is not None or remove_credit_limit:
        customer.credit_limit = credit_limit
    if status == "archived":
        unsettled = ctx.count(Invoice, Invoice.customer_id == customer_id, col(Invoice.status).in_(("draft", "open")))
        if unsettled:
            ctx.fail(
                "conflict",
                f"{customer.name} still has {unsettled} draft or open invoice(s); settle those first.",
            )
    given = {"address": address, "terms_days": terms_days, "tax_number": tax_number}
    given |= {"po_required": po_required, "status": status}
    for name, value in given.items():
        if value is not None:
            setattr(customer, name, value)
    customer.updated_at = ctx.now()
    return customer


def _usable_rate(ctx: Context, tax_rate_id: str) -> str:
    rate = ctx.require(TaxRate, tax_rate_id)
    if not rate.active:
        ctx.fail("invalid", f"The tax rate {rate.id!r} is no longer in use.")
    return rate.id


@tool
def list_products(
    ctx: Context,
    query: str | None = None,
    category: str | None = None,
    currency: str | None = None,
    include_inactive: bool = False,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """List the price list by article name."""
    reader(ctx)
    where: list[Any] = [] if include_inactive else [col(Product.active).is_(True)]
    if query is not None:
        where.append(
            or_(
                contains(Product.name, query),
                contains(Product.sku, query),
                contains(Product.description, query),
            )
        )
    if category is not None:
        where.append(Product.category == category)
    page = ctx.page(Product, *where, order_by=Product.name, limit=limit, cursor=cursor)
    prices: dict[str, dict[str, Any]] = {}
    wanted: list[Any] = [col(Price.product_id).in_([item.id for item in page.items])]
    if currency is not None:
        wanted.append(col(Price.currency) == currency)
    for price in ctx.list(Price, *wanted):
        prices.setdefault(price.product_id, {})[price.currency] = price.amount
    return {
        "items": [{**item.out(), "prices": prices.get(item.id, {})} for item in page.items],
        "next_cursor": page.next_cursor,
        "total": ctx.count(Product, *where),
    }


@tool
def list_tax_rates(ctx: Context, country: str | None = None) -> Any:
    """List the tax rates in use."""
    reader(ctx)
    where: list[Any] = [col(TaxRate.active).is_(True)]
    if country is not None:
        where.append(TaxRate.country == country)
    return {"items": [rate.out() for rate in ctx.list(TaxRate, *where)]}


@tool
def convert_amount(ctx: Context, amount: Money, from_currency: str, to_currency: str, on: date | None = None) -> Any:
    """Convert an amount with the rates of a day."""
    reader(ctx)
    day = on or ctx.today()
    if day > ctx.today():
        ctx.fail("invalid", f"There are no rates for days to come (today is {ctx.today()}).")
    source, source_date = rate_on(ctx, from_currency, day)
    target, target_date = rate_on(ctx, to_currency, day)
    return {
        "amount": amount,
        "from_currency": from_currency,
        "to_currency": to_currency,
        "converted": cents(amount * source / target),
        "on": day,
        "rates": [
            {"currency": from_currency, "rate": source, "valid_from": source_date},
            {"currency": to_currency, "rate": target, "valid_from": target_date},
        ],
        "base_currency": BASE_CURRENCY,
    }
