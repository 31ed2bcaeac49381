"""The help desk behaves as people know it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Entity, Seed
from services.tickets import service, sla
from services.tickets.state import Comment, Satisfaction, Ticket, TicketLink
from tests.services.play import Play

MARA, HANA, LUIS, AMARA = "agt_mara_lindqvist", "agt_hana_takeda", "agt_luis_herrera", "agt_amara_diallo"
TALIA, NOOR, RUTH = "req_talia_brooks", "req_noor_haddad", "req_ruth_abernathy"
UNSOLVED = {"open", "pending", "on_hold"}


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("tickets", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("tickets", tool, **arguments)
        assert error["code"] == code, error
        return error

    def new(self, requester_id: str = TALIA, group_id: str = "grp_care", **more: Any) -> Any:
        given = {"subject": "Zipper stuck", "description": "Two zips do not close."} | more
        return self("create_ticket", requester_id=requester_id, group_id=group_id, **given)

    def trail(self, ticket_id: str) -> list[tuple[str, Any, Any]]:
        items = self("get_audit_trail", ticket_id=ticket_id)["items"]
        return [(i["action"], i["old_value"], i["new_value"]) for i in items]


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("tickets"))


def dump(desk: Desk) -> list[Any]:
    return [[row.values() for row in desk.play.rows(entity)] for entity in service.entities]


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("tickets", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 150 <= len(rows(0)) <= 400
    cast = {person.email: person.name for person in (*COLLEAGUES, *CONTACTS)}
    for name, values in rows(0):
        if name in ("Agent", "Requester"):
            assert cast[values["email"]] == values["name"]


def test_seed_keeps_the_rules(desk: Desk) -> None:
    comments = desk.play.rows(Comment)
    answered = {c.ticket_id for c in comments if c.author_kind == "agent" and c.visibility == "public"}
    groups = {g["id"]: {m["agent_id"] for m in g["members"]} for g in desk("list_groups")["items"]}
    for ticket in desk.play.rows(Ticket):
        assert (ticket.solved_at is not None) == (ticket.status in ("solved", "closed"))
        assert (ticket.closed_at is not None) == (ticket.status == "closed")
        assert (ticket.paused_since is not None) == (ticket.status in ("pending", "on_hold"))
        assert ticket.created_at <= ticket.first_response_due_at <= ticket.resolution_due_at
        assert ticket.status != "pending" or ticket.id in answered
        assert ticket.assignee_id is None or ticket.assignee_id in groups[ticket.group_id]
        assert ticket.status not in ("solved", "closed") or ticket.assignee_id


def test_business_hours() -> None:
    def at(day: int, hour: int, minute: int = 0, month: int = 3) -> datetime:
        return datetime(2026, month, day, hour, minute, tzinfo=UTC)

    off = {date(2026, 4, 3)}
    assert sla.add_business_minutes(at(2, 9), 480, off) == at(2, 17)
    assert sla.add_business_minutes(at(2, 9), 481, off) == at(3, 9, 1)
    assert sla.add_business_minutes(at(6, 16, 30), 60, off) == at(9, 9, 30)
    assert sla.add_business_minutes(at(7, 3), 1, off) == at(9, 9, 1)
    assert sla.add_business_minutes(at(2, 16, 0, 4), 120, off) == at(6, 10, 0, 4)
    assert sla.business_minutes(at(6, 16), at(9, 10), off) == 120
    assert sla.business_minutes(at(7, 9), at(8, 17), off) == 0
    assert sla.business_minutes(at(3, 9), at(2, 9), off) == 0
    assert sla.business_minutes(at(2, 0), at(2, 23), off) == 480


def test_create_and_due_times(desk: Desk) -> None:
    made = desk.new(priority="urgent", reference="GP-790", tags=["b", "a", "b"], kind="incident")
    assert (made["status"], made["tier"], made["tags"]) == ("open", "gold", ["a", "b"])
    assert made["organization_name"] == "Granite Peak Outdoor"
    created = datetime.fromisoformat(made["created_at"])
    assert datetime.fromisoformat(made["first_response_due_at"]) == created.replace(hour=10)
    assert datetime.fromisoformat(made["resolution_due_at"]) == created.replace(hour=13)
    assert desk("get_ticket", ticket_id=made["id"])["description"] == "Two zips do not close."
    assert made["id"] in {i["id"] for i in desk("list_tickets", reference="GP-790")["items"]}
    assert desk.new(RUTH)["tier"] == "bronze"
    assert desk.new(assignee_id=LUIS)["assignee_id"] == LUIS
    assert desk.new(group_id="grp_billing", assignee_id=MARA)["assignee_id"] == MARA
    desk.no(
        "forbidden",
        "create_ticket",
        requester_id=TALIA,
        subject="x",
        description="x",
        group_id="grp_billing",
        assignee_id="agt_dario_bianchi",
    )
    desk.no(
        "conflict",
        "create_ticket",
        requester_id=TALIA,
        subject="x",
        description="x",
        group_id="grp_care",
        assignee_id="agt_kenji_watanabe",
    )
    desk.no("invalid", "create_ticket", requester_id=TALIA, subject=" ", description="x", group_id="grp_care")
    desk.no(
        "not_found", "create_ticket", requester_id="req_x", subject="x", description="x", group_id="grp_care"
    )
    desk.no("not_found", "create_ticket", requester_id=TALIA, subject="x", description="x", group_id="grp_x")
    desk.no(
        "invalid_arguments",
        "create_ticket",
        requester_id=TALIA,
        subject="x",
        description="x",
        group_id="grp_care",
        priority="asap",
    )
    follow = desk.new(follow_up_of="tkt_0030")
    assert [link["kind"] for link in follow["links"]] == ["related"]
    desk.no(
        "conflict",
        "create_ticket",
        requester_id=TALIA,
        subject="x",
        description="x",
        group_id="grp_care",
        follow_up_of="tkt_0001",
    )


def test_update_moves_due_times(desk: Desk) -> None:
    made = desk.new()
    urgent = desk("update_ticket", ticket_id=made["id"], priority="urgent", subject="Größe “L”")
    assert urgent["resolution_due_at"] < made["resolution_due_at"] and urgent["subject"] == "Größe “L”"
    moved = desk("update_ticket", ticket_id=made["id"], requester_id=NOOR, reference="HC-1")
    assert (moved["tier"], moved["reference"]) == ("silver", "HC-1")
    assert moved["resolution_due_at"] > urgent["resolution_due_at"]
    assert desk("update_ticket", ticket_id=made["id"], reference=None)["reference"] is None
    desk.no("invalid", "update_ticket", ticket_id=made["id"])
    desk.no("not_found", "update_ticket", ticket_id=made["id"], requester_id="req_x")
    desk.no("forbidden", "update_ticket", ticket_id="tkt_0020", priority="high")
    desk.no("conflict", "update_ticket", ticket_id="tkt_0018", priority="high")
    desk.no("conflict", "update_ticket", ticket_id="tkt_0006", kind="question")
    assert ("priority", "normal", "urgent") in desk.trail(made["id"])
    tagged = desk("update_tags", ticket_id=made["id"], add=["zip", "coat"])
    assert tagged["tags"] == ["coat", "zip"]
    assert desk("update_tags", ticket_id=made["id"], remove=["zip"])["tags"] == ["coat"]
    assert [i["id"] for i in desk("list_tickets", tag="coat")["items"]] == [made["id"]]
    desk.no("not_found", "update_tags", ticket_id=made["id"], remove=["zip"])
    desk.no("invalid", "update_tags", ticket_id=made["id"])
    desk.no("invalid_arguments", "update_tags", ticket_id=made["id"], add=["Not a tag"])
    desk("update_tags", ticket_id=made["id"], add=[f"t{n}" for n in range(19)])
    desk.no("limit", "update_tags", ticket_id=made["id"], add=["one-more"])


def test_states(desk: Desk) -> None:
    ticket = desk.new()["id"]
    desk.no("conflict", "set_ticket_status", ticket_id=ticket, status="open")
    desk.no("conflict", "set_ticket_status", ticket_id=ticket, status="closed")
    desk.no("conflict", "set_ticket_status", ticket_id=ticket, status="pending")
    desk.no("invalid", "set_ticket_status", ticket_id=ticket, status="on_hold")
    desk.no("conflict", "set_ticket_status", ticket_id=ticket, status="solved")
    desk("reply_to_ticket", ticket_id=ticket, body="Which size?")
    waiting = desk("set_ticket_status", ticket_id=ticket, status="pending")
    held = desk("set_ticket_status", ticket_id=ticket, status="on_hold", reason="Supplier asks around")
    assert (waiting["status"], held["status"]) == ("pending", "on_hold")
    notes = desk("list_comments", ticket_id=ticket, visibility="internal")["items"]
    assert [i["body"] for i in notes] == ["Supplier asks around"]
    back = desk("set_ticket_status", ticket_id=ticket, status="open")
    assert back["paused_minutes"] == 3 and back["resolution_due_at"] > waiting["resolution_due_at"]
    desk("assign_ticket", ticket_id=ticket, agent_id=MARA)
    solved = desk("set_ticket_status", ticket_id=ticket, status="solved")
    assert solved["solved_at"] and solved["also_solved"] == []
    desk.no("conflict", "set_ticket_status", ticket_id=ticket, status="open")
    desk.no("conflict", "set_ticket_status", ticket_id=ticket, status="pending")
    reopened = desk("reopen_ticket", ticket_id=ticket, reason="Still stuck")
    assert (reopened["status"], reopened["reopened_count"], reopened["solved_at"]) == ("open", 1, None)
    assert reopened["resolution_due_at"] > solved["resolution_due_at"]
    desk.no("conflict", "reopen_ticket", ticket_id=ticket, reason="x")
    desk("set_ticket_status", ticket_id=ticket, status="solved")
    assert desk("set_ticket_status", ticket_id=ticket, status="closed")["closed_at"]
    for tool, more in (
        ("set_ticket_status", {"status": "open"}),
        ("reopen_ticket", {"reason": "x"}),
        ("reply_to_ticket", {"body": "x"}),
        ("add_internal_note", {"body": "x"}),
        ("assign_ticket", {"agent_id": LUIS}),
    ):
        desk.no("conflict", tool, ticket_id=ticket, **more)
    states = [new for action, _, new in desk.trail(ticket) if action == "status"]
    assert states == ["pending", "on_hold", "open", "solved", "open", "solved", "closed"]
    numbers = [i["number"] for i in desk("get_audit_trail", ticket_id=ticket)["items"]]
    assert numbers == list(range(1, len(numbers) + 1))


def test_reopening_window(desk: Desk) -> None:
    assert desk("reopen_ticket", ticket_id="tkt_0021", reason="List incomplete")["status"] == "open"
    assert "14 days" in desk.no("conflict", "reopen_ticket", ticket_id="tkt_0017", reason="x")["message"]
    desk.no("conflict", "log_requester_reply", ticket_id="tkt_0017", body="One more thing")
    again = desk("log_requester_reply", ticket_id="tkt_0026", body="It came again")
    assert again["reopened"] and again["ticket"]["status"] == "open"
    assert again["comment"]["author_kind"] == "requester"
    assert "tkt_0026" not in {row.ticket_id for row in desk.play.rows(Satisfaction)}
    woken = desk("log_requester_reply", ticket_id="tkt_0010", body="None since")
    assert (woken["ticket"]["status"], woken["reopened"]) == ("open", False)
    assert woken["ticket"]["paused_minutes"] > 0


def test_groups_decide_who_may_do_what(desk: Desk) -> None:
    roles = {g["id"]: g["my_role"] for g in desk("list_groups")["items"]}
    assert (
        roles["grp_shipping"] == "lead" and roles["grp_billing"] == "agent" and roles["grp_technical"] is None
    )
    desk.no("forbidden", "reply_to_ticket", ticket_id="tkt_0020", body="x")
    desk.no("forbidden", "assign_ticket", ticket_id="tkt_0022", agent_id=MARA)
    assert desk("add_internal_note", ticket_id="tkt_0020", body="Ops sees it too")["visibility"] == "internal"
    assert desk("assign_ticket", ticket_id="tkt_0028", agent_id=MARA)["assignee_name"] == "Mara Lindqvist"
    desk.no("conflict", "assign_ticket", ticket_id="tkt_0028", agent_id=MARA)
    handed = desk("assign_ticket", ticket_id="tkt_0028", agent_id="agt_dario_bianchi")
    assert handed["assignee_id"] == "agt_dario_bianchi"
    desk.no("forbidden", "assign_ticket", ticket_id="tkt_0028", agent_id=MARA)
    desk.no("forbidden", "unassign_ticket", ticket_id="tkt_0028")
    desk.no("forbidden", "escalate_ticket", ticket_id="tkt_0028", reason="x")
    desk.no("conflict", "assign_ticket", ticket_id="tkt_0008", agent_id="agt_elena_sorokina")
    desk.no("not_found", "assign_ticket", ticket_id="tkt_0008", agent_id="agt_x")
    assert desk("assign_ticket", ticket_id="tkt_0001", agent_id=AMARA)["assignee_id"] == AMARA
    assert desk("unassign_ticket", ticket_id="tkt_0001")["assignee_id"] is None
    desk.no("conflict", "unassign_ticket", ticket_id="tkt_0001")
    desk.no("conflict", "unassign_ticket", ticket_id="tkt_0021")
    desk.no("conflict", "assign_ticket", ticket_id="tkt_0021", agent_id=LUIS)
    away = desk("set_availability", status="absent")
    assert away["status"] == "absent" and away["unsolved_tickets"] == 2
    desk.no("conflict", "assign_ticket", ticket_id="tkt_0001", agent_id=MARA)


def test_transfer_and_escalate(desk: Desk) -> None:
    kept = desk("transfer_ticket", ticket_id="tkt_0007", group_id="grp_shipping", note="Yours, I think")
    assert (kept["group_id"], kept["assignee_id"]) == ("grp_shipping", LUIS)
    lost = desk("transfer_ticket", ticket_id="tkt_0007", group_id="grp_technical")
    assert (lost["group_id"], lost["assignee_id"]) == ("grp_technical", None)
    desk.no("forbidden", "transfer_ticket", ticket_id="tkt_0007", group_id="grp_care")
    desk.no("conflict", "transfer_ticket", ticket_id="tkt_0008", group_id="grp_care")
    desk.no("conflict", "transfer_ticket", ticket_id="tkt_0021", group_id="grp_shipping")
    desk.no("not_found", "transfer_ticket", ticket_id="tkt_0008", group_id="grp_x")
    before = desk("get_ticket", ticket_id="tkt_0024")
    raised = desk("escalate_ticket", ticket_id="tkt_0024", reason="Hotel opens on Friday")
    assert (raised["priority"], raised["escalated"]) == ("high", True)
    assert raised["resolution_due_at"] < before["resolution_due_at"]
    desk.no("conflict", "escalate_ticket", ticket_id="tkt_0024", reason="x")
    assert desk("escalate_ticket", ticket_id="tkt_0025", reason="Customs")["priority"] == "urgent"
    given = desk("escalate_ticket", ticket_id="tkt_0009", reason="Gold", group_id="grp_accounts")
    assert (given["group_id"], given["priority"]) == ("grp_accounts", "urgent")
    desk.no("conflict", "escalate_ticket", ticket_id="tkt_0021", reason="x")
    desk.no("forbidden", "escalate_ticket", ticket_id="tkt_0031", reason="x")
    assert {i["id"] for i in desk("list_tickets", escalated=True)["items"]} == {
        "tkt_0024",
        "tkt_0025",
        "tkt_0009",
    }


def test_replies_and_notes(desk: Desk) -> None:
    assert desk("get_ticket", ticket_id="tkt_0011")["first_response_missed"] is False
    sent = desk(
        "reply_to_ticket", ticket_id="tkt_0011", body="Tobias and I will come.", then_status="pending"
    )
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
    assert (
        desk("record_satisfaction", ticket_id="tkt_0021", score="good", comment="Ça va")["comment"] == "Ça va"
    )
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
        desk("apply_macro", ticket_id="tkt_0004", macro_id=macros["Dispute received"])["ticket"]["priority"]
        == "high"
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
    desk.no(
        "invalid", "list_tickets", created_after="2026-02-25T00:00:00Z", created_before="2026-02-20T00:00:00Z"
    )
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
    desk.no("invalid", "create_requester", name="Zoë", email="not an address")
    desk.no("not_found", "create_requester", name="Z", email="z@else.example", organization_id="org_x")
    gold = desk("list_organizations", tier="gold")["items"]
    assert {i["tier"] for i in gold} == {"gold"} and any(i["unsolved_tickets"] for i in gold)
    assert [i["name"] for i in desk("list_organizations", query="ember &")["items"]] == ["Ember & Oak Cafes"]
    promised = desk("list_sla_policies", tier="gold")
    assert [i["priority"] for i in promised["items"]] == ["urgent", "high", "normal", "low"]
    assert promised["business_hours"]["opens"] == "09:00" and len(promised["holidays"]) == 4
