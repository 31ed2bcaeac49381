"""Restaurant reservations: at the door, waitlist, guests, reviews."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.kit import Entity
from services.reservations.state import Booking, Guest, WaitlistEntry
from tests.services.play import Play
from tests.services.test_reservations import MARA, NOOR, Book


@pytest.fixture
def book(play: Callable[..., Play]) -> Book:
    return Book(play("reservations"))


def test_at_the_door(book: Book) -> None:
    late, now, seated = "res_0001", "res_0002", "res_0003"
    assert book("set_booking_status", booking_id=late, status="no_show")["status"] == "no_show"
    book.no("conflict", "set_booking_status", booking_id=late, status="seated")
    book.no("conflict", "set_booking_status", booking_id=now, status="no_show")
    book.no("conflict", "set_booking_status", booking_id=now, status="finished")
    assert book("set_booking_status", booking_id=now, status="seated")["status"] == "seated"
    book.no("conflict", "cancel_booking", booking_id=now)
    assert book("set_booking_status", booking_id=seated, status="finished")["status"] == "finished"
    book.no("conflict", "set_booking_status", booking_id="res_0004", status="seated")
    book.no("forbidden", "set_booking_status", booking_id="res_0010", status="seated")
    book.no("not_found", "set_booking_status", booking_id="res_x", status="seated")
    assert book("list_guests", email="dario.bianchi@larkspur.example")["items"][0]["visits"] == 1


def test_unpaid_party_is_not_seated(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Booking) and row.id == "res_0002":
            row.deposit, row.deposit_status = row.deposit + 20, "due"

    book = Book(play("reservations", edit=edit))
    book.no("conflict", "set_booking_status", booking_id="res_0002", status="seated")
    book("pay_deposit", booking_id="res_0002", amount=20, payment_reference="R")
    assert book("set_booking_status", booking_id="res_0002", status="seated")["deposit_status"] == "paid"


def test_waitlist(book: Book) -> None:
    full = {"restaurant_id": "rst_kiku_counter", "starts_at": "2026-03-06T18:30:00Z", "party_size": 2}
    made = book("create_waitlist_entry", guest_id=NOOR, **full, note="Near the door")
    assert (made["status"], made["table_free"], made["note"]) == ("waiting", False, "Near the door")
    assert made in book("list_waitlist_entries", guest_id=NOOR)["items"]
    book.no("conflict", "create_waitlist_entry", guest_id=NOOR, **full)
    book.no("conflict", "create_waitlist_entry", guest_id=NOOR, **(full | {"starts_at": "2026-03-06T20:00:00Z"}))
    book.no("limit", "create_waitlist_entry", guest_id=NOOR, **(full | {"party_size": 5}))
    book.no("invalid", "create_waitlist_entry", guest_id=NOOR, **(full | {"starts_at": "2026-03-06T17:30:00Z"}))
    book.no("not_found", "create_waitlist_entry", guest_id="gst_x", **full)
    book.no("not_found", "create_waitlist_entry", guest_id=NOOR, **(full | {"restaurant_id": "rst_x"}))
    assert book("delete_waitlist_entry", waitlist_entry_id=made["id"]) == {"id": made["id"], "deleted": True}
    book.no("not_found", "delete_waitlist_entry", waitlist_entry_id=made["id"])
    book.no("forbidden", "delete_waitlist_entry", waitlist_entry_id="wait_0002")
    book.no("conflict", "delete_waitlist_entry", waitlist_entry_id="wait_0005")


def test_a_free_table_ends_the_wait(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Booking) and row.id == "res_0013":
            row.status = "cancelled"

    book = Book(play("reservations", edit=edit))
    free = [item for item in book("list_waitlist_entries", status="waiting")["items"] if item["table_free"]]
    assert [item["id"] for item in free] == ["wait_0001", "wait_0002"]
    entry = {"waitlist_entry_id": "wait_0001", "restaurant_id": "rst_kiku_counter"}
    book.no_table("invalid", **entry, starts_at="2026-03-06T20:00:00Z")
    book.no_table("not_found", **(entry | {"waitlist_entry_id": "wait_x"}), starts_at="2026-03-06T18:00:00Z")
    made = book.table(**entry, starts_at="2026-03-06T18:00:00Z")
    assert made["party_size"] == 2
    assert [item["id"] for item in book("list_waitlist_entries", status="booked")["items"]] == [
        "wait_0001",
        "wait_0005",
    ]
    book("cancel_booking", booking_id=made["id"])
    book.no_table("conflict", **entry, starts_at="2026-03-06T18:00:00Z")


def test_waitlist_limit(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, WaitlistEntry):
            row.guest_id, row.status = MARA, "waiting"

    book = Book(play("reservations", edit=edit))
    wish = {"guest_id": MARA, "party_size": 4, "starts_at": "2026-03-06T18:30:00Z"}
    book.no("conflict", "create_waitlist_entry", restaurant_id="rst_kiku_counter", **wish)
    book.no(
        "limit",
        "create_waitlist_entry",
        restaurant_id="rst_kiku_counter",
        **(wish | {"starts_at": "2026-03-06T19:30:00Z"}),
    )


def test_guests(book: Book) -> None:
    made = book("create_guest", name="Zoë Ng", email="zoe.ng@halcyon.example", company="Halcyon Clinics")
    assert (made["visits"], made["no_shows"], made["dietary_notes"]) == (0, 0, "")
    assert book("list_guests", email="zoe.ng@halcyon.example")["items"] == [made]
    assert made in book("list_guests", company="Halcyon Clinics")["items"]
    book.no("conflict", "create_guest", name="Z", email="zoe.ng@halcyon.example")
    book.no("invalid_arguments", "create_guest", name=" ", email="z@halcyon.example")
    book.no("invalid_arguments", "create_guest", name="Z", email="no address")
    assert book("list_guests", query="brooks")["items"][0]["no_shows"] == 1
    assert len(book.play.rows(Guest)) >= 20


def test_reviews(book: Book) -> None:
    fresh = "res_0031"
    made = book("create_review", booking_id=fresh, rating=5, text="Lovely")
    assert made in book("list_reviews", restaurant_id="rst_green_pestle")["items"]
    assert book("get_restaurant", restaurant_id="rst_green_pestle")["rating"] == 4
    book.no("conflict", "create_review", booking_id=fresh, rating=1)
    book.no("conflict", "create_review", booking_id="res_0004", rating=1)
    book.no("forbidden", "create_review", booking_id="res_0024", rating=1)
    book.no("not_found", "create_review", booking_id="res_x", rating=1)
    book.no("invalid_arguments", "create_review", booking_id=fresh, rating=6)
    assert {item["rating"] for item in book("list_reviews", min_rating=4)["items"]} == {4, 5}
    assert {item["rating"] for item in book("list_reviews", rating=3)["items"]} == {3}
    latest = [item["created_at"] for item in book("list_reviews")["items"]]
    assert latest == sorted(latest, reverse=True)
