from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from engine.database import Database
from engine.world import World
from rl.jobs import Worker
from tests.toys import library


@pytest.fixture
def own_world(database_url: str) -> Iterator[World]:
    """A world of the toys on a database of its own: a queue that nobody else works on."""
    with World(Database(database_url).open(), library()) as world:
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
