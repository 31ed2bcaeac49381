"""Travel desk: holding, confirming, ticketing, changing and cancelling."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from engine.kit import Entity
from services.travel.state import Offer, Traveller, Trip
from tests.services.play import Play
from tests.services.test_travel import AMARA, HANA, KETTERING, MARA, PRIYA, ROTTERDAM, SEATTLE, Desk


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("travel"))


def test_book_a_train(desk: Desk) -> None:
    trip = desk.trip("2026-03-16", "2026-03-18")
    train = desk.offer("CR 9110", "standard")
    made = desk("create_booking", trip_id=trip, traveller_id=MARA, offer_id=train, seat="3A")
    assert (made["status"], made["seat"], made["price"], made["expired"]) == ("held", "3A", 58, False)
    assert made["held_until"].startswith("2026-03-03T09:")
    assert desk("get_booking", booking_id=made["id"]) == made
    assert [item["id"] for item in desk("list_bookings", trip_id=trip)["items"]] == [made["id"]]
    other = {"trip_id": trip, "traveller_id": HANA, "offer_id": train}
    desk.no("conflict", "create_booking", **other, seat="3A")
    desk.no("conflict", "create_booking", **other, seat="99A")
    desk.no("conflict", "create_booking", trip_id=trip, traveller_id=MARA, offer_id=train)
    desk.no("invalid", "create_booking", **other, check_in="2026-03-16", check_out="2026-03-17")
    desk.no("forbidden", "create_booking", trip_id=trip, traveller_id=PRIYA, offer_id=train)
    desk.no("forbidden", "create_booking", trip_id="trip_0004", traveller_id=MARA, offer_id=train)
    desk.no("conflict", "create_booking", trip_id="trip_0009", traveller_id=MARA, offer_id=train)
    desk.no("invalid", "create_booking", trip_id=SEATTLE, traveller_id=MARA, offer_id=train)
    for name in ("trip_id", "traveller_id", "offer_id"):
        desk.no("not_found", "create_booking", **(other | {name: "x"}))
    desk.no("conflict", "ticket_booking", booking_id=made["id"])
    assert desk("confirm_booking", booking_id=made["id"])["status"] == "confirmed"
    desk.no("conflict", "confirm_booking", booking_id=made["id"])
    done = desk("ticket_booking", booking_id=made["id"])
    assert done["status"] == "ticketed" and done["ticket_number"]
    assert desk("get_trip", trip_id=trip)["totals"] == [{"currency": "GBP", "amount": 58}]
    moved = desk("update_booking", booking_id=made["id"], offer_id=desk.offer("CR 9110", "standard", "2026-03-17"))
    assert (moved["status"], moved["fees"], moved["seat"]) == ("confirmed", 10, None)
    gone = desk("cancel_booking", booking_id=made["id"], reason="Call instead")
    assert (gone["refund"], gone["cost"], gone["cancel_reason"]) == (58, 10, "Call instead")
    desk.no("conflict", "cancel_booking", booking_id=made["id"])
    assert desk("get_trip", trip_id=trip)["totals"] == [{"currency": "GBP", "amount": 10}]


def test_book_nights(desk: Desk) -> None:
    trip = desk.trip("2026-04-10", "2026-04-20")
    room = {"trip_id": trip, "offer_id": desk.offer("LRD-D")}
    first = desk("create_booking", **room, traveller_id=MARA, check_in="2026-04-11", check_out="2026-04-13")
    assert first["price"] == 428 and first["policy_breaches"]
    desk("create_booking", **room, traveller_id=HANA, check_in="2026-04-12", check_out="2026-04-14")
    desk.no("conflict", "create_booking", **room, traveller_id=AMARA, check_in="2026-04-12", check_out="2026-04-13")
    desk.no("conflict", "create_booking", **room, traveller_id=MARA, check_in="2026-04-10", check_out="2026-04-12")
    desk.no("invalid", "create_booking", **room, traveller_id=AMARA)
    desk.no("invalid", "create_booking", **room, traveller_id=AMARA, check_in="2026-04-18", check_out="2026-04-21")
    next_door = {"check_in": "2026-04-13", "check_out": "2026-04-14"}
    desk.no("invalid", "create_booking", **room, traveller_id=AMARA, **next_door, seat="1A")
    assert desk("create_booking", **room, traveller_id=AMARA, **next_door)["status"] == "held"
    shorter = desk("update_booking", booking_id=first["id"], check_out="2026-04-12")
    assert (shorter["price"], shorter["fees"]) == (214, 0)
    desk.no("forbidden", "confirm_booking", booking_id=first["id"])


def test_policy_needs_an_approved_trip(desk: Desk) -> None:
    trip = desk.trip("2026-03-16", "2026-03-18", approver_email="elena.sorokina@larkspur.example")
    made = desk("create_booking", trip_id=trip, traveller_id=MARA, offer_id=desk.offer("HA 118", "economy"))
    error = desk.no("forbidden", "confirm_booking", booking_id=made["id"])
    assert error["details"]["breaches"][0]["kind"] == "rail_first"
    assert desk("get_trip", trip_id=trip)["needs_approval"]
    assert desk("update_trip", trip_id=trip, status="submitted")["status"] == "submitted"
    desk.no("forbidden", "update_trip", trip_id=trip, status="approved")


def test_approval_lapses_with_a_new_breach(play: Callable[..., Play]) -> None:
    def approve(row: Entity) -> None:
        if isinstance(row, Trip) and row.id == ROTTERDAM:
            row.status = "approved"

    desk = Desk(play("travel", edit=approve))
    booking = {"trip_id": ROTTERDAM, "traveller_id": MARA}
    desk("create_booking", **booking, offer_id=desk.offer("CR 9163", "standard"))
    assert desk("get_trip", trip_id=ROTTERDAM)["status"] == "approved"
    made = desk("create_booking", **booking, offer_id=desk.offer("HA 118", "business"))
    assert desk("get_trip", trip_id=ROTTERDAM)["status"] == "planning"
    desk.no("forbidden", "confirm_booking", booking_id=made["id"])


def test_lapsed_hold(desk: Desk) -> None:
    lapsed = desk("list_bookings", trip_id=ROTTERDAM, kind="flight")["items"][0]
    assert lapsed["expired"] and lapsed["status"] == "held"
    desk.no("conflict", "confirm_booking", booking_id=lapsed["id"])
    desk.no("conflict", "update_booking", booking_id=lapsed["id"], seat="1A")
    assert [item["currency"] for item in desk("get_trip", trip_id=ROTTERDAM)["totals"]] == ["EUR"]
    again = desk("create_booking", trip_id=ROTTERDAM, traveller_id=MARA, offer_id=lapsed["offer_id"])
    assert again["id"] != lapsed["id"]
    assert desk("cancel_booking", booking_id=lapsed["id"])["cost"] == 0


def test_changes_and_fares(desk: Desk) -> None:
    ticketed, room = "bkg_0001", "bkg_0002"
    other = desk.offer("HA 204", "premium", "2026-03-09")
    assert desk("update_booking", booking_id=ticketed, seat="3C")["status"] == "ticketed"
    moved = desk("update_booking", booking_id=ticketed, offer_id=other, seat="1A")
    assert (moved["fees"], moved["starts_on"], moved["seat"], moved["ticket_number"]) == (60, "2026-03-09", "1A", None)
    cheap = desk("update_booking", booking_id=ticketed, offer_id=desk.offer("HA 204", "economy"))
    assert (cheap["fees"], cheap["price"]) == (120, 412)
    desk.no("conflict", "update_booking", booking_id=ticketed, offer_id=other)
    assert desk("cancel_booking", booking_id=ticketed)["refund"] == 0
    desk.no("invalid", "update_booking", booking_id=room, offer_id=desk.offer("HCR-D"))
    desk.no("invalid", "update_booking", booking_id=room, offer_id=desk.offer("PYI-D"))
    desk.no("invalid", "update_booking", booking_id=room, seat="1A")
    desk.no("not_found", "update_booking", booking_id="bkg_x", seat="1A")
    desk.no("forbidden", "update_booking", booking_id="bkg_0012", seat="1A")
    assert desk("cancel_booking", booking_id=room)["refund"] == 567
    desk.no("forbidden", "cancel_booking", booking_id="bkg_0012")


def test_passport_for_flights_abroad(desk: Desk) -> None:
    trip = desk.trip("2026-04-15", "2026-04-18")
    guest = desk("create_traveller", name="Zoë Ng", email="zoe.ng@halcyon.example")["id"]
    made = desk("create_booking", trip_id=trip, traveller_id=guest, offer_id=desk.offer("TJ 40", "economy"))
    desk("confirm_booking", booking_id=made["id"])
    desk.no("conflict", "ticket_booking", booking_id=made["id"])
    passport = {"traveller_id": guest, "passport_number": "P9876543"}
    desk("update_traveller", **passport, passport_expires_on="2026-04-01")
    desk.no("conflict", "ticket_booking", booking_id=made["id"])
    desk("update_traveller", **passport, passport_expires_on="2026-04-15")
    assert desk("ticket_booking", booking_id=made["id"])["seat"] == "1A"


def test_sold_out_and_begun(play: Callable[..., Play]) -> None:
    begun = datetime(2026, 3, 2, 8, tzinfo=UTC)

    def edit(row: Entity) -> None:
        if isinstance(row, Offer) and row.code == "CR 9110":
            row.capacity = 1
        if isinstance(row, Offer) and row.code == "ML 1C23":
            row.departs_at = begun
        if isinstance(row, Traveller) and row.id == PRIYA:
            row.arranger_email = "mara.lindqvist@larkspur.example"

    desk = Desk(play("travel", edit=edit))
    trip, train = desk.trip(), desk.offer("CR 9110", "standard")
    made = desk("create_booking", trip_id=trip, traveller_id=PRIYA, offer_id=train)
    desk.no("conflict", "create_booking", trip_id=trip, traveller_id=MARA, offer_id=train)
    assert desk("get_offer", offer_id=train)["left"] == 0
    desk("cancel_booking", booking_id=made["id"])
    assert desk("create_booking", trip_id=trip, traveller_id=MARA, offer_id=train)["price"] == Decimal(58)
    begun_train = desk.offer("ML 1C23", "standard")
    desk.no("conflict", "create_booking", trip_id=KETTERING, traveller_id=HANA, offer_id=begun_train)
    desk.no("conflict", "cancel_booking", booking_id="bkg_0004")
    desk.no("conflict", "ticket_booking", booking_id="bkg_0004")


def test_a_purchase_is_not_moved_outside_the_policy(desk: Desk) -> None:
    business = desk.offer("HA 204", "business", "2026-03-09")
    desk.no("forbidden", "update_booking", booking_id="bkg_0001", offer_id=business)
    held = desk("update_booking", booking_id="bkg_0003", offer_id=desk.offer("HA 205", "business"))
    assert held["status"] == "held" and held["policy_breaches"]
    assert desk("get_trip", trip_id=SEATTLE)["needs_approval"]
