"""The billing service after an invoice is issued: money, disputes, reminders, reports, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import Entity
from services.billing import service
from services.billing.state import Invoice, Staff
from tests.services.play import Play
from tests.services.test_billing import B, as_manager, books, customer, draft, issued

__all__ = ["as_manager", "books"]


def test_payments_settle_an_invoice(books: Play) -> None:
    made = issued(books, "Dovetail", 100)
    part = books.ok(B, "record_payment", invoice_id=made["number"], amount=40.25, method="card", bank_reference=" R1 ")
    assert (part["invoice_status"], part["amount_due"], part["bank_reference"]) == ("open", 59.75, "R1")
    too_much = books.fails(B, "record_payment", invoice_id=made["id"], amount=59.76, method="card")
    assert too_much["code"] == "invalid" and too_much["details"]["due"] == 59.75
    last = books.ok(B, "record_payment", invoice_id=made["id"], amount=59.75, method="cash", received_on="2026-03-01")
    assert (last["invoice_status"], last["amount_due"], last["currency"]) == ("paid", 0, "USD")
    assert books.fails(B, "record_payment", invoice_id=made["id"], amount=1, method="card")["code"] == "conflict"
    full = books.ok(B, "get_invoice", invoice_id=made["id"])
    assert [item["amount"] for item in full["payments"]] == [59.75, 40.25]
    assert full["closed_at"] is not None


def test_payments_are_listed(books: Play) -> None:
    made = issued(books, "Dovetail", 10)
    books.ok(B, "record_payment", invoice_id=made["id"], amount=10, method="direct_debit", bank_reference="Ref 77")
    (item,) = books.ok(B, "list_payments", query="ref 77")["items"]
    assert (item["invoice_number"], item["customer_name"], item["refunded"]) == ("INV-2042", "Dovetail Interiors", 0)
    assert books.ok(B, "list_payments", invoice_id="INV-2042")["total"] == 1
    assert books.ok(B, "list_payments", method="direct_debit")["total"] == 1
    month = books.ok(B, "list_payments", received_from="2026-01-01", received_to="2026-01-31", limit=100)["items"]
    assert month and all(item["received_on"].startswith("2026-01") for item in month)
    mine = books.ok(B, "list_payments", customer_id=customer(books, "Granite"))["items"]
    assert {item["customer_name"] for item in mine} == {"Granite Peak Outdoor"}


def test_credit_note_then_refund(books: Play) -> None:
    made = issued(books, "Dovetail", 100)
    paid = books.ok(B, "record_payment", invoice_id=made["id"], amount=100, method="card")
    note = books.ok(B, "create_credit_note", invoice_id=made["id"], amount=30, reason="Late delivery")
    assert (note["number"], note["invoice_status"], note["amount_due"]) == ("CN-104", "paid", -30)
    again = books.ok(B, "create_credit_note", invoice_id=made["id"], amount=5, reason="Kindness")
    assert again["number"] == "CN-105"
    assert books.fails(B, "create_credit_note", invoice_id=made["id"], amount=65.01, reason="x")["code"] == "invalid"
    back = books.ok(B, "refund_payment", payment_id=paid["id"], reason="Credit", amount=35)
    assert (back["invoice_status"], back["amount_due"]) == ("paid", 0)
    rest = books.ok(B, "refund_payment", payment_id=paid["id"], reason="All of it")
    assert (rest["amount"], rest["invoice_status"], rest["amount_due"]) == (65, "open", 65)
    assert books.fails(B, "refund_payment", payment_id=paid["id"], reason="x")["code"] == "conflict"
    assert books.ok(B, "list_payments", invoice_id=made["id"])["items"][0]["refunded"] == 100


def test_full_credit_settles_an_open_invoice(books: Play) -> None:
    made = issued(books, "Dovetail", 12.34)
    note = books.ok(B, "create_credit_note", invoice_id=made["id"], amount=12.34, reason="Goodwill")
    assert (note["invoice_status"], note["amount_due"]) == ("paid", 0)


def test_amounts_above_the_limit_need_a_manager(books: Play, as_manager: Play) -> None:
    arguments: dict[str, Any] = {"invoice_id": "INV-2037", "amount": 9000, "reason": "Damaged goods"}
    error = books.fails(B, "create_credit_note", **arguments)
    assert error["code"] == "forbidden" and error["details"]["limit"] == 8000
    assert "Elena Sorokina" in error["message"]
    assert books.fails(B, "void_invoice", invoice_id="INV-2037", reason="x")["code"] == "forbidden"
    assert as_manager.ok(B, "create_credit_note", **arguments)["amount_due"] == 7980
    paid = books.ok(B, "record_payment", invoice_id="INV-2037", amount=16980, method="bank_transfer")
    assert books.fails(B, "refund_payment", payment_id=paid["id"], reason="x")["code"] == "forbidden"
    assert books.ok(B, "refund_payment", payment_id=paid["id"], reason="x", amount=8000)["amount_due"] == 8000


def test_void(books: Play) -> None:
    made = issued(books, "Dovetail", 10)
    done = books.ok(B, "void_invoice", invoice_id=made["id"], reason="Twice")
    assert (done["status"], done["number"], done["amount_due"], done["closing_reason"]) == (
        "void", "INV-2042", 0, "Twice",
    )  # fmt: skip
    for tool, more in (
        ("void_invoice", {"reason": "x"}),
        ("record_payment", {"amount": 1, "method": "card"}),
        ("create_credit_note", {"amount": 1, "reason": "x"}),
        ("mark_uncollectible", {"reason": "x"}),
        ("open_dispute", {"reason": "other", "description": "x"}),
        ("send_reminder", {}),
    ):
        assert books.fails(B, tool, invoice_id=made["id"], **more)["code"] == "conflict"
    assert issued(books, "Dovetail", 10)["number"] == "INV-2043"
    for number in ("INV-2031", "INV-2034", "INV-2041"):
        assert books.fails(B, "void_invoice", invoice_id=number, reason="x")["code"] == "conflict"
    plain = draft(books, "Dovetail", {"description": "x", "quantity": 1, "unit_price": 1})
    assert "delete_draft_invoice" in books.fails(B, "void_invoice", invoice_id=plain["id"], reason="x")["message"]


def test_write_off_and_late_payment(books: Play) -> None:
    assert books.fails(B, "mark_uncollectible", invoice_id="INV-2040", reason="x")["code"] == "conflict"
    done = books.ok(B, "mark_uncollectible", invoice_id="INV-2031", reason="Cafe closed")
    assert (done["status"], done["amount_due"], done["overdue_days"]) == ("uncollectible", 1175, 0)
    assert books.ok(B, "get_customer", customer_id=customer(books, "Ember"))["balance"] == 0
    some = books.ok(B, "record_payment", invoice_id="INV-2031", amount=175, method="cheque")
    assert some["invoice_status"] == "uncollectible"
    rest = books.ok(B, "record_payment", invoice_id="INV-2031", amount=1000, method="cheque")
    assert rest["invoice_status"] == "paid"


def test_dispute_is_accepted(books: Play) -> None:
    (dispute,) = books.ok(B, "list_disputes", status="open")["items"]
    assert (dispute["invoice_number"], dispute["customer_name"]) == ("INV-2041", "Brightwater Logistics")
    more = books.fails(B, "open_dispute", invoice_id="INV-2041", reason="other", description="x")
    assert more["code"] == "conflict"
    arguments = {"dispute_id": dispute["id"], "resolution": "Dock log shows 120 pairs"}
    for wrong in ({"outcome": "accepted", "credit_amount": 270.01}, {"outcome": "rejected", "credit_amount": 1}):
        assert books.fails(B, "resolve_dispute", **arguments, **wrong)["code"] == "invalid"
    done = books.ok(B, "resolve_dispute", **arguments, outcome="accepted")
    assert (done["status"], done["credit_note"]["amount"], done["credit_note"]["number"]) == ("accepted", 270, "CN-104")
    full = books.ok(B, "get_invoice", invoice_id="INV-2041")
    assert (full["disputed"], full["amount_due"], full["status"]) == (False, full["total"] - 270, "open")
    assert books.fails(B, "resolve_dispute", **arguments, outcome="rejected")["code"] == "conflict"


def test_dispute_is_opened_and_withdrawn(books: Play) -> None:
    late = books.fails(B, "open_dispute", invoice_id="INV-2031", reason="other", description="x", amount=1175.01)
    assert late["code"] == "invalid"
    made = books.ok(B, "open_dispute", invoice_id="INV-2031", reason="wrong_price", description="Too dear")
    assert (made["amount"], made["status"]) == (1175, "open")
    for tool, more in (("send_reminder", {}), ("mark_uncollectible", {"reason": "x"})):
        assert books.fails(B, tool, invoice_id="INV-2031", **more)["code"] == "conflict"
    assert books.ok(B, "list_disputes", customer_id=customer(books, "Ember"))["total"] == 1
    done = books.ok(B, "resolve_dispute", dispute_id=made["id"], outcome="withdrawn", resolution="Agreed")
    assert (done["credit_note"], done["amount_due"], done["invoice_status"]) == (None, 1175, "open")
    assert books.fails(B, "open_dispute", invoice_id="INV-2035", reason="other", description="x")["code"] == "conflict"


def test_reminders_go_up_in_levels(books: Play) -> None:
    sent = books.ok(B, "send_reminder", invoice_id="INV-2029", message="Please pay")
    assert (sent["level"], sent["sent_to"], sent["balance"]) == (2, "harriet.moss@fernhill.example", 2125.56)
    assert books.fails(B, "send_reminder", invoice_id="INV-2029")["code"] == "conflict"
    first = books.ok(B, "send_reminder", invoice_id="INV-2036", to="Wesley.Tran@dovetail.example")
    assert (first["level"], first["sent_to"]) == (1, "wesley.tran@dovetail.example")
    third = books.ok(B, "send_reminder", invoice_id="INV-2031")
    assert third["level"] == 2
    for number in ("INV-2040", "INV-2035", "INV-2041"):
        assert books.fails(B, "send_reminder", invoice_id=number)["code"] == "conflict"


def test_reminder_levels_wait_for_their_day_and_end(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Invoice) and row.number == "INV-2008":
            row.status, row.closed_at, row.closing_reason = "open", None, ""

    books = play(B, edit=edit)
    assert books.fails(B, "send_reminder", invoice_id="INV-2008")["code"] == "limit"
    books.ok(B, "send_reminder", invoice_id="INV-2034")
    waiting = books.fails(B, "send_reminder", invoice_id="INV-2034")
    assert waiting["code"] == "conflict" and "14 days" in waiting["message"]


def test_statement_runs_from_opening_to_closing(books: Play) -> None:
    for name in ("Granite", "Juniper", "Kestrel", "Ember", "Northlight"):
        key = customer(books, name)
        whole = books.ok(B, "get_statement", customer_id=key, from_date="2025-01-01")
        assert whole["opening_balance"] == 0
        owed = books.ok(B, "get_customer", customer_id=key)["balance"]
        assert whole["closing_balance"] == pytest.approx(owed)
        late = books.ok(B, "get_statement", customer_id=key, from_date="2026-01-01")
        early = books.ok(B, "get_statement", customer_id=key, from_date="2025-01-01", to_date="2025-12-31")
        assert late["opening_balance"] == pytest.approx(early["closing_balance"])
        assert late["closing_balance"] == whole["closing_balance"]
        assert [*early["entries"], *late["entries"]] == whole["entries"]
    kinds = {item["kind"] for item in whole["entries"]}
    assert kinds == {"invoice", "write_off"}
    wrong = books.fails(B, "get_statement", customer_id=key, from_date="2026-03-02", to_date="2026-03-01")
    assert wrong["code"] == "invalid"


def test_statement_shows_every_kind_of_entry(books: Play) -> None:
    made = issued(books, "Quillfeather", 50)
    paid = books.ok(B, "record_payment", invoice_id=made["id"], amount=50, method="card")
    books.ok(B, "create_credit_note", invoice_id=made["id"], amount=10, reason="x")
    books.ok(B, "refund_payment", payment_id=paid["id"], reason="x", amount=10)
    other = issued(books, "Quillfeather", 7)
    books.ok(B, "void_invoice", invoice_id=other["id"], reason="x")
    today = books.ok(B, "get_statement", customer_id=customer(books, "Quillfeather"), from_date="2026-03-02")
    assert [(item["kind"], item["amount"]) for item in today["entries"]] == [
        ("invoice", 50), ("invoice", 7), ("credit_note", -10), ("void", -7), ("payment", -50), ("refund", 10),
    ]  # fmt: skip
    assert today["opening_balance"] == today["closing_balance"] == 927


def test_aging_matches_the_invoices(books: Play) -> None:
    report = books.ok(B, "get_aging_report")
    for total in report["totals"]:
        rows = [row for row in report["customers"] if row["currency"] == total["currency"]]
        for column in ("current", "days_1_to_30", "days_31_to_60", "days_61_to_90", "days_over_90", "total"):
            assert total[column] == pytest.approx(sum(row[column] for row in rows))
        items = books.ok(B, "list_invoices", status="open", currency=total["currency"], limit=100)["items"]
        assert total["total"] == pytest.approx(sum(item["amount_due"] for item in items))
    (ember,) = books.ok(B, "get_aging_report", customer_id=customer(books, "Ember"))["customers"]
    assert (ember["days_31_to_60"], ember["total"]) == (1175, 1175)
    assert {row["currency"] for row in books.ok(B, "get_aging_report", currency="GBP")["customers"]} == {"GBP"}


def test_pages_neither_skip_nor_repeat(books: Play) -> None:
    for tool in ("list_customers", "list_products", "list_quotes", "list_invoices", "list_payments", "list_approvals"):
        ids, cursor = [], None
        while True:
            page = books.ok(B, tool, limit=3, cursor=cursor)
            ids += [item["id"] for item in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert len(ids) == len(set(ids)) == page["total"]


def test_viewers_read_only(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Staff) and row.id == "stf_mara":
            row.role = "viewer"

    books = play(B, edit=edit)
    needed: dict[str, dict[str, Any]] = {
        "get_customer": {"customer_id": "cus_0001"},
        "get_quote": {"quote_id": "Q-301"},
        "get_invoice": {"invoice_id": "INV-2041"},
        "convert_amount": {"amount": 1, "from_currency": "EUR", "to_currency": "USD"},
        "get_statement": {"customer_id": "cus_0001", "from_date": "2026-01-01"},
    }
    for name, tool in service.tools.items():
        if tool.specification.read_only:
            books.ok(B, name, **needed.get(name, {}))
    assert books.fails(B, "send_quote", quote_id="Q-307")["code"] == "forbidden"
    assert books.fails(B, "finalize_invoice", invoice_id="inv_0046")["code"] == "forbidden"
