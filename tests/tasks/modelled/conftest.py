"""Nothing is left behind by an author."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.world import World
from tests.tasks.modelled.script import rows


@pytest.fixture(autouse=True)
def nothing_left_behind(world: World) -> Iterator[None]:
    """No branch and no snapshot of an author's outlives its sitting."""
    sql = (
        "SELECT (SELECT count(*) FROM compoworld.branch WHERE label = 'task author'),"
        " (SELECT count(*) FROM compoworld.snapshot WHERE name LIKE 'task author%')"
    )
    before = rows(world, sql)
    yield
    assert rows(world, sql) == before
