"""Shipping: addresses, rates, labels, tracking, customs, pickups, claims, returns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from engine.kit import COLLEAGUES, COMPANIES, CONTACTS, Entity, Seed
from services.shipping import service
from services.shipping.rules import billable_kg
from services.shipping.state import Address, Carrier, Claim, CustomsDeclaration, Pickup, Shipment, TrackingEvent
from services.shipping.tracking import NEXT
from tests.services.play import Play

PARCEL = {"weight_grams": 1200, "length_cm": 40, "width_cm": 30, "height_cm": 10, "contents": "Shirts"}
PELICAN, FS = "rat_pelican_express_world", "FS-0044"


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("shipping", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> str:
        error = self.play.fails("shipping", tool, **arguments)
        assert error["code"] == code, error
        return str(error["message"])

    def all(self, tool: str, **arguments: Any) -> list[Any]:
        return list(self(tool, limit=100, **arguments)["items"])

    def id(self, number: str) -> str:
        (found,) = self("list_shipments", number=number)["items"]
        return str(found["id"])

    def get(self, number: str) -> Any:
        return self("get_shipment", shipment_id=self.id(number))

    def track(self, number: str, *statuses: str) -> Any:
        return [self("create_tracking_event", shipment_id=self.id(number), status=item, note="x") for item in statuses]

    def new(self, number: str, **more: Any) -> Any:
        given = {
            "number": number,
            "from_address_id": "adr_west",
            "to_address_id": "adr_fernhill",
            "parcels": [PARCEL],
            "declared_value": 57.5,
            "currency": "GBP",
        }
        return self("create_shipment", **(given | more))


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("shipping"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("shipping", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    people = {person.email: person for person in (*COLLEAGUES, *CONTACTS)}
    companies = {company.name for company in COMPANIES}
    for name, values in rows(0):
        if name == "Address":
            person = people[values["email"]]
            assert (person.name, person.company) == (values["name"], values["company"])
        if name == "Shipment":
            assert values["customer"] in companies


def test_seed_keeps_the_rules(desk: Desk) -> None:
    addresses = {row.id: row for row in desk.play.rows(Address)}
    shipments = {row.id: row for row in desk.play.rows(Shipment)}
    declared = {row.shipment_id for row in desk.play.rows(CustomsDeclaration)}
    for shipment in shipments.values():
        events = [row for row in desk.play.rows(TrackingEvent) if row.shipment_id == shipment.id]
        events.sort(key=lambda row: row.happened_at)
        states = ["created", *(row.status for row in events)]
        assert states[-1] == shipment.status
        assert all(late in NEXT[early] for early, late in pairwise(states))
        assert (shipment.delivered_on is not None) == (shipment.status == "delivered")
        assert (shipment.label_status == "bought") == (shipment.carrier_id is not None)
        start, end = addresses[shipment.from_address_id], addresses[shipment.to_address_id]
        if shipment.label_bought_at is not None:
            assert shipment.created_at <= shipment.label_bought_at
            assert start.valid and end.valid and (start.country == end.country or shipment.id in declared)
            assert not events or shipment.label_bought_at < events[0].happened_at
    for pickup in desk.play.rows(Pickup):
        assert {shipments[item].carrier_id for item in pickup.shipment_ids} == {pickup.carrier_id}
        assert pickup.status != "collected" or all(shipments[i].status != "created" for i in pickup.shipment_ids)
    carriers = {row.id for row in desk.play.rows(Carrier)}
    for claim in desk.play.rows(Claim):
        assert shipments[claim.shipment_id].carrier_id in carriers
        assert claim.amount <= shipments[claim.shipment_id].declared_value
        assert claim.submitted_at is None or claim.submitted_at.date() <= claim.deadline


def test_the_story_of_gp_778(desk: Desk) -> None:
    wet = desk.get("GP-778")
    assert (wet["status"], wet["customer"], wet["carrier_name"]) == (
        "delivered",
        "Granite Peak Outdoor",
        "Coastline Freight",
    )
    assert (wet["delivered_on"], wet["late"]) == ("2026-02-25", True)
    (claim,) = desk.all("list_claims", shipment_id=wet["id"])
    assert (claim["amount"], claim["deadline"], claim["days_left"]) == (1428, "2026-03-04", 2)
    assert claim["missing_evidence"] == ["invoice"] and wet["claim_ids"] == [claim["id"]]


@pytest.mark.parametrize(
    ("country", "region", "postal", "street", "good"),
    [
        ("GB", "", "SE1 3LG", "18 Tanner Street", True),
        ("GB", "", "SE13LG", "18 Tanner Street", False),
        ("US", "WA", "98101-1234", "1 Pike", True),
        ("US", "", "98101", "1 Pike", False),
        ("CA", "ON", "M5V 2L7", "19 Spadina", True),
        ("NL", "", "3087 BM", "Waalhaven", False),
        ("NL", "", "٣٠٨٧ BM", "Waalhaven 1", False),
        ("JP", "", "whatever", "1 Chome", True),
    ],
)
def test_addresses_are_checked(desk: Desk, country: str, region: str, postal: str, street: str, good: bool) -> None:
    given = {
        "name": "Ada",
        "street": street,
        "city": "Town",
        "country": country,
        "region": region,
        "postal_code": postal,
    }
    made = desk("create_address", **given)
    assert given.items() <= made.items() and made["valid"] is good and bool(made["problem"]) is not good
    assert made in desk.all("list_addresses", valid=good, country=country)


def test_addresses_are_found_and_corrected(desk: Desk) -> None:
    bad = {item["id"] for item in desk.all("list_addresses", valid=False)}
    assert bad == {"adr_halcyon_harbourfront", "adr_ironbark_newstead"}
    assert len(desk.all("list_addresses", company="Cobalt Ridge Mining")) == 2
    assert [item["id"] for item in desk.all("list_addresses", query="waalhaven")] == ["adr_brightwater"]
    assert len(desk.all("list_addresses", email="noor.haddad@halcyon.example")) == 3
    fixed = desk("update_address", address_id="adr_halcyon_harbourfront", postal_code="M5V 2L7", email=None)
    assert (fixed["valid"], fixed["problem"], fixed["email"]) == (True, "", None)
    assert fixed in desk.all("list_addresses", query="Spadina")
    desk.no("conflict", "update_address", address_id="adr_granite", street="1 Other Road")
    assert desk("update_address", address_id="adr_granite", notes="Ring twice", phone="")["notes"] == "Ring twice"
    desk.no("invalid", "update_address", address_id="adr_granite")
    desk.no("not_found", "update_address", address_id="adr_x", name="x")
    base = {"name": "x", "street": "1 x", "city": "x", "country": "GB"}
    for wrong in ({"country": "gb"}, {"name": " "}, {"email": "nobody"}):
        desk.no("invalid_arguments", "create_address", **(base | wrong))


def test_rates(desk: Desk) -> None:
    assert len(desk("list_rates", zone="world", carrier_id="car_harbourline")["items"]) == 3
    assert {item["zone"] for item in desk("list_rates", service_level="express")["items"]} == {
        "domestic",
        "europe",
        "world",
    }
    quotes = desk("list_rates", shipment_id=desk.id("GP-802"))["items"]
    prices = [item["price"] for item in quotes]
    # Two parcels of 60 x 40 x 40 cm count as 20 kg each.
    assert (
        prices == sorted(prices)
        and {"rat_pelican_express_world": 332}.items() <= {item["id"]: item["price"] for item in quotes}.items()
    )
    heavy = desk("list_rates", shipment_id=desk.id("GP-778"))["items"]
    assert "rat_harbourline_standard_world" in {item["id"] for item in heavy}
    pallet = desk.new("T-1", parcels=[PARCEL | {"weight_grams": 60_000}])["id"]
    assert [item["carrier_id"] for item in desk("list_rates", shipment_id=pallet)["items"]] == ["car_coastline"]
    assert desk("list_rates", shipment_id=pallet, zone="world")["items"] == []
    desk.no("not_found", "list_rates", shipment_id="shp_x")
    assert billable_kg(PARCEL) == 3 and billable_kg(PARCEL | {"weight_grams": 3001}) == 4


def test_shipment_is_created(desk: Desk) -> None:
    made = desk.new("LK-1", customer="Fernhill Schools Trust", notes="Lodge", parcels=[PARCEL, PARCEL])
    assert (made["status"], made["label_status"], made["direction"]) == ("created", "none", "outbound")
    assert (made["declared_value"], made["billable_kg"], made["late"], made["to_city"]) == (57.5, 6, False, "Leeds")
    got = desk.get("LK-1")
    assert made.items() <= got.items() and got["events"] == [] and got["zone"] == "domestic"
    assert desk("list_shipments", limit=1)["items"] == [made]
    base = {"parcels": [PARCEL], "declared_value": 1, "currency": "GBP", "from_address_id": "adr_west"}
    desk.no("conflict", "create_shipment", **base, to_address_id="adr_kestrel", number="LK-1")
    one, two = (desk("create_shipment", **base, to_address_id="adr_kestrel")["number"] for _ in range(2))
    assert one != two and one.startswith("SHP-")
    desk.no("invalid", "create_shipment", **base)
    desk.no("invalid", "create_shipment", **base, to_address_id="adr_west")
    desk.no("not_found", "create_shipment", **base, to_address_id="adr_x")
    for wrong in ({"declared_value": 1.005}, {"parcels": []}, {"currency": "pounds"}, {"number": "has space"}):
        desk.no("invalid_arguments", "create_shipment", **(base | {"to_address_id": "adr_kestrel"} | wrong))
    desk.no("not_found", "get_shipment", shipment_id="shp_x")


def test_returns(desk: Desk) -> None:
    base = {"parcels": [PARCEL], "declared_value": 1428, "currency": "USD"}
    back = desk("create_shipment", return_of_id=desk.id("GP-778"), **base)
    assert (back["direction"], back["from_address_id"], back["to_address_id"]) == ("return", "adr_granite", "adr_west")
    assert back["customer"] == "Granite Peak Outdoor" and back["number"].startswith("RET-")
    assert desk.get("GP-778")["return_ids"] == [back["id"]]
    elsewhere = desk("create_shipment", return_of_id=desk.id("GP-778"), to_address_id="adr_seattle", **base)
    assert elsewhere["to_address_id"] == "adr_seattle"
    desk.no("conflict", "create_shipment", return_of_id=back["id"], **base)
    desk.no("conflict", "create_shipment", return_of_id=desk.id("HC-0088"), **base)
    desk.no("not_found", "create_shipment", return_of_id="shp_x", **base)


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({"status": "exception"}, ["HC-0088"]),
        ({"customer": "Granite Peak Outdoor", "late": True}, ["GP-778", "GP-731"]),
        ({"label_status": "none", "direction": "return"}, ["RET-FS-0039"]),
        ({"carrier_id": "car_northway", "status": "created"}, ["FS-0044"]),
        ({"query": "11 march"}, ["GP-802", "IB-0457"]),
        ({"late": True, "status": "in_transit"}, ["KA-0140"]),
        ({"created_after": "2026-03-01T00:00:00Z", "created_before": "2026-03-01T11:30:30Z"}, ["DI-0071"]),
    ],
)
def test_shipments_are_found(desk: Desk, filters: dict[str, Any], numbers: list[str]) -> None:
    found = desk("list_shipments", limit=100, **filters)
    assert [item["number"] for item in found["items"]] == numbers and found["total"] == len(numbers)


def test_label_is_bought_and_voided(desk: Desk) -> None:
    shipment = desk.id("GP-802")
    assert "customs" in desk.no("conflict", "buy_label", shipment_id=shipment, rate_id=PELICAN)
    item = {
        "description": "Softshell jackets",
        "hs_code": "620140",
        "quantity": 14,
        "unit_value": 102.25,
        "origin": "GB",
    }
    given = {"purpose": "sale", "incoterm": "DDP", "currency": "USD", "items": [item]}
    declared = desk("set_customs_declaration", shipment_id=shipment, **given)
    assert given.items() <= declared.items() and declared["total_value"] == 1431.5
    assert desk.get("GP-802")["customs_declaration"] == declared
    bought = desk("buy_label", shipment_id=shipment, rate_id=PELICAN)
    assert (bought["label_price"], bought["promised_on"], bought["carrier_id"]) == (332, "2026-03-06", "car_pelican")
    assert desk("list_shipments", tracking_number=bought["tracking_number"])["items"] == [bought]
    desk.no("conflict", "buy_label", shipment_id=shipment, rate_id=PELICAN)
    voided = desk("void_label", shipment_id=shipment)
    assert (voided["label_status"], voided["tracking_number"], voided["promised_on"]) == ("voided", None, None)
    desk.no("conflict", "void_label", shipment_id=shipment)
    assert desk("buy_label", shipment_id=shipment, rate_id="rat_harbourline_express_world")["label_status"] == "bought"
    desk.track("GP-802", "picked_up")
    desk.no("conflict", "void_label", shipment_id=shipment)


def test_label_is_refused(desk: Desk) -> None:
    desk.no("conflict", "buy_label", shipment_id=desk.id("GP-802"), rate_id="rat_pelican_express_europe")
    heavy = desk.new("LK-2", parcels=[PARCEL | {"weight_grams": 30_001}])["id"]
    desk.no("conflict", "buy_label", shipment_id=heavy, rate_id="rat_northway_standard_domestic")
    lost = desk.id("HC-0091")
    assert "postal code" in desk.no("conflict", "buy_label", shipment_id=lost, rate_id=PELICAN)
    desk.no("not_found", "buy_label", shipment_id="shp_x", rate_id=PELICAN)
    desk.no("not_found", "buy_label", shipment_id=lost, rate_id="rat_x")
    assert "pickup" in desk.no("conflict", "void_label", shipment_id=desk.id("DI-0069"))
    desk.no("not_found", "void_label", shipment_id="shp_x")


def test_old_labels_stay_paid(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Shipment) and row.number == FS and row.label_bought_at is not None:
            row.label_bought_at = row.label_bought_at.replace(month=2, day=15)

    desk = Desk(play("shipping", edit=edit))
    assert "14 days" in desk.no("conflict", "void_label", shipment_id=desk.id(FS))


def test_customs_declarations(desk: Desk) -> None:
    item = {"description": "Scrubs", "hs_code": "62114310", "quantity": 48, "unit_value": 28.56, "origin": "GB"}
    given = {"purpose": "sale", "incoterm": "DAP", "currency": "CAD", "items": [item, item]}
    changed = desk("set_customs_declaration", shipment_id=desk.id("HC-0088"), **given)
    assert changed["total_value"] == pytest.approx(2 * 48 * 28.56)
    desk.no("conflict", "set_customs_declaration", shipment_id=desk.id("CR-1201"), **given)
    desk.no("conflict", "set_customs_declaration", shipment_id=desk.id(FS), **given)
    desk.no("not_found", "set_customs_declaration", shipment_id="shp_x", **given)
    for wrong in ({"hs_code": "62.11"}, {"unit_value": 0.001}, {"origin": "UK!"}, {"quantity": 0}):
        bad = given | {"items": [item | wrong]}
        desk.no("invalid_arguments", "set_customs_declaration", shipment_id=desk.id("HC-0088"), **bad)
