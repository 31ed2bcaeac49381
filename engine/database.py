"""The database behind a world: connections, migration, errors of the server in our own terms."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.resources import files
from typing import Any, ParamSpec, TypeVar

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from engine._dialect import DRIVER
from engine.errors import Conflicted, DatabaseUnavailable, InfrastructureError, InputError, NotFound, Refused
from engine.locks import Lock
from engine.postgres import normalise_url

MIGRATION_LOCK = 7201
"""Advisory lock that one migrating process holds; class 7202 locks compositions."""

OLDEST_SERVER = 15

TRIES = 20
"""How often something is tried while other transactions are in the way."""

_LIFE = 60
"""Seconds after which a pooled connection makes room for a fresh one. A server process keeps the plans of every
composition it has met, also of those that are parked since, and goes through them whenever a table comes or goes."""

_CONNECT: dict[str, Any] = {"application_name": "compoworld", "connect_timeout": 10, "client_encoding": "utf8"}

# What values look like as text, and with that states and digests, hangs on these. They are set on the open connection:
# PGTZ, PGDATESTYLE and their like in the environment win over anything that is asked for when it is opened.
SETTINGS = (
    "SET timezone = 'UTC'; SET datestyle = 'ISO, MDY'; SET intervalstyle = 'postgres';"
    " SET standard_conforming_strings = on; SET extra_float_digits = 1"
)

P = ParamSpec("P")
T = TypeVar("T")

# From 16 on a member may still lack the right to SET ROLE.
_MISSING_GRANTS = """
SELECT concat_ws(' ',
    CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')
         THEN format('GRANT CREATE ON DATABASE %I TO %I;', current_database(), current_user) END,
    CASE WHEN r.oid IS NULL THEN 'CREATE ROLE compoworld_verifier NOLOGIN;' END,
    CASE WHEN r.oid IS NULL OR NOT pg_has_role(
                  r.oid, CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END)
         THEN format('GRANT compoworld_verifier TO %I;', current_user) END)
FROM (SELECT) AS one LEFT JOIN pg_roles r ON r.rolname = 'compoworld_verifier'
"""

_alembic = threading.Lock()
"""Alembic keeps its context in the process: one migration at a time."""


def sqlalchemy_url(url: str) -> str:
    """A ``postgresql://`` URL with SQLAlchemy's name of our dialect."""
    return DRIVER + url.removeprefix("postgresql")


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    return config


def settle(connection: psycopg.Connection[Any]) -> None:
    """Give a new connection the settings on which everything else relies."""
    connection.execute(SETTINGS)
    connection.commit()


