"""Tools for rows."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, tool
from services.tables.access import (
    column_named,
    columns_of,
    rows_of,
    visible_row,
    visible_table,
)
from services.tables.cells import (
    MAX_TEXT,
    checked,
    is_empty,
    require_complete,
    require_links,
    require_unique,
)
from services.tables.query import Filter, matching, page_of, stored, with_text
from services.tables.saved import view_of
from services.tables.state import Column, Row
from services.tables.views import row_view, row_views

MAX_ROWS = 1000


@tool
def list_rows(
    ctx: Context,
    table_id: str,
    view_id: str | None = None,
    filters: list[Filter] | None = None,
    query: str | None = None,
    sort_by: str | None = None,
    descending: bool | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Rows that meet the view's filters and the given ones."""
    table = visible_table(ctx, table_id)
    columns = columns_of(ctx, table.id)
    view = view_of(ctx, table, view_id) if view_id is not None else None
    found = matching(rows_of(ctx, table.id), (view.filters if view else []) + stored(ctx, columns, filters))
    found = with_text(found, query)
    column = column_named(ctx, columns, sort_by) if sort_by is not None else None
    if column is None and view is not None:
        column = next((one for one in columns if one.id == view.sort_column_id), None)
        descending = view.descending if descending is None else descending
    items, following = page_of(ctx, found, column, bool(descending), limit, cursor)
    return {"items": row_views(ctx, columns, items), "next_cursor": following, "total": len(found)}


@tool
def get_row(ctx: Context, row_id: str) -> Any:
    """One row."""
    row, _ = visible_row(ctx, row_id)
    return row_view(ctx, row)


def _given(ctx: Context, columns: list[Column], cells: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in cells.items():
        column = column_named(ctx, columns, name)
        found[column.id] = checked(ctx, column, value)
    return found


def _kept(cells: dict[str, Any]) -> dict[str, Any]:
    return {column: value for column, value in cells.items() if value is not None}


@tool
def create_row(ctx: Context, table_id: str, cells: dict[str, Any]) -> Any:
    """A new row at the end."""
    table = visible_table(ctx, table_id, "editor")
    columns = columns_of(ctx, table.id)
    rows = rows_of(ctx, table.id)
    if len(rows) >= MAX_ROWS:
        ctx.fail("limit", f"The table {table.name!r} has {MAX_ROWS} rows, the most allowed.")
    given = _given(ctx, columns, cells)
    require_complete(ctx, columns, given)
    require_links(ctx, columns, [given])
    for column in columns:
        if column.unique and column.id in given:
            require_unique(ctx, column, rows, {"this row": given[column.id]})
    table.last_number += 1
    row = ctx.add(
        Row(
            id=ctx.new_id("row"),
            table_id=table.id,
            number=table.last_number,
            cells=_kept(given),
            created_at=ctx.now(),
            updated_at=ctx.now(),
            updated_by_email=ctx.user.email,
        )
    )
    return row_view(ctx, row)


@tool
def update_row(ctx: Context, row_id: str, cells: dict[str, Any]) -> Any:
    """Change some cells of a row."""
    row, table = visible_row(ctx, row_id, "editor")
    columns = columns_of(ctx, table.id)
    given = _given(ctx, columns, cells)
    merged = row.cells | given
    require_complete(ctx, columns, merged)
    require_links(ctx, columns, [given])
    rows = rows_of(ctx, table.id)
    for column in columns:
        if column.unique and column.id in given:
            require_unique(ctx, column, rows, {row.id: given[column.id]})
    _write(ctx, row, merged)
    ctx.flush()
    return row_view(ctx, row)


def _write(ctx: Context, row: Row, cells: dict[str, Any]) -> None:
    row.cells = _kept(cells)
    row.updated_at = ctx.now()
    row.updated_by_email = ctx.user.email


@tool
def delete_row(ctx: Context, row_id: str) -> Any:
    """Remove a row to which no other links."""
    row, table = visible_row(ctx, row_id, "editor")
    for column in ctx.list(Column, col(Column.link_table_id) == table.id):
        linking = [one for one in rows_of(ctx, column.table_id) if one.cells.get(column.id) == row.id]
        if any(one.id != row.id for one in linking):
            ctx.fail(
                "conflict",
                f"{len(linking)} rows link to {row.id} in {column.name!r}, such as {linking[0].id}; clear them first.",
            )
    ctx.delete(row)
    return {"row_id": row_id, "deleted": True}


@tool
def replace_values(
    ctx: Context,
    table_id: str,
    column: str,
    old_value: str | int | float | bool | None,
    new_value: str | int | float | bool | None,
    match: str = "whole",
    filters: list[Filter] | None = None,
) -> Any:
    """Replace a value in every row that has it, all or nothing."""
    table = visible_table(ctx, table_id, "editor")
    columns = columns_of(ctx, table.id)
    target = column_named(ctx, columns, column)
    rows = rows_of(ctx, table.id)
    chosen = matching(rows, stored(ctx, columns, filters))
    changes = (_replaced_parts if match == "part" else _replaced)(ctx, target, chosen, old_value, new_value)
    for row in rows:
        if row.id in changes:
            merged = row.cells | {target.id: changes[row.id]}
            require_complete(ctx, [target], merged)
            _write(ctx, row, merged)
    require_links(ctx, [target], [{target.id: value} for value in changes.values()])
    if target.unique:
        require_unique(ctx, target, rows)
    ctx.flush()
    return {"changed": len(changes), "row_ids": sorted(changes)}


def _replaced(ctx: Context, column: Column, rows: list[Row], old: Any, new: Any) -> dict[str, Any]:
    value = checked(ctx, column, new)
    wanted = checked(ctx, column, old)
    if wanted is None:
        hits = [row for row in rows if is_empty(row.cells.get(column.id))]
    else:
        hits = [row for row in rows if row.cells.get(column.id) is not None and row.cells[column.id] == wanted]
    return {row.id: value for row in hits if row.cells.get(column.id) != value}


def _replaced_parts(ctx: Context, column: Column, rows: list[Row], old: Any, new: Any) -> dict[str, Any]:
    if column.type not in ("text", "email"):
        ctx.fail("invalid", f"{column.name} holds {column.type}; parts are replaced in text and email columns only.")
    if not isinstance(old, str) or not isinstance(new, str) or not old:
        ctx.fail("invalid", "With match part, old_value and new_value are texts and old_value is not empty.")
    found = {}
    for row in rows:
        before = row.cells.get(column.id)
        if before is not None and old in before and old != new:
            if len(before) + before.count(old) * (len(new) - len(old)) > MAX_TEXT:
                ctx.fail("invalid", f"{column.name}: {row.id} would hold more than {MAX_TEXT} characters.")
            found[row.id] = checked(ctx, column, before.replace(old, new))
    return found
