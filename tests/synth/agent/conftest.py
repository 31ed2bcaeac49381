"""A world for builds with a model's stand-in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.database import Database
from engine.world import World
from tests.conftest import fresh_database
from tests.synth.sandbox.conftest import sandboxed

__all__ = ["sandboxed"]


@pytest.fixture
def world(server_url: str, sandboxed: None) -> Iterator[World]:
    """A database of its own for each test: builds are numbered from 1."""
    with fresh_database(server_url) as url, World(Database(url).open()) as opened:
        yield opened
