"""Scratch compositions: one service, apart from every other composition, of which nothing stays in the database."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import text

from engine.branches import Branch
from engine.calls import CallResult
from engine.database import Database
from engine.errors import InputError, NotFound, Refused
from engine.kit import Service
from engine.library import Library
from engine.retention import delete_branches, delete_composition, delete_snapshot
from engine.snapshots import Snapshot

MARK = "attack:"
"""What the version of a service in a scratch composition begins with: its rows in the catalog are of that one alone."""

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


class ScratchLibrary(Library):
    """A library of one service, in a version that nobody else has.

    Attributes:
        true_version: the version that it has elsewhere.
    """

    def __init__(self, service: Service) -> None:
        super().__init__([service])
        self.true_version, ddl = super().version(service)
        self._versions[service.name] = (f"{MARK}{self.true_version}:{uuid.uuid4().hex}", ddl)


class ScratchBranches:
    """Branches of one service over its seed data, known by their numbers.

    Attributes:
        service: its name.
        calls: how many were made so far.
    """

    def __init__(self, service: str) -> None:
        self.service = service
        self.calls = 0
        self._base: Snapshot | None = None
        self._branches: dict[int, Branch] = {}

    def fork(self, branch: int | None = None) -> int:
        """A new branch: of a branch as it stands, or of the seed data."""
        if self._base is None:
            raise InputError(f"the target {self.service} is not open", hint="enter the block first")
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


def delete_scratch(database: Database, composition: int) -> None:
    """Delete a scratch composition: branches, snapshots, the composition and its services' rows in the catalog."""
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
    """Delete scratch compositions of processes that were killed; those in use stay.

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
                delete_scratch(database, composition)
            except (NotFound, Refused):
                continue  # somebody else is at it
            swept += 1
    return swept
