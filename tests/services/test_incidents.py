"""Incidents and on-call: shifts and overrides, states, escalation, the status page, postmortems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.incidents import service
from services.incidents.oncall import shift
from services.incidents.state import Incident, Override, Postmortem, Schedule, TimelineEntry
from tests.services.play import Play

MARA, LUIS, KENJI, SOFIA, NILS, HANA = (
    f"{who}@larkspur.example"
    for who in (
        "mara.lindqvist",
        "luis.herrera",
        "kenji.watanabe",
        "sofia.almeida",
        "nils.bergstrom",
        "hana.takeda",
    )
)
OUTAGE, EXPORT, CUSTOMS, FORKLIFT = "inc_0001", "inc_0005", "inc_0007", "inc_0009"


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("incidents", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("incidents", tool, **arguments)
        assert error["code"] == code, error
        return error

    def new(self, service_id: str = "svc_shipping_desk", **more: Any) -> Any:
        return self("create_incident", **{"service_id": service_id, "title": "Gate 4 stuck", "severity": "sev3"} | more)

    def on_call(self, schedule: str, at: str) -> str:
        return str(self("list_on_call", schedule_id=f"sch_{schedule}", at=at)["items"][0]["person_email"])


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("incidents"))


def test_seed_is_deterministic_and_sound(desk: Desk) -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("incidents", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    emails = {person.email for person in COLLEAGUES}
    for name, values in rows(0):
        assert all(item in emails for item in (*values.get("rotation", ()), *values.get("responder_emails", ()))), name
    schedules = {row.id: row for row in desk.play.rows(Schedule)}
    overrides = desk.play.rows(Override)
    duty = {"svc_shipping_desk": "sch_operations", "svc_books_export": "sch_engineering"}
    for row in desk.play.rows(Incident):
        assert (row.acknowledged_at is None) == (row.status == "triggered")
        assert (row.resolved_at is not None) == (row.status == "resolved")
        if row.status == "triggered":
            assert shift(schedules[duty[row.service_id]], row.created_at, overrides)[0] == row.assignee_email
    resolved = {row.id for row in desk.play.rows(Incident) if row.status == "resolved"}
    assert all(row.incident_id in resolved for row in desk.play.rows(Postmortem))


def test_services(desk: Desk) -> None:
    items = {item["id"]: item for item in desk("list_services")["items"]}
    assert items["svc_shipping_desk"]["unresolved_incidents"] == 4
    assert items["svc_stock_sync"]["escalation_steps"][0] == {"after_minutes": 0, "schedule_id": "sch_engineering"}
    assert {i["id"] for i in desk("list_services", owner_email=MARA)["items"]} == {
        "svc_shipping_desk",
        "svc_label_printing",
    }
    assert [i["id"] for i in desk("list_services", team="support", tier="tier2")["items"]] == ["svc_customer_care"]
    assert [i["id"] for i in desk("list_services", query="kestrel")["items"]] == ["svc_stock_sync"]


@pytest.mark.parametrize(
    ("schedule", "at", "person"),
    [
        ("engineering", "2026-03-02T00:00:00Z", KENJI),
        ("engineering", "2026-03-08T23:59:59Z", KENJI),
        ("engineering", "2026-03-09T00:00:00Z", SOFIA),
        ("engineering", "2026-03-20T12:00:00Z", SOFIA),
        ("engineering", "2026-02-26T13:30:00Z", KENJI),
        ("operations", "2026-03-03T12:00:00+02:00", MARA),
        ("operations", "2026-03-12T09:00:00Z", MARA),
        ("operations", "2026-03-12T20:00:00Z", LUIS),
        ("support", "2026-03-11T09:00:00Z", HANA),
    ],
)
def test_who_is_on_call(desk: Desk, schedule: str, at: str, person: str) -> None:
    assert desk.on_call(schedule, at) == person


def test_on_call_at_the_ends_of_time(desk: Desk) -> None:
    for at in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        assert len(desk("list_on_call", at=at)["items"]) == 4
    now = desk("list_on_call", person_email=MARA)["items"]
    assert [i["id"] for i in now] == ["sch_operations"] and now[0]["person_name"] == "Mara Lindqvist"
    assert now[0]["shift_ends_at"] == "2026-03-09T00:00:00Z"
    schedule = Schedule(rotation=["a", "b"], shift_days=7, starts_at=datetime(2026, 1, 5, tzinfo=UTC), id="s")
    start = datetime(2026, 1, 6, tzinfo=UTC)
    override = Override(
        id="o",
        schedule_id="s",
        person_email="b",
        starts_at=start + timedelta(days=1),
        ends_at=start + timedelta(days=2),
    )
    assert shift(schedule, start, [override]) == ("a", override.starts_at, None)
    assert shift(schedule, override.starts_at, [override]) == ("b", override.ends_at, "o")


def test_overrides(desk: Desk) -> None:
    given = {
        "schedule_id": "sch_operations",
        "person_email": LUIS,
        "starts_at": "2026-03-05T08:00:00Z",
        "ends_at": "2026-03-05T18:00:00Z",
    }
    made = desk("create_override", reason="Halcyon kickoff", **given)
    assert made["created_by"] == MARA
    assert made["id"] in [i["id"] for i in desk("list_overrides", schedule_id="sch_operations")["items"]]
    assert desk.on_call("operations", "2026-03-05T12:00:00Z") == LUIS
    assert desk.on_call("operations", "2026-03-05T18:00:00Z") == MARA
    desk.no("conflict", "create_override", **given)
    desk.no("invalid", "create_override", **given | {"person_email": KENJI})
    desk.no("invalid", "create_override", **given | {"ends_at": given["starts_at"]})
    past = {"starts_at": "2026-02-01T00:00:00Z", "ends_at": "2026-02-02T00:00:00Z"}
    desk.no("invalid", "create_override", **given | past)
    desk.no("limit", "create_override", **given | {"ends_at": "9999-12-31T23:59:59Z"})
    desk.no("forbidden", "create_override", **given | {"schedule_id": "sch_engineering", "person_email": SOFIA})
    desk.no("not_found", "create_override", **given | {"schedule_id": "sch_x"})
    assert desk("delete_override", override_id=made["id"])["deleted"]
    desk.no("not_found", "delete_override", override_id=made["id"])
    assert desk.on_call("operations", "2026-03-05T12:00:00Z") == MARA
    desk.no("conflict", "delete_override", override_id="ovr_0002")
    desk.no("forbidden", "delete_override", override_id="ovr_0003")
    assert [i["id"] for i in desk("list_overrides", person_email=HANA)["items"]] == ["ovr_0004"]
    assert len(desk("list_overrides", ending_after="2026-03-02T09:00:00Z")["items"]) == 4


def test_declare_and_find(desk: Desk) -> None:
    made = desk.new(reference="GP-790", summary="Nothing moves", responder_emails=[HANA])
    assert (made["status"], made["assignee_email"], made["escalation_level"]) == ("triggered", MARA, 1)
    assert desk("get_incident", incident_id=made["id"]) == made
    assert [i["id"] for i in desk("list_incidents", reference="GP-790", responder_email=HANA)["items"]] == [made["id"]]
    assert desk("list_incidents", status="triggered", assignee_email=MARA)["total"] == 2
    assert desk.new("svc_stock_sync")["assignee_email"] == KENJI
    desk.no("not_found", "create_incident", service_id="svc_x", title="x", severity="sev1")
    desk.no(
        "invalid",
        "create_incident",
        service_id="svc_payments",
        title="x",
        severity="sev1",
        responder_emails=["nobody@larkspur.example"],
    )
    desk.no("invalid_arguments", "create_incident", service_id="svc_payments", title=" ", severity="sev1")
    desk.no("not_found", "get_incident", incident_id="inc_x")
    since = desk("list_incidents", created_after="2026-02-26T00:00:00Z", created_before="2026-02-27T00:00:00Z")
    assert [i["id"] for i in since["items"]] == [OUTAGE]
    assert desk("list_incidents", query="customs", severity="sev2", service_id="svc_shipping_desk")["total"] == 1


def test_the_outage_is_told(desk: Desk) -> None:
    outage = desk("get_incident", incident_id=OUTAGE)
    assert (outage["minutes_to_acknowledge"], outage["minutes_to_resolve"]) == (3, 160)
    assert outage["mitigated_at"].startswith("2026-02-26T15:4") and outage["postmortem_id"] is None
    assert [i["state"] for i in outage["status_updates"]] == ["investigating", "identified", "resolved"]
    numbers = [i["number"] for i in outage["timeline"]]
    assert numbers == list(range(1, len(numbers) + 1))


def test_states(desk: Desk) -> None:
    made = desk.new("svc_stock_sync")["id"]
    for status in ("mitigated", "resolved", "triggered"):
        desk.no("conflict", "set_incident_status", incident_id=made, status=status, note="x")
    taken = desk("set_incident_status", incident_id=made, status="acknowledged", note="Mine")
    assert taken["assignee_email"] == MARA and taken["acknowledged_at"]
    assert taken["timeline"][-1]["text"] == "triggered became acknowledged. Mine"
    assert desk("set_incident_status", incident_id=made, status="mitigated")["mitigated_at"]
    back = desk("set_incident_status", incident_id=made, status="acknowledged")
    assert (back["mitigated_at"], back["acknowledged_at"]) == (None, taken["acknowledged_at"])
    desk.no("invalid", "set_incident_status", incident_id=made, status="resolved")
    done = desk("set_incident_status", incident_id=made, status="resolved", note="Restarted")
    assert done["resolved_at"] and done["minutes_to_resolve"] is not None
    again = desk("set_incident_status", incident_id=made, status="triggered")
    assert (again["resolved_at"], again["acknowledged_at"], again["reopened_count"]) == (None, None, 1)
    assert again["assignee_email"] == KENJI
    desk.no("conflict", "set_incident_status", incident_id="inc_0002", status="triggered")
    assert desk("set_incident_status", incident_id=OUTAGE, status="triggered")["reopened_count"] == 1
    desk.no("not_found", "set_incident_status", incident_id="inc_x", status="acknowledged")
    desk.no("forbidden", "set_incident_status", incident_id="inc_0003", status="resolved", note="x")


def test_update(desk: Desk) -> None:
    changed = desk(
        "update_incident", incident_id=CUSTOMS, severity="sev1", title="Customs", responder_emails=[SOFIA, LUIS]
    )
    assert (changed["severity"], changed["responder_emails"]) == ("sev1", [SOFIA, LUIS])
    assert changed["timeline"][-1]["text"] == "Severity sev2 became sev1."
    assert desk("update_incident", incident_id=CUSTOMS, reference=None)["reference"] is None
    assert desk("update_incident", incident_id=OUTAGE, summary="Certificate")["summary"] == "Certificate"
    desk.no("conflict", "update_incident", incident_id=OUTAGE, title="x")
    desk.no("invalid", "update_incident", incident_id=CUSTOMS)
    desk.no("invalid", "update_incident", incident_id=CUSTOMS, responder_emails=["x@y.example"])
    desk.no("not_found", "update_incident", incident_id="inc_x", title="x")


def test_escalation(desk: Desk) -> None:
    called = desk("escalate_incident", incident_id=EXPORT, reason="Finance waits")
    assert (called["assignee_email"], called["escalation_level"]) == (NILS, 2)
    assert called["timeline"][-1]["kind"] == "escalation"
    desk.no("conflict", "escalate_incident", incident_id=EXPORT, reason="x")
    desk.no("conflict", "escalate_incident", incident_id=OUTAGE, reason="x")
    desk.no("conflict", "escalate_incident", incident_id="inc_0003", reason="x")
    desk.no("not_found", "escalate_incident", incident_id="inc_x", reason="x")
    manager = desk.on_call("management", "2026-03-02T09:00:00Z")
    assert desk("escalate_incident", incident_id=FORKLIFT, reason="Needed")["assignee_email"] == manager


def test_notes_and_status_page(desk: Desk) -> None:
    note = desk("create_note", incident_id=OUTAGE, text="Report comes on Monday")
    assert desk("get_incident", incident_id=OUTAGE)["timeline"][-1]["id"] == note["id"]
    told = desk("create_status_update", incident_id=CUSTOMS, state="identified", message="Papers are on their way")
    shown = desk("get_incident", incident_id=CUSTOMS)
    assert shown["status_updates"][0]["id"] == told["id"] and shown["timeline"][-1]["kind"] == "status_update"
    assert desk("create_status_update", incident_id=OUTAGE, state="resolved", message="Over")["state"] == "resolved"
    desk.no("conflict", "create_status_update", incident_id=OUTAGE, state="monitoring", message="x")
    desk.no("conflict", "create_status_update", incident_id=CUSTOMS, state="resolved", message="x")
    desk.no("forbidden", "create_status_update", incident_id=FORKLIFT, state="identified", message="x")
    desk.no("forbidden", "create_status_update", incident_id="inc_0003", state="identified", message="x")
    desk.no("not_found", "create_status_update", incident_id="inc_x", state="identified", message="x")
    desk.no("not_found", "create_note", incident_id="inc_x", text="x")
    assert {row.incident_id for row in desk.play.rows(TimelineEntry)} == {row.id for row in desk.play.rows(Incident)}


def test_postmortem_and_action_items(desk: Desk) -> None:
    made = desk("create_postmortem", incident_id=OUTAGE, summary="Numbers were wrong", owner_email=KENJI)
    assert desk("get_incident", incident_id=OUTAGE)["postmortem_id"] == made["id"]
    given = {"postmortem_id": made["id"], "title": "Queue updates", "owner_email": SOFIA, "due_on": "2026-03-13"}
    item = desk("create_action_item", **given)
    assert {name: item[name] for name in given} == given
    assert desk("get_postmortem", postmortem_id=made["id"])["action_items"] == [item]
    assert desk("list_action_items", postmortem_id=made["id"], owner_email=SOFIA)["items"] == [item]
    desk.no("conflict", "create_postmortem", incident_id=OUTAGE, summary="x")
    desk.no("conflict", "create_postmortem", incident_id=CUSTOMS, summary="x")
    desk.no("invalid", "create_postmortem", incident_id="inc_0008", summary="x", owner_email="x@y.example")
    desk.no("not_found", "create_postmortem", incident_id="inc_x", summary="x")
    desk.no("not_found", "get_postmortem", postmortem_id="pmo_x")
    desk.no("invalid", "create_action_item", **given | {"due_on": "2026-03-01"})
    desk.no("invalid", "create_action_item", **given | {"owner_email": "x@y.example"})
    desk.no("not_found", "create_action_item", **given | {"postmortem_id": "pmo_x"})
    desk.no("forbidden", "update_action_item", action_item_id=item["id"], status="done")
    desk.no("not_found", "update_action_item", action_item_id="act_x", status="done")


def test_action_items_are_worked_on(desk: Desk) -> None:
    late = desk("list_action_items", overdue=True)["items"]
    assert [i["title"] for i in late] == ["Delete spool files after a week", "Answer double charges within four hours"]
    mine = desk("list_action_items", owner_email=MARA, status="open")["items"]
    assert [i["due_on"] for i in mine] == ["2026-03-04", "2026-03-13"]
    done = desk("update_action_item", action_item_id=mine[0]["id"], status="done")
    assert (
        done["done_at"] and desk("update_action_item", action_item_id=mine[0]["id"], status="open")["done_at"] is None
    )
    moved = desk("update_action_item", action_item_id=late[0]["id"], due_on="9999-12-31", owner_email=LUIS, title="x")
    assert (moved["due_on"], moved["owner_email"], moved["title"]) == ("9999-12-31", LUIS, "x")
    desk.no("invalid", "update_action_item", action_item_id=mine[0]["id"], due_on="2026-03-01")
    desk.no("invalid", "update_action_item", action_item_id=mine[0]["id"])


@pytest.mark.parametrize("tool", ["list_incidents", "list_services", "list_overrides", "list_action_items"])
def test_pages_neither_skip_nor_repeat(desk: Desk, tool: str) -> None:
    page = desk(tool, limit=2)
    found = page["items"]
    while page["next_cursor"]:
        page = desk(tool, limit=2, cursor=page["next_cursor"])
        found += page["items"]
    assert found == desk(tool, limit=100)["items"]
    desk.no("invalid", tool, cursor="nonsense")
