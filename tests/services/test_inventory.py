"""Warehouse stock: levels, movements, reservations, transfers, purchase orders, counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, COMPANIES, Entity, Seed
from services.inventory import service
from services.inventory.state import Movement, Product, Reservation, StockLevel
from tests.services.play import Play

WEST, LEEDS = "whs_west", "whs_leeds"
APRON, SOFT_S, SOFT_M, VEST = "prd_apr_can", "prd_jkt_sof_s", "prd_jkt_sof_m", "prd_vst_hv3"


class Desk:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("inventory", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("inventory", tool, **arguments)
        assert error["code"] == code, error
        return error

    def all(self, tool: str, **arguments: Any) -> list[Any]:
        return list(self(tool, limit=100, **arguments)["items"])

    def product(self, product_id: str) -> Any:
        return next(item for item in self.all("list_products") if item["id"] == product_id)

    def stock(self, product_id: str, warehouse_id: str = WEST) -> tuple[int, int]:
        """On hand and reserved."""
        for item in self.product(product_id)["levels"]:
            if item["warehouse_id"] == warehouse_id:
                return item["on_hand"], item["reserved"]
        return 0, 0

    def check(self) -> None:
        """Every level is the sum of its movements and holds its reservations."""
        moved: dict[tuple[str, str], int] = defaultdict(int)
        for row in sorted(self.play.rows(Movement), key=lambda row: (row.moved_at, row.id)):
            place = row.product_id, row.warehouse_id
            moved[place] += row.quantity
        held: dict[tuple[str, str], int] = defaultdict(int)
        for item in self.play.rows(Reservation):
            if item.status == "active":
                held[item.product_id, item.warehouse_id] += item.quantity
        for level in self.play.rows(StockLevel):
            place = level.product_id, level.warehouse_id
            assert (level.on_hand, level.reserved) == (moved[place], held[place])
            assert level.reserved <= level.on_hand


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("inventory"))


def lines(*given: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"product_id": product, "quantity": quantity} for product, quantity in given]


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("inventory", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    emails, companies = {person.email for person in COLLEAGUES}, {company.name for company in COMPANIES}
    for _, values in rows(0):
        assert {values.get(name, "mara.lindqvist@larkspur.example") for name in ("moved_by", "created_by")} <= emails
        assert values.get("customer", "Halcyon Clinics") in companies


def test_seed_keeps_the_rules(desk: Desk) -> None:
    desk.check()
    balances: dict[tuple[str, str], int] = defaultdict(int)
    for row in sorted(desk.play.rows(Movement), key=lambda row: row.id):
        balances[row.product_id, row.warehouse_id] += row.quantity
        assert row.balance == balances[row.product_id, row.warehouse_id] and row.quantity
    held = {
        item["sku"]: item["quantity"] for item in desk.all("list_reservations", order_number="GP-778", status="active")
    }
    assert held == {"JKT-SOF-M": 6, "JKT-SOF-L": 5}
    (draft,) = desk.all("list_transfers", status="draft")
    assert draft["lines"] == [
        {"product_id": SOFT_S, "quantity": 3, "received_quantity": 0, "sku": "JKT-SOF-S", "name": "Softshell jacket, S"}
    ]


def test_warehouses(desk: Desk) -> None:
    items = {item["id"]: item for item in desk("list_warehouses")["items"]}
    assert items["whs_leeds"]["product_count"] == 4 and items["whs_leeds"]["units_on_hand"] == 85
    assert items["whs_seattle"]["product_count"] == 2  # the apron's level there is empty


def test_product_totals(desk: Desk) -> None:
    for item in desk.all("list_products"):
        for name in ("on_hand", "reserved", "available"):
            assert item[name] == sum(level[name] for level in item["levels"])
        assert item["low_stock"] == (item["status"] == "active" and item["available"] <= item["reorder_point"])
    vest = desk.product(VEST)
    assert (vest["available"], vest["incoming"], vest["low_stock"], vest["suggested_order"]) == (123, 315, True, 0)
    boots = desk.product("prd_bot_s3")
    assert boots["low_stock"] and boots["suggested_order"] == 60  # a draft is not incoming


@pytest.mark.parametrize(
    ("filters", "skus"),
    [
        ({"sku": "PAC-24"}, ["PAC-24"]),
        ({"query": "SOFTSHELL"}, ["JKT-SOF-L", "JKT-SOF-M", "JKT-SOF-S", "JKT-SOF-XL"]),
        ({"category": "health"}, ["SCR-TOP", "SCR-TRS"]),
        ({"status": "discontinued"}, ["CAP-OLD"]),
        ({"supplier": "Kettering Print Works", "low_stock": False}, ["CAP-OLD", "TOT-COT"]),
        ({"warehouse_id": LEEDS, "category": "outdoor"}, ["JKT-SOF-M", "JKT-SOF-S"]),
        ({"bin": "A-01"}, ["APR-CAN"]),
        ({"bin": "A-01", "warehouse_id": LEEDS}, []),
        ({"low_stock": True, "category": "safety"}, ["BOT-S3", "VST-HV3"]),
        ({"query": "_"}, []),
    ],
)
def test_products_are_found(desk: Desk, filters: dict[str, Any], skus: list[str]) -> None:
    found = desk("list_products", limit=100, **filters)
    assert [item["sku"] for item in found["items"]] == skus and found["total"] == len(skus)


def test_update_product(desk: Desk) -> None:
    given = {"name": "Boots “S3”", "supplier": "Elsewhere", "reorder_point": 0, "reorder_quantity": 1}
    changed = desk("update_product", product_id="prd_bot_s3", **given)
    assert given.items() <= changed.items() and not changed["low_stock"]
    assert desk.product("prd_bot_s3") == changed
    assert not desk("update_product", product_id=VEST, status="discontinued")["low_stock"]
    desk.no("invalid", "update_product", product_id=VEST)
    desk.no("not_found", "update_product", product_id="prd_x", name="x")


def test_adjustments(desk: Desk) -> None:
    given = {"product_id": SOFT_M, "warehouse_id": WEST, "quantity": -2, "reason": "damaged", "reference": "GP-778"}
    made = desk("create_adjustment", **given)
    assert given.items() <= made.items() and (made["kind"], made["balance"]) == ("adjustment", 22)
    assert desk.stock(SOFT_M) == (22, 6)
    listed = desk("list_movements", limit=1)["items"][0]
    assert made.items() <= listed.items() and listed["sku"] == "JKT-SOF-M"
    assert desk("create_adjustment", **given)["id"] != made["id"]
    error = desk.no("conflict", "create_adjustment", **(given | {"quantity": -15}))
    assert error["details"]["available"] == 14
    desk("create_adjustment", **(given | {"warehouse_id": "whs_seattle", "reason": "found", "quantity": 1}))
    desk.check()


@pytest.mark.parametrize(
    ("code", "bad"),
    [
        ("invalid", {"quantity": 0}),
        ("invalid", {"quantity": 3}),
        ("invalid", {"quantity": -3, "reason": "found"}),
        ("invalid", {"reason": "correction"}),
        ("conflict", {"warehouse_id": "whs_seattle"}),
        ("not_found", {"product_id": "prd_x"}),
        ("not_found", {"warehouse_id": "whs_x"}),
        ("invalid_arguments", {"quantity": 100_001}),
        ("invalid_arguments", {"reason": "mood"}),
    ],
)
def test_adjustments_refuse(desk: Desk, code: str, bad: dict[str, Any]) -> None:
    given = {"product_id": SOFT_M, "warehouse_id": WEST, "quantity": -2, "reason": "damaged"}
    desk.no(code, "create_adjustment", **(given | bad))


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"reference": "GP-778"}, 4),
        ({"reference": "BW-88120", "product_id": "prd_glv_doc"}, 1),
        ({"kind": "count"}, 3),
        ({"reason": "damaged"}, 1),
        ({"lot": "L05-2"}, 1),
        ({"warehouse_id": "whs_seattle", "kind": "adjustment"}, 2),
        ({"moved_after": "2026-02-26T00:00:00Z", "moved_before": "2026-02-27T00:00:00Z"}, 4),
    ],
)
def test_movements_are_found(desk: Desk, filters: dict[str, Any], count: int) -> None:
    found = desk("list_movements", limit=100, **filters)
    assert len(found["items"]) == found["total"] == count


def test_reservation_is_fulfilled_or_released(desk: Desk) -> None:
    given = {
        "product_id": APRON,
        "warehouse_id": WEST,
        "quantity": 84,
        "order_number": "EO-0190",
        "customer": "Ember & Oak Cafes",
        "needed_on": "2026-04-24",
    }
    made = desk("create_reservation", **given)
    assert given.items() <= made.items() and desk.stock(APRON) == (96, 96)
    listed = desk("list_reservations", limit=1)["items"][0]
    assert made.items() <= listed.items()
    error = desk.no("conflict", "create_reservation", **(given | {"quantity": 1}))
    assert error["details"]["available"] == 0
    assert desk("close_reservation", reservation_id=made["id"], status="fulfilled")["closed_at"]
    assert desk.stock(APRON) == (12, 12)
    assert desk("list_movements", limit=1)["items"][0]["reference"] == "EO-0190"
    desk.no("conflict", "close_reservation", reservation_id=made["id"], status="released")
    released = next(item["id"] for item in desk.all("list_reservations", product_id=APRON, status="active"))
    desk("close_reservation", reservation_id=released, status="released")
    assert desk.stock(APRON) == (12, 0)
    desk.check()
    desk.no("not_found", "close_reservation", reservation_id="rsv_x", status="released")
    for code, bad in (
        ("invalid", {"needed_on": "2026-03-01"}),
        ("not_found", {"product_id": "prd_x"}),
        ("not_found", {"warehouse_id": "whs_x"}),
        ("conflict", {"warehouse_id": LEEDS}),
        ("invalid_arguments", {"quantity": 0}),
    ):
        desk.no(code, "create_reservation", **(given | {"quantity": 1} | bad))


def test_reservations_are_found(desk: Desk) -> None:
    assert len(desk.all("list_reservations", customer="Halcyon Clinics", warehouse_id=WEST)) == 2
    assert {item["status"] for item in desk.all("list_reservations", status="released")} == {"released"}


def test_products_exist_once(desk: Desk) -> None:
    skus = [row.sku for row in desk.play.rows(Product)]
    assert len(skus) == len(set(skus)) == 21
