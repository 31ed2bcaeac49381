"""The people desk: who leads whom, leave and its limits, documents, onboarding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Seed
from services.hr import service
from services.hr.balances import business_days
from services.hr.state import Acknowledgement, Employee, LeaveRequest, OnboardingTask, PublicHoliday
from tests.services.desk import AnyDesk
from tests.services.play import Play

MARA, HANA, LUIS, AMARA = "emp_mara_lindqvist", "emp_hana_takeda", "emp_luis_herrera", "emp_amara_diallo"
PRIYA, INES = "emp_priya_raman", "emp_ines_carvalho"


class Desk(AnyDesk):
    """A shorthand for the calls of one play."""

    service = "hr"

    def annual(self, **year: Any) -> dict[str, Any]:
        items = self("get_leave_balance", **year)["items"]
        return next(item for item in items if item["leave_type_id"] == "lvt_annual")

    def ask(self, start: str, end: str, kind: str = "lvt_annual", **more: Any) -> Any:
        return self("create_leave_request", leave_type_id=kind, start_date=start, end_date=end, **more)


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("hr"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def dump(number: int) -> list[Any]:
        return [(type(row).__name__, row.values()) for row in service.seed(Seed("hr", number))]

    assert dump(0) == dump(0) != dump(1)
    assert 150 <= len(dump(0)) <= 260
    emails = {values["email"]: values["name"] for name, values in dump(0) if name == "Employee"}
    assert all(emails[person.email] == person.name for person in COLLEAGUES)


def test_seed_keeps_the_rules(desk: Desk) -> None:
    people = {item.id: item for item in desk.play.rows(Employee)}
    requests = desk.play.rows(LeaveRequest)
    live = [item for item in requests if item.status in ("pending", "approved")]
    for one in live:
        others = [item for item in live if item.employee_id == one.employee_id and item.id != one.id]
        assert all(item.end_date < one.start_date or item.start_date > one.end_date for item in others)
    for item in requests:
        off = {h.day for h in desk.play.rows(PublicHoliday) if h.location == people[item.employee_id].location}
        assert item.business_days == business_days(item.start_date, item.end_date, off)
        assert (item.decided_at is None) == (item.status == "pending")
    tasks = {item.id: item for item in desk.play.rows(OnboardingTask)}
    assert all(
        t.status == "open" or not t.after_task_id or tasks[t.after_task_id].status == "done" for t in tasks.values()
    )
    assert all(item.acknowledged_at < Seed("hr").start for item in desk.play.rows(Acknowledgement))


def test_directory(desk: Desk) -> None:
    everybody = desk.every("list_employees", limit=3)
    assert [item["name"] for item in everybody] == sorted(item["name"] for item in everybody)
    assert len(everybody) == desk("list_employees")["total"] == 16
    assert {item["id"] for item in desk.every("list_employees", manager_id=HANA)} == {LUIS, AMARA}
    assert {item["status"] for item in desk.every("list_employees", status="joining")} == {"joining"}
    assert {item["id"] for item in desk.every("list_employees", team="sales", location="London")} == {PRIYA}
    assert {item["id"] for item in desk.every("list_employees", away_on="2026-03-12")} == {AMARA}
    assert desk.every("list_employees", query="LINDQ")[0]["direct_reports"] == 2
    assert desk.every("list_employees", away_on="9999-12-31") == []
    mine = desk("get_employee", employee_id=MARA)
    assert mine["emergency_contact_name"] == "Henrik Lindqvist" and mine["manager_name"] is None
    assert desk("get_employee", employee_id=HANA)["emergency_contact_name"] is None
    desk.no("not_found", "get_employee", employee_id="emp_nobody")
    desk.no("invalid", "list_employees", cursor="???")
    desk.no("invalid_arguments", "list_employees", limit=101)


def test_org_chart(desk: Desk) -> None:
    (root,) = desk("get_org_chart", employee_id=MARA)["items"]
    assert [item["id"] for item in root["reports"]] == [HANA, INES]
    assert [item["id"] for item in root["reports"][0]["reports"]] == [AMARA, LUIS]
    (flat,) = desk("get_org_chart", employee_id=MARA, depth=1)["items"]
    assert flat["reports"] == [] and flat["direct_reports"] == 2
    assert len(desk("get_org_chart")["items"]) == 5
    desk.no("not_found", "get_org_chart", employee_id="emp_nobody")


def test_emergency_contact(desk: Desk) -> None:
    desk("update_emergency_contact", name="Åsa “Oh” Lindqvist", phone="+46 1", relation="sister")
    assert desk("get_employee", employee_id=MARA)["emergency_contact_name"] == "Åsa “Oh” Lindqvist"
    desk.no("invalid_arguments", "update_emergency_contact", name=" ", phone="1", relation="x")


def test_job_changes_are_for_those_concerned(desk: Desk) -> None:
    shown = desk.every("list_job_changes", limit=2)
    assert {item["employee_id"] for item in shown} == {MARA, HANA, LUIS, AMARA, INES, "emp_gareth_pugh"}
    assert [item["effective_date"] for item in shown] == sorted((i["effective_date"] for i in shown), reverse=True)
    (next_,) = desk.every("list_job_changes", employee_id=LUIS, status="scheduled")
    assert next_["new_value"] == "Senior Support Agent"
    assert len(desk.every("list_job_changes", effective_from="2026-03-03", effective_until="2026-04-01")) == 2
    desk.no("forbidden", "list_job_changes", employee_id=PRIYA)
    desk.no("not_found", "list_job_changes", employee_id="emp_x")


def test_balance_follows_the_requests(desk: Desk) -> None:
    before = desk.annual()
    assert (before["entitled_days"], before["approved_days"], before["remaining_days"]) == (25, 11, 14)
    made = desk.ask("2026-05-01", "2026-05-05", note="Long weekend", cover_id=HANA)
    assert (made["business_days"], made["status"], made["approver_name"]) == (2, "pending", "Ruth Abernathy")
    assert desk.annual()["remaining_days"] == 12
    got = desk("get_leave_request", leave_request_id=made["id"])
    assert (got["note"], got["cover_id"], got["start_date"]) == ("Long weekend", HANA, "2026-05-01")
    assert made["id"] in {item["id"] for item in desk.every("list_leave_requests", employee_id=MARA, limit=2)}
    gone = desk("cancel_leave_request", leave_request_id=made["id"])
    assert gone["status"] == "cancelled" and desk.annual() == before
    desk.no("conflict", "cancel_leave_request", leave_request_id=made["id"])
    hana = desk.annual(employee_id=HANA)
    assert (hana["carried_over_days"], hana["pending_days"], hana["remaining_days"]) == (2, 2, 15)
    assert desk.annual(employee_id=INES)["entitled_days"] == 21
    assert desk.annual(year=2000)["entitled_days"] == 0 and desk.annual(year=2027)["remaining_days"] == 25
    desk.no("forbidden", "get_leave_balance", employee_id=PRIYA)
    desk.no("not_found", "get_leave_balance", employee_id="emp_x")


@pytest.mark.parametrize(
    ("code", "start", "end", "more"),
    [
        ("invalid", "2026-05-05", "2026-05-04", {}),
        ("invalid", "2026-12-30", "2027-01-02", {}),
        ("invalid", "0001-01-01", "9999-12-31", {}),
        ("invalid", "9999-12-31", "9999-12-31", {}),
        ("invalid", "2027-03-01", "2027-03-02", {}),
        ("invalid", "2026-05-02", "2026-05-04", {}),
        ("limit", "2026-03-06", "2026-03-06", {}),
        ("limit", "2026-02-27", "2026-02-27", {}),
        ("limit", "2026-02-13", "2026-02-13", {"kind": "lvt_sick"}),
        ("limit", "2026-05-05", "2026-05-26", {}),
        ("conflict", "2026-04-10", "2026-04-13", {}),
        ("conflict", "2026-07-22", "2026-07-23", {"cover_id": HANA}),
        ("invalid", "2026-07-22", "2026-07-23", {"cover_id": MARA}),
        ("invalid", "2026-07-22", "2026-07-23", {"cover_id": INES}),
        ("not_found", "2026-07-22", "2026-07-23", {"cover_id": "emp_x"}),
        ("not_found", "2026-07-22", "2026-07-23", {"kind": "lvt_x"}),
    ],
)
def test_refused_leave(desk: Desk, code: str, start: str, end: str, more: dict[str, Any]) -> None:
    kind = more.pop("kind", "lvt_annual") if "kind" in more else "lvt_annual"
    desk.no(code, "create_leave_request", leave_type_id=kind, start_date=start, end_date=end, **more)


def test_exactly_the_remaining_days(desk: Desk) -> None:
    assert desk.ask("2026-05-05", "2026-05-22")["business_days"] == 14
    desk.no("limit", "create_leave_request", leave_type_id="lvt_annual", start_date="2026-06-02", end_date="2026-06-02")


def test_sick_leave_needs_no_approval(desk: Desk) -> None:
    sick = desk.ask("2026-02-16", "2026-02-17", kind="lvt_sick")
    assert sick["status"] == "approved" and sick["decided_at"]
    desk.no("conflict", "cancel_leave_request", leave_request_id=sick["id"])


def test_decisions(desk: Desk) -> None:
    waiting = desk.every("list_leave_requests", approver_id=MARA, status="pending")
    assert [item["employee_id"] for item in waiting] == [HANA]
    yes = desk("approve_leave_request", leave_request_id=waiting[0]["id"], note="Luis covers.")
    assert (yes["status"], yes["decided_by_id"], yes["decision_note"]) == ("approved", MARA, "Luis covers.")
    assert desk("get_leave_request", leave_request_id=yes["id"]) == yes
    desk.no("conflict", "decline_leave_request", leave_request_id=yes["id"], reason="x")
    below = {item["id"]: item for item in desk.every("list_leave_requests", status="pending")}
    luis = next(item for item in below.values() if item["employee_id"] == LUIS)
    no = desk("decline_leave_request", leave_request_id=luis["id"], reason="Stock count")
    assert (no["status"], no["decision_note"]) == ("declined", "Stock count")
    porto = next(item for item in below.values() if item["start_date"] == "2026-05-13")
    assert "cover" in desk.no("conflict", "approve_leave_request", leave_request_id=porto["id"])["message"]
    desk.no("forbidden", "approve_leave_request", leave_request_id="lvr_0017")
    desk.no("not_found", "approve_leave_request", leave_request_id="lvr_x")
    own = desk.ask("2026-05-05", "2026-05-05")
    desk.no("forbidden", "approve_leave_request", leave_request_id=own["id"])
    desk.no("forbidden", "cancel_leave_request", leave_request_id=yes["id"])
    desk.no("not_found", "cancel_leave_request", leave_request_id="lvr_x")
    desk.no("conflict", "cancel_leave_request", leave_request_id="lvr_0001")
    assert desk("cancel_leave_request", leave_request_id="lvr_0002")["status"] == "cancelled"


def test_what_others_see(desk: Desk) -> None:
    shown = desk.every("list_leave_requests", limit=7)
    assert len(shown) == len({item["id"] for item in shown}) == desk("list_leave_requests")["total"]
    mine = {MARA, HANA, LUIS, AMARA, INES}
    assert all(item["status"] == "approved" and item["note"] == "" for item in shown if item["employee_id"] not in mine)
    elena = next(item for item in shown if item["employee_id"] == "emp_elena_sorokina")
    assert desk("get_leave_request", leave_request_id=elena["id"]) == elena
    desk.no("forbidden", "get_leave_request", leave_request_id="lvr_0017")
    desk.no("not_found", "get_leave_request", leave_request_id="lvr_x")
    assert {i["leave_type_id"] for i in desk.every("list_leave_requests", leave_type_id="lvt_sick")} == {"lvt_sick"}
    spring = desk.every("list_leave_requests", starts_from="2026-03-01", starts_until="2026-03-31")
    assert spring and all(date(2026, 3, 1) <= date.fromisoformat(i["start_date"]) <= date(2026, 3, 31) for i in spring)


def test_public_holidays(desk: Desk) -> None:
    found = desk.every("list_public_holidays", location="London", limit=3)
    assert len(found) == 8 and {item["location"] for item in found} == {"London"}
    easter = desk.play.ok("hr", "list_public_holidays", **{"from": "2026-04-03", "until": "2026-04-03"})["items"]
    assert Counter(item["name"] for item in easter) == {"Good Friday": 3}


def test_documents(desk: Desk) -> None:
    todo = desk.every("list_documents", acknowledged=False, requires_acknowledgement=True, status="current")
    assert [item["title"] for item in todo] == ["Fire safety, Tanner Street", "Travel policy 2026"]
    travel = desk("get_document", document_id="doc_0002")
    assert "five hours" in travel["body"] and [i["id"] for i in travel["missing_reports"]] == [AMARA, LUIS]
    done = desk("acknowledge_document", document_id="doc_0002")
    assert done["acknowledged"] and done == desk("get_document", document_id="doc_0002")
    desk.no("conflict", "acknowledge_document", document_id="doc_0002")
    desk.no("conflict", "acknowledge_document", document_id="doc_0005")
    desk.no("conflict", "acknowledge_document", document_id="doc_0009")
    desk.no("not_found", "acknowledge_document", document_id="doc_x")
    desk.no("not_found", "get_document", document_id="doc_x")
    assert [item["id"] for item in desk.every("list_documents", query="STATION", category="policy")] == ["doc_0002"]
    assert len(desk.every("list_documents", limit=2)) == 9


def test_onboarding(desk: Desk) -> None:
    mine = desk.every("list_onboarding_tasks", owner_id=MARA, status="open", limit=1)
    assert [item["id"] for item in mine] == ["onb_0004", "onb_0005", "onb_0006", "onb_0007"]
    assert mine[0]["overdue"] and not mine[1]["overdue"]
    desk.no("conflict", "complete_onboarding_task", onboarding_task_id="onb_0005")
    done = desk("complete_onboarding_task", onboarding_task_id="onb_0004", result="Plan in the wiki")
    assert (done["status"], done["result"], done["completed_by_id"]) == ("done", "Plan in the wiki", MARA)
    desk.no("conflict", "complete_onboarding_task", onboarding_task_id="onb_0004")
    assert desk("complete_onboarding_task", onboarding_task_id="onb_0005")["status"] == "done"
    assert desk("complete_onboarding_task", onboarding_task_id="onb_0002")["owner_name"] == "Kenji Watanabe"
    desk.no("not_found", "complete_onboarding_task", onboarding_task_id="onb_x")
    assert {i["employee_id"] for i in desk.every("list_onboarding_tasks", employee_id=AMARA)} == {AMARA}
    assert [i["id"] for i in desk.every("list_onboarding_tasks", due_until="2024-02-01")] == ["onb_0010"]
