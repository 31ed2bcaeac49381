"""What the tables remember."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from engine.kit import Entity, field, key, ref

ROLES = ("reader", "editor", "owner")
TYPES = ("text", "number", "money", "date", "checkbox", "select", "email", "link")
CURRENCIES = ("USD", "EUR", "GBP", "AUD", "CAD")


class TablesEntity(Entity):
    """Base class of the service's entities."""

    __service__ = "tables"


class Base(TablesEntity, table=True):
    """Tables that belong together and are shared together."""

    id: str = key("bas")
    name: str = field("name", unique=True, min_length=1, max_length=80)
    description: str = field("text", default="", max_length=300)
    created_at: datetime = field("datetime")


class Collaborator(TablesEntity, table=True):
    """A person's role in a base."""

    base_id: str = ref("tables_base.id", key=True, on_delete="cascade")
    email: str = field("email", key=True, max_length=200)
    name: str = field("person", max_length=120)
    role: str = field("category", choices=ROLES)


class Table(TablesEntity, table=True):
    """A table; its rows are numbered, and no number comes twice."""

    id: str = key("tbl")
    base_id: str = ref("tables_base.id", on_delete="cascade")
    name: str = field("name", min_length=1, max_length=80)
    description: str = field("text", default="", max_length=300)
    last_number: int = field("quantity", default=0, ge=0)
    created_at: datetime = field("datetime")


class Column(TablesEntity, table=True):
    """A typed column; the first one names the rows."""

    id: str = key("col")
    table_id: str = ref("tables_table.id", on_delete="cascade")
    name: str = field("name", min_length=1, max_length=60)
    type: str = field("category", choices=TYPES)
    position: int = field("quantity", ge=1)
    required: bool = field("flag", default=False)
    unique: bool = field("flag", default=False)
    options: list[str] = field("tags", default_factory=list)
    currency: str | None = field("currency", default=None, choices=CURRENCIES)
    link_table_id: str | None = ref("tables_table.id", default=None)


class Row(TablesEntity, table=True):
    """A row; its cells are kept by the ids of their columns, empty ones not at all."""

    id: str = key("row")
    table_id: str = ref("tables_table.id", on_delete="cascade")
    number: int = field("quantity", ge=1)
    cells: dict[str, Any] = field("json", default_factory=dict)
    created_at: datetime = field("datetime")
    updated_at: datetime = field("datetime")
    updated_by_email: str = field("email", max_length=200)


class View(TablesEntity, table=True):
    """A saved filter and order of a table."""

    id: str = key("viw")
    table_id: str = ref("tables_table.id", on_delete="cascade")
    name: str = field("name", min_length=1, max_length=80)
    filters: list[dict[str, Any]] = field("json", default_factory=list)
    sort_column_id: str | None = ref("tables_column.id", default=None)
    descending: bool = field("flag", default=False)
    created_by_email: str = field("email", max_length=200)
    created_at: datetime = field("datetime")
