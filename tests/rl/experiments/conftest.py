from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.world import World
from rl.experiments.config import Config, read_config
from tasks.sets import insert_set, make
from tasks.sets.by_family import FamilyWorkshop
from tasks.sets.document import TaskSet
from tests.rl.training.conftest import home, tiny
from tests.toys.fixtures import toy_url, world

__all__ = ["home", "tiny", "toy_url", "world"]

SHORT = {"level": "short", "services": [2, 2], "length": [2, 2], "distractors": [0, 0]}


@pytest.fixture(scope="session")
def short(world: World) -> TaskSet:
    """Three short tasks over different compositions."""
    return make(world, 3, name="short", seed=3, workshop=FamilyWorkshop(), dials=SHORT)


def copied(world: World, short: TaskSet, name: str) -> None:
    """The same set under another name, not divided."""
    insert_set(world, replace(short, name=name, id=None))


def tiny_config(kind: str, weights: Path, *values: str) -> Config:
    """An experiment of seconds, with those weights."""
    path = Path(__file__).parent / "tiny" / f"{kind}.yaml"
    return read_config(kind, path=path, values=(f"base={weights}", *values))
