"""A desk whose notes are answered by a world model, on a database of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from engine.database import Database
from engine.simulation import WorldModel
from engine.world import World
from tests.synth.world_model.desk import library

Desk = Callable[[WorldModel | None], World]


@pytest.fixture
def desk(database_url: str) -> Iterator[Desk]:
    """``desk(world_model)``: a world on the test's database."""
    with ExitStack() as stack:

        def opened(model: WorldModel | None) -> World:
            return stack.enter_context(World(Database(database_url).open(), library(), world_model=model))

        yield opened
