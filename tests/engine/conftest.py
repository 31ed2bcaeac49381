"""Worlds for the engine's tests, each on a database cloned from one that is migrated and holds the shop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest

from engine.branches import Branch
from engine.database import Database
from engine.kit import Service
from engine.library import Library
from engine.snapshots import Snapshot
from engine.world import World
from synth.world_model.scripted import ScriptedWorldModel
from tests.conftest import fresh_database
from tests.engine import rogue, shop
from tests.engine.oracle import Play, oracle

MakeWorld = Callable[..., World]


@pytest.fixture(scope="session")
def template(server_url: str) -> Iterator[str]:
    """Name of a migrated database in which the test services are composed and have a snapshot."""
    with fresh_database(server_url) as url:
        with World(Database(url).open(), Library([shop.service, rogue.service])) as world:
            world.compose("shop").snapshot()
            world.compose("rogue", "shop").snapshot()
        yield urlsplit(url).path.lstrip("/")


@pytest.fixture
def url(server_url: str, template: str) -> Iterator[str]:
    """A database of its own for the test."""
    with fresh_database(server_url, template) as cloned:
        yield cloned


@pytest.fixture(scope="module")
def shared_url(server_url: str, template: str) -> Iterator[str]:
    """A database for the tests of a module that only fork and call."""
    with fresh_database(server_url, template) as cloned:
        yield cloned


@pytest.fixture(scope="module")
def shared(shared_url: str) -> Iterator[World]:
    """A world for the tests of a module that only fork and call."""
    with World(Database(shared_url).open(), Library([shop.service, rogue.service]), tool_seconds=20) as world:
        yield world


@pytest.fixture
def make_world(url: str) -> Iterator[MakeWorld]:
    """``make_world(*services, **options)``: another world on the test's database."""
    with ExitStack() as stack:

        def make(*services: Service, pool_size: int = 20, **options: object) -> World:
            given = services or (shop.service, rogue.service)
            database = Database(url, pool_size=pool_size).open()
            return stack.enter_context(World(database, Library(given), **options))  # type: ignore[arg-type]

        yield make


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    """A world on a fresh database."""
    return make_world()


@pytest.fixture
def base(world: World) -> Snapshot:
    """The shop's seed state."""
    return world.compose("shop").snapshot()


@pytest.fixture
def branch(base: Snapshot) -> Branch:
    """A branch with the shop's seed state."""
    return base.fork()


@pytest.fixture
def play(make_world: MakeWorld) -> Play:
    """``play(*answers)``: a branch of a shop whose world model gives these answers."""

    def start(*answers: Any, **options: Any) -> Branch:
        model = ScriptedWorldModel(*answers, **options)
        return make_world(oracle(), world_model=model).compose("shop").snapshot().fork()

    return start
