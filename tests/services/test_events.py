"""Events and tickets: sales, codes, refunds by policy, waitlist, check-in, states, rights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from engine.kit import COLLEAGUES, COMPANIES, CONTACTS, Entity, Seed
from services.events import service
from services.events.seats import shares
from services.events.state import Attendee, Event, Order, Refund, TicketType
from tests.services.play import Play

ME, FEMKE = "mara.lindqvist@larkspur.example", "femke.visser@brightwater.example"
WINTER, BREAKFAST, LYON, CATALOGUE, FITTING = (f"evt_000{n}" for n in range(1, 6))
SAFETY, SUPPLIERS, MEETUP, PRESS = (f"evt_000{n}" for n in range(6, 10))


class Office:
    """The box office's tools without their service's name."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, /, **arguments: Any) -> Any:
        return self.play.ok("events", tool, **arguments)

    def no(self, code: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("events", tool, **arguments)
        assert error["code"] == code, error
        return error

    def order(self, event: str, kind: str, *people: str, **more: Any) -> dict[str, Any]:
        return {
            "event_id": event,
            "buyer_name": "Femke Visser",
            "buyer_email": FEMKE,
            "attendees": [
                {"ticket_type_id": kind, "name": person, "email": f"{person}@brightwater.example"} for person in people
            ],
        } | more

    def new(self, **more: Any) -> Any:
        times = {"starts_at": "2026-05-04T10:00:00+02:00", "ends_at": "2026-05-04T12:00:00+02:00"}
        return self("create_event", **({"title": "Glove day", "venue": "Dock 4", "city": "Rotterdam"} | times | more))

    def seats(self, event: str) -> dict[str, tuple[int, int, int]]:
        types = self("get_event", event_id=event)["ticket_types"]
        return {one["name"]: (one["sold"], one["held"], one["available"]) for one in types}


@pytest.fixture
def office(play: Callable[..., Play]) -> Office:
    return Office(play("events"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("events", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in (*COLLEAGUES, *CONTACTS)}
    for name, values in rows(0):
        if name in ("Attendee", "Staff", "WaitlistEntry"):
            assert cast[values["email"]] == values["name"]
        if name == "Order":
            assert values["company"] in {company.name for company in COMPANIES}


def test_seed_keeps_the_rules(office: Office) -> None:
    attendees = office.play.rows(Attendee)
    sold = Counter(one.ticket_type_id for one in attendees if one.status != "refunded")
    events = {event.id: event for event in office.play.rows(Event)}
    for kind in office.play.rows(TicketType):
        assert kind.sold == sold[kind.id] <= kind.capacity
        assert kind.sales_start < kind.sales_end <= events[kind.event_id].ends_at
    for order in office.play.rows(Order):
        own = [one for one in attendees if one.order_id == order.id]
        assert order.total == order.subtotal - order.discount == sum(one.price_paid for one in own)
        assert order.refunded == sum(one.amount for one in office.play.rows(Refund) if one.order_id == order.id)
        assert events[order.event_id].created_at < order.created_at
    live = Counter((one.event_id, one.email) for one in attendees if one.status != "refunded")
    assert max(live.values()) == 1


def test_listing_and_shown_states(office: Office) -> None:
    states = {item["code"]: item["status"] for item in office("list_events")["items"]}
    assert states == {
        "EV-1": "past",
        "EV-2": "on_sale",
        "EV-3": "on_sale",
        "EV-4": "sold_out",
        "EV-5": "on_sale",
        "EV-6": "on_sale",
        "EV-7": "draft",
        "EV-8": "cancelled",
    }
    for status in set(states.values()):
        found = [item["code"] for item in office("list_events", status=status)["items"]]
        assert sorted(found) == sorted(code for code, shown in states.items() if shown == status)
        assert {item["status"] for item in office("list_events", status=status)["items"]} == {status}
    assert [item["code"] for item in office("list_events", query="HOTELS workshop")["items"]] == ["EV-3"]
    assert [item["code"] for item in office("list_events", city="Seattle")["items"]] == ["EV-4"]
    window = {"starts_from": "2026-03-10T00:00:00Z", "starts_to": "2026-03-20T00:00:00Z"}
    assert [item["code"] for item in office("list_events", **window)["items"]] == ["EV-3", "EV-5"]
    assert len(office("list_events", organizer_email=ME)["items"]) == 4
    office.no("not_found", "get_event", event_id=PRESS)


def test_create_and_update_event(office: Office) -> None:
    made = office.new(currency="EUR")
    assert (made["code"], made["status"], made["my_role"]) == ("EV-10", "draft", "manager")
    assert made["starts_at"] == "2026-05-04T08:00:00Z"
    assert office("get_event", event_id=made["id"]) == made
    assert made["id"] in [item["id"] for item in office("list_events", status="draft")["items"]]
    changed = office("update_event", event_id=made["id"], title="T", venue="V", full_refund_days=30)
    assert (changed["title"], changed["venue"], changed["full_refund_days"]) == ("T", "V", 30)
    far = office("update_event", event_id=made["id"], starts_at="9999-12-30T00:00:00Z", ends_at="9999-12-31T23:59:59Z")
    assert far["ends_at"] == "9999-12-31T23:59:59Z"
    office.no("invalid", "update_event", event_id=made["id"])
    office.no("invalid", "update_event", event_id=made["id"], half_refund_days=31)
    office.no("invalid", "update_event", event_id=made["id"], ends_at="2026-05-04T08:00:00Z")
    office.no("conflict", "update_event", event_id=CATALOGUE, full_refund_days=1)
    office.no("conflict", "update_event", event_id=WINTER, title="x")
    office.no("forbidden", "update_event", event_id=LYON, title="x")
    office.no("not_found", "update_event", event_id="evt_x", title="x")
    base = {"title": "x", "venue": "x", "city": "x"}
    for start, end in (
        ("2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"),
        ("2026-05-01T00:00:00Z", "2026-05-01T00:00:00Z"),
        ("2026-05-01T00:00:00Z", "2026-07-01T00:00:00Z"),
        ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
    ):
        office.no("invalid", "create_event", **base, starts_at=start, ends_at=end)


def test_states(office: Office) -> None:
    event = office.new()["id"]
    office.no("conflict", "set_event_status", event_id=event, status="on_sale")
    office.no("conflict", "set_event_status", event_id=event, status="draft")
    kind = office("create_ticket_type", event_id=event, name="Seat", price=10, capacity=1)["id"]
    office.no("conflict", "create_order", **office.order(event, kind, "a"))
    assert office("set_event_status", event_id=event, status="on_sale")["status"] == "on_sale"
    assert office("set_event_status", event_id=event, status="draft")["status"] == "draft"
    office("set_event_status", event_id=event, status="on_sale")
    order = office("create_order", **office.order(event, kind, "a"))["id"]
    office.no("conflict", "set_event_status", event_id=event, status="draft")
    assert office("get_event", event_id=event)["status"] == "sold_out"
    office("create_waitlist_entry", event_id=event, ticket_type_id=kind, name="B", email="b@b.example")
    office.no("invalid", "set_event_status", event_id=event, status="cancelled")
    gone = office("set_event_status", event_id=event, status="cancelled", note="Flood")
    assert (gone["status"], gone["status_note"], gone["refunds"][0]["amount"]) == ("cancelled", "Flood", 10)
    assert office("get_order", order_id=order)["status"] == "refunded"
    assert office("list_waitlist_entries", event_id=event, status="closed")["items"][0]["name"] == "B"
    for status in ("on_sale", "cancelled"):
        office.no("conflict", "set_event_status", event_id=event, status=status, note="x")
    office.no("conflict", "create_ticket_type", event_id=event, name="x", price=1, capacity=1)
    office.no("forbidden", "set_event_status", event_id=SAFETY, status="cancelled", note="x")


def test_ticket_types(office: Office) -> None:
    made = office("create_ticket_type", event_id=SUPPLIERS, name="Press", price=0, capacity=5, max_per_order=2)
    assert (made["available"], made["on_sale_now"], made["sales_end"]) == (5, True, "2026-04-22T09:00:00Z")
    assert made in office("get_event", event_id=SUPPLIERS)["ticket_types"]
    changed = office("update_ticket_type", ticket_type_id=made["id"], name="Media", price=12.5, capacity=7)
    assert (changed["name"], changed["price"], changed["capacity"], changed["offers"]) == ("Media", 12.5, 7, [])
    office.no("conflict", "create_ticket_type", event_id=SUPPLIERS, name="Media", price=0, capacity=5)
    office.no("conflict", "update_ticket_type", ticket_type_id=made["id"], name="Guest")
    office.no("invalid", "update_ticket_type", ticket_type_id=made["id"])
    office.no("invalid", "update_ticket_type", ticket_type_id=made["id"], sales_end="2026-05-01T00:00:00Z")
    office.no("conflict", "update_ticket_type", ticket_type_id="tty_catalogue_seat", capacity=9)
    office.no("forbidden", "update_ticket_type", ticket_type_id="tty_lyon_early", capacity=9)
    office.no("not_found", "update_ticket_type", ticket_type_id="tty_x", capacity=9)
    office.no("invalid_arguments", "create_ticket_type", event_id=SUPPLIERS, name="x", price=0.001, capacity=5)
    window = {"sales_start": "2026-04-01T00:00:00Z", "sales_end": "2026-03-01T00:00:00Z"}
    office.no("invalid", "create_ticket_type", event_id=SUPPLIERS, name="x", price=1, capacity=5, **window)


def test_create_order(office: Office) -> None:
    standard = "tty_lyon_standard"
    made = office("create_order", **office.order(LYON, standard, "a", "b", company="Brightwater Logistics"))
    assert (made["code"], made["total"], made["currency"], made["status"]) == ("EO-1021", 240, "EUR", "paid")
    assert [one["code"] for one in made["attendees"]] == ["EO-1021-1", "EO-1021-2"]
    assert office("get_order", order_id=made["id"]) == made
    listed = office("list_orders", event_id=LYON, buyer_email=FEMKE)["items"]
    assert [one["id"] for one in listed] == [made["id"]]
    assert office.seats(LYON)["Standard"] == (5, 0, 9)
    mixed = office.order(LYON, standard, "c")
    mixed["attendees"].append({"ticket_type_id": "tty_lyon_student", "name": "D", "email": "d@d.example"})
    coded = office("create_order", **mixed, discount_code="JUNIPER15")
    assert (coded["subtotal"], coded["discount"], coded["total"]) == (160, 24, 136)
    assert [one["price_paid"] for one in coded["attendees"]] == [102, 34]
    assert office("list_discount_codes", event_id=LYON, code="JUNIPER15")["items"][0]["used"] == 2
    office.no("conflict", "create_order", **office.order(LYON, standard, "a"))
    office.no("conflict", "create_order", **office.order(LYON, standard, "x", "x"))
    office.no("conflict", "create_order", **office.order(LYON, "tty_lyon_early", "x"))
    office.no("limit", "create_order", **office.order(LYON, "tty_lyon_student", "x", "y"))
    office.no("not_found", "create_order", **office.order(LYON, "tty_x", "x"))
    office.no("not_found", "create_order", **office.order(LYON, standard, "x", discount_code="NOPE"))
    office.no("conflict", "create_order", **office.order(LYON, standard, "x", discount_code="OPENING"))
    office.no("conflict", "create_order", **office.order(CATALOGUE, "tty_catalogue_seat", "x"))
    office.no("conflict", "create_order", **office.order(WINTER, "tty_winter_standard", "x"))
    office.no("forbidden", "create_order", **office.order(SAFETY, "tty_safety_seat", "x"))
    office.no("invalid_arguments", "create_order", **office.order(LYON, standard))


def test_shares_add_up() -> None:
    prices = [Decimal("33.33")] * 3
    assert sum(shares(Decimal("10.00"), prices)) == Decimal("10.00")
    assert shares(Decimal(0), [Decimal(0), Decimal(0)]) == [Decimal(0), Decimal(0)]


@pytest.mark.parametrize(
    ("order", "percent", "amount"),
    [("ord_1014", 100, 81), ("ord_1008", 50, 120), ("ord_1020", 100, 0)],
)
def test_refunds_follow_the_policy(office: Office, order: str, percent: int, amount: int) -> None:
    refund = office("refund_order", order_id=order, reason="Cannot come")
    assert (refund["percent"], refund["amount"], refund["order_status"]) == (percent, amount, "refunded")
    view = office("get_order", order_id=order)
    assert view["refunded"] == amount and {one["status"] for one in view["attendees"]} == {"refunded"}
    assert view["refunds"][0]["id"] == refund["id"]
    office.no("conflict", "refund_order", order_id=order, reason="again")


def test_refusals_of_refunds(office: Office) -> None:
    office.no("conflict", "refund_order", order_id="ord_1010", reason="x")
    part = office("refund_order", order_id="ord_1010", reason="goodwill", percent=25, attendee_ids=["att_1010_1"])
    assert (part["amount"], part["order_status"]) == (3.88, "partly_refunded")
    office.no("conflict", "refund_order", order_id="ord_1010", reason="x", percent=9, attendee_ids=["att_1010_1"])
    office.no("not_found", "refund_order", order_id="ord_1010", reason="x", attendee_ids=["att_1001_1"])
    office.no("forbidden", "refund_order", order_id="ord_1008", reason="x", percent=100)
    office.no("conflict", "refund_order", order_id="ord_1001", reason="x", percent=100)
    office.no("not_found", "refund_order", order_id="ord_x", reason="x")
    office.no("invalid_arguments", "refund_order", order_id="ord_1010", reason=" ")
