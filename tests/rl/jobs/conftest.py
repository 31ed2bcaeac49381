from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from engine.database import Database
from engine.world import World
from rl.jobs import Worker
from tasks import put
from tests.conftest import fresh_database
from tests.toys import library, toy_task


@pytest.fixture(scope="session")
def migrated(server_url: str) -> Iterator[str]:
    """A database with the catalog and the toy task in it, to be copied."""
    with fresh_database(server_url) as url:
        with World(Database(url).open(), library()) as world:
            put(world, toy_task())
        yield url


@pytest.fixture
def own_world(server_url: str, migrated: str) -> Iterator[World]:
    """A world of the toys on a database of its own: a queue that nobody else works on."""
    with (
        fresh_database(server_url, urlsplit(migrated).path.lstrip("/")) as url,
        World(Database(url).open(), library()) as world,
    ):
        yield world


@contextmanager
def working(worker: Worker) -> Iterator[None]:
    """The worker works in another thread until the block ends."""
    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(worker.run)
        try:
            yield
        finally:
            worker.stop()
            ended.result(30)
