"""Tickets of the help desk: promised times, states, rights."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Entity, Seed
from services.tickets import service, sla
from services.tickets.state import Comment, Satisfaction, Ticket
from tests.services.play import Play
from tests.services.tickets_desk import AMARA, LUIS, MARA, NOOR, RUTH, TALIA, Desk


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("tickets"))


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
    desk.no("not_found", "create_ticket", requester_id="req_x", subject="x", description="x", group_id="grp_care")
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
    desk.no("invalid_arguments", "update_tags", ticket_id=made["id"], add=["line\n"])
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
    assert roles["grp_shipping"] == "lead" and roles["grp_billing"] == "agent" and roles["grp_technical"] is None
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
