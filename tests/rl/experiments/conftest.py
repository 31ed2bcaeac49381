from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from engine.world import World
from rl.experiments.config import Config, read_config
from tasks.authoring import plans, write
from tasks.sets import insert_set, make
from tasks.sets.by_family import FamilyWorkshop, dials_of
from tasks.sets.document import Member, TaskSet, composition_of
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


def written(world: World, name: str, services: Collection[str]) -> None:
    """A set of one short task over each two of these services, as they are written: no gate has seen them."""
    found: dict[tuple[str, ...], Member] = {}
    for plan in plans(3, dials_of(SHORT)):
        key = composition_of(plan.services)
        if key not in found and set(key) <= set(services):
            found[key] = Member(plan.ordinal, write(world, plan))
        if len(found) == len(list(combinations(services, 2))):
            break
    insert_set(world, TaskSet(name, 3, {}, len(found), tuple(found.values()), len(found)))


def tiny_config(kind: str, weights: Path, *values: str) -> Config:
    """An experiment of seconds, with those weights."""
    path = Path(__file__).parent / "tiny" / f"{kind}.yaml"
    return read_config(kind, path=path, values=(f"base={weights}", *values))
