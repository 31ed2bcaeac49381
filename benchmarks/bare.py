"""Baselines in bare psycopg: what the same work costs without our Python, or with copies instead of branches."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg
from psycopg.types.json import Jsonb
from sqlalchemy import Connection
from sqlalchemy.schema import CreateTable

from engine.database import Database
from engine.kit import Entity, Service


def entities_of(services: list[Service]) -> list[type[Entity]]:
    """Every entity of the services."""
    return [entity for service in services for entity in service.entities]


_LOCK = """
SELECT b.head + 1, s.starts_at + (b.head + 1) * s.step, c.schema_name, s.id
FROM compoworld.branch b JOIN compoworld.snapshot s ON s.id = b.snapshot_id
JOIN compoworld.composition c ON c.id = b.composition_id
WHERE b.id = %s FOR NO KEY UPDATE OF b
"""
_ENTER = """
SELECT set_config('search_path', %s, true), set_config('compoworld.branch', %s, true),
    set_config('compoworld.base', %s, true), set_config('compoworld.event', %s, true),
    set_config('compoworld.ordinal', '0', true), set_config('compoworld.read_only', 'off', true)
"""
_LOG = """
INSERT INTO compoworld.event (branch_id, seq, service, tool, arguments, observation, outcome, changes, logical_time,
    started_at, duration_ms)
VALUES (%s, %s, %s, 'change_item', %s, %s, 'ok', 1, %s, %s, %s)
"""


def call(connection: psycopg.Connection[Any], branch: int, service: str, item: str, title: str) -> None:
    """One ``change_item`` call as statements of one transaction: lock, enter, read, write, log, commit.

    The triggers of the view write the row change, as they do for every writer.
    """
    start, started_at = time.perf_counter(), datetime.now(UTC)
    seq, logical_time, schema, base = connection.execute(_LOCK, (branch,)).fetchone() or (0, None, "", 0)
    connection.execute(_ENTER, (schema, str(branch), str(base), str(seq)))
    connection.execute("SAVEPOINT tool")
    read = f"SELECT id, title, owner, amount, changed_at FROM {service}_item WHERE id = %s"
    found = connection.execute(read.encode(), (item,)).fetchone()
    assert found is not None
    connection.execute(f"UPDATE {service}_item SET title = %s WHERE id = %s".encode(), (title, item))
    data = {"id": found[0], "title": title, "owner": found[2], "amount": float(found[3]), "at": str(found[4])}
    values = (
        branch, seq, service, Jsonb({"id": item, "title": title}), Jsonb({"ok": True, "data": data}), logical_time,
        started_at, (time.perf_counter() - start) * 1000,
    )  # fmt: skip
    connection.execute(_LOG, values)
    connection.execute("UPDATE compoworld.branch SET head = %s WHERE id = %s", (seq, branch))
    connection.commit()


def create_plain_tables(connection: Connection, services: list[Service]) -> None:
    """The same entities as ordinary tables with their keys, references and indexes."""
    for entity in entities_of(services):
        connection.execute(CreateTable(entity.table()))
        for index in entity.table().indexes:
            index.create(connection)


@contextmanager
def template_database(database: Database, schema: str, snapshot: int, services: list[Service]) -> Iterator[str]:
    """A database that holds a snapshot's rows in plain tables, to be copied by ``CREATE DATABASE ... TEMPLATE``."""
    name = f"compoworld_bench_{uuid.uuid4().hex[:12]}"
    admin = database.engine.execution_options(isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    try:
        plain = Database(database.engine.url.set(database=name, drivername="postgresql").render_as_string(False))
        with plain.engine.begin() as connection:
            create_plain_tables(connection, services)
            target: Any = connection.connection.driver_connection
            with database.engine.connect() as source_connection:
                source: Any = source_connection.connection.driver_connection
                for entity in entities_of(services):
                    _pipe(source, target, schema, entity.table().name, snapshot)
        plain.close()
        yield name
    finally:
        with admin.connect() as connection:
            connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")


def _pipe(source: Any, target: Any, schema: str, table: str, snapshot: int) -> None:
    columns = "id, title, owner, amount, changed_at" + ("" if table.endswith("_item") else ", item_id")
    read = f"COPY (SELECT {columns} FROM {schema}.{table}__rows WHERE _branch = {snapshot}) TO STDOUT"
    with (
        source.cursor().copy(read) as out,
        target.cursor().copy(f"COPY {table} ({columns}) FROM STDIN") as into,
    ):
        for block in out:
            into.write(block)


def copy_database(database: Database, template: str) -> None:
    """One fork by copying a database, with the time that is counted; the copy is dropped by ``drop_copies``."""
    with database.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {template}_{uuid.uuid4().hex[:8]} TEMPLATE {template}")


def drop_copies(database: Database, template: str) -> None:
    """Drop the copies of a template database."""
    with database.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        names = connection.exec_driver_sql(
            "SELECT datname FROM pg_database WHERE datname LIKE %s", (f"{template}\\_%",)
        ).scalars()
        for name in list(names):
            connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")


def copy_schema(connection: Connection, source: str, services: list[Service], snapshot: int, target: str) -> None:
    """One fork by copying a schema: plain tables with indexes and the rows of a snapshot."""
    connection.exec_driver_sql(f"CREATE SCHEMA {target}")
    for entity in entities_of(services):
        name = entity.table().name
        columns = ", ".join(column.name for column in entity.table().columns)
        connection.exec_driver_sql(
            f"CREATE TABLE {target}.{name} AS SELECT {columns} FROM {source}.{name}__rows WHERE _branch = {snapshot};"
            f" ALTER TABLE {target}.{name} ADD PRIMARY KEY (id);"
            f" CREATE INDEX ON {target}.{name} (owner)"
        )
