"""Tools for saved views."""

from __future__ import annotations

from typing import Any

from sqlmodel import col

from engine.kit import Context, contains, tool
from services.tables.access import column_named, columns_of, visible_table, visible_view
from services.tables.query import Filter, stored
from services.tables.state import Table, View
from services.tables.views import view_view

MAX_VIEWS = 50


def view_of(ctx: Context, table: Table, view_id: str) -> View:
    """A saved view of that table."""
    view, _ = visible_view(ctx, view_id)
    if view.table_id != table.id:
        ctx.fail("conflict", f"The view {view_id} belongs to {view.table_id}, not to {table.id}.")
    return view


@tool
def list_views(
    ctx: Context,
    table_id: str,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Saved views of a table by name."""
    table = visible_table(ctx, table_id)
    where: list[Any] = [col(View.table_id) == table.id]
    if query is not None:
        where.append(contains(View.name, query))
    page = ctx.page(View, *where, order_by=[col(View.name)], limit=limit, cursor=cursor)
    columns = columns_of(ctx, table.id)
    return {"items": [view_view(columns, view) for view in page.items], "next_cursor": page.next_cursor}


@tool
def create_view(
    ctx: Context,
    table_id: str,
    name: str,
    filters: list[Filter] | None = None,
    sort_by: str | None = None,
    descending: bool = False,
) -> Any:
    """Save a filter and an order."""
    table = visible_table(ctx, table_id, "editor")
    columns = columns_of(ctx, table.id)
    if ctx.exists(View, col(View.table_id) == table.id, col(View.name) == name):
        ctx.fail("conflict", f"The table {table.name!r} has a view {name!r} already; choose another name.")
    if ctx.count(View, col(View.table_id) == table.id) >= MAX_VIEWS:
        ctx.fail("limit", f"The table {table.name!r} has {MAX_VIEWS} views, the most allowed.")
    view = ctx.add(
        View(
            id=ctx.new_id("viw"),
            table_id=table.id,
            name=name,
            filters=stored(ctx, columns, filters),
            sort_column_id=column_named(ctx, columns, sort_by).id if sort_by is not None else None,
            descending=descending,
            created_by_email=ctx.user.email,
            created_at=ctx.now(),
        )
    )
    return view_view(columns, view)


@tool
def delete_view(ctx: Context, view_id: str) -> Any:
    """Remove a saved view; rows stay."""
    view, table = visible_view(ctx, view_id)
    visible_table(ctx, table.id, "editor")
    ctx.delete(view)
    return {"view_id": view_id, "deleted": True}
