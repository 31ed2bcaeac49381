"""A world for the tests of the attack, and a look at everything in its database."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from engine.database import Database
from engine.world import World
from tests.conftest import fresh_database

Census = Callable[[], dict[str, int]]


@pytest.fixture(scope="session")
def attack_url(server_url: str) -> Iterator[str]:
    """A database for the tests of one session: attacks leave nothing behind."""
    with fresh_database(server_url) as url:
        yield url


@pytest.fixture(scope="session")
def world(attack_url: str) -> Iterator[World]:
    """A world on it."""
    with World(Database(attack_url).open()) as opened:
        yield opened


@pytest.fixture
def census(attack_url: str) -> Census:
    """Rows of every table of the catalog, and how many schemas and relations there are."""

    def count() -> dict[str, int]:
        with psycopg.connect(attack_url) as connection:
            tables = [
                row[0]
                for row in connection.execute(
                    "SELECT tablename FROM pg_tables WHERE schemaname = 'compoworld' ORDER BY 1"
                )
            ]
            found = {}
            for table in tables:
                row = connection.execute(f'SELECT count(*) FROM compoworld."{table}"').fetchone()  # type: ignore[arg-type]
                found[table] = row[0] if row else 0
            for what in ("pg_namespace", "pg_class", "pg_proc", "pg_type"):
                row = connection.execute(f"SELECT count(*) FROM {what}").fetchone()  # type: ignore[arg-type]
                found[what] = row[0] if row else 0
            return found

    return count
