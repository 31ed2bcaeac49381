"""SQLAlchemy's psycopg dialect with savepoints sent as they are.

The stock dialect compiles an expression for each SAVEPOINT and RELEASE, which costs a tool call a fifth of its time.
"""

from __future__ import annotations

from typing import Any

from psycopg.pq import ExecStatus
from sqlalchemy import Connection
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

DRIVER = "postgresql+compoworld"


class Dialect(PGDialect_psycopg):
    """psycopg, with plain savepoints."""

    supports_statement_cache = True

    def do_savepoint(self, connection: Connection, name: str) -> None:
        # libpq's own call: nothing to adapt, to prepare or to fetch.
        result = _driver(connection).pgconn.exec_(f"SAVEPOINT {name}".encode())
        if result.status != ExecStatus.COMMAND_OK:
            _driver(connection).execute(f"SAVEPOINT {name}")  # again, for psycopg's exception

    def do_rollback_to_savepoint(self, connection: Connection, name: str) -> None:
        _driver(connection).execute(f"ROLLBACK TO SAVEPOINT {name}")

    def do_release_savepoint(self, connection: Connection, name: str) -> None:
        """Nothing: the commit of the transaction, which always follows, releases it."""


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection


registry.register("postgresql.compoworld", __name__, "Dialect")
