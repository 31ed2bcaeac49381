"""Services in play, on the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from engine.database import Database
from engine.kit import Entity
from engine.snapshots import Snapshot
from engine.world import World
from tests.conftest import fresh_database
from tests.services.play import Play


@pytest.fixture(scope="session")
def world(server_url: str) -> Iterator[World]:
    """A world for all tests of services: each forks a branch of its own."""
    with fresh_database(server_url) as url, World(Database(url).open()) as opened:
        yield opened


@pytest.fixture(scope="session")
def seeded(world: World) -> Callable[..., Snapshot]:
    """``seeded("mail", "chat")``: those services with their seed data."""
    made: dict[tuple[str, ...], Snapshot] = {}

    def get(*names: str) -> Snapshot:
        if names not in made:
            made[names] = world.compose(*names).snapshot()
        return made[names]

    return get


@pytest.fixture
def play(seeded: Callable[..., Snapshot]) -> Callable[..., Play]:
    """``play("mail", "chat")`` gives those services with their seed data in a fresh state.

    ``edit`` may change the seed's rows first: it gets each of them.
    """

    def make(*names: str, edit: Callable[[Entity], None] | None = None) -> Play:
        snapshot = seeded(*names)
        if edit is not None:
            rows = snapshot.composition.seed_rows()
            for row in rows:
                edit(row)
            snapshot = snapshot.composition.snapshot(rows, name="edited")
        return Play(snapshot.fork())

    return make
