"""Expenses: policy, derived amounts, approval, cards, paying back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, COMPANIES, Entity, Seed
from services.expenses import service
from services.expenses.policy import OLDEST_DAYS
from services.expenses.state import CardTransaction, Category, Employee, Expense, Report
from tests.services.desk import AnyDesk
from tests.services.play import Play

MARA, HANA = "emp_mara_lindqvist", "emp_hana_takeda"
DRAFT, REJECTED, SENT, APPROVED, FORWARDED = "rep_0003", "rep_0002", "rep_0005", "rep_0006", "rep_0008"


class Desk(AnyDesk):
    """A shorthand for the calls of one play."""

    service = "expenses"

    def meal(self, report_id: str = DRAFT, **more: Any) -> dict[str, Any]:
        given = {"category_id": "cat_meals", "spent_on": "2026-03-01", "amount": 20.5, "currency": "GBP"}
        return {"report_id": report_id} | given | more


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("expenses"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def dump(number: int) -> list[Any]:
        return [(type(row).__name__, row.values()) for row in service.seed(Seed("expenses", number))]

    assert dump(0) == dump(0)
    assert 100 <= len(dump(0)) <= 200
    assert {v["email"] for name, v in dump(0) if name == "Employee"} == {person.email for person in COLLEAGUES}
    known = {company.name for company in COMPANIES} | {""}
    assert {v["company"] for name, v in dump(0) if name == "Report"} <= known


def test_seed_keeps_the_rules(desk: Desk) -> None:
    lines = {item.id: item for item in desk.play.rows(Expense)}
    reports = {item.id: item for item in desk.play.rows(Report)}
    people = {item.id: item for item in desk.play.rows(Employee)}
    kinds = {item.id: item for item in desk.play.rows(Category)}
    for report in reports.values():
        assert (report.submitted_at is None) == (report.status == "draft")
        assert (report.reimbursed_at is not None) == (report.payment_reference is not None)
        assert report.approver_id != report.employee_id
    for payment in desk.play.rows(CardTransaction):
        if payment.expense_id is not None:
            line = lines[payment.expense_id]
            assert (line.amount, line.currency) == (payment.amount, payment.currency)
            assert reports[line.report_id].employee_id == payment.employee_id
    for line in lines.values():
        report = reports[line.report_id]
        assert line.spent_on <= line.created_at.date() <= (report.submitted_at or Seed("expenses").start).date()
        if report.status in ("submitted", "approved", "reimbursed"):
            category = kinds[line.category_id]
            assert line.receipt or category.receipt_above is None or line.amount_usd <= category.receipt_above
            assert line.justification or category.limit_amount is None or line.amount_usd <= category.limit_amount
    for report in (item for item in reports.values() if item.status in ("approved", "reimbursed")):
        total = sum(line.amount_usd for line in lines.values() if line.report_id == report.id)
        limit = people[report.decided_by_id or ""].approval_limit
        assert limit is None or total <= limit


def test_reports(desk: Desk) -> None:
    made = desk("create_report", title="Café visit “Ø”", purpose="Aprons", company="Ember & Oak Cafes")
    assert (made["number"], made["status"], made["total_usd"]) == ("EXP-1046", "draft", 0)
    assert desk("get_report", report_id=made["id"]) == made
    assert made["id"] in {i["id"] for i in desk.every("list_reports", employee_id=MARA, status="draft", limit=1)}
    changed = desk("update_report", report_id=made["id"], title="Visit", company="")
    assert (changed["title"], changed["company"], changed["purpose"]) == ("Visit", "", "Aprons")
    assert desk("get_report", report_id=made["id"]) == changed
    desk.no("invalid", "update_report", report_id=made["id"])
    desk.no("invalid_arguments", "create_report", title=" ")
    desk.no("forbidden", "update_report", report_id=SENT, title="x")
    desk.no("conflict", "update_report", report_id="rep_0001", title="x")
    assert desk("delete_report", report_id=made["id"]) == {"id": made["id"], "deleted": True}
    for tool in ("get_report", "delete_report", "submit_report"):
        desk.no("not_found", tool, report_id=made["id"])
    desk.no("conflict", "delete_report", report_id=REJECTED)


def test_which_reports_are_open(desk: Desk) -> None:
    shown = desk.every("list_reports", limit=3)
    assert {item["employee_name"] for item in shown} == {"Mara Lindqvist", "Hana Takeda", "Luis Herrera"}
    assert len(shown) == desk("list_reports")["total"] == 8
    assert [item["id"] for item in desk.every("list_reports", approver_id=MARA, status="submitted")] == [
        SENT,
        FORWARDED,
    ]
    assert [i["id"] for i in desk.every("list_reports", company="Halcyon Clinics", query="scrubs")] == [FORWARDED]
    desk.no("forbidden", "get_report", report_id="rep_0011")
    desk.no("forbidden", "get_report", report_id="rep_0009")
    desk.no("not_found", "get_report", report_id="rep_x")
    desk.no("invalid", "list_reports", cursor="x")


def test_totals_follow_the_expenses(desk: Desk) -> None:
    before = desk("get_report", report_id=DRAFT)
    made = desk("create_expense", **desk.meal(merchant="Deli", description="Lunch", receipt="deli.pdf"))
    assert made["amount_usd"] == 26.1 and made["problems"] == [] and made["category_name"] == "Meals"
    assert desk("get_expense", expense_id=made["id"]) == made
    assert made["id"] in {item["id"] for item in desk.every("list_expenses", report_id=DRAFT, limit=2)}
    after = desk("get_report", report_id=DRAFT)
    assert round(after["total_usd"] - before["total_usd"], 2) == 26.1
    assert round(sum(item["total_usd"] for item in after["by_category"]), 2) == after["total_usd"]
    desk("update_expense", expense_id=made["id"], amount=40, currency="USD", receipt=None)
    got = desk("get_expense", expense_id=made["id"])
    assert (got["amount_usd"], got["receipt"], got["problems"]) == (40, None, ["receipt_missing"])
    assert desk("delete_expense", expense_id=made["id"])["deleted"]
    assert desk("get_report", report_id=DRAFT) == before
    for tool in ("get_expense", "update_expense", "delete_expense"):
        more = {"amount": 1} if tool == "update_expense" else {}
        desk.no("not_found", tool, expense_id=made["id"], **more)


def test_per_diem_and_mileage_are_derived(desk: Desk) -> None:
    away = {"report_id": DRAFT, "category_id": "cat_per_diem", "spent_on": "2026-02-20", "place": "Toronto", "days": 3}
    made = desk("create_expense", **away)
    assert (made["amount"], made["currency"], made["amount_usd"]) == (420, "CAD", 306.64)
    assert desk("update_expense", expense_id=made["id"], days=2)["amount"] == 280
    desk.no("not_found", "update_expense", expense_id=made["id"], place="Atlantis")
    desk.no("invalid", "update_expense", expense_id=made["id"], distance_km=3)
    desk.no("invalid", "update_expense", expense_id=made["id"], amount=3)
    desk.no("invalid", "update_expense", expense_id=made["id"], category_id="cat_meals")
    desk.no("invalid", "update_expense", expense_id=made["id"])
    drive = {"report_id": DRAFT, "category_id": "cat_mileage", "spent_on": "2026-02-20", "distance_km": 501}
    long = desk("create_expense", **drive)
    assert (long["amount"], long["over_limit"], long["problems"]) == (225.45, True, ["justification_missing"])
    assert desk("update_expense", expense_id=long["id"], justification="Strike")["problems"] == []


@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("invalid", {"spent_on": "2026-03-03"}),
        ("invalid", {"spent_on": "9999-12-31"}),
        ("limit", {"spent_on": "2025-12-01"}),
        ("limit", {"spent_on": "0001-01-01"}),
        ("invalid", {"amount": None}),
        ("invalid", {"currency": None}),
        ("invalid", {"days": 2}),
        ("invalid", {"place": "Lyon"}),
        ("invalid", {"category_id": "cat_mileage", "distance_km": 4}),
        ("invalid", {"category_id": "cat_per_diem", "amount": None, "currency": None, "days": 4}),
        ("conflict", {"category_id": "cat_phone"}),
        ("not_found", {"category_id": "cat_x"}),
        ("not_found", {"report_id": "rep_x"}),
        ("forbidden", {"report_id": SENT}),
        ("conflict", {"report_id": "rep_0001"}),
        ("invalid_arguments", {"amount": 0}),
        ("invalid_arguments", {"amount": 1.005}),
        ("invalid_arguments", {"currency": "XXX"}),
    ],
)
def test_refused_expenses(desk: Desk, code: str, more: dict[str, Any]) -> None:
    given = desk.meal(**more)
    desk.no(code, "create_expense", **{name: value for name, value in given.items() if value is not None})


def test_lists_of_expenses(desk: Desk) -> None:
    found = desk.every("list_expenses", limit=5)
    assert len({item["id"] for item in found}) == len(found) == desk("list_expenses")["total"]
    assert {i["currency"] for i in desk.every("list_expenses", currency="CAD")} == {"CAD"}
    assert {i["category_id"] for i in desk.every("list_expenses", category_id="cat_taxi")} == {"cat_taxi"}
    days = [i["spent_on"] for i in desk.every("list_expenses", spent_from="2026-02-26", spent_until="2026-02-27")]
    assert days and set(days) <= {"2026-02-26", "2026-02-27"}
    assert [i["id"] for i in desk.every("list_expenses", query="kettering cabs")] == ["exp_0014"]
    desk.no("forbidden", "get_expense", expense_id="exp_0029")


def test_submit_needs_receipts_and_reasons(desk: Desk) -> None:
    error = desk.no("conflict", "submit_report", report_id=DRAFT)
    assert error["details"]["problems"] == [{"expense_id": "exp_0011", "problem": "receipt_missing"}]
    desk("update_expense", expense_id="exp_0011", receipt="deli.jpg")
    sent = desk("submit_report", report_id=DRAFT)
    assert (sent["status"], sent["approver_name"]) == ("submitted", "Elena Sorokina")
    desk.no("conflict", "submit_report", report_id=DRAFT)
    desk.no("conflict", "create_expense", **desk.meal())
    desk.no("conflict", "delete_expense", expense_id="exp_0011")
    desk.no("forbidden", "approve_report", report_id=DRAFT)
    empty = desk("create_report", title="Nothing")["id"]
    desk.no("conflict", "submit_report", report_id=empty)
    problems = desk("get_report", report_id=REJECTED)["problems"]
    assert {i["problem"] for i in problems} == {"receipt_missing", "justification_missing"}
    desk("update_expense", expense_id="exp_0006", justification="Fair week, nothing else was free")
    desk("update_expense", expense_id="exp_0007", receipt="cab.jpg")
    again = desk("submit_report", report_id=REJECTED)
    assert (again["status"], again["decision_note"], again["decided_at"]) == ("submitted", "", None)


def test_old_expenses_stop_a_report(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Expense) and row.id == "exp_0013":
            row.spent_on = Seed("expenses").at(-OLDEST_DAYS - 1).date()

    desk = Desk(play("expenses", edit=edit))
    desk.no("conflict", "submit_report", report_id="rep_0004")
    desk.no("limit", "update_expense", expense_id="exp_0013", description="x")


def test_categories_and_rates(desk: Desk) -> None:
    listed = desk("list_categories")
    assert len(listed["items"]) == 12 and len(listed["per_diem_rates"]) == 8
    assert [item["id"] for item in desk("list_categories", active=False)["items"]] == ["cat_phone"]
    assert [item["rate_per_km"] for item in desk("list_categories", kind="mileage")["items"]] == [0.45]
    assert desk("get_exchange_rate", currency="GBP")["valid_from"] == "2026-03-01"
    assert desk("get_exchange_rate", currency="EUR", on="2025-10-31")["rate"] == 1.0912
    assert desk("get_exchange_rate", currency="USD", on="0001-01-01")["rate"] == 1
    assert desk("get_exchange_rate", currency="SEK", on="9999-12-31")["rate"] == 0.0968
    assert "2025-10-01" in desk.no("not_found", "get_exchange_rate", currency="JPY", on="2025-09-30")["message"]
