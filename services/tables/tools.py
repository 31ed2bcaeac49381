"""The tools of the tables, each in the module of its subject."""

from services.tables.rows import create_row, delete_row, get_row, list_rows, replace_values, update_row
from services.tables.saved import create_view, delete_view, list_views
from services.tables.structure import (
    create_column,
    create_table,
    delete_column,
    delete_table,
    get_table,
    list_bases,
    list_tables,
    update_column,
)
from services.tables.summary import summarize_rows

__all__ = [
    "create_column",
    "create_row",
    "create_table",
    "create_view",
    "delete_column",
    "delete_row",
    "delete_table",
    "delete_view",
    "get_row",
    "get_table",
    "list_bases",
    "list_rows",
    "list_tables",
    "list_views",
    "replace_values",
    "summarize_rows",
    "update_column",
    "update_row",
]
