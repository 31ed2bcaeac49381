"""The contacts service: deals, activities and notes."""

from __future__ import annotations

from decimal import Decimal

from services.contacts.state import Deal, Member
from tests.services.play import Play
from tests.services.test_contacts import C, book, found

__all__ = ["book"]


def test_deal_goes_through_the_pipeline(book: Play) -> None:
    made = book.ok(
        C, "create_deal", name="Ridge boots", company_id="cmp_0002", amount=1000.05, close_date="2026-05-01",
        person_id="per_0003",
    )  # fmt: skip
    assert (made["currency"], made["stage"], made["weighted_amount"]) == ("AUD", "Lead", 100.01)
    assert book.fails(C, "move_deal", deal_id=made["id"], stage_id="won")["code"] == "conflict"
    for stage in ("qualified", "proposal", "negotiation"):
        book.ok(C, "move_deal", deal_id=made["id"], stage_id=stage)
    own = book.ok(C, "update_deal", deal_id=made["id"], probability=62.5, amount=200, next_step="Sign")
    assert (own["probability"], own["weighted_amount"]) == (62.5, 125)
    won = book.ok(C, "move_deal", deal_id=made["id"], stage_id="won", comment="Signed")
    assert (won["state"], won["probability"], won["close_date"]) == ("won", 100, "2026-03-02")
    assert book.fails(C, "update_deal", deal_id=made["id"], amount=1)["code"] == "conflict"
    assert book.fails(C, "move_deal", deal_id=made["id"], stage_id="lost", lost_reason="price")["code"] == "conflict"
    shown = book.ok(C, "get_deal", deal_id=made["id"])
    assert [step["to_id"] for step in shown["history"]] == [
        "lead",
        "qualified",
        "proposal",
        "negotiation",
        "won",
    ]
    assert shown["moves_to"] == [] and shown["contact"]["name"] == "Callum Reid"


def test_deal_is_lost_and_opened_again(book: Play) -> None:
    deal = found(book, "list_deals", "Bakery whites trial")
    lost = book.ok(C, "move_deal", deal_id=deal["id"], stage_id="lost", lost_reason="timing", comment="Later")
    assert (lost["lost_reason"], lost["close_comment"], lost["weighted_amount"]) == ("timing", "Later", 0)
    again = book.ok(C, "move_deal", deal_id=deal["id"], stage_id="qualified")
    assert (again["state"], again["lost_reason"], again["closed_at"], again["close_comment"]) == (
        "open",
        None,
        None,
        "",
    )


def test_winning_makes_a_customer_and_needs_an_amount(book: Play) -> None:
    made = book.ok(
        C, "create_deal", name="Boots", company_id="cmp_0008", amount=0, close_date="2026-05-01",
        stage_id="negotiation",
    )  # fmt: skip
    assert book.fails(C, "move_deal", deal_id=made["id"], stage_id="won")["code"] == "invalid"
    book.ok(C, "update_deal", deal_id=made["id"], amount=10)
    book.ok(C, "move_deal", deal_id=made["id"], stage_id="won")
    assert book.ok(C, "get_company", company_id="cmp_0008")["lifecycle"] == "customer"


def test_deal_filters(book: Play) -> None:
    items = book.ok(C, "list_deals", state="open", owner_id="mem_priya", currency="EUR", limit=100)["items"]
    assert items and all(
        (item["state"], item["owner_id"], item["currency"]) == ("open", "mem_priya", "EUR") for item in items
    )
    bounds = {"closes_from": "2026-03-10", "closes_to": "2026-03-31", "min_amount": 1000, "max_amount": 60000}
    items = book.ok(C, "list_deals", **bounds)["items"]
    assert items and all("2026-03-10" <= item["close_date"] <= "2026-03-31" for item in items)
    assert all(1000 <= item["amount"] <= 60000 for item in items)
    assert book.ok(C, "list_deals", person_id="per_0018", company_id="cmp_0009")["total"] == 1