class Database:
    """A pool of connections to a migrated database.

    Args:
        url: a libpq URL, ``postgresql://...``.
        pool_size: connections kept; as many again may be opened under load.

    Raises:
        InputError: the URL is malformed.
        DatabaseUnavailable: the server does not answer, is older than PostgreSQL 15, or holds a newer catalog.
    """

    def __init__(self, url: str, *, pool_size: int = 20) -> None:
        if not isinstance(url, str):
            raise InputError(f"a database URL is a text, not {type(url).__name__}")
        if "\x00" in url:
            raise InputError("a database URL cannot contain a NUL character")
        self.url = normalise_url(url)
        self.pool_size = pool_size
        self.engine: Engine = create_engine(
            sqlalchemy_url(self.url),
            pool_size=pool_size,
            max_overflow=pool_size,
            pool_timeout=60,
            pool_recycle=_LIFE,
            pool_reset_on_return="rollback",
            connect_args=_CONNECT,
        )
        event.listen(self.engine, "connect", lambda connection, _record: settle(connection))
        self._migrated = False
        self._lock = threading.Lock()

    def open(self) -> Database:
        """Check the server and bring the catalog to the newest version, whoever else does so now."""
        with self._lock:
            if not self._migrated:
                try:
                    self._migrate()
                except BaseException:
                    self.engine.dispose()
                    raise
                self._migrated = True
        return self

    def _migrate(self) -> None:
        config = _alembic_config()
        script = ScriptDirectory.from_config(config)
        try:
            with self.engine.connect() as connection:
                version = connection.connection.driver_connection.info.server_version  # type: ignore[union-attr]
                if version < OLDEST_SERVER * 10_000:
                    raise DatabaseUnavailable(
                        f"the server runs PostgreSQL {version // 10_000}",
                        hint=f"CompoWorld needs PostgreSQL {OLDEST_SERVER} or newer",
                    )
                encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
                if encoding != "UTF8":
                    raise DatabaseUnavailable(
                        f"the database {self.safe_url} is encoded in {encoding}",
                        hint="CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0",
                    )
                if self._current(connection) == script.get_current_head():
                    return
            with _alembic, self.engine.begin() as connection:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
                current = self._current(connection)
                known = {item.revision for item in script.walk_revisions()}
                if current is not None and current not in known:
                    raise DatabaseUnavailable(
                        f"the database's catalog is of version {current}, which this program does not know",
                        hint="install the newer CompoWorld that made it, or use another database",
                    )
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except ProgrammingError as error:
            if not isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
                message = f"cannot make the catalog in {self.safe_url}: {_first_line(error)}"
                raise DatabaseUnavailable(message) from error
            raise DatabaseUnavailable(
                f"{self.engine.url.username} may not set up {self.safe_url}: {_first_line(error)}",
                hint=self._missing_grants(),
            ) from error
        except OperationalError as error:
            raise DatabaseUnavailable(f"cannot reach {self.safe_url}: {_first_line(error)}") from error
        except DBAPIError as error:
            raise DatabaseUnavailable(f"cannot make the catalog in {self.safe_url}: {_first_line(error)}") from error

    def _missing_grants(self) -> str:
        with self.engine.connect() as connection:
            missing = connection.exec_driver_sql(_MISSING_GRANTS.replace("%", "%%")).scalar()
        return f"a superuser runs once: {missing}" if missing else "it must own the schemas that are there already"

    def _current(self, connection: Connection) -> str | None:
        context = MigrationContext.configure(connection, opts={"version_table_schema": "compoworld"})
        return context.get_current_revision()

    @property
    def safe_url(self) -> str:
        """The URL without its password, for messages."""
        return self.engine.url.render_as_string(hide_password=True).replace(DRIVER, "postgresql")

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection in a transaction, committed at the end; errors of the server in our own terms."""
        with translated(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def raw(self) -> Iterator[psycopg.Connection[Any]]:
        """A psycopg connection of its own, outside the pool (for COPY and session locks)."""
        with translated(), psycopg.connect(self.url, **_CONNECT) as connection:
            settle(connection)
            yield connection

    @contextmanager
    def alone(self, kind: int, number: int) -> Iterator[Lock]:
        """Hold a session-level advisory lock, which is false where somebody else has it.

        It goes with its connection: whoever holds it for long looks whether it is still held (``Lock.renew``).

        Args:
            kind: class of the lock.
        """
        lock = Lock(self.raw, kind, number)
        lock.renew()
        try:
            yield lock
        finally:
            lock.release()

    def close(self) -> None:
        """Close every pooled connection."""
        self.engine.dispose()


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors that our SQL raises, and a lost server, into the engine's exceptions."""
    try:
        yield
    except (DBAPIError, psycopg.Error, PoolTimeout) as error:
        raise translate(error) from error


def retried(function: Callable[P, T]) -> Callable[P, T]:
    """Run a whole transaction again when another was in the way; it must leave nothing behind when it fails."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(TRIES - 1):
            try:
                return function(*args, **kwargs)
            except Conflicted:
                pass
        return function(*args, **kwargs)

    return run


def translate(error: BaseException) -> Exception:
    """The engine's exception for one of the driver's."""
    if isinstance(error, PoolTimeout):
        return DatabaseUnavailable(
            "every connection of the pool is in use", hint="fewer calls at once, or a larger pool"
        )
    original = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(original, psycopg.Error):
        return InfrastructureError(f"database: {original}")
    text = original.diag.message_primary or str(original).strip()
    hint = original.diag.message_hint
    match original.sqlstate:
        case "CW404":
            return NotFound(text, hint=hint)
        case "CW409":
            return Refused(text, hint=hint)
        case "40001" | "40P01":
            return Conflicted(text)
        case None if not isinstance(original, psycopg.OperationalError):
            return InfrastructureError(f"database: {text}")
        case None if not isinstance(original, psycopg.OperationalError | psycopg.InterfaceError):
            return InfrastructureError(f"database: {text}", hint=hint)
        case None | "57P01" | "57P02" | "57P03" | "08006" | "08003" | "08001" | "53300":
            return DatabaseUnavailable(f"the database connection was lost: {text}")
        case _:
            return InfrastructureError(f"database: {text}", hint=hint)


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).strip().splitlines()[0]
