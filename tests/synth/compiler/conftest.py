"""Compiled services on a world of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from engine.database import Database
from engine.world import World
from synth.attack.world_target import WorldTarget
from synth.built import load_service
from synth.compiler import ServicePlan, plan_service, write_service, write_tests
from synth.specs import ServerSpec
from synth.trial import Play, run_tests
from tests.conftest import fresh_database
from tests.synth.making import READING_ROOM


@pytest.fixture(scope="session")
def compiling(server_url: str) -> Iterator[World]:
    """A world for compiled services; whoever uses it leaves nothing behind."""
    with fresh_database(server_url) as url, World(Database(url).open()) as opened:
        yield opened


@dataclass(frozen=True)
class Compiled:
    """A specification compiled, and composed."""

    plan: ServicePlan
    files: dict[str, str]
    target: WorldTarget

    def calls(self) -> dict[str, str | None]:
        """The call of each tool, by its name."""
        return {tool.spec.name: tool.call for tool in self.plan.tools}

    def play(self) -> Play:
        """A branch of its own over the seed data."""
        return Play(self.target, self.target.fork())

    def failed(self) -> dict[str, str]:
        """Those of its own tests that fail."""
        return run_tests(self.target, load_service(self.files)).failed


def _compiled(world: World, spec: ServerSpec, stack: ExitStack) -> Compiled:
    plan = plan_service(spec)
    files = {**write_service(plan), "test_service.py": write_tests(plan)}
    return Compiled(plan, files, stack.enter_context(WorldTarget(world, load_service(files))))


@pytest.fixture
def compiled(compiling: World) -> Iterator[Callable[[ServerSpec], Compiled]]:
    """``compiled(spec)``: the service of a specification."""
    with ExitStack() as stack:
        yield lambda spec: _compiled(compiling, spec, stack)


@pytest.fixture(scope="module")
def room(compiling: World) -> Iterator[Compiled]:
    """The reading room."""
    with ExitStack() as stack:
        yield _compiled(compiling, READING_ROOM, stack)


@pytest.fixture
def play(room: Compiled) -> Play:
    """A fresh branch of the reading room."""
    return room.play()


def refused(error: dict[str, Any], code: str, *words: str) -> None:
    """The error is of this code and speaks of these words."""
    assert error["code"] == code, error
    for word in words:
        assert word in error["message"], error
