"""The Postgres of the tests, and a database of its own for each test that asks for one.

In this order: the server of ``COMPOWORLD_DATABASE_URL``; a container where a Docker daemon answers; the
embedded server in its throw-away mode, with the programs in ``COMPOWORLD_TEST_PG_BIN`` if that is set.
"""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from engine.postgres import URL_VARIABLE, EmbeddedServer, normalise_url

PROGRAMS_VARIABLE = "COMPOWORLD_TEST_PG_BIN"
_DOCKER_SECONDS = 3


@pytest.fixture(scope="session")
def server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Postgres server on which tests may make databases."""
    given = os.environ.get(URL_VARIABLE, "").strip()
    programs = os.environ.get(PROGRAMS_VARIABLE, "").strip()
    if given:
        yield normalise_url(given, URL_VARIABLE)
    elif not programs and _docker_answers():
        yield from _container()
    else:
        # Parallel workers have a folder in common above their own: the first of them starts the
        # server, the last one deletes it.
        base = tmp_path_factory.getbasetemp()
        shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
        bin_dir = Path(programs) if programs else None
        with EmbeddedServer(shared / "postgres", throwaway=True, bin_dir=bin_dir) as server:
            yield server.url


@pytest.fixture
def database_url(server_url: str) -> Iterator[str]:
    """An empty database, dropped after the test."""
    with fresh_database(server_url) as url:
        yield url


@contextmanager
def fresh_database(server_url: str, template: str = "template1") -> Iterator[str]:
    """Make a database from a template; drop it at the end, whoever is still connected."""
    name = sql.Identifier(f"test_{uuid.uuid4().hex}")
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(name, sql.Identifier(template)))
        try:
            yield with_database(server_url, name.as_string().strip('"'))
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def with_database(url: str, name: str) -> str:
    """The same server's URL with another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _docker_answers() -> bool:
    """Ask in a process of its own: the client leaves sockets open when nobody answers."""
    ping = f"import docker; docker.from_env(timeout={_DOCKER_SECONDS}).ping()"
    try:
        done = subprocess.run(
            [sys.executable, "-c", ping], capture_output=True, timeout=5 * _DOCKER_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _container() -> Iterator[str]:
    from testcontainers.postgres import PostgresContainer

    with PostgresContainer("postgres:18", driver=None) as container:
        yield normalise_url(container.get_connection_url(), "the container's URL")
