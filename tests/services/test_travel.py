"""Travel desk: offers, policy, trips, bookings, profiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Entity, Seed
from services.travel import service
from services.travel.state import Booking, Offer, Trip
from tests.services.play import Play

MARA, HANA, PRIYA, AMARA = "trv_mara_lindqvist", "trv_hana_takeda", "trv_priya_raman", "trv_amara_diallo"
SEATTLE, KETTERING, ROTTERDAM, OFFSITE = "trip_0001", "trip_0002", "trip_0003", "trip_0006"


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("travel", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("travel", tool, **arguments)
        assert error["code"] == code, error
        return error

    def offer(self, code: str, travel_class: str | None = None, day: str | None = None) -> str:
        found = [
            item.id
            for item in self.play.rows(Offer)
            if item.code == code
            and item.travel_class == travel_class
            and (day is None or item.first_day.isoformat() == day)
        ]
        return sorted(found)[0]

    def trip(self, first: str = "2026-03-16", last: str = "2026-03-22", **more: Any) -> str:
        return str(self("create_trip", title="Trip", starts_on=first, ends_on=last, **more)["id"])


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("travel"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("travel", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in (*COLLEAGUES, *CONTACTS)}
    for name, values in rows(0):
        if name == "Traveller":
            assert cast[values["email"]] == values["name"] and values["arranger_email"] in cast
        if name == "Trip":
            assert values["organizer_email"] in cast and values["approver_email"] in cast


def test_seed_keeps_the_rules(desk: Desk) -> None:
    trips = {item.id: item for item in desk.play.rows(Trip)}
    offers = {item.id: item for item in desk.play.rows(Offer)}
    for booking in desk.play.rows(Booking):
        trip, offer = trips[booking.trip_id], offers[booking.offer_id]
        assert trip.starts_on <= booking.starts_on <= booking.ends_on <= trip.ends_on
        assert (booking.status == "held") == (booking.held_until is not None)
        assert (booking.status == "ticketed") == (booking.ticket_number is not None)
        assert booking.currency == offer.currency and booking.kind == offer.kind
        seats = desk("get_offer", offer_id=offer.id)["free_seats"]
        assert booking.status == "cancelled" or booking.seat is None or booking.seat not in seats
        if booking.status in ("confirmed", "ticketed") and trip.status != "approved":
            assert desk("get_booking", booking_id=booking.id)["policy_breaches"] == []


def test_search_filters(desk: Desk) -> None:
    flights = desk("search_offers", kind="flight", origin="London", destination="Seattle", date="2026-03-08")["items"]
    assert [(item["travel_class"], item["price"]) for item in flights] == [
        ("economy", 412),
        ("premium", 795),
        ("business", 1980),
    ]
    assert flights[1]["left"] == 11
    rooms = desk("search_offers", destination="Lyon", check_in="2026-03-24", check_out="2026-03-27", max_price=160)
    assert {item["kind"] for item in rooms["items"]} == {"hotel"} and len(rooms["items"]) == 2
    assert all(item["left"] == 6 for item in rooms["items"])
    assert desk("search_offers", kind="hotel")["items"][0]["left"] is None
    assert {item["refundable"] for item in desk("search_offers", refundable=False)["items"]} == {False}
    dates = [item["first_day"] for item in desk("search_offers", sort="date", limit=100)["items"]]
    assert dates == sorted(dates)
    desk.no("invalid", "search_offers", check_in="2026-03-24")
    desk.no("invalid", "search_offers", check_in="2026-03-24", check_out="2026-03-24")
    desk.no("invalid_arguments", "search_offers", max_price=1.005)
    desk.no("invalid", "search_offers", cursor="bm90IGEgY3Vyc29y")


@pytest.mark.parametrize("tool", ["search_offers", "list_travellers", "list_trips", "list_bookings"])
def test_pages_neither_skip_nor_repeat(desk: Desk, tool: str) -> None:
    whole = [item["id"] for item in desk(tool, limit=100)["items"]]
    paged: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = desk(tool, limit=7, **cursor)
        paged += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert paged == whole and len(set(paged)) == len(paged)


def test_policy(desk: Desk) -> None:
    def kinds(code: str, travel_class: str | None = None) -> list[str]:
        found = desk("get_offer", offer_id=desk.offer(code, travel_class))["policy"]
        assert found["within"] == (not found["breaches"])
        return [item["kind"] for item in found["breaches"]]

    assert kinds("HA 204", "premium") == [] and kinds("HA 204", "business") == ["flight_class"]
    assert kinds("SX 71", "business") == []
    assert kinds("HA 118", "economy") == ["rail_first"]
    assert kinds("HA 330", "economy") == []
    assert kinds("CR 9110", "first") == ["train_class"]
    assert kinds("HCR-D") == ["night_cap"] and kinds("PYI-D") == []
    assert [item["cap"] for item in desk("list_policy_rules", city="Lyon")["items"]] == [160]
    assert len(desk("list_policy_rules", kind="flight_class")["items"]) == 3


def test_get_offer_for_nights(desk: Desk) -> None:
    room = desk.offer("PYI-D")
    found = desk("get_offer", offer_id=room, check_in="2026-03-08", check_out="2026-03-11")
    assert (found["left"], found["total"], found["free_seats"]) == (5, 567, [])
    assert desk("get_offer", offer_id=room)["total"] is None
    assert desk("get_offer", offer_id=room, check_in="2026-03-11", check_out="2026-03-12")["left"] == 6
    assert desk("get_offer", offer_id=room, check_in="9999-12-30", check_out="9999-12-31")["left"] == 0
    desk.no("invalid", "get_offer", offer_id=room, check_in="2026-03-11", check_out="2026-04-11")
    desk.no("invalid", "get_offer", offer_id=desk.offer("HA 204", "economy"), check_in="2026-03-11")
    desk.no("not_found", "get_offer", offer_id="off_x")


def test_travellers(desk: Desk) -> None:
    made = desk(
        "create_traveller", name="Zoë Ng", email="zoe.ng@halcyon.example", company="Halcyon Clinics", meal="vegan"
    )
    assert made["bookable"] and made["arranger_email"] == "mara.lindqvist@larkspur.example"
    assert desk("get_traveller", traveller_id=made["id"]) == made
    assert made in desk("list_travellers", company="Halcyon Clinics")["items"]
    desk.no("conflict", "create_traveller", name="Z", email="zoe.ng@halcyon.example")
    changed = desk(
        "update_traveller", traveller_id=made["id"], passport_number="K1234567", passport_expires_on="2031-01-01"
    )
    assert desk("get_traveller", traveller_id=made["id"]) == changed and changed["passport_number"] == "K1234567"
    assert desk("update_traveller", traveller_id=made["id"], passport_number=None)["passport_number"] is None
    desk.no("invalid_arguments", "update_traveller", traveller_id=made["id"])
    desk.no("forbidden", "update_traveller", traveller_id=PRIYA, phone="1")
    desk.no("not_found", "update_traveller", traveller_id="trv_x", phone="1")
    desk.no("not_found", "get_traveller", traveller_id="trv_x")
    assert desk("get_traveller", traveller_id=PRIYA)["passport_number"] is None
    assert {item["bookable"] for item in desk("list_travellers", bookable=False)["items"]} == {False}
    assert {item["id"] for item in desk("list_travellers", query="takeda")["items"]} == {HANA}


def test_trip_fields(desk: Desk) -> None:
    made = desk("create_trip", title="Leeds", starts_on="2026-03-10", ends_on="2026-03-11", purpose="INV-2029")
    assert (made["status"], made["bookings"], made["totals"]) == ("planning", [], [])
    assert desk("get_trip", trip_id=made["id"]) == made
    assert made["id"] in {item["id"] for item in desk("list_trips", status="planning")["items"]}
    changed = desk("update_trip", trip_id=made["id"], title="Leeds again", ends_on="2026-03-12")
    assert desk("get_trip", trip_id=made["id"]) == changed and changed["ends_on"] == "2026-03-12"
    desk.no("invalid", "create_trip", title="x", starts_on="2026-03-01", ends_on="2026-03-02")
    desk.no("invalid", "create_trip", title="x", starts_on="2026-03-10", ends_on="2026-03-09")
    desk.no("invalid", "create_trip", title="x", starts_on="2026-03-10", ends_on="9999-12-31")
    mine = {"title": "x", "starts_on": "2026-03-10", "ends_on": "2026-03-10"}
    desk.no("invalid", "create_trip", **mine, approver_email="mara.lindqvist@larkspur.example")
    desk.no("not_found", "create_trip", **mine, approver_email="nobody@larkspur.example")
    desk.no("forbidden", "update_trip", trip_id="trip_0004", title="x")
    desk.no("not_found", "update_trip", trip_id="trip_x", title="x")
    desk.no("conflict", "update_trip", trip_id=SEATTLE, starts_on="2026-03-09")
    desk.no("conflict", "update_trip", trip_id="trip_0009", title="x")
    desk.no("invalid", "update_trip", trip_id=SEATTLE, decision_note="x")
    starts = [item["starts_on"] for item in desk("list_trips", starts_after="2026-03-12")["items"]]
    assert starts == sorted(starts) and starts[0] >= "2026-03-12"


def test_trip_decisions(desk: Desk) -> None:
    desk.no("invalid", "update_trip", trip_id=OFFSITE, status="rejected")
    desk.no("invalid", "update_trip", trip_id=OFFSITE, status="approved", title="x")
    done = desk("update_trip", trip_id=OFFSITE, status="approved", decision_note="See you there.")
    assert (done["status"], done["decision_note"]) == ("approved", "See you there.")
    desk.no("conflict", "update_trip", trip_id=OFFSITE, status="rejected", decision_note="x")
    desk.no("forbidden", "update_trip", trip_id="trip_0005", status="approved")
    desk.no("forbidden", "update_trip", trip_id=OFFSITE, status="cancelled")
    empty = desk.trip()
    desk.no("conflict", "update_trip", trip_id=empty, status="submitted")
    assert desk("update_trip", trip_id=SEATTLE, status="submitted")["status"] == "submitted"
    desk.no("conflict", "update_trip", trip_id=SEATTLE, status="submitted")
    desk.no("conflict", "update_trip", trip_id=SEATTLE, status="cancelled")
    assert desk("update_trip", trip_id=empty, status="cancelled")["status"] == "cancelled"
    desk.no("conflict", "update_trip", trip_id=empty, status="cancelled")
