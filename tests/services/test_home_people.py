"""Smart home: guests, roles, tasks, shopping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import Entity
from services.home.state import Member, ShoppingItem
from tests.services.play import Play
from tests.services.test_home import LAMP, LOCK, SHED, Home


@pytest.fixture
def home(play: Callable[..., Play]) -> Home:
    return Home(play("home"))


@pytest.fixture
def as_role(play: Callable[..., Play]) -> Callable[[str], Home]:
    """The home with Mara in another role; a stranger has another address."""

    def make(role: str) -> Home:
        def edit(row: Entity) -> None:
            if isinstance(row, Member) and row.id == "mem_mara":
                row.role = "owner" if role == "stranger" else role
                row.email = "other@lindqvist.example" if role == "stranger" else row.email

        return Home(play("home", edit=edit))

    return make


GUEST = {
    "name": "Noor Haddad",
    "role": "guest",
    "email": "noor.haddad@halcyon.example",
    "code": "7300",
    "lock_ids": [LOCK],
    "valid_from": "2026-03-05T08:00:00Z",
    "valid_until": "2026-03-06T08:00:00Z",
}


def test_guests(home: Home) -> None:
    made = home("create_member", **GUEST)
    assert made["status"] == "upcoming" and made.items() >= GUEST.items()
    assert made in home("list_members", role="guest", status="upcoming")["items"]
    status = {item["name"]: item["status"] for item in home("list_members", role="guest")["items"]}
    assert (status["Beata Nowak"], status["Ruth Abernathy"], status["Gareth Tooley"]) == (
        "active",
        "upcoming",
        "expired",
    )
    again = GUEST | {"email": "x@halcyon.example"}
    home.no("conflict", "create_member", **again)
    home.no("conflict", "create_member", **(GUEST | {"code": "7301"}))
    other = again | {"code": "7301"}
    home.no("invalid", "create_member", **(other | {"valid_until": "2026-03-05T08:00:00Z"}))
    home.no("invalid", "create_member", **(other | {"valid_until": "2026-08-05T08:00:00Z"}))
    home.no(
        "invalid",
        "create_member",
        **(other | {"valid_from": "2026-01-01T08:00:00Z", "valid_until": "2026-03-01T08:00:00Z"}),
    )
    home.no("invalid", "create_member", **(other | {"lock_ids": [LAMP]}))
    home.no("not_found", "create_member", **(other | {"lock_ids": ["dev_x"]}))
    home.no("invalid", "create_member", name="X", role="guest", code="7301")
    home.no("invalid", "create_member", **(other | {"role": "adult"}))
    home.no("invalid_arguments", "create_member", **(other | {"code": "12a4"}))
    for number in range(7):
        home("create_member", **(other | {"code": f"800{number}", "email": f"g{number}@example.example"}))
    home.no("limit", "create_member", **other)


def test_delete_member(home: Home) -> None:
    assert home("delete_member", member_id="mem_beata") == {"id": "mem_beata", "deleted": True}
    home.no("not_found", "delete_member", member_id="mem_beata")
    home.no("forbidden", "delete_member", member_id="mem_henrik")
    home.no("conflict", "delete_member", member_id="mem_ingrid")
    child = home("create_member", name="Liv Lindqvist", role="child")
    assert (child["status"], child["code"], child["lock_ids"]) == ("active", None, [])
    assert home("delete_member", member_id=child["id"])["deleted"]


def test_roles(as_role: Callable[[str], Home]) -> None:
    child = as_role("child")
    assert child("update_device", device_id=LAMP, brightness=9)["on"]
    child.no("forbidden", "update_device", device_id=LOCK, locked=False)
    child.no("forbidden", "update_device", device_id=LAMP, name="Mine")
    child.no("forbidden", "run_routine", routine_id="rtn_0001")
    child.no("forbidden", "create_routine", name="x", kind="scene", actions=[{"device_id": LAMP, "on": True}])
    child.no("forbidden", "update_routine", routine_id="rtn_0001", enabled=False)
    child.no("forbidden", "create_task", title="x", due_on="2026-03-03")
    child.no("forbidden", "update_task", task_id="tsk_0001", notes="x")
    assert child("create_shopping_item", name="Crisps")["added_by_email"] == "mara.lindqvist@larkspur.example"
    adult = as_role("adult")
    assert adult("update_device", device_id=LOCK, locked=False)["triggered"] == ["rtn_0008"]
    assert {item["code"] for item in adult("list_members")["items"]} == {None}
    adult.no("forbidden", "create_member", **GUEST)
    adult.no("forbidden", "delete_member", member_id="mem_beata")
    for outsider in (as_role("stranger"), as_role("guest")):
        outsider.no("forbidden", "list_devices")
        outsider.no("forbidden", "create_shopping_item", name="x")


def test_create_task(home: Home) -> None:
    task = {"title": "Oil the gate", "due_on": "2026-03-20", "notes": "Both hinges", "repeat_days": 30}
    made = home("create_task", **task)
    assert (made["status"], made["assignee_id"], made["overdue"]) == ("open", "mem_mara", False)
    assert made.items() >= task.items() and made in home("list_tasks", query="hinges")["items"]
    visit = {"visit_company": "Maltby Plumbing", "visit_at": "2026-03-09T10:00:00Z"}
    assert home("create_task", **task, **visit, assignee_id="mem_henrik")["status"] == "scheduled"
    home.no("invalid", "create_task", **task, visit_at="2026-03-09T10:00:00Z")
    home.no("invalid", "create_task", **task, **(visit | {"visit_at": "2026-03-01T10:00:00Z"}))
    home.no("invalid", "create_task", **(task | {"due_on": "2026-03-01"}))
    home.no("invalid", "create_task", **task, assignee_id="mem_astrid")
    home.no("not_found", "create_task", **task, assignee_id="mem_x")
    home.no("not_found", "create_task", **task, device_id="dev_x")
    home.no("not_found", "create_task", **task, alert_id="alr_x")
    home.no("invalid", "create_task", **task, alert_id="alr_0001", device_id=LAMP)
    home.no("conflict", "create_task", **task, alert_id="alr_0003")
    late = {item["id"] for item in home("list_tasks", overdue=True)["items"]}
    assert late == {"tsk_0003"}
    assert {item["id"] for item in home("list_tasks", visit_company="Tooley Heating")["items"]} == {"tsk_0002"}
    due = [item["due_on"] for item in home("list_tasks", due_before="2026-03-14")["items"]]
    assert due == sorted(due) and due[-1] <= "2026-03-14"


def test_task_sees_to_an_alert(home: Home) -> None:
    def status() -> tuple[str, Any]:
        found = next(item for item in home("list_alerts")["items"] if item["id"] == "alr_0001")
        return found["status"], found["task_id"]

    assert status() == ("open", None)
    made = home("create_task", title="Top up the boiler", due_on="2026-03-02", alert_id="alr_0001")
    assert made["device_id"] == "dev_boiler_sensor" and status() == ("in_progress", made["id"])
    home("update_task", task_id=made["id"], status="cancelled")
    assert status() == ("open", None)
    again = home("create_task", title="Top up the boiler", due_on="2026-03-02", alert_id="alr_0001")
    home("update_task", task_id=again["id"], status="done")
    assert status() == ("resolved", again["id"])
    assert {item["severity"] for item in home("list_alerts", severity="critical")["items"]} == {"critical"}
    assert {item["status"] for item in home("list_alerts", status="open")["items"]} == {"open"}
    assert [item["id"] for item in home("list_alerts", device_id=SHED)["items"]] == ["alr_0003"]


def test_update_task(home: Home) -> None:
    fields = {"title": "Gutter", "notes": "Ladder", "due_on": "2026-03-16", "assignee_id": "mem_mara"}
    assert home("update_task", task_id="tsk_0007", **fields).items() >= fields.items()
    visit = {"visit_company": "Clearview Windows", "visit_at": "2026-03-10T09:00:00Z"}
    assert home("update_task", task_id="tsk_0007", **visit)["status"] == "scheduled"
    opened = home("update_task", task_id="tsk_0007", status="open")
    assert (opened["status"], opened["visit_at"], opened["visit_company"]) == ("open", None, None)
    home.no("invalid", "update_task", task_id="tsk_0007", visit_at="2026-03-10T09:00:00Z")
    home.no("invalid", "update_task", task_id="tsk_0007", status="done", **visit)
    home.no("invalid", "update_task", task_id="tsk_0007", assignee_id="mem_emil")
    home.no("not_found", "update_task", task_id="tsk_x", notes="x")
    home.no("invalid_arguments", "update_task", task_id="tsk_0007")
    done = home("update_task", task_id="tsk_0003", status="done")
    following = next(item for item in home("list_tasks")["items"] if item["id"] == done["next_task_id"])
    assert (following["due_on"], following["title"], following["status"]) == (
        "2026-04-01",
        "Descale the kettle",
        "open",
    )
    home.no("conflict", "update_task", task_id="tsk_0003", status="open")
    assert home("update_task", task_id="tsk_0007", status="done")["next_task_id"] is None


def test_shopping(home: Home) -> None:
    item = {"name": "Crème fraîche", "category": "food", "quantity": 2, "unit": "pots", "note": "Not light"}
    made = home("create_shopping_item", **item)
    assert made.items() >= item.items() and not made["bought"]
    assert made in home("list_shopping_items", bought=False, category="food")["items"]
    home.no("conflict", "create_shopping_item", name="oat MILK")
    bought = home("update_shopping_item", shopping_item_id=made["id"], bought=True, quantity=3)
    assert (bought["bought_by_email"], bought["quantity"]) == ("mara.lindqvist@larkspur.example", 3)
    assert bought["bought_at"] and bought in home("list_shopping_items", bought=True)["items"]
    second = home("create_shopping_item", **item)
    assert second["id"] != made["id"]
    home.no("conflict", "update_shopping_item", shopping_item_id=made["id"], bought=False)
    home("update_shopping_item", shopping_item_id=second["id"], bought=True)
    back = home("update_shopping_item", shopping_item_id=made["id"], bought=False)
    assert (back["bought_by_email"], back["bought_at"]) == (None, None)
    home.no("not_found", "update_shopping_item", shopping_item_id="shp_x", bought=True)
    home.no("invalid_arguments", "create_shopping_item", name=" ")
    home.no("invalid_arguments", "update_shopping_item", shopping_item_id=made["id"], quantity=0)
    assert {item["name"] for item in home("list_shopping_items", query="maltby")["items"]} == {
        "Ferrous sulfate tablets"
    }
    assert len(home.play.rows(ShoppingItem)) == 16


def test_guest_windows_at_far_ends(home: Home) -> None:
    far = {"valid_from": "9999-12-01T00:00:00Z", "valid_until": "9999-12-31T23:59:59Z"}
    assert home("create_member", **(GUEST | far))["status"] == "upcoming"
    home.no("invalid", "create_member", **(GUEST | {"valid_from": "0001-01-01T00:00:00Z"}))
    made = home("create_task", title="Far", due_on="9999-12-31", repeat_days=730)
    assert home("update_task", task_id=made["id"], status="done")["next_task_id"]
