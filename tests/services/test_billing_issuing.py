"""The billing service: from draft to issued invoice, numbers and approvals."""

from __future__ import annotations

from tests.services.play import Play
from tests.services.test_billing import BOOTS, CARE, B, as_manager, books, customer, draft, issued

__all__ = ["as_manager", "books"]


def test_issuing_gives_numbers_in_order(books: Play) -> None:
    first = issued(books, "Dovetail", 100)
    assert (first["number"], first["issue_date"], first["due_date"]) == ("INV-2042", "2026-03-02", "2026-03-16")
    assert (first["status"], first["amount_due"], first["overdue_days"]) == ("open", 100, 0)
    second = issued(books, "Kestrel", 5, issue_date="2026-01-31")
    assert (second["number"], second["due_date"], second["overdue_days"]) == ("INV-2043", "2026-03-02", 0)
    for tool in ("finalize_invoice", "delete_draft_invoice"):
        assert books.fails(B, tool, invoice_id="INV-2042")["code"] == "conflict"
    assert books.fails(B, "update_invoice", invoice_id="INV-2042", memo="x")["code"] == "conflict"
    assert books.ok(B, "list_invoices", query="INV-2042")["items"][0]["id"] == first["id"]


def test_issuing_is_refused_for_good_reasons(books: Play) -> None:
    line = {"product_id": CARE, "quantity": 1}
    for name, code in (("Ironbark", "conflict"), ("Halcyon", "conflict")):
        made = draft(books, name, line)
        assert books.fails(B, "finalize_invoice", invoice_id=made["id"])["code"] == code
    books.ok(B, "update_invoice", invoice_id=made["id"], po_number="HC-77")
    assert books.ok(B, "finalize_invoice", invoice_id=made["id"])["number"] == "INV-2042"
    made = draft(books, "Fernhill", {"product_id": BOOTS, "quantity": 20})
    error = books.fails(B, "finalize_invoice", invoice_id=made["id"])
    assert error["code"] == "limit" and error["details"]["credit_limit"] == 4000
    books.ok(B, "update_customer", customer_id=customer(books, "Fernhill"), credit_limit=10000)
    books.ok(B, "finalize_invoice", invoice_id=made["id"])
    made = draft(books, "Dovetail", line)
    for day in ("2026-03-03", "2026-01-30"):
        assert books.fails(B, "finalize_invoice", invoice_id=made["id"], issue_date=day)["code"] == "invalid"


def test_approval_above_the_threshold(books: Play) -> None:
    exact = {"description": "x", "quantity": 1, "unit_price": 5000}
    made = draft(books, "Dovetail", exact)
    assert books.fails(B, "request_approval", invoice_id=made["id"])["code"] == "invalid"
    books.ok(B, "finalize_invoice", invoice_id=made["id"])
    made = draft(books, "Dovetail", {**exact, "unit_price": 5000.01})
    error = books.fails(B, "finalize_invoice", invoice_id=made["id"])
    assert error["code"] == "conflict" and "elena.sorokina@larkspur.example" in error["message"]
    asked = books.ok(B, "request_approval", invoice_id=made["id"])
    assert (asked["status"], asked["base_amount"]) == ("pending", 5000.01)
    assert books.fails(B, "request_approval", invoice_id=made["id"])["code"] == "conflict"
    assert books.fails(B, "decide_approval", approval_id=asked["id"], decision="approved")["code"] == "forbidden"
    books.ok(B, "update_invoice", invoice_id=made["id"], discount_percent=1)
    (request,) = books.ok(B, "list_approvals", status="withdrawn")["items"]
    assert (request["id"], request["customer_name"]) == (asked["id"], "Dovetail Interiors")
    books.ok(B, "finalize_invoice", invoice_id=made["id"])


def test_approvals_are_decided_within_limits(books: Play, as_manager: Play) -> None:
    pending = {item["customer_name"]: item for item in books.ok(B, "list_approvals", status="pending")["items"]}
    cobalt, halcyon = pending["Cobalt Ridge Mining"], pending["Halcyon Clinics"]
    big = books.fails(B, "decide_approval", approval_id=halcyon["id"], decision="approved")
    assert big["code"] == "forbidden" and "Elena Sorokina" in big["message"]
    done = books.ok(B, "decide_approval", approval_id=cobalt["id"], decision="approved", comment="Fine")
    assert (done["status"], done["decided_by"], done["comment"]) == ("approved", "stf_mara", "Fine")
    assert books.fails(B, "decide_approval", approval_id=cobalt["id"], decision="rejected")["code"] == "conflict"
    books.ok(B, "update_invoice", invoice_id=cobalt["invoice_id"], memo="Same total keeps the approval")
    assert books.ok(B, "finalize_invoice", invoice_id=cobalt["invoice_id"])["number"] == "INV-2042"
    no = as_manager.ok(B, "decide_approval", approval_id=halcyon["id"], decision="rejected")
    assert no["status"] == "rejected"
    again = as_manager.ok(B, "request_approval", invoice_id=halcyon["invoice_id"])
    own = as_manager.fails(B, "decide_approval", approval_id=again["id"], decision="approved")
    assert own["code"] == "forbidden"


def test_approved_draft_of_the_seed_can_be_issued(books: Play) -> None:
    (ready,) = books.ok(B, "list_approvals", status="approved")["items"]
    done = books.ok(B, "finalize_invoice", invoice_id=ready["invoice_id"])
    assert (done["customer_name"], done["total"]) == ("Juniper Lane Hotels", ready["amount"])


def test_invoice_filters(books: Play) -> None:
    late = books.ok(B, "list_invoices", overdue=True, limit=100)
    assert all(item["status"] == "open" and item["overdue_days"] > 0 for item in late["items"])
    assert {"INV-2029", "INV-2031", "INV-2034"} <= {item["number"] for item in late["items"]}
    everything = books.ok(B, "list_invoices")["total"]
    assert books.ok(B, "list_invoices", overdue=False)["total"] == everything - late["total"]
    assert [item["number"] for item in books.ok(B, "list_invoices", disputed=True)["items"]] == ["INV-2041"]
    assert books.ok(B, "list_invoices", disputed=False)["total"] == everything - 1
    bounds = {"issued_from": "2025-12-01", "issued_to": "2025-12-31", "min_total": 300, "max_total": 2000}
    items = books.ok(B, "list_invoices", limit=100, **bounds)["items"]
    assert items and all("2025-12-01" <= item["issue_date"] <= "2025-12-31" for item in items)
    assert all(300 <= item["total"] <= 2000 for item in items)
    due = books.ok(B, "list_invoices", due_from="2026-03-01", due_to="2026-03-10", currency="USD")["items"]
    assert [item["number"] for item in due] == ["INV-2037"]
    assert [item["number"] for item in books.ok(B, "list_invoices", query="gp-778", status="open")["items"]] == [
        "INV-2037"
    ]
