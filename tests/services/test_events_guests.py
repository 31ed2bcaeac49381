"""Events: the waitlist, check-in, codes, figures, pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.services.play import Play
from tests.services.test_events import BREAKFAST, CATALOGUE, FEMKE, FITTING, LYON, MEETUP, PRESS, SAFETY, WINTER, Office


@pytest.fixture
def office(play: Callable[..., Play]) -> Office:
    return Office(play("events"))


def test_freed_tickets_go_to_the_waitlist(office: Office) -> None:
    seat = "tty_catalogue_seat"
    refund = office("refund_order", order_id="ord_1014", reason="x", attendee_ids=["att_1014_1"])
    assert [(one["email"], one["status"]) for one in refund["offers"]] == [(FEMKE, "offered")]
    assert refund["offers"][0]["offer_expires_at"].startswith("2026-03-04T")
    assert office.seats(CATALOGUE)["Seat"] == (9, 1, 0)
    stranger = office.order(CATALOGUE, seat, "x", buyer_email="x@x.example")
    office.no("conflict", "create_order", **stranger)
    office("create_order", **office.order(CATALOGUE, seat, "femke"))
    assert office("list_waitlist_entries", event_id=CATALOGUE, email=FEMKE)["items"][0]["status"] == "converted"
    assert office.seats(CATALOGUE)["Seat"] == (10, 0, 0)
    more = office("update_ticket_type", ticket_type_id=seat, capacity=11)
    assert more["offers"] == [] and more["available"] == 1
    more = office("update_ticket_type", ticket_type_id=seat, capacity=13)
    assert [one["quantity"] for one in more["offers"]] == [2, 1] and more["available"] == 0
    office.no("conflict", "update_ticket_type", ticket_type_id=seat, capacity=12)


def test_waitlist(office: Office) -> None:
    entry = {"event_id": CATALOGUE, "ticket_type_id": "tty_catalogue_seat", "name": "Joost", "email": "j@j.example"}
    made = office("create_waitlist_entry", **entry, quantity=3)
    assert office("list_waitlist_entries", event_id=CATALOGUE, status="waiting")["items"][-1] == made
    office.no("conflict", "create_waitlist_entry", **entry)
    office.no("limit", "create_waitlist_entry", **(entry | {"email": "k@k.example"}), quantity=5)
    office.no(
        "conflict", "create_waitlist_entry", **(entry | {"event_id": LYON, "ticket_type_id": "tty_lyon_standard"})
    )
    office.no("not_found", "create_waitlist_entry", **(entry | {"ticket_type_id": "tty_lyon_standard"}))
    office.no("forbidden", "create_waitlist_entry", **(entry | {"event_id": SAFETY}))
    office.no("conflict", "create_waitlist_entry", **(entry | {"event_id": MEETUP}))
    office.no("forbidden", "list_waitlist_entries", event_id=SAFETY)


def test_check_in(office: Office) -> None:
    found = office("list_attendees", event_id=BREAKFAST, query="moss")["items"]
    assert [one["name"] for one in found] == ["Harriet Moss"]
    done = office("check_in_attendee", attendee_id=found[0]["id"])
    assert done["status"] == "checked_in" and done["checked_in_at"].startswith("2026-03-02")
    assert office("list_attendees", event_id=BREAKFAST, status="checked_in")["items"] == [done]
    office.no("conflict", "check_in_attendee", attendee_id=done["id"])
    office.no("conflict", "refund_order", order_id="ord_1010", reason="x", percent=9, attendee_ids=[done["id"]])
    office.no("conflict", "check_in_attendee", attendee_id="att_1006_1")
    office.no("conflict", "check_in_attendee", attendee_id="att_1003_1")
    office.no("not_found", "check_in_attendee", attendee_id="att_x")
    assert len(office("list_attendees", email="wesley.tran@dovetail.example")["items"]) == 2
    assert len(office("list_attendees", order_id="ord_1010")["items"]) == 2


def test_discount_codes(office: Office) -> None:
    made = office("create_discount_code", event_id=FITTING, code="GROUP-5", kind="percent", value=5, max_uses=1)
    assert made["active"] and made in office("list_discount_codes", event_id=FITTING)["items"]
    states = {one["code"]: one["active"] for one in office("list_discount_codes", event_id=LYON)["items"]}
    assert states == {"JUNIPER15": True, "OPENING": False}
    for active in (True, False):
        found = office("list_discount_codes", event_id=CATALOGUE, active=active)["items"]
        assert [one["active"] for one in found] == [active]
    office.no("conflict", "create_discount_code", event_id=FITTING, code="GROUP-5", kind="amount", value=5)
    office.no("invalid", "create_discount_code", event_id=FITTING, code="ALL", kind="percent", value=100.01)
    past = {"code": "OLD", "kind": "amount", "value": 1, "valid_until": "2026-03-01T00:00:00Z"}
    office.no("invalid", "create_discount_code", event_id=FITTING, **past)
    office.no("forbidden", "create_discount_code", event_id=LYON, code="ABC", kind="amount", value=5)
    office.no("forbidden", "list_discount_codes", event_id=SAFETY)
    office("create_discount_code", event_id=BREAKFAST, code="HUGE", kind="amount", value=99999.99)
    bought = office("create_order", **office.order(BREAKFAST, "tty_breakfast_seat", "x", discount_code="HUGE"))
    assert (bought["discount"], bought["total"]) == (18, 0)


def test_sales_summary(office: Office) -> None:
    lyon = office("get_sales_summary", event_id=LYON)
    assert (lyon["orders"], lyon["gross"], lyon["discounts"], lyon["refunded"], lyon["net"]) == (
        4,
        596.5,
        48.5,
        95,
        501.5,
    )
    types = {one["name"]: one for one in lyon["ticket_types"]}
    assert types["Early bird"]["refunded_tickets"] == 1 and types["Early bird"]["sold"] == 2
    assert sum(one["gross"] for one in lyon["ticket_types"]) == lyon["gross"]
    assert lyon["tickets_sold"] == 5
    catalogue = office("get_sales_summary", event_id=CATALOGUE)
    assert (catalogue["status"], catalogue["waiting"]) == ("sold_out", 4)
    assert office("get_sales_summary", event_id=WINTER)["ticket_types"][0]["checked_in"] == 3
    office.no("forbidden", "get_sales_summary", event_id=SAFETY)
    office.no("not_found", "get_sales_summary", event_id=PRESS)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_events", {}),
        ("list_orders", {}),
        ("list_attendees", {}),
        ("list_discount_codes", {"event_id": LYON}),
        ("list_waitlist_entries", {"event_id": CATALOGUE}),
    ],
)
def test_pages_neither_skip_nor_repeat(office: Office, tool: str, arguments: dict[str, Any]) -> None:
    whole = office(tool, limit=100, **arguments)["items"]
    seen: list[Any] = []
    cursor = None
    while True:
        page = office(tool, limit=7 if len(whole) > 20 else 1, **arguments, **({"cursor": cursor} if cursor else {}))
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == whole and len(seen) >= 2
    office.no("invalid", tool, cursor="garbage", **arguments)


@pytest.mark.parametrize("text", ["%", "_", "'; --", "\\", "𝔘", "\u200b"])
def test_odd_texts(office: Office, text: str) -> None:
    assert isinstance(office("list_events", query=text)["items"], list)
    assert isinstance(office("list_attendees", query=text)["items"], list)
    assert office.new(title=text)["title"] == text
