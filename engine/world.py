"""A world: one database and one library of services. Everything starts here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text

from engine._given import number_given
from engine.branches import Branch
from engine.calls import Calls
from engine.compositions import Composition
from engine.database import Database
from engine.errors import InputError, NotFound, Refused
from engine.library import Library
from engine.postgres import database_url
from engine.simulation import WorldModel
from engine.snapshots import Snapshot

MATERIALISED_LIMIT = 50
"""How many compositions keep their schema; beyond it the least recently used are parked."""


class World:
    """The entry to everything: compose services, find compositions, snapshots and branches again.

    Args:
        database: an open database.
        library: the services at hand.
        limit: how many compositions may be materialised at once.
        tool_seconds: how long one tool may take.
        world_model: answers the tools without code; without one they are not offered.

    Attributes:
        inspected: compositions and the SQL of criteria that may be run on them.
    """

    def __init__(
        self,
        database: Database,
        library: Library | None = None,
        *,
        limit: int = MATERIALISED_LIMIT,
        tool_seconds: float = 10.0,
        world_model: WorldModel | None = None,
    ) -> None:
        number_given(limit, "the limit of materialised compositions", 1)
        if isinstance(tool_seconds, bool) or not isinstance(tool_seconds, int | float) or not 0 < tool_seconds < 1e6:
            raise InputError(f"a tool's limit is a number of seconds above 0, not {tool_seconds!r}")
        self.database = database
        self.library = library or Library()
        self.limit = limit
        self.calls = Calls(database, tool_seconds, self.park_idle, world_model=world_model)
        self.inspected: set[tuple[int, str]] = set()
        self._compositions: dict[int, Composition] = {}

    @property
    def world_model(self) -> WorldModel | None:
        """What answers the tools without code."""
        return self.calls.world_model

    def compose(self, *services: str) -> Composition:
        """The composition of these services; the same set gives the same composition.

        Raises:
            NotFound: a service does not exist.
            InputError: none is named, or one twice.
        """
        if not services:
            raise InputError("name at least one service to compose")
        if not all(isinstance(name, str) for name in services):
            raise InputError(f"services are named by text, not {services!r}"[:300])
        if len(set(services)) != len(services):
            raise InputError("a service is named twice")
        found = [self.library.get(name) for name in sorted(services)]
        with self.database.transaction() as connection:
            registered = [self.library.register(connection, service) for service in found]
            key = " ".join(f"{item.service.name}@{item.version}" for item in registered)
            fingerprint = hashlib.sha256(key.encode()).hexdigest()[:24]
            row = connection.execute(
                text("SELECT id FROM compoworld.composition WHERE fingerprint = :f"), {"f": fingerprint}
            ).scalar()
            if row is None:
                row = connection.execute(
                    text(
                        "INSERT INTO compoworld.composition (fingerprint) VALUES (:f)"
                        " ON CONFLICT (fingerprint) DO UPDATE SET fingerprint = excluded.fingerprint RETURNING id"
                    ),
                    {"f": fingerprint},
                ).scalar_one()
                connection.execute(
                    text(
                        "INSERT INTO compoworld.composition_service VALUES (:composition, :ordinal, :service)"
                        " ON CONFLICT DO NOTHING"
                    ),
                    [
                        {"composition": row, "ordinal": ordinal, "service": item.id}
                        for ordinal, item in enumerate(registered, 1)
                    ],
                )
        return self.composition(row)

    def composition(self, number: int) -> Composition:
        """A composition by its number.

        Raises:
            NotFound: there is none.
            Refused: a service of it has changed since; what it holds can still be read in SQL.
        """
        if number_given(number, "the number of a composition") in self._compositions:
            return self._compositions[number]
        with self.database.transaction() as connection:
            rows = connection.execute(
                text(
                    "SELECT s.name, s.version, s.ddl FROM compoworld.composition_service c"
                    " JOIN compoworld.service s ON s.id = c.service_id"
                    " WHERE c.composition_id = :id ORDER BY c.ordinal"
                ),
                {"id": number},
            ).all()
        if not rows:
            raise NotFound(f"there is no composition {number}")
        services = {}
        for name, version, _ddl in rows:
            service = self.library.get(name)
            now = self.library.version(service)[0]
            if now != version:
                raise Refused(
                    f"service {name!r} has changed since composition {number} was made ({version} → {now})",
                    hint="compose again; the old one can still be read in SQL",
                )
            services[name] = service
        self._compositions[number] = Composition(self, number, services)
        return self._compositions[number]

    def snapshot(self, number: int) -> Snapshot:
        """A snapshot by its number.

        Raises:
            NotFound: there is none.
        """
        with self.database.transaction() as connection:
            row = connection.execute(
                text("SELECT composition_id FROM compoworld.snapshot WHERE id = :id"),
                {"id": number_given(number, "the number of a snapshot")},
            ).first()
        if row is None:
            raise NotFound(f"there is no snapshot {number}")
        return Snapshot.load(self.composition(row[0]), number)

    def branch(self, number: int) -> Branch:
        """A branch by its number.

        Raises:
            NotFound: there is none, or it is a snapshot.
        """
        with self.database.transaction() as connection:
            row = connection.execute(
                text("SELECT composition_id, snapshot_id FROM compoworld.branch WHERE id = :id"),
                {"id": number_given(number, "the number of a branch")},
            ).first()
            find = text("SELECT 1 FROM compoworld.snapshot WHERE id = :id")
            if row is None and connection.scalar(find, {"id": number}):
                raise NotFound(f"{number} is a snapshot", hint="fork it")
        if row is None:
            raise NotFound(f"there is no branch {number}")
        return Branch(Snapshot.load(self.composition(row[0]), row[1]), number)

    @contextmanager
    def lease(self, composition: Composition) -> Iterator[None]:
        """Keep a composition from being parked, also between calls, until the block ends."""
        if not isinstance(composition, Composition):
            raise InputError(f"a lease is of a composition, not of {type(composition).__name__}")
        with self.database.raw() as connection:
            connection.autocommit = True
            connection.execute("SELECT pg_advisory_lock_shared(7203, %s::int)", (composition.id,))
            connection.execute("SELECT compoworld.touch(%s)", (composition.id,))
            self.park_idle()
            try:
                yield
            finally:
                if not connection.closed:
                    # At once: closing alone lets go of it a moment later.
                    connection.execute("SELECT pg_advisory_unlock_shared(7203, %s::int)", (composition.id,))

    def park_idle(self, keep: int | None = None) -> list[int]:
        """Park the least recently used compositions beyond the limit, one transaction each; those in use stay.

        Returns:
            Numbers of the compositions that were parked.
        """
        keep = self.limit if keep is None else number_given(keep, "the number of those to keep")
        with self.database.transaction() as connection:
            idle = (
                connection.execute(
                    text(
                        "SELECT id FROM compoworld.composition WHERE materialised_at IS NOT NULL"
                        " ORDER BY last_used_at DESC, id DESC OFFSET :keep"
                    ),
                    {"keep": keep},
                )
                .scalars()
                .all()
            )
        parked = []
        for number in reversed(idle):
            with self.database.transaction() as connection:
                if connection.execute(text("SELECT compoworld.park(:id)"), {"id": number}).scalar():
                    parked.append(number)
        return parked

    def close(self) -> None:
        """Close the connections."""
        self.database.close()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_world(
    url: str | None = None,
    *,
    library: Library | None = None,
    limit: int = MATERIALISED_LIMIT,
    tool_seconds: float = 10.0,
    world_model: WorldModel | None = None,
) -> World:
    """Open a world: on the given URL, on ``COMPOWORLD_DATABASE_URL``, or on the embedded server.

    Raises:
        InputError: the URL is malformed.
        DatabaseUnavailable: the server cannot be reached or started.
    """
    database = Database(url or database_url().url).open()
    return World(database, library, limit=limit, tool_seconds=tool_seconds, world_model=world_model)
