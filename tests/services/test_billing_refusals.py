"""The billing service says no: unknown things and invalid arguments, which change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.services.play import Play
from tests.services.test_billing import B, books

__all__ = ["books"]

NEW = {"name": "N", "contact_name": "C", "billing_email": "a@b.example", "country": "US", "currency": "USD"}


@pytest.mark.parametrize(
    "tool, arguments",
    [
        ("get_customer", {"customer_id": "cus_none"}),
        ("create_customer", {**NEW, "tax_rate_id": "none"}),
        ("update_customer", {"customer_id": "cus_none", "contact_name": "x"}),
        ("get_quote", {"quote_id": "Q-999"}),
        ("create_quote", {"customer_id": "cus_none", "lines": [{"product_id": "prd_0001", "quantity": 1}]}),
        ("create_quote", {"customer_id": "cus_0001", "lines": [{"product_id": "prd_none", "quantity": 1}]}),
        ("update_quote", {"quote_id": "Q-999", "memo": "x"}),
        ("send_quote", {"quote_id": "Q-999"}),
        ("decide_quote", {"quote_id": "Q-999", "decision": "accepted"}),
        ("convert_quote", {"quote_id": "Q-999"}),
        ("get_invoice", {"invoice_id": "INV-9999"}),
        ("create_invoice", {"customer_id": "cus_none", "lines": [{"product_id": "prd_0001", "quantity": 1}]}),
        ("update_invoice", {"invoice_id": "inv_none", "memo": "x"}),
        ("add_invoice_line", {"invoice_id": "inv_none", "line": {"product_id": "prd_0001", "quantity": 1}}),
        ("remove_invoice_line", {"invoice_id": "inv_none", "line_id": "iln_0001"}),
        ("delete_draft_invoice", {"invoice_id": "inv_none"}),
        ("request_approval", {"invoice_id": "inv_none"}),
        ("decide_approval", {"approval_id": "apr_none", "decision": "approved"}),
        ("finalize_invoice", {"invoice_id": "inv_none"}),
        ("void_invoice", {"invoice_id": "inv_none", "reason": "x"}),
        ("mark_uncollectible", {"invoice_id": "inv_none", "reason": "x"}),
        ("record_payment", {"invoice_id": "inv_none", "amount": 1, "method": "card"}),
        ("list_payments", {"invoice_id": "inv_none"}),
        ("refund_payment", {"payment_id": "pay_none", "reason": "x"}),
        ("create_credit_note", {"invoice_id": "inv_none", "amount": 1, "reason": "x"}),
        ("open_dispute", {"invoice_id": "inv_none", "reason": "other", "description": "x"}),
        ("resolve_dispute", {"dispute_id": "dsp_none", "outcome": "rejected", "resolution": "x"}),
        ("send_reminder", {"invoice_id": "inv_none"}),
        ("get_statement", {"customer_id": "cus_none", "from_date": "2026-01-01"}),
        ("get_aging_report", {"customer_id": "cus_none"}),
    ],
)
def test_unknown_things_are_not_found(books: Play, tool: str, arguments: dict[str, Any]) -> None:
    assert books.fails(B, tool, **arguments)["code"] == "not_found"


@pytest.mark.parametrize(
    "tool, arguments",
    [
        ("create_customer", {**NEW, "tax_rate_id": "zero", "name": "  "}),
        ("create_customer", {**NEW, "tax_rate_id": "zero", "currency": "usd"}),
        ("create_customer", {**NEW, "tax_rate_id": "zero", "name": "N\x00"}),
        ("create_customer", {**NEW, "tax_rate_id": "zero", "billing_email": "x"}),
        ("create_customer", {**NEW, "tax_rate_id": "gb_reduced_old"}),
        ("create_customer", {**NEW, "tax_rate_id": "zero", "terms_days": 31}),
        ("update_customer", {"customer_id": "cus_0001"}),
        ("update_customer", {"customer_id": "cus_0001", "credit_limit": 1, "remove_credit_limit": True}),
        ("create_quote", {"customer_id": "cus_0001", "lines": []}),
        ("create_quote", {"customer_id": "cus_0001", "lines": [{"quantity": 1}]}),
        ("create_quote", {"customer_id": "cus_0001", "lines": [{"product_id": "prd_0001", "quantity": 0}]}),
        ("create_quote", {"customer_id": "cus_0001", "lines": [{"product_id": "prd_0001", "quantity": 1.5}]}),
        (
            "create_quote",
            {"customer_id": "cus_0001", "lines": [{"description": "x", "quantity": 1, "unit_price": 1.001}]},
        ),
        (
            "create_quote",
            {
                "customer_id": "cus_0001",
                "lines": [{"product_id": "prd_0001", "quantity": 1}],
                "valid_until": "2026-03-01",
            },
        ),
        ("update_quote", {"quote_id": "Q-307"}),
        ("update_invoice", {"invoice_id": "inv_0045"}),
        ("update_invoice", {"invoice_id": "inv_0045", "discount_percent": 101}),
        ("add_invoice_line", {"invoice_id": "inv_0045", "line": {"product_id": "prd_0001", "quantity": 1, "x": 1}}),
        ("record_payment", {"invoice_id": "INV-2029", "amount": 0, "method": "card"}),
        ("record_payment", {"invoice_id": "INV-2029", "amount": 1.005, "method": "card"}),
        ("record_payment", {"invoice_id": "INV-2029", "amount": 1, "method": "card", "received_on": "2026-03-03"}),
        ("record_payment", {"invoice_id": "INV-2029", "amount": 1, "method": "coins"}),
        ("refund_payment", {"payment_id": "pay_0001", "reason": "x", "amount": 99999999}),
        ("create_credit_note", {"invoice_id": "INV-2029", "amount": 5, "reason": " "}),
        ("void_invoice", {"invoice_id": "INV-2040", "reason": " "}),
        ("list_invoices", {"cursor": "bad"}),
        ("list_invoices", {"issued_from": "02.03.2026"}),
        ("get_statement", {"customer_id": "cus_0001", "from_date": "2026-02-30"}),
    ],
)
def test_invalid_arguments_are_refused(books: Play, tool: str, arguments: dict[str, Any]) -> None:
    assert books.fails(B, tool, **arguments)["code"] in {"invalid", "invalid_arguments"}
