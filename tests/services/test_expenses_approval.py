"""Expenses: decisions, paying back, company cards."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from engine.kit import Entity
from services.expenses.state import Employee
from tests.services.play import Play
from tests.services.test_expenses import APPROVED, DRAFT, FORWARDED, MARA, SENT, Desk


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("expenses"))


def test_decisions(desk: Desk) -> None:
    yes = desk("approve_report", report_id=SENT, note="Enjoy")
    assert (yes["status"], yes["decided_by_id"], yes["decision_note"]) == ("approved", MARA, "Enjoy")
    assert desk("get_report", report_id=SENT) == yes
    desk.no("conflict", "reject_report", report_id=SENT, reason="x")
    back = desk("reject_report", report_id=FORWARDED, reason="Which shipment is the express for?")
    assert (back["status"], back["decision_note"]) == ("rejected", "Which shipment is the express for?")
    desk.no("forbidden", "approve_report", report_id="rep_0009")
    desk.no("not_found", "approve_report", report_id="rep_x")
    desk.no("not_found", "reject_report", report_id="rep_x", reason="x")


def test_approval_above_the_limit_goes_on(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Employee) and row.id == MARA:
            row.approval_limit = Decimal("754.02")

    desk = Desk(play("expenses", edit=edit))
    total = desk("get_report", report_id=FORWARDED)["total_usd"]
    assert total > 754.02
    passed = desk("approve_report", report_id=FORWARDED)
    assert (passed["status"], passed["approver_name"]) == ("submitted", "Elena Sorokina")
    assert passed["forwarded_by_id"] == MARA
    desk.no("forbidden", "approve_report", report_id=FORWARDED)


def test_paying_back(desk: Desk) -> None:
    due = desk("get_report", report_id=APPROVED)
    assert due["card_usd"] > 0 and due["reimbursable_usd"] < due["total_usd"]
    paid = desk("reimburse_report", report_id=APPROVED, payment_reference="PC-0218")
    assert (paid["status"], paid["payment_reference"]) == ("reimbursed", "PC-0218") and paid["reimbursed_at"]
    desk.no("conflict", "reimburse_report", report_id=APPROVED, payment_reference="PC-0219")
    desk.no("forbidden", "reimburse_report", report_id="rep_0001", payment_reference="PC-0219")
    desk.no("forbidden", "reimburse_report", report_id="rep_0012", payment_reference="PC-0219")
    desk("approve_report", report_id=FORWARDED)
    desk.no("limit", "reimburse_report", report_id=FORWARDED, payment_reference="PC-0219")
    desk.no("not_found", "reimburse_report", report_id="rep_x", payment_reference="PC-0219")


def test_card_transactions(desk: Desk) -> None:
    free = desk.every("list_card_transactions", matched=False, limit=2)
    assert all(item["expense_id"] is None and item["employee_id"] == MARA for item in free) and len(free) == 6
    done = desk("match_card_transaction", card_transaction_id="cdt_0005", expense_id="exp_0010")
    assert done["matched"] and desk("get_expense", expense_id="exp_0010")["card_transaction_id"] == "cdt_0005"
    report = desk("get_report", report_id=DRAFT)
    assert round(report["card_usd"] + report["reimbursable_usd"], 2) == report["total_usd"] and report["card_usd"] > 0
    desk.no("conflict", "update_expense", expense_id="exp_0010", amount=65)
    assert desk("update_expense", expense_id="exp_0010", description="Labels")["description"] == "Labels"
    desk.no("conflict", "match_card_transaction", card_transaction_id="cdt_0005", expense_id="exp_0013")
    desk.no("conflict", "match_card_transaction", card_transaction_id="cdt_0006", expense_id="exp_0010")
    desk.no("conflict", "match_card_transaction", card_transaction_id="cdt_0006", expense_id="exp_0014")
    desk.no("conflict", "match_card_transaction", card_transaction_id="cdt_0008", expense_id=None)
    desk.no("conflict", "match_card_transaction", card_transaction_id="cdt_0001", expense_id=None)
    desk.no("forbidden", "match_card_transaction", card_transaction_id="cdt_0013", expense_id="exp_0015")
    desk.no("forbidden", "match_card_transaction", card_transaction_id="cdt_0006", expense_id="exp_0015")
    desk.no("not_found", "match_card_transaction", card_transaction_id="cdt_x", expense_id=None)
    desk.no("not_found", "match_card_transaction", card_transaction_id="cdt_0006", expense_id="exp_x")
    late = desk("create_expense", **desk.meal(amount=46.8, spent_on="2026-02-20"))["id"]
    desk.no("conflict", "match_card_transaction", card_transaction_id="cdt_0006", expense_id=late)
    assert not desk("match_card_transaction", card_transaction_id="cdt_0005", expense_id=None)["matched"]
    desk("match_card_transaction", card_transaction_id="cdt_0005", expense_id="exp_0010")
    desk("delete_report", report_id=DRAFT)
    assert "cdt_0005" in {item["id"] for item in desk.every("list_card_transactions", matched=False)}
    assert {i["currency"] for i in desk.every("list_card_transactions", currency="USD")} == {"USD"}
    assert len(desk.every("list_card_transactions", query="MERIDIAN", posted_until="2026-01-10")) == 1
    assert len(desk.every("list_card_transactions", posted_from="2026-02-28")) == 2
