"""The books as they stand on the first morning."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from engine.kit import Entity, Seed
from services.billing.amounts import ZERO, in_steps, retotal
from services.billing.seed_ledger import Ledger
from services.billing.state import (
    Approval,
    Customer,
    ExchangeRate,
    Invoice,
    InvoiceLine,
    Price,
    Product,
    Quote,
    QuoteLine,
    Staff,
    TaxRate,
)

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))
FIRST, LAST = 2001, 2041


def staff_id(handle: str) -> str:
    """The id of a colleague's entry."""
    return "stf_" + handle.partition(".")[0]


def rows(seed: Seed) -> Iterable[Entity]:
    """Every row, referenced ones first."""
    return Books(seed).rows()


class Books:
    """What the rows are built from."""

    def __init__(self, seed: Seed) -> None:
        self.seed = seed
        self.rates = [
            TaxRate(id=key, name=name, country=country, percent=Decimal(percent), active=active)
            for key, name, country, percent, active in DATA["tax_rates"]
        ]
        self.products = {
            row[0]: Product(
                id=f"prd_{number:04d}",
                sku=row[0],
                name=row[1],
                category=row[2],
                unit=row[3],
                description=row[5],
                active=row[0] != "CAP-OLD",
            )
            for number, row in enumerate(DATA["products"], 1)
        }
        self.prices = {
            (row[0], currency): in_steps(Decimal(row[4]) * Decimal(factor))
            for row in DATA["products"]
            for currency, factor in DATA["price_factors"].items()
        }
        self.customers = {row[0]: self._customer(number, row) for number, row in enumerate(DATA["customers"], 1)}
        self.line_count = 0

    def rows(self) -> Iterable[Entity]:
        people = {person.handle: person for person in self.seed.colleagues}
        for handle, role, limit in DATA["staff"]:
            person = people[handle]
            yield Staff(
                id=staff_id(handle),
                name=person.name,
                email=person.email,
                role=role,
                limit_amount=Decimal(limit),
            )
        yield from self.rates
        for currency, values in DATA["exchange_rates"].items():
            for months, rate in enumerate(reversed(values)):
                yield ExchangeRate(currency=currency, valid_from=self._month_start(months), rate=rate)
        yield from self.products.values()
        for (sku, currency), amount in self.prices.items():
            yield Price(product_id=self.products[sku].id, currency=currency, amount=amount)
        yield from self.customers.values()
        quotes: dict[str, Quote] = {}
        for number, row in enumerate(DATA["quotes"], 1):
            quote, lines = self._quote(number, row)
            quotes[quote.number] = quote
            yield quote
            yield from lines
        issued = [self._issued(number) for number in range(FIRST, LAST + 1)]
        # Before the invoices are handed out, because payments decide their states.
        ledger = list(Ledger(self.seed, DATA, [invoice for invoice, _ in issued]).rows())
        for invoice, invoice_lines in issued:
            yield invoice
            yield from invoice_lines
        yield from self._drafts(quotes)
        yield from ledger

    def _month_start(self, back: int) -> date:
        month = self.seed.start.year * 12 + self.seed.start.month - 1 - back
        return date(month // 12, month % 12 + 1, 1)

    def _customer(self, number: int, row: list[Any]) -> Customer:
        name, contact, email, address, terms, tax, tax_number, limit, po_required, status = row
        cast = {company.name: (company.country, company.currency) for company in self.seed.companies}
        country, currency = cast.get(name) or DATA["more_countries"][name]
        return Customer(
            id=f"cus_{number:04d}",
            name=name,
            contact_name=contact,
            billing_email=email,
            address=address,
            country=country,
            currency=currency,
            terms_days=terms,
            tax_rate_id=tax,
            tax_number=tax_number,
            credit_limit=Decimal(limit).quantize(ZERO) if limit else None,
            po_required=po_required,
            status=status,
            created_at=self.seed.at(-600 + 30 * number, 10),
            updated_at=self.seed.at(-40 + number, 10),
        )

    def _line(self, customer: Customer, position: int, sku: str, quantity: int) -> dict[str, Any]:
        self.line_count += 1
        return {
            "position": position,
            "product_id": self.products[sku].id,
            "description": self.products[sku].name,
            "quantity": quantity,
            "unit_price": self.prices[sku, customer.currency],
            "discount_percent": ZERO,
            "tax_rate_id": customer.tax_rate_id,
            "net": ZERO,
        }

    def _quote(self, number: int, row: list[Any]) -> tuple[Quote, list[QuoteLine]]:
        key, name, status, made, until, discount, memo, wanted = row
        customer = self.customers[name]
        quote = Quote(
            id=f"qte_{number:04d}",
            number=key,
            customer_id=customer.id,
            status=status,
            currency=customer.currency,
            discount_percent=Decimal(discount),
            valid_until=self.seed.at(until).date(),
            memo=memo,
            created_by=staff_id("dario.bianchi"),
            created_at=self.seed.at(made, 10, number),
            sent_at=None if status == "draft" else self.seed.at(made, 15, number),
            decided_at=None if status in ("draft", "sent") else self.seed.at(made + 5, 11, number),
        )
        lines = []
        for position, (sku, quantity) in enumerate(wanted, 1):
            values = self._line(customer, position, sku, quantity)
            lines.append(QuoteLine(id=f"qln_{self.line_count:04d}", quote_id=quote.id, **values))
        retotal(quote, lines, self.rates)
        return quote, lines

    def _invoice(
        self, key: str, customer: Customer, story: dict[str, Any], made: datetime
    ) -> tuple[Invoice, list[InvoiceLine]]:
        invoice = Invoice(
            id=key,
            customer_id=customer.id,
            status="draft",
            currency=customer.currency,
            terms_days=customer.terms_days,
            po_number=story.get("po", ""),
            memo=story.get("memo", ""),
            discount_percent=Decimal(story.get("discount", "0")),
            created_by=staff_id("dario.bianchi"),
            created_at=made,
        )
        lines = []
        for position, (sku, quantity) in enumerate(story["lines"], 1):
            values = self._line(customer, position, sku, quantity)
            lines.append(InvoiceLine(id=f"iln_{self.line_count:04d}", invoice_id=key, **values))
        retotal(invoice, lines, self.rates)
        return invoice, lines

    def _issued(self, number: int) -> tuple[Invoice, list[InvoiceLine]]:
        story = DATA["invoices"].get(f"INV-{number}")
        if story is None:
            chance = self.seed.random(f"invoice {number}")
            names = sorted(DATA["habits"])
            name = names[number % len(names)]
            chosen = chance.sample(DATA["habits"][name], min(len(DATA["habits"][name]), chance.randint(1, 2)))
            story = {"customer": name, "lines": [[sku, chance.randint(2, 9) * 4] for sku in chosen]}
            if name in ("Cobalt Ridge Mining", "Halcyon Clinics"):
                story["po"] = f"PO-{chance.randint(10000, 99999)}"
        day = self.seed.at(-170 + 4 * (number - FIRST), 10, number % 60)
        day += timedelta(days=max(7 - day.weekday(), 0) if day.weekday() > 4 else 0)
        invoice, lines = self._invoice(f"inv_{number - FIRST + 1:04d}", self.customers[story["customer"]], story, day)
        invoice.number = f"INV-{number}"
        invoice.status = "open"
        invoice.issue_date = day.date()
        invoice.due_date = day.date() + timedelta(days=invoice.terms_days)
        invoice.finalized_at = day + timedelta(minutes=40)
        return invoice, lines

    def _drafts(self, quotes: dict[str, Quote]) -> Iterable[Entity]:
        for number, story in enumerate(DATA["drafts"], 1):
            made = self.seed.at(-6 + number // 2, 11, number)
            key = f"inv_{LAST - FIRST + 1 + number:04d}"
            invoice, lines = self._invoice(key, self.customers[story["customer"]], story, made)
            if story.get("quote"):
                invoice.quote_id = quotes[story["quote"]].id
            yield invoice
            yield from lines
            if story["approval"] is None:
                continue
            status, handle = story["approval"]
            rate = DATA["exchange_rates"][invoice.currency][-1]
            yield Approval(
                id=f"apr_{number:04d}",
                invoice_id=key,
                status=status,
                amount=invoice.total,
                base_amount=(invoice.total * Decimal(str(rate))).quantize(ZERO),
                requested_by=staff_id(handle),
                requested_at=made + timedelta(hours=2),
                decided_by=staff_id("elena.sorokina") if status == "approved" else None,
                decided_at=made + timedelta(hours=5) if status == "approved" else None,
                comment="As ordered." if status == "approved" else "",
            )
