"""Who may do what, and what stands in a table."""

from __future__ import annotations

from sqlmodel import col

from engine.kit import Context
from services.tables.state import ROLES, Base, Collaborator, Column, Row, Table, View


def my_roles(ctx: Context) -> dict[str, str]:
    """The user's role in every base that they see."""
    return {item.base_id: item.role for item in ctx.list(Collaborator, col(Collaborator.email) == ctx.user.email)}


def require_role(ctx: Context, base_id: str, least: str) -> None:
    """Refuse whoever has a lower role in the base."""
    role = my_roles(ctx).get(base_id, "reader")
    if ROLES.index(role) < ROLES.index(least):
        base = ctx.require(Base, base_id)
        ctx.fail("forbidden", f"You are {role} of the base {base.name!r}; this needs {least}.")


def visible_table(ctx: Context, table_id: str, least: str = "reader") -> Table:
    """A table that the user can see and, perhaps, change."""
    table = ctx.get(Table, table_id)
    if table is None or table.base_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no table {table_id!r} that you can see; list_tables shows them.")
    require_role(ctx, table.base_id, least)
    return table


def columns_of(ctx: Context, table_id: str) -> list[Column]:
    """The columns of a table in their order."""
    return ctx.list(Column, col(Column.table_id) == table_id, order_by=[col(Column.position)])


def rows_of(ctx: Context, table_id: str) -> list[Row]:
    """The rows of a table by number."""
    return ctx.list(Row, col(Row.table_id) == table_id, order_by=[col(Row.number)])


def column_named(ctx: Context, columns: list[Column], name: str) -> Column:
    """The column with this name."""
    for column in columns:
        if column.name == name:
            return column
    known = ", ".join(repr(column.name) for column in columns)
    return ctx.fail("invalid", f"There is no column {name!r}; the columns are {known}.")


def visible_column(ctx: Context, column_id: str) -> tuple[Column, Table]:
    """A column whose table the user owns."""
    column = ctx.get(Column, column_id)
    table = ctx.get(Table, column.table_id) if column else None
    if column is None or table is None or table.base_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no column {column_id!r} that you can see; get_table shows columns.")
    require_role(ctx, table.base_id, "owner")
    return column, table


def visible_row(ctx: Context, row_id: str, least: str = "reader") -> tuple[Row, Table]:
    """A row that the user can see and, perhaps, change."""
    row = ctx.get(Row, row_id)
    table = ctx.get(Table, row.table_id) if row else None
    if row is None or table is None or table.base_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no row {row_id!r} that you can see; list_rows shows rows.")
    require_role(ctx, table.base_id, least)
    return row, table


def visible_view(ctx: Context, view_id: str) -> tuple[View, Table]:
    """A view that the user can see."""
    view = ctx.get(View, view_id)
    table = ctx.get(Table, view.table_id) if view else None
    if view is None or table is None or table.base_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no view {view_id!r} that you can see; list_views shows them.")
    return view, table
