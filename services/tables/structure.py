"""Tools for bases, tables and columns."""

from __future__ import annotations

from typing import Any, NotRequired

from sqlmodel import col
from typing_extensions import TypedDict

from engine.kit import Context, contains, tool
from services.tables.access import columns_of, my_roles, require_role, rows_of, visible_column, visible_table
from services.tables.cells import is_empty, require_unique
from services.tables.state import Base, Collaborator, Column, Row, Table, View
from services.tables.views import row_counts, table_view

MAX_TABLES = 50
MAX_COLUMNS = 40


class NewColumn(TypedDict):
    """A column as an agent describes it."""

    name: str
    type: str
    required: NotRequired[bool]
    unique: NotRequired[bool]
    options: NotRequired[list[str]]
    currency: NotRequired[str]
    link_table_id: NotRequired[str]


@tool
def list_bases(ctx: Context, query: str | None = None, limit: int = 20, cursor: str | None = None) -> Any:
    """Bases that the user sees, by name."""
    roles = my_roles(ctx)
    where: list[Any] = [col(Base.id).in_(sorted(roles))]
    if query is not None:
        where.append(contains(Base.name, query) | contains(Base.description, query))
    page = ctx.page(Base, *where, order_by=[col(Base.name)], limit=limit, cursor=cursor)
    ids = [base.id for base in page.items]
    people = ctx.list(Collaborator, col(Collaborator.base_id).in_(ids), order_by=[col(Collaborator.name)])
    return {
        "items": [
            base.out()
            | {
                "my_role": roles[base.id],
                "collaborators": [one.out("email", "name", "role") for one in people if one.base_id == base.id],
            }
            for base in page.items
        ],
        "next_cursor": page.next_cursor,
    }


