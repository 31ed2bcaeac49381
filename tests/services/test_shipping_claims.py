"""Tracking, pickups and claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import Entity
from services.shipping.rules import problem_of
from services.shipping.state import Address, Claim
from tests.services.play import Play
from tests.services.test_shipping import Desk

FS = "FS-0044"


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("shipping"))


def test_tracking(desk: Desk) -> None:
    def no(code: str, number: str, status: str, **more: Any) -> None:
        desk.no(code, "create_tracking_event", shipment_id=desk.id(number), status=status, **more)

    no("conflict", "GP-802", "picked_up")  # no label
    no("conflict", FS, "delivered")
    no("conflict", FS, "exception", note="x")
    desk.track(FS, "picked_up", "in_transit", "in_transit", "exception", "out_for_delivery", "delivered")
    done = desk.get(FS)
    assert (done["status"], done["delivered_on"], done["late"]) == ("delivered", "2026-03-02", False)
    assert [item["status"] for item in done["events"]][-2:] == ["out_for_delivery", "delivered"]
    no("conflict", FS, "in_transit")
    no("invalid", "CR-1201", "exception", note=" ")
    no("invalid", "CR-1201", "in_transit", happened_at="2026-02-20T00:00:00Z")
    no("invalid", "CR-1201", "in_transit", happened_at="9999-12-31T23:59:59Z")
    given = {"place": "Perth", "note": "On the truck", "happened_at": "2026-03-02T01:30:00Z"}
    event = desk("create_tracking_event", shipment_id=desk.id("CR-1201"), status="out_for_delivery", **given)
    assert given.items() <= event.items() and event in desk.get("CR-1201")["events"]
    desk.track("HC-0088", "returned")
    no("conflict", "HC-0088", "in_transit")
    desk.no("not_found", "create_tracking_event", shipment_id="shp_x", status="picked_up")


def test_pickups(desk: Desk) -> None:
    fs = desk.id(FS)
    given = {"shipment_ids": [fs], "pickup_date": "2026-03-03", "window": "morning", "instructions": "Gate 2"}
    made = desk("create_pickup", **given)
    assert (
        given | {"status": "scheduled", "carrier_id": "car_northway", "address_id": "adr_west"}
    ).items() <= made.items()
    assert made in desk.all("list_pickups", shipment_id=fs, status="scheduled")
    assert desk.all("list_pickups", pickup_date="2026-03-03", carrier_id="car_northway", address_id="adr_west") == [
        made
    ]
    desk.no("conflict", "create_pickup", **given)
    desk.no("conflict", "void_label", shipment_id=fs)
    assert desk("cancel_pickup", pickup_id=made["id"])["status"] == "cancelled"
    desk.no("conflict", "cancel_pickup", pickup_id=made["id"])
    desk.no("not_found", "cancel_pickup", pickup_id="pck_x")
    again = desk("create_pickup", **given)
    desk.track(FS, "picked_up")
    assert desk.all("list_pickups", shipment_id=fs, status="collected") == [again | {"status": "collected"}]
    desk.no("conflict", "create_pickup", **given)


def test_pickups_are_refused(desk: Desk) -> None:
    fs = desk.id(FS)

    def no(code: str, **more: Any) -> None:
        desk.no(
            code, "create_pickup", **({"shipment_ids": [fs], "pickup_date": "2026-03-03", "window": "morning"} | more)
        )

    no("invalid", pickup_date="2026-03-01")
    no("invalid", pickup_date="2026-03-07")
    no("invalid", pickup_date="2026-03-17")
    no("invalid", pickup_date="9999-12-31")
    no("invalid", pickup_date="2026-03-02")  # the morning has begun
    no("not_found", shipment_ids=["shp_x"])
    no("conflict", shipment_ids=[desk.id("GP-802")])
    no("conflict", shipment_ids=[desk.id("CR-1201")])
    desk("cancel_pickup", pickup_id="pck_0004")
    no("conflict", shipment_ids=[fs, desk.id("DI-0069")])
    assert desk("create_pickup", shipment_ids=[fs], pickup_date="2026-03-02", window="afternoon")["id"]


def test_claim_is_drafted(desk: Desk) -> None:
    shipment = desk.id("JL-0312")
    given = {
        "shipment_id": shipment,
        "kind": "damage",
        "amount": 420.5,
        "description": "One carton of “towels” missing.",
    }
    made = desk("create_claim", **given)
    assert (given | {"status": "draft", "currency": "EUR", "deadline": "2026-03-10"}).items() <= made.items()
    assert made in desk.all("list_claims", status="draft", carrier_id="car_northway", customer="Juniper Lane Hotels")
    desk.no("conflict", "create_claim", **given)
    desk("set_claim_status", claim_id=made["id"], status="withdrawn")
    assert desk("create_claim", **given)["id"] != made["id"]
    assert desk("create_claim", **(given | {"kind": "delay"}))["missing_evidence"] == ["statement"]


@pytest.mark.parametrize(
    ("code", "number", "kind", "amount"),
    [
        ("conflict", "GP-802", "damage", 10),  # no carrier yet
        ("conflict", FS, "loss", 10),  # still here
        ("conflict", "CR-1201", "damage", 10),
        ("conflict", "JL-0312", "loss", 10),
        ("conflict", "CR-1190", "delay", 10),
        ("conflict", "JL-0298", "damage", 10),  # too late
        ("invalid", "CR-1201", "loss", 5800.01),
        ("invalid", "CR-1201", "loss", 0),
    ],
)
def test_claims_are_refused(desk: Desk, code: str, number: str, kind: str, amount: float) -> None:
    desk.no(code, "create_claim", shipment_id=desk.id(number), kind=kind, amount=amount, description="x")


def test_claim_is_submitted_and_decided(desk: Desk) -> None:
    def move(status: str, **more: Any) -> Any:
        return desk("set_claim_status", claim_id="clm_0005", status=status, **more)

    def no(code: str, status: str, **more: Any) -> str:
        return desk.no(code, "set_claim_status", claim_id="clm_0005", status=status, **more)

    assert "invoice" in no("conflict", "submitted")
    evidence = {"kind": "invoice", "name": "INV-2037", "note": "102.00 each"}
    added = desk("add_claim_evidence", claim_id="clm_0005", **evidence)
    assert added["evidence"][-1] == evidence | {"added_on": "2026-03-02"} and added["missing_evidence"] == []
    desk.no("conflict", "add_claim_evidence", claim_id="clm_0005", **evidence)
    no("conflict", "accepted", approved_amount=1)
    sent = move("submitted", carrier_reference="CF-55201")
    assert sent["submitted_at"] and desk.all("list_claims", carrier_reference="CF-55201") == [sent]
    no("invalid", "accepted")
    no("invalid", "accepted", approved_amount=1428.01)
    no("invalid", "rejected")
    no("invalid", "rejected", approved_amount=1, note="x")
    paid = move("accepted", approved_amount=1400, note="Less salvage")
    assert (paid["approved_amount"], paid["carrier_reference"], paid["days_left"]) == (1400, "CF-55201", None)
    for status in ("submitted", "rejected", "withdrawn"):
        no("conflict", status, note="x")
    desk.no("conflict", "add_claim_evidence", claim_id="clm_0005", kind="photo", name="late.jpg")
    desk.no("not_found", "set_claim_status", claim_id="clm_x", status="submitted")
    desk.no("not_found", "add_claim_evidence", claim_id="clm_x", kind="photo", name="x")


def test_claim_deadline_and_evidence_limit(play: Callable[..., Play]) -> None:
    def edit(row: Entity) -> None:
        if isinstance(row, Claim) and row.status == "draft":
            row.deadline = row.deadline.replace(day=1)

    desk = Desk(play("shipping", edit=edit))
    for number in range(18):
        desk("add_claim_evidence", claim_id="clm_0005", kind="invoice", name=f"page {number}")
    desk.no("limit", "add_claim_evidence", claim_id="clm_0005", kind="photo", name="one more")
    assert "2026-03-01" in desk.no("conflict", "set_claim_status", claim_id="clm_0005", status="submitted")


@pytest.mark.parametrize(
    ("filters", "count"),
    [({"kind": "delay"}, 2), ({"carrier_id": "car_coastline"}, 3), ({"deadline_before": "2026-02-01"}, 1), ({}, 5)],
)
def test_claims_are_found(desk: Desk, filters: dict[str, Any], count: int) -> None:
    found = desk("list_claims", **filters)
    deadlines = [item["deadline"] for item in found["items"]]
    assert len(deadlines) == found["total"] == count and deadlines == sorted(deadlines)


@pytest.mark.parametrize("tool", ["list_addresses", "list_shipments", "list_pickups", "list_claims"])
def test_pages_neither_skip_nor_repeat(desk: Desk, tool: str) -> None:
    found: list[Any] = []
    cursor: dict[str, Any] = {}
    while True:
        page = desk(tool, limit=3, **cursor)
        found += page["items"]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert found == desk.all(tool) and page["total"] == len(found)
    desk.no("invalid", tool, cursor="bm90IGEgY3Vyc29y")


def test_problem_of_names_the_field() -> None:
    bad = Address(id="x", name="x", street="Road", city="x", country="GB", postal_code="SE1 3LG", valid=True)
    assert "house number" in problem_of(bad)
