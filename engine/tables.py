"""An entity's table as SQL needs it: names, types, keys, references, unique columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ForeignKeyConstraint, Table, UniqueConstraint
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import String

_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]
_QUOTE = _DIALECT.identifier_preparer.quote


def quote(name: str) -> str:
    """An identifier, quoted where SQL needs it."""
    return _QUOTE(name)


def literal(text: str) -> str:
    """A text literal."""
    return "'" + text.replace("'", "''") + "'"


def column_type(column: Column[Any]) -> str:
    """The SQL type of a column: text always in collation "C", so that order is the same on every server."""
    if isinstance(column.type, String):
        return 'text COLLATE "C"'
    return column.type.compile(dialect=_DIALECT)


def key_expression(names: tuple[str, ...], row: str) -> str:
    """The key of a row as text: the value itself, or a JSON array where the key has several columns."""
    if len(names) == 1:
        return f"{row}.{quote(names[0])}::text"
    return f"jsonb_build_array({', '.join(f'{row}.{quote(name)}' for name in names)})::text"


@dataclass(frozen=True)
class Reference:
    """A foreign key: these columns of one table name a row of another."""

    table: str
    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    on_delete: str
    name: str


def references(table: Table) -> list[Reference]:
    """The foreign keys of a table, in the order of its columns."""
    found = []
    for constraint in sorted(
        (item for item in table.constraints if isinstance(item, ForeignKeyConstraint)),
        key=lambda item: [column.name for column in item.columns],
    ):
        element = constraint.elements[0]
        target = element.target_fullname.rsplit(".", 1)[0]
        columns = tuple(column.name for column in constraint.columns)
        found.append(
            Reference(
                table=table.name,
                columns=columns,
                target=target,
                target_columns=tuple(item.target_fullname.rsplit(".", 1)[1] for item in constraint.elements),
                on_delete=(constraint.ondelete or "RESTRICT").upper(),
                name=f"{table.name}_{'_'.join(columns)}_fkey",
            )
        )
    return found


def uniques(table: Table) -> list[tuple[str, ...]]:
    """The column sets that are unique beside the key."""
    found = {
        tuple(column.name for column in item.columns)
        for item in table.constraints
        if isinstance(item, UniqueConstraint)
    } | {tuple(column.name for column in item.columns) for item in table.indexes if item.unique}
    return sorted(found)
