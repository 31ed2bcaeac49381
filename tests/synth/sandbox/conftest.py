"""A world for generated code, where a sandbox can be had."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from sqlalchemy import text

from engine.calls import CallResult
from engine.database import Database
from engine.world import World
from synth.errors import SandboxUnavailable
from synth.sandbox import bubblewrap
from synth.sandbox.box import Box
from synth.sandbox.limits import MEBIBYTE, Limits
from tests.conftest import fresh_database
from tests.synth.sandbox import notebook

LEFT = """
SELECT 'role', rolname FROM pg_roles, pg_database d
WHERE d.datname = current_database() AND starts_with(rolname, 'compoworld_box_' || d.oid)
UNION ALL SELECT 'schema', nspname FROM pg_namespace WHERE nspname ~ '^(comp_[0-9]|compoworld_box_)'
UNION ALL SELECT 'sandbox', role FROM compoworld.sandbox
UNION ALL SELECT 'call', role FROM compoworld.sandbox_call
UNION ALL SELECT 'service', name FROM compoworld.service
UNION ALL SELECT 'composition', id::text FROM compoworld.composition
UNION ALL SELECT 'event', branch_id::text FROM compoworld.event
UNION ALL SELECT 'large object', oid::text FROM pg_largeobject_metadata
"""

LIMITS = Limits(
    call_seconds=2, test_seconds=6, start_seconds=20, memory=512 * MEBIBYTE, files=8 * MEBIBYTE, output=MEBIBYTE
)
"""Small enough that what breaks them is stopped soon."""


@pytest.fixture(scope="session")
def sandboxed() -> None:
    """Skips where generated code cannot be run, and says why."""
    try:
        bubblewrap.check()
    except SandboxUnavailable as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="package")
def world(server_url: str, sandboxed: None) -> Iterator[World]:
    with fresh_database(server_url) as url, World(Database(url).open()) as opened:
        yield opened


def left_behind(world: World) -> list[Any]:
    """What is in the database that came from a sandbox."""
    with world.database.transaction() as connection:
        return [tuple(row) for row in connection.execute(text(LEFT))]


@pytest.fixture
def box(world: World) -> Iterator[Callable[..., Box]]:
    """``box(body)``: the notebook with that body of ``probe``; when it is closed, nothing of it is left."""
    with ExitStack() as stack:

        def make(body: str = "return word", *, limits: Limits = LIMITS, **more: str) -> Box:
            return stack.enter_context(Box(world.database, notebook.NAME, notebook.files(body, **more), limits))

        yield make
    assert left_behind(world) == []


@pytest.fixture
def probe(box: Callable[..., Box]) -> Callable[..., CallResult]:
    """``probe(body)``: what a call of ``probe`` gives; afterwards the service still works."""

    def call(body: str, word: str = "", **more: Any) -> CallResult:
        opened = box(body, **more)
        branch = opened.snapshot().fork()
        result = notebook.call(branch, "probe", {"word": word})
        assert result.event == 1
        after = notebook.call(branch, "list_notes", {})
        assert after.ok, after.detail
        assert after.event == 2
        assert [event.tool for event in branch.events()] == ["probe", "list_notes"]
        return result

    return call
