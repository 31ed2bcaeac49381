"""A service library in play, on the engine."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable

import pytest
from sqlalchemy import create_engine

from tests.services.play import Play


@pytest.fixture
def play() -> Callable[..., Play]:
    """``play("mail", "chat")`` gives those services with their seed data in a fresh state."""

    def make(*names: str) -> Play:
        engine = create_engine(os.environ["SCRATCH_URL"])
        services = {name: importlib.import_module(f"services.{name}").service for name in names}
        return Play(engine, services, schema="play_" + "_".join(names) + str(os.getpid()))

    return make
