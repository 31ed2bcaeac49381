"""Restaurant reservations: free tables, bookings, deposits, waitlist, reviews."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from engine.kit import COLLEAGUES, CONTACTS, Entity, Seed
from services.reservations import service
from services.reservations.state import Booking, DiningTable, Restaurant, Review, WaitlistEntry
from services.reservations.tables import starts
from tests.services.play import Play

MARA, HANA, NOOR = "gst_mara_lindqvist", "gst_hana_takeda", "gst_noor_haddad"
LUNCH = "2026-03-05T12:00:00Z"


class Book:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("reservations", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("reservations", tool, **arguments)
        assert error["code"] == code, error
        return error

    def table(self, **more: Any) -> Any:
        given = {"restaurant_id": "rst_dal_street", "guest_id": MARA, "starts_at": LUNCH, "party_size": 2}
        return self("create_booking", **(given | more))

    def no_table(self, code: str, **more: Any) -> None:
        given = {"restaurant_id": "rst_dal_street", "guest_id": MARA, "starts_at": LUNCH, "party_size": 2}
        self.no(code, "create_booking", **(given | more))

    def id_of(self, **filters: Any) -> str:
        return str(self("list_bookings", **filters)["items"][0]["id"])


@pytest.fixture
def book(play: Callable[..., Play]) -> Book:
    return Book(play("reservations"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("reservations", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in (*COLLEAGUES, *CONTACTS)}
    for name, values in rows(0):
        if name == "Guest":
            assert cast[values["email"]] == values["name"]
        if name == "Booking":
            assert values["booked_by_email"] in cast


def test_seed_keeps_the_rules(book: Book) -> None:
    places = {item.id: item for item in book.play.rows(Restaurant)}
    tables = {item.id: item for item in book.play.rows(DiningTable)}
    bookings = book.play.rows(Booking)
    for one in bookings:
        place = places[one.restaurant_id]
        assert one.starts_at in starts(place, one.starts_at.date())
        assert one.ends_at - one.starts_at == timedelta(minutes=place.dining_minutes)
        assert tables[one.table_id].restaurant_id == place.id and tables[one.table_id].seats >= one.party_size
        assert one.deposit_paid <= one.deposit
        assert (one.deposit > 0) == (one.party_size >= place.deposit_from)
        for other in bookings:
            if other is not one and {one.status, other.status} <= {"booked", "seated"}:
                apart = one.ends_at <= other.starts_at or other.ends_at <= one.starts_at
                assert apart or (one.table_id != other.table_id and one.guest_id != other.guest_id)
    finished = {one.id for one in bookings if one.status == "finished"}
    assert {item.booking_id for item in book.play.rows(Review)} <= finished
    waiting = book("list_waitlist_entries", status="waiting")["items"]
    assert len(waiting) == 4 and not any(item["table_free"] for item in waiting)
    assert all(
        item.starts_at in starts(places[item.restaurant_id], item.starts_at.date())
        for item in book.play.rows(WaitlistEntry)
    )


def test_search_restaurants(book: Book) -> None:
    def names(**filters: Any) -> set[str]:
        return {item["name"] for item in book("search_restaurants", **filters)["items"]}

    assert names(cuisine="indian") == {"Dal Street", "Green Pestle"}
    assert names(cuisine="indian", price_band="low", diet="halal") == {"Dal Street"}
    assert names(party_size=12) == {"The Long Table"}
    assert "Salt Quay" not in names(open_on="2026-03-02") and "Salt Quay" in names(open_on="2026-03-03")
    assert names(query="ARCHES") == {"Pomona"} and names(query="100%") == set()
    assert names(city="Lyon") == set()
    assert names(favourite=True) == {"The Long Table", "Mother Olive", "Café Lark"}
    found = book("get_restaurant", restaurant_id="rst_salt_quay")
    assert (found["opens"], found["last_seating"], found["rating"], found["review_count"]) == ("12:00", "21:30", 2, 1)
    assert [item["seats"] for item in found["tables"]] == [2, 2, 4, 4, 6]
    book.no("not_found", "get_restaurant", restaurant_id="rst_x")


def test_favourites(book: Book) -> None:
    assert book("set_favourite", restaurant_id="rst_pomona", favourite=True)["favourite"]
    assert book("set_favourite", restaurant_id="rst_pomona", favourite=True)["favourite"]
    assert not book("set_favourite", restaurant_id="rst_pomona", favourite=False)["favourite"]
    assert not book("set_favourite", restaurant_id="rst_pomona", favourite=False)["favourite"]
    book.no("not_found", "set_favourite", restaurant_id="rst_x", favourite=True)


@pytest.mark.parametrize("tool", ["search_restaurants", "list_bookings", "list_guests", "list_reviews"])
def test_pages_neither_skip_nor_repeat(book: Book, tool: str) -> None:
    whole = [item["id"] for item in book(tool, limit=100)["items"]]
    paged: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = book(tool, limit=3, **cursor)
        paged += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert paged == whole and len(set(paged)) == len(paged)
    book.no("invalid", tool, cursor="junk")


def test_slots(book: Book) -> None:
    kiku = {"restaurant_id": "rst_kiku_counter", "date": "2026-03-06"}
    times = [item["starts_at"][11:16] for item in book("list_slots", **kiku, party_size=2)["items"]]
    assert times == ["20:00", "20:30"]
    assert [item["free_tables"] for item in book("list_slots", **kiku, party_size=3)["items"]] == [1]
    assert book("list_slots", **(kiku | {"date": "2026-03-08"}), party_size=2)["items"] == []
    today = book("list_slots", restaurant_id="rst_cafe_lark", date="2026-03-02", party_size=2)["items"]
    assert today[0]["starts_at"] == "2026-03-02T10:00:00Z"
    for day in ("0001-01-01", "9999-12-31", "2026-08-01"):
        assert book("list_slots", restaurant_id="rst_dal_street", date=day, party_size=2)["items"] == []
    back = book("list_slots", restaurant_id="rst_long_table", date="2026-03-05", party_size=2, area="private_room")
    assert back["items"][0] == {"starts_at": LUNCH, "free_tables": 1, "areas": ["private_room"]}
    book.no("not_found", "list_slots", restaurant_id="rst_x", date="2026-03-05", party_size=2)


def test_create_booking(book: Book) -> None:
    made = book.table(special_requests="Window", occasion="business")
    assert (made["status"], made["deposit_status"], made["dietary_notes"]) == ("booked", "none", "No shellfish.")
    assert (made["ends_at"], made["cancel_by"]) == ("2026-03-05T13:30:00Z", "2026-03-05T08:00:00Z")
    assert book("get_booking", booking_id=made["id"]) == made
    assert made in book("list_bookings", guest_id=MARA, starts_after="2026-03-05T00:00:00Z")["items"]
    book.no_table("conflict")
    book.no_table("conflict", restaurant_id="rst_pomona", starts_at="2026-03-05T13:00:00Z")
    assert book.table(guest_id=NOOR, starts_at="2026-03-05T14:00:00Z", dietary_notes="")["dietary_notes"] == ""
    book.no_table("limit", party_size=11)
    book.no_table("limit", area="terrace")
    book.no_table("invalid", starts_at="2026-03-05T12:10:00Z")
    book.no_table("invalid", starts_at="2026-03-05T11:30:00Z")
    book.no_table("invalid", starts_at="2026-03-02T09:00:00Z")
    book.no_table("invalid", starts_at="2026-09-02T12:00:00Z")
    book.no_table("conflict", restaurant_id="rst_green_pestle", starts_at="2026-03-04T12:00:00Z")
    for name in ("restaurant_id", "guest_id"):
        book.no_table("not_found", **{name: "x"})


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-03-05T12:00:00.5Z"])
def test_odd_moments(book: Book, moment: str) -> None:
    book.no_table("invalid", starts_at=moment)
    assert book("list_bookings", starts_after=moment, starts_before=moment)["items"] == []


def test_smallest_table_first_and_full(book: Book) -> None:
    seats = {item["id"]: item["seats"] for item in book("get_restaurant", restaurant_id="rst_green_pestle")["tables"]}
    when = "2026-03-06T18:00:00Z"
    got = [
        seats[book.table(restaurant_id="rst_green_pestle", guest_id=guest, starts_at=when)["table_id"]]
        for guest in (MARA, HANA, NOOR)
    ]
    assert got == [2, 4, 6]
    book.no_table("conflict", restaurant_id="rst_green_pestle", guest_id="gst_dario_bianchi", starts_at=when)


def test_deposit(book: Book) -> None:
    offsite = book.id_of(restaurant_id="rst_long_table", deposit_status="due")
    book.no("forbidden", "cancel_booking", booking_id="res_0010")
    found = book("get_booking", booking_id=offsite)
    assert (found["deposit"], found["deposit_paid"], found["party_size"]) == (280, 0, 14)
    pay = {"booking_id": offsite, "payment_reference": "PO-4410"}
    book.no("invalid", "pay_deposit", **pay, amount=100)
    paid = book("pay_deposit", **pay, amount=280)
    assert (paid["deposit_status"], paid["payment_reference"]) == ("paid", "PO-4410")
    book.no("conflict", "pay_deposit", **pay, amount=280)
    more = book("update_booking", booking_id=offsite, party_size=16)
    assert (more["deposit"], more["deposit_status"]) == (320, "due")
    fewer = book("update_booking", booking_id=offsite, party_size=4)
    assert (fewer["deposit"], fewer["deposit_status"]) == (280, "paid")
    gone = book("cancel_booking", booking_id=offsite, reason="New venue")
    assert (gone["deposit_status"], gone["late"], gone["status"]) == ("refunded", False, "cancelled")
    book.no("not_found", "pay_deposit", booking_id="res_x", amount=1, payment_reference="x")
    book.no("forbidden", "pay_deposit", booking_id="res_0007", amount=135, payment_reference="x")


def test_late_cancellation(book: Book) -> None:
    soon = {"restaurant_id": "rst_kiku_counter", "starts_at": "2026-03-03T18:00:00Z", "party_size": 4}
    made = book.table(**soon)
    book.no("conflict", "update_booking", booking_id=made["id"], starts_at="2026-03-10T18:00:00Z")
    assert book("update_booking", booking_id=made["id"], occasion="team")["occasion"] == "team"
    assert book("cancel_booking", booking_id=made["id"])["deposit_status"] == "due"
    owed = book("pay_deposit", booking_id=made["id"], amount=200, payment_reference="R1")
    assert owed["deposit_status"] == "forfeited"
    again = book.table(**soon)
    book("pay_deposit", booking_id=again["id"], amount=200, payment_reference="R2")
    gone = book("cancel_booking", booking_id=again["id"])
    assert gone["late"] and gone["deposit_status"] == "forfeited"
    book.no("conflict", "cancel_booking", booking_id=again["id"])
    book.no("not_found", "cancel_booking", booking_id="res_x")


def test_update_booking(book: Book) -> None:
    made = book.table()
    moved = book("update_booking", booking_id=made["id"], starts_at="2026-03-05T13:00:00Z", party_size=6)
    assert (moved["starts_at"], moved["party_size"]) == ("2026-03-05T13:00:00Z", 6)
    assert book("get_booking", booking_id=made["id"]) == moved and moved["table_id"] != made["table_id"]
    assert book("update_booking", booking_id=made["id"], dietary_notes="Vegan")["dietary_notes"] == "Vegan"
    book.no("limit", "update_booking", booking_id=made["id"], party_size=20)
    book.no("invalid", "update_booking", booking_id=made["id"], starts_at="2026-03-05T11:00:00Z")
    book.no("invalid_arguments", "update_booking", booking_id=made["id"])
    book.no("not_found", "update_booking", booking_id="res_x", party_size=2)
    book.no("forbidden", "update_booking", booking_id="res_0010", party_size=2)
    book.no("conflict", "update_booking", booking_id="res_0020", party_size=2)
    book.no("conflict", "update_booking", booking_id="res_0001", party_size=2)
