"""The database role of a sandbox: made with its views for one service in one composition, dropped after use."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from engine.database import Database, retried, translated
from engine.ddl import Place, views_ddl
from engine.kit import Service
from engine.tables import quote
from synth.errors import SandboxUnavailable
from synth.sandbox.inside.names import DOORS
from synth.sandbox.limits import Limits

PREFIX = "compoworld_box_"

_OPEN = text("SELECT compoworld.open_sandbox(:role, :password, :composition, :service, :connections, :settings)")
_CLOSE = text("SELECT compoworld.close_sandbox(:role)")
_ORDER = "SELECT compoworld.order_call(%s, %s, %s, %s, %s)"
_MADE = """
SELECT e.seq, e.outcome, e.observation, e.changes, e.duration_ms, e.detail
FROM compoworld.sandbox_call c JOIN compoworld.event e ON e.branch_id = c.branch_id AND e.seq = c.seq
WHERE c.role = %s AND c.done
"""


@dataclass
class Role:
    """A role that is open.

    Attributes:
        name: of the role and of the schema of its views.
    """

    database: Database
    name: str
    _password: str
    _lease: psycopg.Connection[Any]

    def login(self) -> psycopg.Connection[Any]:
        """A connection in this role."""
        address = make_conninfo(
            self.database.url,
            user=self.name,
            password=self._password,
            sslmode="disable",
            gssencmode="disable",
            application_name="compoworld sandbox",
            connect_timeout=10,
            client_encoding="utf8",
        )
        return psycopg.connect(address, autocommit=True)

    def order(self, branch: int, tool: str, arguments: dict[str, Any], read_only: bool) -> None:
        """Order a call: the only one that the sandbox can make until the next is ordered."""
        with self.database.transaction() as connection:
            connection.exec_driver_sql(_ORDER, (self.name, branch, tool, Jsonb(arguments), read_only))

    def made(self) -> Any:
        """The event of the call that was ordered; ``None`` where it has not come to its end."""
        with self.database.transaction() as connection:
            return connection.exec_driver_sql(_MADE, (self.name,)).first()

    def cancel(self) -> None:
        """End what the role still does in the database."""
        with self.database.transaction() as connection:
            connection.execute(
                text("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = :role"),
                {"role": self.name},
            ).all()

    def close(self) -> None:
        """Drop the role with all that it has."""
        try:
            with self.database.transaction() as connection:
                connection.execute(_CLOSE, {"role": self.name})
        finally:
            # At once: closing alone lets go of the locks a moment later.
            with contextlib.suppress(psycopg.Error):
                self._lease.execute("SELECT pg_advisory_unlock_all()")
            self._lease.close()


def open_role(database: Database, composition: int, service: Service, limits: Limits) -> Role:
    """Make a role for a service in a composition, whose schema stands until the role is closed.

    Args:
        composition: its number.

    Raises:
        SandboxUnavailable: the server does not let us make roles, or the new one cannot log in.
    """
    sweep(database)
    with database.transaction() as connection:
        number = connection.execute(text("SELECT oid FROM pg_database WHERE datname = current_database()")).scalar_one()
    name = f"{PREFIX}{number}_{secrets.token_hex(8)}"
    password = secrets.token_hex(24)
    settings = {
        "statement_timeout": f"{int(limits.call_seconds * 1000)}",
        "lock_timeout": "5000",
        "idle_in_transaction_session_timeout": f"{int((limits.call_seconds + 5) * 1000)}",
        "client_connection_check_interval": "1000",
        "temp_file_limit": "262144",
        "work_mem": "8192",
        "max_parallel_workers_per_gather": "0",
        "jit": "off",
    }
    with translated():
        lease = psycopg.connect(database.url, autocommit=True, application_name="compoworld")
    try:
        lease.execute("SELECT pg_advisory_lock_shared(7203, %s::int)", (composition,))
        schema = _held(database, composition)
        place = Place(
            rows=quote(schema),
            views=name,
            branch=f"(SELECT {DOORS}.branch())",
            base=f"(SELECT {DOORS}.base())",
            event="compoworld.sandboxed_event",
            log="compoworld.sandboxed_change",
            reader=name,
            barrier=True,
            rights=" SECURITY DEFINER SET search_path = pg_catalog, pg_temp",
        )
        with database.transaction() as connection:
            number = connection.exec_driver_sql(
                "SELECT compoworld.open_sandbox(%s, %s, %s, %s, %s, %s)",
                (name, password, composition, service.name, limits.connections, Jsonb(settings)),
            ).scalar_one()
            raw: Any = connection.connection.driver_connection
            # Before anybody can see it: a sandbox whose lock is free is taken for abandoned.
            lease.execute("SELECT pg_advisory_lock(7207, %s::int)", (number % 2147483647,))
            statements = views_ddl(service, place)
            if statements:
                raw.execute(statements)
            for entity in service.entities:
                raw.execute(f"GRANT INSERT, UPDATE, DELETE ON {name}.{quote(entity.table().name)} TO {name}")
    except BaseException as error:
        lease.close()
        cause = error.__cause__
        if isinstance(cause, DBAPIError) and isinstance(cause.orig, psycopg.errors.InsufficientPrivilege):
            raise _no_right(database) from error
        raise
    role = Role(database, name, password, lease)
    try:
        role.login().close()
    except psycopg.Error as error:
        role.close()
        said = str(error).strip().splitlines()[-1]
        raise SandboxUnavailable(
            f"generated code cannot be run with this database: its role cannot log in: {said}",
            "the server must let new roles in with a password, over an unencrypted connection or a Unix socket",
        ) from error
    return role


@retried
def _held(database: Database, composition: int) -> str:
    with database.transaction() as connection:
        return str(connection.execute(text("SELECT compoworld.hold(:id)"), {"id": composition}).scalar_one())


def _no_right(database: Database) -> SandboxUnavailable:
    return SandboxUnavailable(
        f"generated code cannot be run with this database: {database.engine.url.username} may not make roles",
        f"a superuser runs once: ALTER ROLE {quote(str(database.engine.url.username))} CREATEROLE;",
    )


def sweep(database: Database) -> list[str]:
    """Close sandboxes whose process is gone; their names."""
    with database.transaction() as connection:
        left = list(connection.execute(text("SELECT compoworld.abandoned_sandboxes()")).scalars())
    for name in left:
        with contextlib.suppress(Exception), translated(), database.transaction() as connection:
            connection.execute(_CLOSE, {"role": name})
    return left
