"""What the help desk does with several tickets: merge, link, list, change in bulk."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from services.tickets.state import Ticket, TicketLink
from tests.services.play import Play
from tests.services.tickets_desk import AMARA, HANA, LUIS, MARA, TALIA, UNSOLVED, Desk, dump


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("tickets"))


def test_replies_and_notes(desk: Desk) -> None:
    assert desk("get_ticket", ticket_id="tkt_0011")["first_response_missed"] is False
    sent = desk("reply_to_ticket", ticket_id="tkt_0011", body="Tobias and I will come.", then_status="pending")
    assert sent["ticket"]["first_responded_at"] == sent["comment"]["created_at"]
    assert sent["ticket"]["status"] == "pending"
    before = dump(desk)
    desk.no("conflict", "reply_to_ticket", ticket_id="tkt_0011", body="Done", then_status="solved")
    desk.no("invalid", "reply_to_ticket", ticket_id="tkt_0011", body="  ")
    assert not desk.play.call("tickets", "add_internal_note", ticket_id="tkt_0011", body="a\x00b")["ok"]
    assert dump(desk) == before
    note = desk("add_internal_note", ticket_id="tkt_0011", body='"quoted" ok ½')
    listed = desk("list_comments", ticket_id="tkt_0011")
    assert [i["id"] for i in listed["items"]] == [sent["comment"]["id"], note["id"]] and listed["total"] == 2
    desk("delete_internal_note", comment_id=note["id"])
    desk.no("not_found", "delete_internal_note", comment_id=note["id"])
    desk.no("conflict", "delete_internal_note", comment_id=sent["comment"]["id"])
    desk.no("forbidden", "delete_internal_note", comment_id="cmt_0002")


def test_merge(desk: Desk) -> None:
    desk("update_ticket", ticket_id="tkt_0002", priority="urgent")
    merged = desk("merge_tickets", target_id="tkt_0001", source_ids=["tkt_0002"])
    assert merged["merged"] == ["tkt_0002"] and merged["priority"] == "urgent"
    source = desk("get_ticket", ticket_id="tkt_0002")
    assert (source["status"], source["merged_into_id"]) == ("closed", "tkt_0001")
    notes = desk("list_comments", ticket_id="tkt_0001", visibility="internal")["items"]
    assert "Marcus Vale" in notes[-1]["body"]
    linked = desk("list_linked_tickets", ticket_id="tkt_0001")["items"]
    assert {(i["relation"], i["ticket"]["id"]) for i in linked} == {
        ("duplicate", "tkt_0002"),
        ("related", "tkt_0030"),
    }
    assert desk("list_linked_tickets", ticket_id="tkt_0002")["items"][0]["relation"] == "merged_into"
    desk.no("conflict", "merge_tickets", target_id="tkt_0001", source_ids=["tkt_0002"])
    desk.no("conflict", "merge_tickets", target_id="tkt_0001", source_ids=["tkt_0008"])
    desk.no("invalid", "merge_tickets", target_id="tkt_0001", source_ids=["tkt_0001"])
    desk.no("conflict", "merge_tickets", target_id="tkt_0016", source_ids=["tkt_0001"])
    desk.no("forbidden", "merge_tickets", target_id="tkt_0025", source_ids=["tkt_0020"])
    desk.no("conflict", "record_satisfaction", ticket_id="tkt_0002", score="good")


def test_problems_and_links(desk: Desk) -> None:
    problem = desk("list_problems")["items"][0]
    assert problem["id"] == "tkt_0005" and problem["incident_count"] == 3
    desk("link_tickets", ticket_id="tkt_0009", other_id="tkt_0005", kind="incident_of")
    desk.no("conflict", "link_tickets", ticket_id="tkt_0009", other_id="tkt_0005", kind="incident_of")
    desk.no("conflict", "link_tickets", ticket_id="tkt_0011", other_id="tkt_0005", kind="incident_of")
    desk.no("conflict", "link_tickets", ticket_id="tkt_0008", other_id="tkt_0009", kind="incident_of")
    desk.no("invalid", "link_tickets", ticket_id="tkt_0008", other_id="tkt_0008", kind="related")
    desk.no("not_found", "link_tickets", ticket_id="tkt_0008", other_id="tkt_9", kind="related")
    desk.no("forbidden", "link_tickets", ticket_id="tkt_0020", other_id="tkt_0008", kind="related")
    desk("link_tickets", ticket_id="tkt_0028", other_id="tkt_0014", kind="related")
    desk.no("conflict", "link_tickets", ticket_id="tkt_0014", other_id="tkt_0028", kind="related")
    desk("unlink_tickets", ticket_id="tkt_0014", other_id="tkt_0028", kind="related")
    desk.no("not_found", "unlink_tickets", ticket_id="tkt_0014", other_id="tkt_0028", kind="related")
    mine = desk.new(kind="problem", assignee_id=MARA)["id"]
    other = desk.new(kind="problem")["id"]
    first, second = desk.new(kind="incident")["id"], desk.new(kind="incident")["id"]
    for incident in (first, second):
        desk("link_tickets", ticket_id=incident, other_id=mine, kind="incident_of")
    desk.no("conflict", "link_tickets", ticket_id=first, other_id=other, kind="incident_of")
    desk.no("conflict", "merge_tickets", target_id=other, source_ids=[mine])
    done = desk("set_ticket_status", ticket_id=mine, status="solved", reason="Zip maker changed")
    assert done["also_solved"] == sorted([first, second])
    assert desk("get_ticket", ticket_id=first)["status"] == "solved"
    desk.no("conflict", "link_tickets", ticket_id="tkt_0008", other_id=mine, kind="incident_of")
    assert mine not in {i["id"] for i in desk("list_problems")["items"]}
    assert mine in {i["id"] for i in desk("list_problems", include_solved=True)["items"]}
    assert len([row for row in desk.play.rows(TicketLink) if row.to_id == mine]) == 2


def test_satisfaction(desk: Desk) -> None:
    desk.no("conflict", "record_satisfaction", ticket_id="tkt_0011", score="good")
    assert desk("record_satisfaction", ticket_id="tkt_0021", score="bad")["score"] == "bad"
    assert desk("record_satisfaction", ticket_id="tkt_0021", score="good", comment="Ça va")["comment"] == "Ça va"
    assert desk("get_ticket", ticket_id="tkt_0021")["satisfaction"]["score"] == "good"
    desk.no("conflict", "record_satisfaction", ticket_id="tkt_0018", score="bad")
    assert desk("record_satisfaction", ticket_id="tkt_0027", score="good")["ticket_id"] == "tkt_0027"
    desk.no("forbidden", "record_satisfaction", ticket_id="tkt_0019", score="good")
    rated = desk("list_satisfaction")
    good = sum(i["score"] == "good" for i in rated["items"])
    assert rated["total_ratings"] == len(rated["items"]) == 7
    assert rated["good_percent"] == round(100 * good / 7, 1)
    assert {i["score"] for i in desk("list_satisfaction", score="bad")["items"]} == {"bad"}


def test_macros(desk: Desk) -> None:
    macros = {i["name"]: i["id"] for i in desk("list_macros")["items"]}
    assert "Holiday greeting" not in macros
    assert len(desk("list_macros", include_inactive=True)["items"]) == len(macros) + 1
    assert [i["name"] for i in desk("list_macros", query="CARRIER")["items"]] == ["Wait for the carrier"]
    done = desk("apply_macro", ticket_id="tkt_0024", macro_id=macros["Ask for photos"])
    assert done["ticket"]["status"] == "pending" and "awaiting-photos" in done["ticket"]["tags"]
    assert "Dear Chloe" in done["comment"]["body"] and "JL-0312" in done["comment"]["body"]
    assert "{{" not in done["comment"]["body"]
    before = dump(desk)
    desk.no("conflict", "apply_macro", ticket_id="tkt_0008", macro_id=macros["Outage over"])
    desk.no("conflict", "apply_macro", ticket_id="tkt_0008", macro_id="mac_06")
    desk.no("forbidden", "apply_macro", ticket_id="tkt_0020", macro_id=macros["Late delivery"])
    desk.no("not_found", "apply_macro", ticket_id="tkt_0008", macro_id="mac_99")
    assert dump(desk) == before
    held = desk("apply_macro", ticket_id="tkt_0025", macro_id=macros["Wait for the carrier"])
    assert held["ticket"]["status"] == "on_hold" and held["comment"]["visibility"] == "internal"
    solved = desk("apply_macro", ticket_id="tkt_0006", macro_id=macros["Outage over"])
    assert solved["ticket"]["status"] == "solved"
    assert (
        desk("apply_macro", ticket_id="tkt_0004", macro_id=macros["Dispute received"])["ticket"]["priority"] == "high"
    )


def test_views(desk: Desk) -> None:
    views = {i["name"]: i["id"] for i in desk("list_views")["items"]}
    mine = desk("run_view", view_id=views["My unsolved tickets"])["items"]
    assert {i["assignee_id"] for i in mine} == {MARA} and {i["status"] for i in mine} <= UNSOLVED
    free = desk("run_view", view_id=views["Unassigned"])["items"]
    assert free and all(i["assignee_id"] is None for i in free)
    assert all(i["overdue"] for i in desk("run_view", view_id=views["Overdue"])["items"])
    made = desk("create_view", name="Gold in care", filters={"group_id": "grp_care", "tag": "gold"})
    assert [i["id"] for i in desk("run_view", view_id=made["id"])["items"]] == ["tkt_0009"]
    desk.no("conflict", "create_view", name="Gold in care", filters={"tag": "gold"})
    desk.no("invalid_arguments", "create_view", name="Bad", filters={"colour": "red"})
    desk.no("invalid_arguments", "create_view", name="Bad", filters={})
    desk("delete_view", view_id=made["id"])
    desk.no("not_found", "run_view", view_id=made["id"])
    desk.no("forbidden", "delete_view", view_id=views["Overdue"])
    for number in range(20):
        desk("create_view", name=f"View {number}", filters={"kind": "task"})
    desk.no("limit", "create_view", name="One more", filters={"kind": "task"})


def test_bulk_update_is_all_or_nothing(desk: Desk) -> None:
    ids = ["tkt_0008", "tkt_0009", "tkt_0008"]
    done = desk("bulk_update_tickets", ticket_ids=ids, assignee_id=AMARA, priority="high", add_tags=["wave"])
    assert (done["updated"], done["count"]) == (ids[:2], 2)
    assert {i["id"] for i in desk("list_tickets", tag="wave", assignee=AMARA)["items"]} == set(ids)
    before = dump(desk)
    error = desk.no(
        "forbidden", "bulk_update_tickets", ticket_ids=["tkt_0008", "tkt_0020", "tkt_0018"], add_tags=["no"]
    )
    assert [i["ticket_id"] for i in error["details"]["failed"]] == ["tkt_0020", "tkt_0018"]
    desk.no("invalid", "bulk_update_tickets", ticket_ids=["tkt_0008"])
    desk.no("invalid", "bulk_update_tickets", ticket_ids=["tkt_0008"], status="on_hold")
    desk.no("not_found", "bulk_update_tickets", ticket_ids=["tkt_0008", "tkt_x"], priority="low")
    assert dump(desk) == before
    solved = desk("bulk_update_tickets", ticket_ids=ids, status="solved", remove_tags=["wave"])
    assert solved["also_solved"] == [] and desk("list_tickets", tag="wave")["items"] == []
    moved = desk("bulk_update_tickets", ticket_ids=["tkt_0002", "tkt_0011"], group_id="grp_shipping")
    assert moved["count"] == 2


def test_lists_and_search(desk: Desk) -> None:
    rows = {t.id: t for t in desk.play.rows(Ticket)}

    def ids(tool: str = "list_tickets", **filters: Any) -> set[str]:
        return {i["id"] for i in desk(tool, limit=100, **filters)["items"]}

    assert ids() == set(rows)
    assert ids(status=["open", "pending"], priority=["high"]) == {
        t.id for t in rows.values() if t.status in ("open", "pending") and t.priority == "high"
    }
    assert ids(assignee="none") == {t.id for t in rows.values() if t.assignee_id is None}
    assert ids(assignee="me") == {t.id for t in rows.values() if t.assignee_id == MARA}
    org = "org_granite_peak_outdoor"
    assert ids(organization_id=org) == {t.id for t in rows.values() if t.organization_id == org}
    assert ids(overdue=True) | ids(overdue=False) == set(rows) and ids(overdue=True)
    assert ids(created_after="2026-02-25T00:00:00Z", created_before="2026-02-26T00:00:00Z") == {
        t.id for t in rows.values() if t.created_at.date() == date(2026, 2, 25)
    }
    desk.no("invalid", "list_tickets", created_after="2026-02-25T00:00:00Z", created_before="2026-02-20T00:00:00Z")
    assert ids("search_tickets", query="gp-778") == {"tkt_0001", "tkt_0002"}
    assert ids("search_tickets", query="standing WATER") == {"tkt_0001"}
    assert ids("search_tickets", query="%") == set()
    assert ids("search_tickets", query="gp-778", status=["solved"]) == set()
    for sort in ("newest", "oldest", "recently_updated", "due"):
        seen: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = desk("list_tickets", sort=sort, limit=7, **cursor)
            seen += [i["id"] for i in page["items"]]
            if page["next_cursor"] is None:
                break
            cursor = {"cursor": page["next_cursor"]}
        assert len(seen) == len(rows) and set(seen) == set(rows)
    desk.no("invalid", "list_tickets", cursor="abc")
    desk.no("not_found", "get_ticket", ticket_id="tkt_x")
    only = desk("get_audit_trail", ticket_id="tkt_0016", action="status")["items"]
    assert [i["new_value"] for i in only] == ["solved"]


def test_directory(desk: Desk) -> None:
    care = desk("list_agents", group_id="grp_care")["items"]
    assert {i["id"] for i in care} == {MARA, HANA, LUIS, AMARA}
    assert [i["id"] for i in desk("list_agents", status="absent")["items"]] == ["agt_sofia_almeida"]
    load = desk("get_group_workload", group_id="grp_care")
    total = sum(i["unsolved"] for i in load["items"]) + load["unassigned"]["unsolved"]
    queues = {g["id"]: g for g in desk("list_groups")["items"]}
    assert total == queues["grp_care"]["unsolved_tickets"]
    assert load["unassigned"]["unsolved"] == queues["grp_care"]["unassigned_tickets"]
    desk.no("not_found", "get_group_workload", group_id="grp_x")
    found = desk("list_requesters", email="Talia.Brooks@granitepeak.example")["items"]
    assert [i["id"] for i in found] == [TALIA]
    made = desk("create_requester", name="Zoë Král", email="Zoe@Halcyon.example")
    assert (made["email"], made["organization_id"]) == ("zoe@halcyon.example", "org_halcyon_clinics")
    assert made["id"] in {i["id"] for i in desk("list_requesters", query="král")["items"]}
    assert desk("create_requester", name="Solo", email="solo@else.example")["organization_id"] is None
    desk.no("conflict", "create_requester", name="Zoë", email="ZOE@halcyon.example")
    desk.no("invalid_arguments", "create_requester", name="Zoë", email="not an address")
    desk.no("not_found", "create_requester", name="Z", email="z@else.example", organization_id="org_x")
    gold = desk("list_organizations", tier="gold")["items"]
    assert {i["tier"] for i in gold} == {"gold"} and any(i["unsolved_tickets"] for i in gold)
    assert [i["name"] for i in desk("list_organizations", query="ember &")["items"]] == ["Ember & Oak Cafes"]
    promised = desk("list_sla_policies", tier="gold")
    assert [i["priority"] for i in promised["items"]] == ["urgent", "high", "normal", "low"]
    assert promised["business_hours"]["opens"] == "09:00" and len(promised["holidays"]) == 4
