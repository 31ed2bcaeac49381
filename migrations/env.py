"""Alembic's entry: runs the migrations on a given connection, or on the URL that CompoWorld would use."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, create_engine

from engine.database import sqlalchemy_url
from engine.postgres import database_url


def _run(connection: Connection) -> None:
    # Alembic's own table lives in the catalog's schema, so that a composition never meets it.
    connection.exec_driver_sql("CREATE SCHEMA IF NOT EXISTS compoworld")
    context.configure(connection=connection, version_table_schema="compoworld", transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    _run(given)
else:
    engine = create_engine(sqlalchemy_url(database_url().url))
    with engine.begin() as own:
        _run(own)
