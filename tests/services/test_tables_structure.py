"""Tables: structure, replacing, summaries, pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.services.play import Play
from tests.services.test_tables import BUDGET, PRICES, PURCHASES, VENDORS, Tables


@pytest.fixture
def tables(play: Callable[..., Play]) -> Tables:
    return Tables(play("tables"))


def test_summaries(tables: Tables) -> None:
    total = tables("summarize_rows", table_id=BUDGET, function="sum", column="Planned", group_by="Category")
    assert (total["value"], total["rows"], total["currency"]) == (2920, 8, "GBP")
    groups = {one["group"]: (one["rows"], one["value"]) for one in total["items"]}
    assert groups == {"food": (2, 530), "programme": (2, 610), "travel": (2, 580), "venue": (2, 1200)}
    mean = tables("summarize_rows", table_id=BUDGET, function="average", column="Quoted")
    assert mean["value"] == 542.32 and mean["items"] == []
    count = tables("summarize_rows", table_id=VENDORS, function="count", group_by="Approved on")
    assert count["items"][-1] == {"group": None, "rows": 4, "value": 4}
    assert tables("summarize_rows", table_id=VENDORS, function="count", column="Contact")["value"] == 10
    dates = {
        function: tables("summarize_rows", table_id=PURCHASES, function=function, column="Needed by")["value"]
        for function in ("minimum", "maximum")
    }
    assert dates == {"minimum": "2026-03-04", "maximum": "2026-04-16"}
    march = tables("summarize_rows", table_id="tbl_rates", function="maximum", column="US dollars", view_id="viw_0007")
    assert march["value"] == 1.2733
    nothing = [{"column": "Quoted", "operator": "less_than", "value": 0}]
    assert (
        tables("summarize_rows", table_id=BUDGET, function="minimum", column="Quoted", filters=nothing)["value"] is None
    )
    assert tables("summarize_rows", table_id=BUDGET, function="sum", column="Quoted", filters=nothing)["value"] == 0
    tables.no("invalid", "summarize_rows", table_id=BUDGET, function="sum")
    tables.no("invalid", "summarize_rows", table_id=BUDGET, function="sum", column="Due")
    tables.no("invalid", "summarize_rows", table_id=BUDGET, function="minimum", column="Paid")
    assert [
        g["group"] for g in tables("summarize_rows", table_id=BUDGET, function="count", group_by="Paid")["items"]
    ] == [
        False,
        True,
    ]


def test_replace_values(tables: Tables) -> None:
    done = tables("replace_values", table_id=PURCHASES, column="State", old_value="requested", new_value="approved",
                  filters=[{"column": "Amount", "operator": "at_most", "value": 600}])  # fmt: skip
    assert done == {"changed": 1, "row_ids": ["row_purchases_004"]}
    part = tables(
        "replace_values", table_id=VENDORS, column="Contact", old_value=".example", new_value=".test", match="part"
    )
    assert part["changed"] == 10
    empty = tables("replace_values", table_id=BUDGET, column="Quoted", old_value=None, new_value=95.5)
    assert empty["changed"] == 1 and tables("get_row", row_id=empty["row_ids"][0])["cells"]["Quoted"] == 95.5
    again = tables("replace_values", table_id=BUDGET, column="Quoted", old_value=None, new_value=95.5)
    assert again == {"changed": 0, "row_ids": []}
    assert tables("replace_values", table_id=BUDGET, column="Paid", old_value=False, new_value=True)["changed"] == 7
    tables.no("invalid", "replace_values", table_id=PURCHASES, column="State", old_value="ordered", new_value="lost")
    tables.no("invalid", "replace_values", table_id=PURCHASES, column="State", old_value="ordered", new_value=None)
    tables.no(
        "not_found", "replace_values", table_id=PURCHASES, column="Vendor", old_value="row_vendors_004", new_value="x"
    )
    tables.no("conflict", "replace_values", table_id=PRICES, column="SKU", old_value="APR-CAN", new_value="APR-WAI")
    tables.no("invalid", "replace_values", table_id=PRICES, column="Price", old_value="1", new_value="2", match="part")
    tables.no(
        "invalid", "replace_values", table_id=VENDORS, column="Contact", old_value="@", new_value="", match="part"
    )
    tables.no(
        "invalid", "replace_values", table_id=VENDORS, column="Name", old_value="e", new_value="x" * 2000, match="part"
    )
    tables.no("forbidden", "replace_values", table_id="tbl_rates", column="Currency", old_value="EUR", new_value="GBP")


def test_create_and_delete_table(tables: Tables) -> None:
    made = tables.all_types()
    assert tables("get_table", table_id=made["id"]) == made
    assert made["columns"][0]["required"] and made["columns"][1]["currency"] == "EUR"
    assert made["id"] in [table["id"] for table in tables("list_tables")["items"]]
    base = {"base_id": "bas_operations", "name": "T"}
    text = {"name": "A", "type": "text"}
    tables.no("conflict", "create_table", base_id="bas_operations", name="Vendors", columns=[text])
    tables.no("conflict", "create_table", **base, columns=[text, text])
    tables.no("invalid", "create_table", **base, columns=[{"name": "A", "type": "date"}])
    for wrong in ({"type": "select"}, {"type": "money"}, {"type": "link"}, {"type": "text", "currency": "USD"}):
        tables.no("invalid", "create_table", **base, columns=[text, {"name": "B"} | wrong])
    link = {"name": "B", "type": "link", "link_table_id": PRICES}
    tables.no("conflict", "create_table", **base, columns=[text, link])
    tables.no("invalid_arguments", "create_table", **base, columns=[])
    tables.no("forbidden", "create_table", base_id="bas_sales", name="T", columns=[text])
    tables.no("not_found", "create_table", base_id="bas_people", name="T", columns=[text])
    row = tables("create_row", table_id=made["id"], cells={"Title": "x"})["id"]
    tables("create_view", table_id=made["id"], name="V", sort_by="Amount")
    tables.no("conflict", "delete_table", table_id=VENDORS)
    tables.no("forbidden", "delete_table", table_id=PRICES)
    assert tables("delete_table", table_id=made["id"]) == {"table_id": made["id"], "deleted": True}
    for tool in ("get_table", "delete_table", "list_rows", "list_views"):
        tables.no("not_found", tool, table_id=made["id"])
    tables.no("not_found", "get_row", row_id=row)


def test_columns(tables: Tables) -> None:
    made = tables("create_column", table_id=VENDORS, name="Rating", type="select", options=["A", "B"])
    assert made["position"] == 8 and made in [
        {**one, "table_id": VENDORS} for one in tables("get_table", table_id=VENDORS)["columns"]
    ]
    tables.no("conflict", "create_column", table_id=VENDORS, name="Rating", type="text")
    tables.no("conflict", "create_column", table_id=VENDORS, name="X", type="text", required=True)
    tables.no("forbidden", "create_column", table_id=PRICES, name="X", type="text")
    row = "row_vendors_001"
    tables("update_row", row_id=row, cells={"Rating": "A"})
    tables.no("conflict", "update_column", column_id=made["id"], options=["B"])
    tables.no("conflict", "update_column", column_id=made["id"], required=True)
    tables.no("conflict", "update_column", column_id=made["id"], name="Name")
    tables.no("invalid", "update_column", column_id=made["id"])
    changed = tables("update_column", column_id=made["id"], name="Grade", options=["A", "C"], unique=True)
    assert (changed["name"], changed["options"], changed["unique"]) == ("Grade", ["A", "C"], True)
    assert tables("get_row", row_id=row)["cells"]["Grade"] == "A"
    tables.no("conflict", "update_row", row_id="row_vendors_002", cells={"Grade": "A"})
    tables.no("conflict", "update_column", column_id=tables.column(VENDORS, "Category"), unique=True)
    tables.no("invalid", "update_column", column_id=tables.column(VENDORS, "Name"), options=["A"])
    tables.no("conflict", "update_column", column_id=tables.column(VENDORS, "Name"), required=False)
    tables.no("conflict", "delete_column", column_id=tables.column(VENDORS, "Name"))
    tables.no("conflict", "delete_column", column_id=tables.column(VENDORS, "Status"))
    tables.no("forbidden", "delete_column", column_id="col_prices_2")
    assert tables("delete_column", column_id=made["id"]) == {"column_id": made["id"], "deleted": True}
    assert "Grade" not in tables("get_row", row_id=row)["cells"]
    tables.no("not_found", "delete_column", column_id=made["id"])
    tables.no("not_found", "update_column", column_id=made["id"], name="x")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_bases", {}),
        ("list_tables", {}),
        ("list_views", {"table_id": VENDORS}),
        ("list_rows", {"table_id": VENDORS}),
        ("list_rows", {"table_id": VENDORS, "sort_by": "Approved on", "descending": True}),
        ("list_rows", {"table_id": VENDORS, "sort_by": "Spend a year"}),
        ("list_rows", {"table_id": PRICES, "sort_by": "Active"}),
    ],
)
def test_pages_neither_skip_nor_repeat(tables: Tables, tool: str, arguments: dict[str, Any]) -> None:
    whole = tables(tool, limit=100, **arguments)["items"]
    seen: list[Any] = []
    cursor = None
    while True:
        page = tables(tool, limit=3 if len(whole) > 6 else 1, **arguments, **({"cursor": cursor} if cursor else {}))
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == whole and len(seen) >= 2
    for garbage in ("garbage", "W10", "WzEsMl0x", "W251bGwsICJ4Il0", "[NaN, 1]"):
        tables.no("invalid", tool, cursor=garbage, **arguments)


@pytest.mark.parametrize("text", ["%", "_", "'; --", "\\", "𝔘", "\u200b", "x" * 200])
def test_odd_texts(tables: Tables, text: str) -> None:
    assert isinstance(tables("list_rows", table_id=VENDORS, query=text)["items"], list)
    made = tables("create_row", table_id=BUDGET, cells={"Item": text, "Category": "food", "Planned": 0.1})
    assert made["cells"]["Item"] == text
