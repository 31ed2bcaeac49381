"""The billing service, as its users know it: documents from quote to payment."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from engine.kit import Entity, Seed
from services.billing import service
from services.billing.amounts import Balance, retotal
from services.billing.state import (
    Customer,
    Invoice,
    InvoiceLine,
    Payment,
    Quote,
    QuoteLine,
    Staff,
    TaxRate,
)
from tests.services.play import Play

B = "billing"
APRON, SMOCK, BOOTS, CARE = "prd_0001", "prd_0013", "prd_0011", "prd_0019"


@pytest.fixture
def books(play: Callable[..., Play]) -> Play:
    return play(B)


@pytest.fixture
def as_manager(play: Callable[..., Play]) -> Play:
    """The user may decide any amount."""

    def edit(row: Entity) -> None:
        if isinstance(row, Staff) and row.id == "stf_mara":
            row.role = "finance_manager"

    return play(B, edit=edit)


def customer(books: Play, name: str) -> str:
    (item,) = books.ok(B, "list_customers", query=name)["items"]
    return str(item["id"])


def draft(books: Play, name: str, *lines: dict[str, Any], **more: Any) -> dict[str, Any]:
    return dict(books.ok(B, "create_invoice", customer_id=customer(books, name), lines=list(lines), **more))


def issued(books: Play, name: str, price: float, **more: Any) -> dict[str, Any]:
    line = {"description": "Work", "quantity": 1, "unit_price": price, "tax_rate_id": "zero"}
    made = draft(books, name, line)
    return dict(books.ok(B, "finalize_invoice", invoice_id=made["id"], **more))


@pytest.mark.parametrize("number", [0, 1, 7])
def test_seed_adds_up(number: int) -> None:
    rows = list(service.seed(Seed(B, number)))
    assert [row.values() for row in rows] == [row.values() for row in service.seed(Seed(B, number))]
    assert 150 <= len(rows) <= 400
    rates = [row for row in rows if isinstance(row, TaxRate)]
    lines = [row for row in rows if isinstance(row, InvoiceLine | QuoteLine)]
    paid: dict[str, Decimal] = {}
    for row in rows:
        if isinstance(row, Payment):
            paid[row.invoice_id] = paid.get(row.invoice_id, Decimal(0)) + row.amount
    for document in rows:
        if not isinstance(document, Invoice | Quote):
            continue
        before = document.total
        own = [line for line in lines if document.id in (getattr(line, "invoice_id", 0), getattr(line, "quote_id", 0))]
        retotal(document, own, rates)
        assert document.total == before > 0
        if isinstance(document, Invoice):
            assert (document.number is None) == (document.status == "draft")
            assert (document.closed_at is None) == (document.status in ("draft", "open"))
            assert paid.get(document.id, 0) <= document.total


def test_seed_differs_by_number_and_fits_the_cast() -> None:
    first, other = ([str(row.values()) for row in service.seed(Seed(B, number))] for number in (0, 1))
    assert first != other
    rows = list(service.seed(Seed(B)))
    customers = {row.name: row for row in rows if isinstance(row, Customer)}
    contacts = {person.email: person for person in Seed(B).contacts}
    for company in Seed(B).companies:
        held = customers[company.name]
        assert (held.currency, held.country) == (company.currency, company.country)
        assert contacts[held.billing_email].name == held.contact_name


def test_seed_tells_the_shared_story(books: Play) -> None:
    disputed = books.ok(B, "get_invoice", invoice_id="INV-2041")
    assert (disputed["customer_name"], disputed["disputed"]) == ("Brightwater Logistics", True)
    late = books.ok(B, "get_invoice", invoice_id="inv-2029")
    assert (late["customer_name"], late["overdue_days"]) == ("Fernhill Schools Trust", 26)
    assert late["amount_due"] == 2125.56 and [item["level"] for item in late["reminders"]] == [1]
    dovetail = books.ok(B, "get_customer", customer_id=customer(books, "Dovetail"))
    assert dovetail["contact_name"] == "Beatrice Nolan"
    assert books.ok(B, "list_quotes", customer_id=customer(books, "Ember"))["total"] == 0


def test_customer_is_created_found_and_changed(books: Play) -> None:
    made = books.ok(
        B, "create_customer", name="Café Żubr & \"Söhne\"", contact_name="Ola Żak", billing_email=" Ola@Zubr.example",
        country="PL", currency="EUR", tax_rate_id="eu_reverse", credit_limit=100.5,
    )  # fmt: skip
    assert (made["billing_email"], made["terms_days"], made["credit_limit"]) == ("ola@zubr.example", 30, 100.5)
    assert customer(books, "cAFé Żubr &") == made["id"]
    twin = books.fails(
        B, "create_customer", name=made["name"], contact_name="x", billing_email="a@b.example", country="PL",
        currency="EUR", tax_rate_id="zero",
    )  # fmt: skip
    assert twin["code"] == "conflict"
    changed = books.ok(
        B, "update_customer", customer_id=made["id"], contact_name="Jan Lis", remove_credit_limit=True, terms_days=7
    )
    assert (changed["contact_name"], changed["credit_limit"], changed["terms_days"]) == ("Jan Lis", None, 7)
    assert books.ok(B, "get_customer", customer_id=made["id"])["balance"] == 0
    assert books.ok(B, "update_customer", customer_id=made["id"], status="archived")["status"] == "archived"
    line = {"product_id": SMOCK, "quantity": 1}
    for tool in ("create_invoice", "create_quote"):
        assert books.fails(B, tool, customer_id=made["id"], lines=[line])["code"] == "conflict"


def test_customer_filters_and_balances(books: Play) -> None:
    for name, value in (("status", "on_hold"), ("currency", "AUD"), ("country", "GB")):
        items = books.ok(B, "list_customers", **{name: value})["items"]
        assert items and {item[name] for item in items} == {value}
    for item in books.ok(B, "list_customers")["items"]:
        full = books.ok(B, "get_customer", customer_id=item["id"])
        invoices = books.ok(B, "list_invoices", customer_id=item["id"], limit=100)["items"]
        owed = [entry["amount_due"] for entry in invoices if entry["status"] in ("open", "paid")]
        assert full["balance"] == pytest.approx(sum(owed))
        late = [entry["amount_due"] for entry in invoices if entry["overdue_days"]]
        assert full["overdue_balance"] == pytest.approx(sum(late)) and full["overdue_invoices"] == len(late)


def test_price_list(books: Play) -> None:
    (apron,) = books.ok(B, "list_products", query="CANVAS")["items"]
    assert apron["prices"]["USD"] == 24.5 and len(apron["prices"]) == 5
    (apron,) = books.ok(B, "list_products", query="apr-can", currency="EUR")["items"]
    assert apron["prices"] == {"EUR": 22.55}
    assert books.ok(B, "list_products", query="old line")["total"] == 0
    (cap,) = books.ok(B, "list_products", query="old line", include_inactive=True)["items"]
    line = {"product_id": cap["id"], "quantity": 1}
    error = books.fails(B, "create_quote", customer_id="cus_0003", lines=[line])
    assert error["code"] == "invalid" and "no longer sold" in error["message"]
    safety = books.ok(B, "list_products", category="safety")
    assert safety["total"] == len(safety["items"]) == 4
    rates = books.ok(B, "list_tax_rates")["items"]
    assert "gb_reduced_old" not in {rate["id"] for rate in rates} and len(rates) == 6
    assert [rate["percent"] for rate in books.ok(B, "list_tax_rates", country="GB")["items"]] == [20]


def test_conversion_uses_the_rate_of_the_day(books: Play) -> None:
    today = books.ok(B, "convert_amount", amount=100, from_currency="EUR", to_currency="USD")
    assert (today["converted"], today["rates"][0]["valid_from"]) == (108.78, "2026-03-01")
    earlier = books.ok(B, "convert_amount", amount=100, from_currency="EUR", to_currency="USD", on="2026-02-28")
    assert earlier["converted"] == 108.41
    across = books.ok(B, "convert_amount", amount=10, from_currency="GBP", to_currency="EUR")
    assert across["converted"] == 11.71
    same = books.ok(B, "convert_amount", amount=0.01, from_currency="USD", to_currency="USD")
    assert same["converted"] == 0.01
    for more, code in (
        ({"on": "2026-03-03"}, "invalid"),
        ({"on": "2020-01-01"}, "not_found"),
        ({"to_currency": "XXX"}, "not_found"),
    ):
        arguments = {"amount": 1, "from_currency": "EUR", "to_currency": "USD", **more}
        assert books.fails(B, "convert_amount", **arguments)["code"] == code


def test_quote_goes_from_draft_to_invoice(books: Play) -> None:
    ember = customer(books, "Ember")
    lines = [{"product_id": APRON, "quantity": 40}, {"product_id": "prd_0018", "quantity": 1, "discount_percent": 100}]
    quote = books.ok(B, "create_quote", customer_id=ember, lines=lines, discount_percent=10, memo="Aprons")
    assert (quote["number"], quote["status"], quote["total"]) == ("Q-309", "draft", 882)
    assert quote["valid_until"] == "2026-04-01"
    assert books.fails(B, "decide_quote", quote_id="Q-309", decision="accepted")["code"] == "conflict"
    changed = books.ok(B, "update_quote", quote_id="q-309", lines=lines[:1], discount_percent=0)
    assert (changed["total"], len(changed["lines"])) == (980, 1)
    assert books.ok(B, "send_quote", quote_id="Q-309")["status"] == "sent"
    assert books.fails(B, "send_quote", quote_id="Q-309")["code"] == "conflict"
    assert books.fails(B, "update_quote", quote_id="Q-309", memo="x")["code"] == "conflict"
    books.ok(B, "update_quote", quote_id="Q-309", valid_until="2026-03-20")
    assert books.fails(B, "convert_quote", quote_id="Q-309")["code"] == "conflict"
    books.ok(B, "decide_quote", quote_id="Q-309", decision="accepted")
    invoice = books.ok(B, "convert_quote", quote_id="Q-309", po_number="PO 7")
    assert (invoice["total"], invoice["status"]) == (980, "draft")
    assert books.ok(B, "get_quote", quote_id=quote["id"])["invoice_id"] == invoice["invoice_id"]
    assert books.fails(B, "convert_quote", quote_id="Q-309")["code"] == "conflict"
    books.ok(B, "delete_draft_invoice", invoice_id=invoice["invoice_id"])
    assert books.ok(B, "get_quote", quote_id="Q-309")["status"] == "accepted"
    assert books.ok(B, "list_quotes", query="aprons")["items"][0]["number"] == "Q-309"


def test_expired_quote_must_be_prolonged(books: Play) -> None:
    (late,) = books.ok(B, "list_quotes", expired=True)["items"]
    assert late["number"] == "Q-305" and late["expired"]
    assert books.fails(B, "decide_quote", quote_id="Q-305", decision="accepted")["code"] == "conflict"
    assert books.fails(B, "update_quote", quote_id="Q-305", valid_until="2026-03-01")["code"] == "invalid"
    assert not books.ok(B, "update_quote", quote_id="Q-305", valid_until="2026-03-02")["expired"]
    assert books.ok(B, "decide_quote", quote_id="Q-305", decision="accepted")["status"] == "accepted"
    assert books.ok(B, "list_quotes", expired=False)["total"] == 8
    assert {item["status"] for item in books.ok(B, "list_quotes", status="draft")["items"]} == {"draft"}


def test_figures_are_exact_and_rounded_half_up(books: Play) -> None:
    lines = [
        {"description": "A", "quantity": 3, "unit_price": 0.35, "discount_percent": 50, "tax_rate_id": "gb_standard"},
        {"description": "B", "quantity": 1, "unit_price": 0.01, "tax_rate_id": "gb_standard"},
        {"description": "C", "quantity": 7, "unit_price": 19.99, "tax_rate_id": "us_wa"},
    ]
    made = draft(books, "Dovetail", *lines)
    # 0.525 rounds up to 0.53; 0.54 at 20 percent is 0.108; 139.93 at 10.25 percent is 14.342825.
    assert [line["net"] for line in made["lines"]] == [0.53, 0.01, 139.93]
    assert (made["subtotal"], made["tax_total"], made["total"]) == (140.47, 14.45, 154.92)
    full = books.ok(B, "get_invoice", invoice_id=made["id"])
    assert [(tax["tax_rate_id"], tax["tax"]) for tax in full["taxes"]] == [("gb_standard", 0.11), ("us_wa", 14.34)]
    less = books.ok(B, "update_invoice", invoice_id=made["id"], discount_percent=33.33)
    assert [line["net"] for line in less["lines"]] == [0.35, 0.01, 93.29]


def test_draft_lines_come_and_go(books: Play) -> None:
    made = draft(books, "Dovetail", {"product_id": SMOCK, "quantity": 2})
    assert (made["total"], made["number"], made["amount_due"]) == (90, None, 0)
    more = books.ok(B, "add_invoice_line", invoice_id=made["id"], line={"product_id": APRON, "quantity": 1})
    assert (more["total"], [line["position"] for line in more["lines"]]) == (114.5, [1, 2])
    fewer = books.ok(B, "remove_invoice_line", invoice_id=made["id"], line_id=more["lines"][0]["id"])
    assert [(line["position"], line["product_id"]) for line in fewer["lines"]] == [(1, APRON)]
    foreign = books.fails(B, "remove_invoice_line", invoice_id=made["id"], line_id="iln_0001")
    assert foreign["code"] == "not_found"
    empty = books.ok(B, "remove_invoice_line", invoice_id=made["id"], line_id=fewer["lines"][0]["id"])
    assert (empty["total"], empty["lines"]) == (0, [])
    assert books.fails(B, "finalize_invoice", invoice_id=made["id"])["code"] == "invalid"
    books.ok(B, "delete_draft_invoice", invoice_id=made["id"])
    assert books.fails(B, "get_invoice", invoice_id=made["id"])["code"] == "not_found"


def test_lines_are_limited(books: Play) -> None:
    line = {"description": "x", "quantity": 100000, "unit_price": 1000000}
    error = books.fails(B, "create_invoice", customer_id="cus_0003", lines=[line])
    assert error["code"] == "limit"
    made = draft(books, "Dovetail", *[{"product_id": SMOCK, "quantity": 1}] * 50)
    more = {"product_id": SMOCK, "quantity": 1}
    assert books.fails(B, "add_invoice_line", invoice_id=made["id"], line=more)["code"] == "limit"


def test_balance_is_zero_where_nothing_is_owed() -> None:
    invoice = Invoice(id="x", status="void", total=Decimal(5))
    assert Balance(invoice).due == 0
