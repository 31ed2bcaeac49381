"""A composition that a sandbox has for itself and that is deleted with it."""

from __future__ import annotations

import uuid

from engine.database import Database
from engine.kit import Service
from engine.library import Library
from engine.world import World
from synth.attack.world_target import MARK


class _Private(Library):
    """A library of one service, in a version that nobody else has; the sweep of attacks deletes it after a crash."""

    def __init__(self, service: Service) -> None:
        super().__init__([service])
        version, ddl = super().version(service)
        self._versions[service.name] = (f"{MARK}{version}:{uuid.uuid4().hex}", ddl)


def private_world(database: Database, service: Service) -> World:
    """A world on the same database that knows this service only, apart from every other composition."""
    return World(database, _Private(service))
