"""Transfers, purchase orders and stock counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.services.play import Play
from tests.services.test_inventory import Desk, lines

WEST, LEEDS, TANNER = "whs_west", "whs_leeds", "whs_tanner"
APRON, SOFT_S, SOFT_M, VEST = "prd_apr_can", "prd_jkt_sof_s", "prd_jkt_sof_m", "prd_vst_hv3"
NORTHMOOR = "Northmoor Textiles"


@pytest.fixture
def desk(play: Callable[..., Play]) -> Desk:
    return Desk(play("inventory"))


def test_transfer_moves_stock(desk: Desk) -> None:
    started = desk("set_transfer_status", transfer_id="trf_0005", status="in_transit")
    assert started["shipped_at"] and desk.stock(SOFT_S, LEEDS) == (16, 0) and desk.product(SOFT_S)["incoming"] == 43
    desk.no("conflict", "set_transfer_status", transfer_id="trf_0005", status="cancelled")
    desk.no("conflict", "set_transfer_status", transfer_id="trf_0005", status="in_transit")
    desk.no("invalid", "set_transfer_status", transfer_id="trf_0005", status="received", received=lines((SOFT_S, 4)))
    desk.no("invalid", "set_transfer_status", transfer_id="trf_0005", status="received", received=lines((APRON, 1)))
    done = desk("set_transfer_status", transfer_id="trf_0005", status="received")
    assert done["lines"][0]["received_quantity"] == 3 and desk.stock(SOFT_S) == (5, 0)
    short = desk("set_transfer_status", transfer_id="trf_0004", status="received", received=lines((VEST, 0)))
    assert [item["received_quantity"] for item in short["lines"]] == [20, 0]
    desk.check()
    desk.no("not_found", "set_transfer_status", transfer_id="trf_x", status="received")


def test_transfer_is_planned(desk: Desk) -> None:
    given = {"from_warehouse_id": WEST, "to_warehouse_id": LEEDS, "note": "Large sizes"}
    made = desk("create_transfer", lines=lines((SOFT_M, 19), (APRON, 1)), **given)
    assert given.items() <= made.items() and desk("list_transfers", limit=1)["items"] == [made]
    assert made["id"] in {item["id"] for item in desk.all("list_transfers", product_id=APRON, to_warehouse_id=LEEDS)}
    desk.no("invalid", "set_transfer_status", transfer_id=made["id"], status="in_transit", received=lines((APRON, 1)))
    desk.no("conflict", "set_transfer_status", transfer_id=made["id"], status="received")
    error = desk.no("conflict", "set_transfer_status", transfer_id=made["id"], status="in_transit")
    assert error["details"]["available"] == 18  # six are reserved
    assert desk("set_transfer_status", transfer_id=made["id"], status="cancelled")["status"] == "cancelled"
    desk.no("invalid", "create_transfer", lines=lines((APRON, 1), (APRON, 2)), **given)
    desk.no("not_found", "create_transfer", lines=lines(("prd_x", 1)), **given)
    desk.no("invalid", "create_transfer", lines=lines((APRON, 1)), from_warehouse_id=WEST, to_warehouse_id=WEST)
    desk.no("not_found", "create_transfer", lines=lines((APRON, 1)), from_warehouse_id=WEST, to_warehouse_id="whs_x")


def test_purchase_order_is_drafted_and_sent(desk: Desk) -> None:
    given = {"supplier": NORTHMOOR, "warehouse_id": WEST, "expected_on": "2026-04-01", "note": "Charcoal"}
    made = desk("create_purchase_order", lines=lines((APRON, 100), ("prd_pol_std", 10)), **given)
    assert given.items() <= made.items()
    assert (made["number"], made["total"], made["status"], made["overdue"]) == ("PO-1010", 1052, "draft", False)
    assert desk("list_purchase_orders", limit=1)["items"] == [made]
    assert desk("set_purchase_order_status", purchase_order_id=made["id"], status="sent")["sent_at"]
    assert desk.product(APRON)["incoming"] == 120
    desk.no("conflict", "set_purchase_order_status", purchase_order_id=made["id"], status="sent")
    desk.no("conflict", "set_purchase_order_status", purchase_order_id=made["id"], status="closed")
    assert desk("set_purchase_order_status", purchase_order_id=made["id"], status="cancelled")["closed_at"]
    assert (
        "Finance"
        in desk.no("forbidden", "set_purchase_order_status", purchase_order_id="pur_0009", status="sent")["message"]
    )
    desk.no("not_found", "set_purchase_order_status", purchase_order_id="pur_x", status="sent")
    for code, bad in (
        ("conflict", {"supplier": "Harbour Safety Supply"}),
        ("conflict", {"supplier": "Kettering Print Works", "lines": lines(("prd_cap_old", 5))}),
        ("not_found", {"lines": lines(("prd_x", 5))}),
        ("not_found", {"warehouse_id": "whs_x"}),
        ("invalid", {"lines": lines((APRON, 1), (APRON, 1))}),
        ("invalid", {"expected_on": "2026-03-01"}),
        ("invalid_arguments", {"lines": []}),
    ):
        desk.no(code, "create_purchase_order", **({"lines": lines((APRON, 1))} | given | bad))


def test_purchase_order_is_received_in_parts(desk: Desk) -> None:
    def receive(*given: tuple[str, int], order: str = "pur_0005", lot: str = "L-9") -> Any:
        took = [line | {"lot": lot} for line in lines(*given)]
        return desk("receive_purchase_order", purchase_order_id=order, lines=took)

    before = desk.stock(VEST)[0]
    part = receive((VEST, 299))
    assert part["status"] == "partly_received" and desk.stock(VEST)[0] == before + 299
    (receipt,) = desk.all("list_movements", lot="L-9")
    assert (receipt["kind"], receipt["reference"], receipt["quantity"]) == ("receipt", "PO-1005", 299)
    desk.no("conflict", "receive_purchase_order", purchase_order_id="pur_0005", lines=lines((VEST, 2)))
    desk.no("invalid", "receive_purchase_order", purchase_order_id="pur_0005", lines=lines((APRON, 1)))
    whole = receive((VEST, 1))
    assert (whole["status"], whole["overdue"]) == ("closed", False) and whole["closed_at"]
    desk.no("conflict", "receive_purchase_order", purchase_order_id="pur_0005", lines=lines((VEST, 1)))
    desk.no("conflict", "receive_purchase_order", purchase_order_id="pur_0008", lines=lines(("prd_bot_s3", 1)))
    desk.no("not_found", "receive_purchase_order", purchase_order_id="pur_x", lines=lines((VEST, 1)))
    assert receive((SOFT_S, 39), order="pur_0007")["status"] == "partly_received"
    short = desk("set_purchase_order_status", purchase_order_id="pur_0007", status="closed")
    assert short["status"] == "closed" and desk.product("prd_jkt_sof_l")["incoming"] == 0
    desk.check()


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({"status": "draft"}, ["PO-1009", "PO-1008"]),
        ({"overdue": True}, ["PO-1005"]),
        ({"overdue": False, "status": "partly_received"}, []),
        ({"supplier": NORTHMOOR, "warehouse_id": TANNER}, ["PO-1009"]),
        ({"number": "PO-1003"}, ["PO-1003"]),
        ({"product_id": SOFT_S}, ["PO-1007"]),
        ({"query": "HALCYON"}, ["PO-1009"]),
    ],
)
def test_purchase_orders_are_found(desk: Desk, filters: dict[str, Any], numbers: list[str]) -> None:
    assert [item["number"] for item in desk.all("list_purchase_orders", **filters)] == numbers


def test_stock_count(desk: Desk) -> None:
    (planned,) = desk.all("list_stock_counts", status="open", warehouse_id=TANNER)
    numbers = {line["product_id"]: desk.stock(line["product_id"], TANNER)[0] for line in planned["lines"]}
    assert all(line["expected"] is None and line["bin"] for line in planned["lines"])
    numbers[APRON] -= 3
    numbers["prd_cap_old"] += 1

    def post(counted: dict[str, int]) -> list[dict[str, Any]]:
        return [{"product_id": product, "counted": number} for product, number in counted.items()]

    some = post({APRON: 1})
    assert "6 products" in desk.no("invalid", "post_stock_count", stock_count_id=planned["id"], lines=some)["message"]
    desk.no("invalid", "post_stock_count", stock_count_id=planned["id"], lines=post(numbers | {SOFT_M: 1}))
    desk.no("invalid", "post_stock_count", stock_count_id=planned["id"], lines=[*post(numbers), some[0]])
    gloves = post(numbers | {"prd_glv_doc": 29})
    desk.no("conflict", "post_stock_count", stock_count_id=planned["id"], lines=gloves)  # 30 are reserved
    posted = desk("post_stock_count", stock_count_id=planned["id"], lines=post(numbers))
    assert sorted(line["difference"] for line in posted["lines"]) == [-3, 0, 0, 0, 0, 0, 1]
    assert posted["difference_value"] == pytest.approx(-3 * 9.80 + 2.60)
    assert len(desk.all("list_movements", reference=planned["id"])) == 2
    desk.check()
    desk.no("conflict", "post_stock_count", stock_count_id=planned["id"], lines=post(numbers))
    desk.no("not_found", "post_stock_count", stock_count_id="cnt_x", lines=some)


def test_stock_count_is_planned(desk: Desk) -> None:
    given = {"warehouse_id": LEEDS, "name": "Spring", "planned_on": "2026-03-20"}
    made = desk("create_stock_count", **given)
    assert given.items() <= made.items() and len(made["lines"]) == 4
    assert desk("list_stock_counts", limit=1)["items"] == [made]
    some = desk("create_stock_count", product_ids=[APRON], **given)
    assert [line["sku"] for line in some["lines"]] == ["APR-CAN"]
    desk("post_stock_count", stock_count_id=some["id"], lines=[{"product_id": APRON, "counted": 2}])
    assert desk.stock(APRON, LEEDS) == (2, 0)
    desk.no("not_found", "create_stock_count", product_ids=["prd_x"], **given)
    desk.no("not_found", "create_stock_count", **(given | {"warehouse_id": "whs_x"}))
    desk.no("invalid", "create_stock_count", **(given | {"planned_on": "2026-03-01"}))


@pytest.mark.parametrize("tool", ["list_products", "list_movements", "list_reservations", "list_purchase_orders"])
def test_pages_neither_skip_nor_repeat(desk: Desk, tool: str) -> None:
    found: list[Any] = []
    cursor: dict[str, Any] = {}
    while True:
        page = desk(tool, limit=4, **cursor)
        found += page["items"]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert found == desk.all(tool) and page["total"] == len(found)
    desk.no("invalid", tool, cursor="bm90IGEgY3Vyc29y")
