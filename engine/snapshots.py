"""Snapshots: frozen states that branches start from. Rows go in by COPY and are checked as a set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text
from sqlalchemy.dialects.postgresql import JSONB

from engine._given import moment_given, text_given
from engine.branches import Branch
from engine.database import retried
from engine.errors import EntityInvalid, InputError, NotFound
from engine.kit import Entity, Person
from engine.kit.values import whole_numbers
from engine.states import Change
from engine.tables import key_expression, quote, references, uniques

if TYPE_CHECKING:
    from engine.compositions import Composition


@dataclass(frozen=True)
class Snapshot:
    """A frozen state.

    Attributes:
        id: its number, from the same line as the numbers of branches.
        digest: equal for equal states.
        start: where the logical clock of its branches starts.
        person: whose assistant the agent is.
    """

    composition: Composition
    id: int
    name: str
    digest: str
    rows: int
    start: datetime
    person: Person

    @classmethod
    def load(cls, composition: Composition, number: int) -> Snapshot:
        """Read it from the catalog.

        Raises:
            NotFound: there is none with that number.
        """
        with composition.world.database.transaction() as connection:
            row = connection.execute(
                text("SELECT name, digest, row_count, starts_at, person FROM compoworld.snapshot WHERE id = :id"),
                {"id": number},
            ).first()
        if row is None:
            raise NotFound(f"there is no snapshot {number}")
        return cls(composition, number, row[0], row[1], row[2], row[3], Person(**row[4]))

    def fork(self, label: str | None = None) -> Branch:
        """A new branch that sees this state: one row, whatever the size."""
        if label is not None:
            text_given(label, "a label")
        with self.composition.world.database.transaction() as connection:
            number = connection.exec_driver_sql("SELECT compoworld.fork_snapshot(%s, %s)", (self.id, label)).scalar()
        if number is None:
            raise NotFound(f"there is no snapshot {self.id}")
        return Branch(self, number)

    def fork_with(self, changes: Sequence[Change], label: str | None = None) -> Branch:
        """A new branch that sees this state with some rows otherwise from the start: what would a call give then?

        Such a branch is for asking: it cannot be replayed, and its rows are not checked as a set. The changes stand
        in its log as those of event 0.
        """
        branch = self.fork(label)
        with self.composition.world.database.transaction() as connection:
            # No longer as in the snapshot: its own rows are put in place before its first call.
            connection.execute(
                text("UPDATE compoworld.branch SET loaded_generation = NULL WHERE id = :id"), {"id": branch.id}
            )
            if changes:
                connection.execute(
                    text(
                        "INSERT INTO compoworld.row_change"
                        " (branch_id, seq, ordinal, table_name, key, op, before, after)"
                        " VALUES (:branch, 0, :ordinal, :table, :key, :op, :before, :after)"
                    ),
                    [
                        {
                            "branch": branch.id,
                            "ordinal": ordinal,
                            "table": item.table,
                            "key": item.key,
                            "op": item.op,
                            "before": None if item.before is None else Jsonb(item.before),
                            "after": None if item.after is None else Jsonb(item.after),
                        }
                        for ordinal, item in enumerate(changes, 1)
                    ],
                )
        return branch


@retried
def store_snapshot(
    composition: Composition, rows: Sequence[Entity], name: str, start: datetime, person: Person
) -> Snapshot:
    """Write a snapshot; see ``Composition.snapshot``."""
    text_given(name, "a name")
    moment_given(start, "the start of the logical clock")
    if not isinstance(person, Person):
        raise InputError(f"the person is a Person, not {type(person).__name__}")
    known = set(_entities(composition))
    by_table: dict[str, list[Entity]] = {}
    for row in rows:
        if not isinstance(row, Entity):
            raise InputError(f"a snapshot is made of entities, not of {type(row).__name__}")
        if type(row) not in known:
            raise EntityInvalid(type(row).__name__, {"row": f"{row.table().name} is not in the composition"})
        try:
            row.check()
        except EntityInvalid as error:
            key = ", ".join(str(getattr(row, column)) for column in row.key_columns())
            raise EntityInvalid(error.entity, error.problems, row=key, mistake=error.mistake) from None
        by_table.setdefault(row.table().name, []).append(row)
    database = composition.world.database
    with database.transaction() as connection:
        schema = connection.execute(text("SELECT compoworld.hold(:id)"), {"id": composition.id}).scalar_one()
        savepoint = connection.begin_nested()
        number = _insert(connection, composition.id, name, start, person)
        connection.execute(text("SELECT compoworld.enter(:schema, :id, :id, true)"), {"schema": schema, "id": number})
        for table, items in by_table.items():
            _copy(connection, schema, table, items, number)
        filled = [entity for entity in _entities(composition) if entity.table().name in by_table]
        for entity in filled:
            _check_set(connection, entity)
        _keep_images(connection, filled, number)
        connection.execute(
            text(
                "UPDATE compoworld.snapshot s SET digest = compoworld.digest(s.id), row_count = :rows,"
                " loaded_generation = c.generation FROM compoworld.composition c"
                " WHERE s.id = :id AND c.id = s.composition_id"
            ),
            {"id": number, "rows": len(rows)},
        )
        same = connection.execute(
            text(
                "SELECT o.id FROM compoworld.snapshot o JOIN compoworld.snapshot s ON s.id = :id"
                " WHERE o.id <> s.id AND o.composition_id = s.composition_id AND o.digest = s.digest"
                " AND o.starts_at = s.starts_at AND o.step = s.step AND o.person = s.person ORDER BY o.id LIMIT 1"
            ),
            {"id": number},
        ).scalar()
        if same is None:
            savepoint.commit()
        else:
            savepoint.rollback()
            number = same
    composition.world.park_idle()
    return Snapshot.load(composition, number)


def _entities(composition: Composition) -> Iterable[type[Entity]]:
    return (entity for service in composition.services.values() for entity in service.entities)


def _insert(connection: Connection, composition: int, name: str, start: datetime, person: Person) -> int:
    number = connection.execute(
        text(
            "INSERT INTO compoworld.snapshot (composition_id, name, starts_at, person)"
            " VALUES (:composition, :name, :start, CAST(:person AS jsonb)) RETURNING id"
        ),
        {"composition": composition, "name": name, "start": start, "person": Jsonb(asdict(person))},
    ).scalar_one()
    return int(number)


def _copy(connection: Connection, schema: str, table: str, rows: list[Entity], snapshot: int) -> None:
    columns = list(rows[0].table().columns)
    json_columns = {column.name for column in columns if isinstance(column.type, JSONB)}
    names = [column.name for column in columns]
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(schema, f"{table}__rows"),
        sql.SQL(", ").join(map(sql.Identifier, [*names, "_branch", "_gone"])),
    )
    raw: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
    try:
        with raw.cursor().copy(statement) as copy:
            for row in rows:
                values = [
                    Jsonb(whole_numbers(getattr(row, name))) if name in json_columns and getattr(row, name) is not None
                    else getattr(row, name)
                    for name in names
                ]  # fmt: skip
                copy.write_row([*values, snapshot, False])
    except psycopg.errors.UniqueViolation as error:
        raise EntityInvalid(table, {"key": str(error.diag.message_detail or "occurs twice")}) from error
    except (psycopg.IntegrityError, psycopg.DataError) as error:
        raise EntityInvalid(table, {"row": str(error.diag.message_primary)}) from error


def _check_set(connection: Connection, entity: type[Entity]) -> None:
    table = entity.table()
    for names in uniques(table):
        listed = ", ".join(map(quote, names))
        given = " AND ".join(f"{quote(name)} IS NOT NULL" for name in names)
        twice = connection.exec_driver_sql(
            f"SELECT {listed} FROM {quote(table.name)} WHERE {given} GROUP BY {listed} HAVING count(*) > 1 LIMIT 1"
        ).first()
        if twice is not None:
            raise EntityInvalid(entity.__name__, {", ".join(names): f"{tuple(twice)} occurs twice"})
    for item in references(table):
        given = " AND ".join(f"c.{quote(name)} IS NOT NULL" for name in item.columns)
        pairs = zip(item.columns, item.target_columns, strict=True)
        match = " AND ".join(f"p.{quote(b)} = c.{quote(a)}" for a, b in pairs)
        orphan = connection.exec_driver_sql(
            f"SELECT {', '.join(f'c.{quote(name)}' for name in item.columns)} FROM {quote(table.name)} c"
            f" WHERE {given} AND NOT EXISTS (SELECT 1 FROM {quote(item.target)} p WHERE {match}) LIMIT 1"
        ).first()
        if orphan is not None:
            raise EntityInvalid(
                entity.__name__, {", ".join(item.columns): f"{tuple(orphan)}: there is no such {item.target}"}
            )


def _keep_images(connection: Connection, entities: list[type[Entity]], snapshot: int) -> None:
    """Keep every row in the catalog, in the form that Postgres itself gives it: one canonical form for all."""
    for entity in entities:
        name = entity.table().name
        canonical = "".join(
            f" || jsonb_build_object('{column.name}', compoworld.canonical(x.{quote(column.name)}))"
            for column in entity.table().columns
            if isinstance(column.type, JSONB)
        )
        connection.exec_driver_sql(
            "INSERT INTO compoworld.snapshot_row"
            f" SELECT {snapshot}, '{name}', {key_expression(entity.key_columns(), 'x')}, to_jsonb(x){canonical}"
            f" FROM {quote(name)} x"
        )
        connection.exec_driver_sql(f"ANALYZE {quote(name + '__rows')}")
