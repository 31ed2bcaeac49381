from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.database import Database
from engine.world import World
from rl import make_agent, run_group
from rl.policies import Weights, weights_of
from tasks.store import StoredTask
from tests.rl.local.models import model, tokenizer
from tests.toys.fixtures import toy, toy_url, world

__all__ = ["toy", "toy_url", "world"]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tiny random weights and a small tokenizer."""
    folder = tmp_path_factory.mktemp("weights") / "tiny"
    model().save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


@pytest.fixture
def weights(world: World, tiny: Path) -> Weights:
    return weights_of(world, str(tiny))


@pytest.fixture(scope="session")
def played(world: World, toy: StoredTask) -> StoredTask:
    """The toy task, with ten rollouts, some of which succeed."""
    run_group(world, toy, make_agent("noisy", rate=0.05), size=10, seed=1)
    return toy


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs have their files."""
    monkeypatch.setenv("COMPOWORLD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def second_world(world: World) -> Iterator[World]:
    """Another program on the same database."""
    with World(Database(world.database.url).open(), world.library) as opened:
        yield opened
