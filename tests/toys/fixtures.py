"""Fixtures over the toys, for the conftest files of the tests that use them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.database import Database
from engine.world import World
from tasks.store import StoredTask, put
from tests.conftest import fresh_database
from tests.toys import library, toy_task


@pytest.fixture(scope="session")
def toy_url(server_url: str) -> Iterator[str]:
    """A database for the tests of one session."""
    with fresh_database(server_url) as url:
        yield url


@pytest.fixture(scope="session")
def world(toy_url: str) -> Iterator[World]:
    """A world of the toys and the real services."""
    with World(Database(toy_url).open(), library()) as opened:
        yield opened


@pytest.fixture(scope="session")
def toy(world: World) -> StoredTask:
    """The toy task, stored."""
    return put(world, toy_task())
