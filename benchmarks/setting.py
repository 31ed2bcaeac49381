"""What every benchmark works on: a database of its own on the same server, and a world over synthetic services."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property

import psycopg
from sqlalchemy import Engine
from sqlalchemy.exc import ProgrammingError

from benchmarks.load import synthetic_services
from engine.branches import Branch
from engine.compositions import Composition
from engine.database import Database, translated
from engine.errors import DatabaseUnavailable
from engine.kit import Service
from engine.library import Library
from engine.postgres import database_url
from engine.snapshots import Snapshot
from engine.world import World

SERVICES = 10
SMALL_ROWS = 40
"""Rows in each of the 50 entities: 2,000 in all."""
LARGE_ROWS = 8_000
"""Rows in each of the 50 entities: 400,000 in all."""


@dataclass
class Setting:
    """The world of a benchmark run.

    Attributes:
        quick: a tenth of the repetitions and of the large state, to see that all runs.
        small, large: the synthetic services, ten of them with few and with many rows.
    """

    world: World
    quick: bool
    small: list[Service]
    large: list[Service]
    stack: ExitStack = field(repr=False)

    def times(self, number: int) -> int:
        """How often to repeat, given the full number."""
        return max(3, number // 10) if self.quick else number

    @cached_property
    def small_composition(self) -> Composition:
        """Ten services, 50 entities."""
        return self.world.compose(*(service.name for service in self.small))

    @cached_property
    def small_snapshot(self) -> Snapshot:
        """2,000 rows."""
        return self.small_composition.snapshot()

    @cached_property
    def large_snapshot(self) -> Snapshot:
        """400,000 rows (40,000 in a quick run)."""
        return self.world.compose(*(service.name for service in self.large)).snapshot()

    def branch(self) -> Branch:
        """A fresh branch of the small snapshot, with a connection warmed up."""
        return self.small_snapshot.fork(label="bench")


def _create(admin: Engine, name: str) -> None:
    with translated(), admin.connect() as connection:
        try:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        except ProgrammingError as error:
            if not isinstance(error.orig, psycopg.errors.InsufficientPrivilege):
                raise
            role = connection.exec_driver_sql("SELECT quote_ident(current_user)").scalar_one()
            raise DatabaseUnavailable(
                f"{role} may not create databases on this server",
                hint=f"a superuser runs once: ALTER ROLE {role} CREATEDB",
            ) from error


@contextmanager
def benchmark_setting(*, quick: bool, url: str | None = None) -> Iterator[Setting]:
    """Make the database and the world; drop everything at the end.

    Args:
        url: the server to measure; by default the one that CompoWorld uses.

    Raises:
        DatabaseUnavailable: the server cannot be reached, or its role may not create databases.
    """
    home = Database(url or database_url().url)
    name = f"compoworld_bench_{uuid.uuid4().hex[:12]}"
    admin = home.engine.execution_options(isolation_level="AUTOCOMMIT")
    try:
        _create(admin, name)
    except BaseException:
        home.close()
        raise
    try:
        with ExitStack() as stack:
            small = stack.enter_context(synthetic_services("small", SERVICES, SMALL_ROWS))
            rows = LARGE_ROWS // 10 if quick else LARGE_ROWS
            large = stack.enter_context(synthetic_services("large", SERVICES, rows))
            target = home.engine.url.set(database=name, drivername="postgresql").render_as_string(False)
            world = stack.enter_context(World(Database(target).open(), Library([*small, *large])))
            yield Setting(world, quick, small, large, stack)
    finally:
        with admin.connect() as connection:
            connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
        home.close()
