"""A service of an engine's world as the target of an attack. Nothing stays behind in the database."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from sqlalchemy import text

from engine.branches import Branch
from engine.calls import CallResult
from engine.database import Database
from engine.errors import NotFound, Refused
from engine.kit import Service
from engine.kit.specification import ToolSpecification
from engine.library import Library
from engine.retention import delete_branches, delete_composition, delete_snapshot
from engine.snapshots import Snapshot
from engine.world import World

MARK = "attack:"
"""What the version of a service begins with while it is attacked: its rows in the catalog are of this attack alone."""

# Between being composed and being held a composition is in nobody's hands for a moment.
_STALE = """
SELECT s.id, c.id FROM compoworld.service s
JOIN compoworld.composition_service cs ON cs.service_id = s.id
JOIN compoworld.composition c ON c.id = cs.composition_id
WHERE starts_with(s.version, :mark) AND c.last_used_at < now() - interval '1 minute'
ORDER BY s.id
"""
_BRANCHES = "SELECT id FROM compoworld.branch WHERE composition_id = :id ORDER BY id"
_SNAPSHOTS = "SELECT id FROM compoworld.snapshot WHERE composition_id = :id ORDER BY id"
_FREE = "SELECT pg_try_advisory_xact_lock(7203, CAST(:id AS int))"
_UNREGISTER = "DELETE FROM compoworld.service WHERE id = :id"


class _Private(Library):
    """A library in which one service has a version of its own."""

    def __init__(self, service: Service) -> None:
        super().__init__([service])
        version, ddl = super().version(service)
        self.true_version = version
        self._versions[service.name] = (f"{MARK}{version}:{uuid.uuid4().hex}", ddl)


class WorldTarget:
    """A service, composed alone and apart from every other composition, while the block lasts.

    Args:
        world: whose database is used, and whose limits hold.
        service: by its name in the world's library, or one that stands in none.
        seed: of the service's seed data.

    Attributes:
        version: of the service that is attacked.
        calls: how many were made so far.
    """

    def __init__(self, world: World, service: Service | str, *, seed: int = 0) -> None:
        self._service = world.library.get(service) if isinstance(service, str) else service
        self._world = world
        self._seed = seed
        self._library = _Private(self._service)
        self.version = self._library.true_version
        self.service = self._service.name
        self.specifications: Mapping[str, ToolSpecification] = {
            name: tool.specification for name, tool in self._service.tools.items() if not tool.simulated
        }
        self.calls = 0
        self._branches: dict[int, Branch] = {}
        self._stack = ExitStack()
        self._base: Snapshot | None = None

    def __enter__(self) -> WorldTarget:
        sweep(self._world.database)
        seconds = self._world.calls._seconds
        private = World(self._world.database, self._library, limit=self._world.limit, tool_seconds=seconds)
        composition = private.compose(self.service)
        self._stack.callback(delete_attacked, self._world.database, composition.id)
        try:
            self._stack.enter_context(private.lease(composition))
            self._base = composition.snapshot(seed=self._seed)
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._branches.clear()
        self._stack.close()

    def fork(self, branch: int | None = None) -> int:
        """A new branch: of a branch as it stands, or of the seed data."""
        assert self._base is not None, "enter the block first"
        made = self._base.fork() if branch is None else self._branches[branch].fork()
        self._branches[made.id] = made
        return made.id

    def call(self, branch: int, tool: str, arguments: dict[str, Any]) -> CallResult:
        """Call a tool of the service."""
        self.calls += 1
        return self._branches[branch].call(self.service, tool, arguments)

    def digest(self, branch: int) -> str:
        """A text that is equal for two states exactly when they are equal."""
        return self._branches[branch].digest()


def delete_attacked(database: Database, composition: int) -> None:
    """Delete what an attack made: branches, snapshots, the composition and its services' rows in the catalog."""
    with database.transaction() as connection:
        services = list(
            connection.execute(
                text("SELECT service_id FROM compoworld.composition_service WHERE composition_id = :id"),
                {"id": composition},
            ).scalars()
        )
        branches = list(connection.execute(text(_BRANCHES), {"id": composition}).scalars())
        snapshots = list(connection.execute(text(_SNAPSHOTS), {"id": composition}).scalars())
    delete_branches(database, branches)
    for snapshot in snapshots:
        delete_snapshot(database, snapshot)
    delete_composition(database, composition)
    with database.transaction() as connection:
        for service in services:
            connection.execute(text(_UNREGISTER), {"id": service})


def sweep(database: Database) -> int:
    """Delete what attacks left behind that were killed; those that run now stay.

    Returns:
        How many services' rows were deleted.
    """
    swept = 0
    with database.transaction() as connection:
        stale = connection.execute(text(_STALE), {"mark": MARK}).all()
    for _service, composition in stale:
        with database.transaction() as connection:
            free = bool(connection.execute(text(_FREE), {"id": composition}).scalar())
        if free:
            try:
                delete_attacked(database, composition)
            except (NotFound, Refused):
                continue  # somebody else is at it
            swept += 1
    return swept
