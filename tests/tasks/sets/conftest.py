from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.world import World
from synth.shelf import world_with_shelf
from tests.conftest import fresh_database
from tests.tasks.sets.fake import FakeWorkshop


@pytest.fixture
def world(server_url: str) -> Iterator[World]:
    """A world of the library on a database of its own."""
    with fresh_database(server_url) as url, world_with_shelf(url) as opened:
        yield opened


@pytest.fixture
def workshop(tmp_path: Path) -> FakeWorkshop:
    """A workshop in which everything goes well."""
    return FakeWorkshop(tmp_path / "diary")
