"""The tables' standard initial state; what they hold is in ``seed_data.py``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from engine.kit import Entity, Seed
from services.tables.seed_data import BASES, TABLES, VIEWS
from services.tables.state import Base, Collaborator, Column, Row, Table, View

_DAYS = {"purchases": (1, 4), "deliveries": (1, 1), "rates": (1, 2), "budget": (1, 9), "guests": (1, 9)}
"""How many days before the start the rows of these tables were written."""


def rows(seed: Seed) -> Iterator[Entity]:
    """Bases with their collaborators, tables with columns and rows, views."""
    people = {person.handle: person for person in seed.colleagues}
    for number, (key, name, description, roles) in enumerate(BASES):
        yield Base(id=f"bas_{key}", name=name, description=description, created_at=seed.at(-300 + 20 * number, 10))
        for handle, role in roles.items():
            person = people[handle]
            yield Collaborator(base_id=f"bas_{key}", email=person.email, name=person.name, role=role)
    for number, (key, (base, name, description, columns, cells)) in enumerate(TABLES.items()):
        yield Table(
            id=f"tbl_{key}",
            base_id=f"bas_{base}",
            name=name,
            description=description,
            last_number=len(cells),
            created_at=seed.at(-120 + 5 * number, 11),
        )
        for position, (title, kind, flags, more) in enumerate(columns, 1):
            yield Column(
                id=f"col_{key}_{position}",
                table_id=f"tbl_{key}",
                name=title,
                type=kind,
                position=position,
                required="r" in flags,
                unique="u" in flags,
                options=list(more) if kind == "select" else [],
                currency=more if kind == "money" else None,
                link_table_id=f"tbl_{more}" if kind == "link" else None,
            )
        owner = next(people[handle].email for handle in BASES[[one[0] for one in BASES].index(base)][3])
        yield from _rows(seed, key, columns, cells, owner)
    for number, (key, name, filters, sort, descending, handle) in enumerate(VIEWS, 1):
        ids = {title: f"col_{key}_{position}" for position, (title, *_) in enumerate(TABLES[key][3], 1)}
        yield View(
            id=f"viw_{number:04d}",
            table_id=f"tbl_{key}",
            name=name,
            filters=[
                {"column_id": ids[column], "operator": operator} | ({"value": value[0]} if value else {})
                for column, operator, *value in filters
            ],
            sort_column_id=ids[sort] if sort else None,
            descending=descending,
            created_by_email=people[handle].email,
            created_at=seed.at(-40 + number, 12),
        )


def _rows(
    seed: Seed, key: str, columns: list[tuple[str, str, str, Any]], cells: list[tuple[Any, ...]], owner: str
) -> Iterator[Entity]:
    clock = seed.random(key)
    for number, values in enumerate(cells, 1):
        made = seed.at(-clock.randint(*_DAYS.get(key, (10, 60))), clock.randint(8, 17), clock.randrange(60))
        yield Row(
            id=f"row_{key}_{number:03d}",
            table_id=f"tbl_{key}",
            number=number,
            cells={
                f"col_{key}_{position}": _cell(columns[position - 1][1], value)
                for position, value in enumerate(values, 1)
                if value is not None
            },
            created_at=made,
            updated_at=min(made + timedelta(days=clock.randint(0, 9)), seed.at(-1, 18)),
            updated_by_email=owner,
        )


def _cell(kind: str, value: Any) -> Any:
    if kind == "email" and "@" not in value:
        return f"{value}@larkspur.example"
    if kind == "link":
        table, number = value.removeprefix("@").split()
        return f"row_{table}_{int(number):03d}"
    return value