@tool
def list_tables(
    ctx: Context,
    base_id: str | None = None,
    query: str | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> Any:
    """Tables that the user sees, by name."""
    roles = my_roles(ctx)
    where: list[Any] = [col(Table.base_id).in_(sorted(roles))]
    if base_id is not None:
        where.append(col(Table.base_id) == base_id)
    if query is not None:
        where.append(contains(Table.name, query) | contains(Table.description, query))
    page = ctx.page(Table, *where, order_by=[col(Table.name)], limit=limit, cursor=cursor)
    counts = row_counts(ctx, page.items)
    return {
        "items": [
            table.out(without=("last_number",))
            | {"my_role": roles[table.base_id], "row_count": counts.get(table.id, 0)}
            for table in page.items
        ],
        "next_cursor": page.next_cursor,
    }


@tool
def get_table(ctx: Context, table_id: str) -> Any:
    """A table with its columns and views."""
    table = visible_table(ctx, table_id)
    return table_view(ctx, table, my_roles(ctx)[table.base_id])


@tool
def create_table(ctx: Context, base_id: str, name: str, columns: list[NewColumn], description: str = "") -> Any:
    """A new table with its first columns."""
    if base_id not in my_roles(ctx):
        ctx.fail("not_found", f"There is no base {base_id!r} that you can see; list_bases shows them.")
    require_role(ctx, base_id, "owner")
    if ctx.exists(Table, col(Table.base_id) == base_id, col(Table.name) == name):
        ctx.fail("conflict", f"The base has a table named {name!r} already; choose another name.")
    if ctx.count(Table, col(Table.base_id) == base_id) >= MAX_TABLES:
        ctx.fail("limit", f"The base has {MAX_TABLES} tables, the most allowed.")
    if columns[0]["type"] != "text":
        ctx.fail("invalid", "The first column names the rows, so its type must be text.")
    table = ctx.add(
        Table(id=ctx.new_id("tbl"), base_id=base_id, name=name, description=description, created_at=ctx.now())
    )
    for number, one in enumerate(columns, 1):
        first: dict[str, Any] = {"required": True} if number == 1 else {}
        described: dict[str, Any] = {**one, **first}
        _add_column(ctx, table, number, **described)
    return table_view(ctx, table, "owner")


def _add_column(
    ctx: Context,
    table: Table,
    position: int,
    name: str,
    type: str,
    required: bool = False,
    unique: bool = False,
    options: list[str] | None = None,
    currency: str | None = None,
    link_table_id: str | None = None,
) -> Column:
    _require_free_name(ctx, table, name)
    for given, wanted, what in (
        (options, "select", "options"),
        (currency, "money", "currency"),
        (link_table_id, "link", "link_table_id"),
    ):
        if bool(given) != (type == wanted):
            ctx.fail("invalid", f"{name}: {what} must be given for columns of type {wanted}, and only for them.")
    if link_table_id is not None and visible_table(ctx, link_table_id).base_id != table.base_id:
        ctx.fail("conflict", f"{name}: {link_table_id} is a table of another base; links stay within a base.")
    if unique and type == "checkbox":
        ctx.fail("invalid", f"{name}: a checkbox cannot be unique.")
    return ctx.add(
        Column(
            id=ctx.new_id("col"),
            table_id=table.id,
            name=name,
            type=type,
            position=position,
            required=required,
            unique=unique,
            options=options or [],
            currency=currency,
            link_table_id=link_table_id,
        )
    )


def _require_free_name(ctx: Context, table: Table, name: str) -> None:
    if ctx.exists(Column, col(Column.table_id) == table.id, col(Column.name) == name):
        ctx.fail("conflict", f"The table {table.name!r} has a column {name!r} already; choose another name.")


@tool
def delete_table(ctx: Context, table_id: str) -> Any:
    """Remove a table with all in it."""
    table = visible_table(ctx, table_id, "owner")
    linking = ctx.first(Column, col(Column.link_table_id) == table.id, col(Column.table_id) != table.id)
    if linking is not None:
        ctx.fail("conflict", f"The column {linking.name!r} of {linking.table_id} links to {table.id}; delete it first.")
    for view in ctx.list(View, col(View.table_id) == table.id):
        ctx.delete(view)
    for column in ctx.list(Column, col(Column.table_id) == table.id):
        ctx.delete(column)
    ctx.delete(ctx.require(Table, table_id))
    return {"table_id": table_id, "deleted": True}


@tool
def create_column(
    ctx: Context,
    table_id: str,
    name: str,
    type: str,
    required: bool = False,
    unique: bool = False,
    options: list[str] | None = None,
    currency: str | None = None,
    link_table_id: str | None = None,
) -> Any:
    """A further column, empty in all rows."""
    table = visible_table(ctx, table_id, "owner")
    columns = columns_of(ctx, table.id)
    if len(columns) >= MAX_COLUMNS:
        ctx.fail("limit", f"The table {table.name!r} has {MAX_COLUMNS} columns, the most allowed.")
    if required and ctx.exists(Row, col(Row.table_id) == table.id):
        ctx.fail("conflict", f"{table.name!r} has rows, which would lack a value: fill the column, then require it.")
    position = columns[-1].position + 1
    return _add_column(ctx, table, position, name, type, required, unique, options, currency, link_table_id)


@tool
def update_column(
    ctx: Context,
    column_id: str,
    name: str | None = None,
    required: bool | None = None,
    unique: bool | None = None,
    options: list[str] | None = None,
) -> Any:
    """Rename a column or change what it demands."""
    column, table = visible_column(ctx, column_id)
    if name is None and required is None and unique is None and options is None:
        ctx.fail("invalid", "Give at least one of name, required, unique and options.")
    rows = rows_of(ctx, table.id)
    if name is not None and name != column.name:
        _require_free_name(ctx, table, name)
        column.name = name
    if required is not None:
        _set_required(ctx, column, required, rows)
    if unique is not None:
        if unique and column.type == "checkbox":
            ctx.fail("invalid", f"{column.name}: a checkbox cannot be unique.")
        if unique:
            require_unique(ctx, column, rows)
        column.unique = unique
    if options is not None:
        if column.type != "select":
            ctx.fail("invalid", f"{column.name} holds {column.type}; only select columns have options.")
        lost = sorted({row.cells[column.id] for row in rows if column.id in row.cells} - set(options))
        if lost:
            ctx.fail("conflict", f"{column.name}: rows hold {lost[0]!r}; replace_values changes them first.")
        column.options = list(options)
    ctx.flush()
    return column


def _set_required(ctx: Context, column: Column, required: bool, rows: list[Row]) -> None:
    if not required and column.position == 1:
        ctx.fail("conflict", f"{column.name} names the rows and stays required.")
    empty = [row for row in rows if is_empty(row.cells.get(column.id))]
    if required and empty:
        ctx.fail("conflict", f"{column.name} is empty in {len(empty)} rows, such as {empty[0].id}; fill them first.")
    column.required = required


@tool
def delete_column(ctx: Context, column_id: str) -> Any:
    """Remove a column with its values."""
    column, table = visible_column(ctx, column_id)
    if column.position == 1:
        ctx.fail("conflict", f"{column.name} names the rows of {table.name!r} and cannot be deleted.")
    for view in ctx.list(View, col(View.table_id) == table.id):
        if view.sort_column_id == column.id or any(one["column_id"] == column.id for one in view.filters):
            ctx.fail("conflict", f"The view {view.name!r} ({view.id}) uses {column.name}; delete that view first.")
    for row in rows_of(ctx, table.id):
        if column.id in row.cells:
            row.cells = {name: value for name, value in row.cells.items() if name != column.id}
    ctx.flush()
    ctx.delete(column)
    return {"column_id": column_id, "deleted": True}
