"""The target in a world: apart from everything else, and gone afterwards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from engine.world import World
from synth.attack.attack import attack_service
from synth.attack.world_target import WorldTarget
from synth.scratch import MARK, sweep
from tests.synth.attack.conftest import Census
from tests.synth.attack.shelf import shelf

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.integration


def test_branches_are_forked_called_and_compared(world: World) -> None:
    with WorldTarget(world, shelf()) as target:
        first = target.fork()
        assert target.digest(first) == target.digest(target.fork())
        assert target.call(first, "lend_book", {"book_id": "bok_0001"}).ok
        second = target.fork(first)
        assert target.digest(second) == target.digest(first) != target.digest(target.fork())
        assert target.calls == 1
        assert "list_books" in target.specifications
        assert not target.version.startswith(MARK)


def test_what_others_have_of_the_same_service_stays(attack_url: str, census: Census) -> None:
    from engine.database import Database
    from engine.library import Library

    with World(Database(attack_url).open(), Library([shelf()])) as world:
        snapshot = world.compose("shelf").snapshot()
        branch = snapshot.fork()
        before = census()
        attack_service(world, "shelf")
        assert census() == before
        assert branch.call("shelf", "get_book", book_id="bok_0001").ok


def test_an_error_in_the_block_leaves_nothing(world: World, census: Census) -> None:
    before = census()
    with pytest.raises(RuntimeError), WorldTarget(world, shelf()) as target:
        target.fork()
        raise RuntimeError("stop")
    assert census() == before


KILLED = """
import os, sys
from engine.database import Database
from engine.world import World
from synth.attack.world_target import WorldTarget
from tests.synth.attack.shelf import shelf
target = WorldTarget(World(Database(sys.argv[1]).open()), shelf())
target.__enter__()
target.fork()
os._exit(9)
"""


def test_what_a_killed_attack_left_is_swept(world: World, attack_url: str, census: Census) -> None:
    before = census()
    done = subprocess.run([sys.executable, "-c", KILLED, attack_url], cwd=ROOT, check=False, timeout=60)
    assert done.returncode == 9 and census() != before
    assert sweep(world.database) == 0  # it may be one that has just begun
    with WorldTarget(world, shelf()), psycopg.connect(attack_url, autocommit=True) as connection:
        connection.execute("UPDATE compoworld.composition SET last_used_at = now() - interval '1 hour'")
        assert sweep(world.database) == 1  # the other one is running
    assert census() == before


def test_unknown_arguments_reach_the_service_as_they_are(world: World) -> None:
    odd: dict[str, Any] = {"book_id": "'; DROP TABLE x; --"}
    with WorldTarget(world, shelf()) as target:
        result = target.call(target.fork(), "get_book", odd)
        assert result.outcome == "error" and result.changes == 0
