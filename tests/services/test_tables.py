"""Tables: typed cells, filters, views, summaries, replacing, structure, rights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.tables import service
from services.tables.cells import checked
from services.tables.rows import MAX_ROWS
from services.tables.state import Base, Collaborator, Column, Row, Table
from tests.services.play import Play

ME = "mara.lindqvist@larkspur.example"
VENDORS, PURCHASES, PRICES, BUDGET = "tbl_vendors", "tbl_purchases", "tbl_prices", "tbl_budget"


class Tables:
    """The tools without their service's name."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, /, **arguments: Any) -> Any:
        return self.play.ok("tables", tool, **arguments)

    def no(self, code: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("tables", tool, **arguments)
        assert error["code"] == code, error
        return error

    def names(self, table: str, column: str, **more: Any) -> list[Any]:
        return [row["cells"][column] for row in self("list_rows", table_id=table, limit=100, **more)["items"]]

    def column(self, table: str, name: str) -> str:
        columns = self("get_table", table_id=table)["columns"]
        return str(next(one["id"] for one in columns if one["name"] == name))

    def all_types(self) -> Any:
        return self(
            "create_table",
            base_id="bas_operations",
            name="Everything",
            columns=[
                {"name": "Title", "type": "text"},
                {"name": "Amount", "type": "money", "currency": "EUR"},
                {"name": "Weight", "type": "number"},
                {"name": "Day", "type": "date"},
                {"name": "Done", "type": "checkbox"},
                {"name": "Kind", "type": "select", "options": ["a", "b"]},
                {"name": "Mail", "type": "email", "unique": True},
                {"name": "Vendor", "type": "link", "link_table_id": VENDORS},
            ],
        )


@pytest.fixture
def tables(play: Callable[..., Play]) -> Tables:
    return Tables(play("tables"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("tables", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in COLLEAGUES}
    assert all(cast[values["email"]] == values["name"] for name, values in rows(0) if name == "Collaborator")


class NoContext:
    @staticmethod
    def fail(code: str, message: str, **details: Any) -> None:
        raise AssertionError(message)


def test_seed_keeps_the_rules(tables: Tables) -> None:
    columns = {column.id: column for column in tables.play.rows(Column)}
    rows = {row.id: row for row in tables.play.rows(Row)}
    tables_ = {table.id: table for table in tables.play.rows(Table)}
    for row in rows.values():
        assert row.number <= tables_[row.table_id].last_number and row.updated_at >= row.created_at
        for column_id, value in row.cells.items():
            column = columns[column_id]
            assert column.table_id == row.table_id
            assert checked(NoContext(), column, value) == value  # type: ignore[arg-type]
            assert column.type != "link" or rows[value].table_id == column.link_table_id
        own = [column for column in columns.values() if column.table_id == row.table_id]
        assert all(column.id in row.cells for column in own if column.required)
    for column in columns.values():
        values = [row.cells[column.id] for row in rows.values() if column.id in row.cells]
        assert not column.unique or len(values) == len(set(values))


def test_bases_and_tables(tables: Tables) -> None:
    roles = {base["name"]: base["my_role"] for base in tables("list_bases")["items"]}
    assert roles == {
        "Operations": "owner",
        "Sales and prices": "editor",
        "Finance tables": "reader",
        "Team offsite 2026-04-16": "owner",
    }
    assert [base["id"] for base in tables("list_bases", query="RATES")["items"]] == ["bas_finance"]
    found = tables("list_tables", base_id="bas_operations")["items"]
    assert [table["name"] for table in found] == ["Late deliveries February", "Purchase requests", "Vendors"]
    assert tables("list_tables", query="currency")["items"] == [] and len(tables("list_tables")["items"]) == 8
    vendors = tables("get_table", table_id=VENDORS)
    assert vendors["row_count"] == 11 and vendors["views"][0]["name"] == "Approved vendors"
    tables.no("not_found", "get_table", table_id="tbl_bands")
    tables.no("not_found", "list_rows", table_id="tbl_bands")
    tables.no("not_found", "get_row", row_id="row_bands_001")
    assert len(tables.play.rows(Base)) == 5 and len(tables.play.rows(Collaborator)) == 16


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ([("Price", "greater_than", 100)], {"BOT-S3", "JKT-SOF", "CAR-MON"}),
        ([("Price", "at_least", 102), ("Unit", "equals", "pair")], {"BOT-S3"}),
        ([("Product", "contains", "JACKET"), ("Price", "less_than", 90)], {"JKT-HV"}),
        ([("Active", "equals", False)], {"CAP-OLD"}),
        ([("Range", "equals", "health"), ("SKU", "not_equals", "SCR-TOP")], {"SCR-TRS"}),
        ([("Price", "at_most", 6.5)], {"TOT-COT"}),
        ([("Price", "is_empty", None)], set()),
    ],
)
def test_filters(tables: Tables, filters: list[tuple[str, str, Any]], found: set[str]) -> None:
    given = [
        {"column": column, "operator": operator} | ({} if value is None else {"value": value})
        for column, operator, value in filters
    ]
    assert set(tables.names(PRICES, "SKU", filters=given)) == found


def test_filters_are_checked(tables: Tables) -> None:
    for column, operator, value in (
        ("Colour", "equals", "x"),
        ("Price", "equals", "cheap"),
        ("Price", "contains", "9"),
        ("SKU", "greater_than", "A"),
        ("Range", "equals", "food"),
        ("Active", "at_least", True),
    ):
        one = {"column": column, "operator": operator, "value": value}
        tables.no("invalid", "list_rows", table_id=PRICES, filters=[one])
    tables.no("invalid", "list_rows", table_id=PRICES, filters=[{"column": "SKU", "operator": "equals"}])
    tables.no("invalid", "list_rows", table_id=PRICES, sort_by="Colour")
    tables.no("conflict", "list_rows", table_id=PRICES, view_id="viw_0001")


def test_views_and_order(tables: Tables) -> None:
    assert tables.names(VENDORS, "Name", view_id="viw_0002") == [
        "Coastline Freight",
        "Northway Parcel",
        "Harbourline Air",
        "Pelican Express",
    ]
    assert tables.names(VENDORS, "Name", view_id="viw_0002", descending=False)[0] == "Pelican Express"
    approved = tables.names(VENDORS, "Approved on", sort_by="Approved on")
    assert approved[-4:] == [None] * 4 and approved[0] == "2024-03-11"
    assert tables.names(VENDORS, "Approved on", sort_by="Approved on", descending=True)[-1] is None
    made = tables(
        "create_view",
        table_id=PURCHASES,
        name="Large",
        filters=[{"column": "Amount", "operator": "at_least", "value": 1000}],
        sort_by="Amount",
        descending=True,
    )
    assert made["filters"] == [{"column": "Amount", "operator": "at_least", "value": 1000}]
    assert made in tables("list_views", table_id=PURCHASES)["items"]
    assert tables.names(PURCHASES, "Amount", view_id=made["id"]) == [3600, 2760, 1280]
    tables("update_column", column_id=tables.column(PURCHASES, "Amount"), name="Cost")
    assert tables("list_views", table_id=PURCHASES, query="large")["items"][0]["sort_by"] == "Cost"
    tables.no("conflict", "create_view", table_id=PURCHASES, name="Large")
    tables.no("forbidden", "create_view", table_id="tbl_rates", name="x")
    assert tables("delete_view", view_id=made["id"]) == {"view_id": made["id"], "deleted": True}
    tables.no("not_found", "delete_view", view_id=made["id"])
    tables.no("forbidden", "delete_view", view_id="viw_0007")


def test_rows_of_every_type(tables: Tables) -> None:
    table = tables.all_types()["id"]
    cells = {
        "Title": "Größe “L” 👕",
        "Amount": 1234.56,
        "Weight": -0.125,
        "Day": "9999-12-31",
        "Done": False,
        "Kind": "a",
        "Mail": "noor.haddad@halcyon.example",
        "Vendor": "row_vendors_001",
    }
    made = tables("create_row", table_id=table, cells=cells)
    assert made["cells"] == cells and made["linked"] == {"Vendor": "Coastline Freight"} and made["number"] == 1
    assert tables("get_row", row_id=made["id"]) == made
    assert tables("list_rows", table_id=table)["items"] == [made]
    changed = tables("update_row", row_id=made["id"], cells={"Day": None, "Amount": 5.0})
    assert changed["cells"] == cells | {"Day": None, "Amount": 5} and changed["updated_by_email"] == ME
    for name, value in (
        ("Title", " "),
        ("Title", None),
        ("Title", 5),
        ("Amount", 0.001),
        ("Amount", 10**11),
        ("Amount", True),
        ("Amount", "5"),
        ("Weight", 1e-9),
        ("Day", "2026-02-30"),
        ("Day", "20260301"),
        ("Done", "yes"),
        ("Kind", "c"),
        ("Mail", "noor"),
        ("Colour", "x"),
    ):
        tables.no("invalid", "update_row", row_id=made["id"], cells={name: value})
        tables.no("invalid", "create_row", table_id=table, cells={"Title": "x"} | {name: value})
    tables.no("not_found", "update_row", row_id=made["id"], cells={"Vendor": "row_prices_001"})
    tables.no("invalid", "create_row", table_id=table, cells={})
    tables.no("conflict", "create_row", table_id=table, cells={"Title": "x", "Mail": cells["Mail"]})
    tables.no("invalid_arguments", "create_row", table_id=table, cells={"Title": ["x"]})
    tables.no("invalid_arguments", "update_row", row_id=made["id"], cells={})


def test_delete_row(tables: Tables) -> None:
    assert "link" in tables.no("conflict", "delete_row", row_id="row_vendors_001")["message"]
    made = tables("create_row", table_id=PURCHASES, cells={
        "Title": "x", "Vendor": "row_vendors_002", "Amount": 1, "State": "requested"})  # fmt: skip
    assert tables("delete_row", row_id=made["id"]) == {"row_id": made["id"], "deleted": True}
    for tool, more in (("get_row", {}), ("delete_row", {}), ("update_row", {"cells": {"Title": "y"}})):
        tables.no("not_found", tool, row_id=made["id"], **more)
    again = tables("create_row", table_id=PURCHASES, cells={
        "Title": "x", "Vendor": "row_vendors_002", "Amount": 1, "State": "requested"})  # fmt: skip
    assert again["number"] == made["number"] + 1
    tables.no("forbidden", "delete_row", row_id="row_rates_001")
    tables.no("forbidden", "create_row", table_id="tbl_rates", cells={"Rate": "x"})
    tables.no("forbidden", "update_row", row_id="row_rates_001", cells={"Rate": "x"})


def test_rows_have_a_limit(play: Callable[..., Play], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.tables.rows.MAX_ROWS", 8)
    Tables(play("tables")).no("limit", "create_row", table_id=BUDGET, cells={"Item": "x"})
    assert MAX_ROWS == 1000
