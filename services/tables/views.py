"""How rows, views and tables are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from engine.kit import Context
from services.tables.access import columns_of
from services.tables.state import Column, Row, Table, View


def row_views(ctx: Context, columns: list[Column], rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows with cells by the names of their columns, and what their links are called."""
    links = [column for column in columns if column.type == "link"]
    names = _linked_names(ctx, links, rows)
    return [
        row.out(without=("cells",))
        | {
            "cells": {column.name: row.cells.get(column.id) for column in columns},
            "linked": {
                column.name: names[row.cells[column.id]] for column in links if row.cells.get(column.id) is not None
            },
        }
        for row in rows
    ]


def _linked_names(ctx: Context, links: list[Column], rows: Sequence[Row]) -> dict[str, Any]:
    wanted = {row.cells[column.id] for row in rows for column in links if row.cells.get(column.id) is not None}
    if not wanted:
        return {}
    found = ctx.list(Row, col(Row.id).in_(sorted(wanted)))
    first = {
        column.table_id: column.id
        for column in ctx.list(
            Column, col(Column.table_id).in_({row.table_id for row in found}), col(Column.position) == 1
        )
    }
    return {row.id: row.cells.get(first[row.table_id]) for row in found}


def row_view(ctx: Context, row: Row) -> dict[str, Any]:
    """One row."""
    return row_views(ctx, columns_of(ctx, row.table_id), [row])[0]


def view_view(columns: Sequence[Column], view: View) -> dict[str, Any]:
    """A saved view with the present names of its columns."""
    names = {column.id: column.name for column in columns}
    filters = [
        {"column": names[one["column_id"]], "operator": one["operator"]}
        | ({"value": one["value"]} if "value" in one else {})
        for one in view.filters
    ]
    return view.out(without=("filters", "sort_column_id")) | {
        "filters": filters,
        "sort_by": names[view.sort_column_id] if view.sort_column_id else None,
    }


def table_view(ctx: Context, table: Table, role: str) -> dict[str, Any]:
    """A table with its columns and views."""
    columns = columns_of(ctx, table.id)
    views = ctx.list(View, col(View.table_id) == table.id, order_by=[col(View.name)])
    return table.out(without=("last_number",)) | {
        "my_role": role,
        "row_count": ctx.count(Row, col(Row.table_id) == table.id),
        "columns": [column.out(without=("table_id",)) for column in columns],
        "views": [view_view(columns, view) for view in views],
    }


def row_counts(ctx: Context, tables: Sequence[Table]) -> dict[str, int]:
    """Numbers of rows by table."""
    counted = ctx.rows(
        select(col(Row.table_id), func.count())
        .where(col(Row.table_id).in_([table.id for table in tables]))
        .group_by(col(Row.table_id))
        .order_by(col(Row.table_id))
    )
    return {table_id: number for table_id, number in counted}
