"""SQLAlchemy's psycopg dialect with savepoints sent as they are, and with an eye on the statements of tools.

The stock dialect compiles an expression for each SAVEPOINT and RELEASE, which costs a tool call a fifth of its time. An
event listener would do for the statements, but while there is one, SQLAlchemy dispatches every event there is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from psycopg.pq import ExecStatus
from sqlalchemy import Connection
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from engine.errors import ToolViolation

DRIVER = "postgresql+compoworld"

TOOL_OPTION = "compoworld_tool"
"""Execution option of a connection whose statements come from a tool."""

# What no tool's statement has: functions that leave the branch or look at the server, and the engine's own tables.
_ASTRAY = re.compile(
    r'\b(?:set_config|current_setting|pg_\w+|lo_\w+|dblink\w*|\w+_to_xml\w*|nextval|setval)"?\s*\('
    r"|\bcompoworld(?:_here)?\b|__rows\b",
    re.IGNORECASE,
)


@lru_cache(4096)
def _leads_astray(statement: str) -> bool:
    return _ASTRAY.search(statement) is not None


class Dialect(PGDialect_psycopg):
    """psycopg, with plain savepoints."""

    supports_statement_cache = True

    def do_execute(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        if context is not None and TOOL_OPTION in context.execution_options and _leads_astray(statement):
            raise ToolViolation("a tool tried to reach out of its branch in SQL")
        cursor.execute(statement, parameters)

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