def test_pipeline_summary_equals_the_deals(book: Play) -> None:
    summary = book.ok(C, "get_pipeline_summary")
    rows = book.rows(Deal)
    assert summary["deals"] == len(rows)
    for part in summary["currencies"]:
        mine = [row for row in rows if row.currency == part["currency"]]
        still_open = [row for row in mine if row.stage_id not in ("won", "lost")]
        assert Decimal(str(part["open_amount"])) == sum(row.amount for row in still_open)
        assert part["forecast_amount"] <= part["open_amount"]
        assert sum(stage["deals"] for stage in part["stages"]) == len(mine)
    march = book.ok(C, "get_pipeline_summary", closes_from="2026-03-27", closes_to="2026-03-27", currency="EUR")
    assert march["currencies"][0]["forecast_amount"] == 38560
    assert book.ok(C, "get_pipeline_summary", owner_id="mem_oscar") == {"currencies": [], "deals": 0}


def test_activities_and_tasks(book: Play) -> None:
    call = book.ok(
        C, "log_activity", kind="call", subject="Gloves", at="2026-03-02T10:00:00+02:00", deal_id="deal_0009",
        minutes=5,
    )  # fmt: skip
    assert (call["company_id"], call["status"], call["at"]) == ("cmp_0001", "done", "2026-03-02T08:00:00Z")
    assert book.ok(C, "get_company", company_id="cmp_0001")["last_contact_at"] == "2026-03-02T08:00:00Z"
    assert book.fails(C, "close_task", activity_id=call["id"])["code"] == "invalid"
    task = book.ok(C, "create_task", subject="Ask", due_at="2026-03-03T09:00:00Z", person_id="per_0003")
    assert (task["company_id"], task["assignee_id"]) == ("cmp_0002", "mem_mara")
    book.ok(C, "update_task", activity_id=task["id"], assignee_id="mem_hana", due_at="2026-03-04T09:00:00Z")
    listed = book.ok(C, "list_activities", assignee_id="mem_hana", status="open", kind="task")["items"]
    assert task["id"] in [item["id"] for item in listed]
    done = book.ok(C, "close_task", activity_id=task["id"], outcome="Asked")
    assert done["status"] == "done" and done["completed_at"]
    assert book.fails(C, "close_task", activity_id=task["id"])["code"] == "conflict"
    assert book.fails(C, "update_task", activity_id=task["id"], body="x")["code"] == "conflict"


def test_activity_filters(book: Play) -> None:
    late = book.ok(C, "list_activities", overdue=True)
    assert {item["subject"] for item in late["items"]} == {
        "Ring Harriet again about INV-2029", "Check with support where GP-778 stands",
    }  # fmt: skip
    total = book.ok(C, "list_activities")["total"]
    assert book.ok(C, "list_activities", overdue=False)["total"] == total - 2
    window = book.ok(
        C, "list_activities", since="2026-02-26T00:00:00Z", until="2026-02-28T23:59:59Z", newest_first=False
    )["items"]
    times = [item["at"] for item in window]
    assert times == sorted(times) and times[0] >= "2026-02-26"
    assert book.ok(C, "list_activities", query="inv-2041")["total"] == 2


def test_notes(book: Play) -> None:
    note = book.ok(C, "add_note", kind="deal", record_id="deal_0009", body=" Ünïcode & 'quotes' ", pinned=True)
    assert note["body"] == "Ünïcode & 'quotes'"
    listed = book.ok(C, "list_notes", kind="deal", limit=100)["items"]
    assert listed[0]["id"] == note["id"] and all(item["deal_id"] for item in listed)
    assert book.ok(C, "get_deal", deal_id="deal_0009")["notes"] == 1
    assert book.ok(C, "list_notes", query="GP-778")["total"] == 2
    book.ok(C, "delete_note", note_id=note["id"])
    assert book.ok(C, "list_notes", kind="deal", record_id="deal_0009")["total"] == 0
    foreign = book.ok(C, "list_notes", query="dock 4")["items"][0]
    assert book.fails(C, "delete_note", note_id=foreign["id"])["code"] == "forbidden"


def test_members_and_stages_are_listed(book: Play) -> None:
    listed = book.ok(C, "list_members")
    assert listed["me"] == "mem_mara" and "Nils Bergstrom" not in {item["name"] for item in listed["items"]}
    everybody = book.ok(C, "list_members", include_inactive=True)["items"]
    assert len(everybody) == len(book.rows(Member)) == len(listed["items"]) + 1
    stages = book.ok(C, "list_pipeline_stages")["items"]
    assert [stage["id"] for stage in stages] == [
        "lead",
        "qualified",
        "proposal",
        "negotiation",
        "won",
        "lost",
    ]
    assert stages[3]["moves_to"] == ["lost", "proposal", "won"]
