"""A composition: a set of services whose joint state lives in one schema."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import text

from engine._given import moment_given, number_given
from engine.database import retried
from engine.errors import InputError, NotFound
from engine.kit import Entity, Person, Seed, Service
from engine.kit.seed import DEFAULT_START
from engine.snapshots import Snapshot, store_snapshot

if TYPE_CHECKING:
    from engine.world import World


@dataclass(frozen=True)
class Composition:
    """A set of services used together.

    Attributes:
        id: its number; its schema is ``comp_<id>``.
        services: by name, sorted.
    """

    world: World
    id: int
    services: dict[str, Service]

    @property
    def schema(self) -> str:
        """Name of the Postgres schema while it is materialised."""
        return f"comp_{self.id}"

    def entity(self, table: str) -> type[Entity]:
        """The entity of a table.

        Raises:
            NotFound: no service of the composition has that table.
        """
        for service in self.services.values():
            for entity in service.entities:
                if entity.table().name == table:
                    return entity
        raise NotFound(f"composition {self.id} ({', '.join(self.services)}) has no table {table!r}")

    def seed_rows(self, seed: int = 0, start: datetime = DEFAULT_START, person: Person | None = None) -> list[Entity]:
        """The standard initial rows of every service; equal arguments give equal rows."""
        rows: list[Entity] = []
        for service in self.services.values():
            given = Seed(service.name, seed, start) if person is None else Seed(service.name, seed, start, person)
            rows.extend(service.seed(given))
        return rows

    def snapshot(
        self,
        rows: Iterable[Entity] | None = None,
        *,
        seed: int = 0,
        name: str | None = None,
        start: datetime = DEFAULT_START,
        person: Person | None = None,
    ) -> Snapshot:
        """Freeze rows as an initial state; without rows, the services' seed data.

        The same rows with the same start and person give the snapshot that is there already.

        Raises:
            EntityInvalid: a row breaks its entity's rules, a key or unique value occurs twice, or a reference
                leads nowhere. Nothing is stored then.
        """
        number_given(seed, "a seed", -(2**63))
        moment_given(start, "the start of the logical clock")
        if rows is not None and not isinstance(rows, Iterable):
            raise InputError(f"rows are entities in a list, not {type(rows).__name__}")
        whose = Seed("").user if person is None else person
        given = self.seed_rows(seed, start, whose) if rows is None else list(rows)
        return store_snapshot(self, given, f"seed {seed}" if name is None else name, start, whose)

    def materialised(self) -> bool:
        """Whether its schema stands at this moment."""
        with self.world.database.transaction() as connection:
            return bool(
                connection.execute(
                    text("SELECT materialised_at IS NOT NULL FROM compoworld.composition WHERE id = :id"),
                    {"id": self.id},
                ).scalar()
            )

    @retried
    def materialise(self) -> str:
        """Build its schema unless it stands; its name. Others beyond the world's limit are parked."""
        with self.world.database.transaction() as connection:
            connection.execute(text("SELECT compoworld.hold(:id)"), {"id": self.id})
        self.world.park_idle()
        return self.schema

    def park(self) -> bool:
        """Drop its schema unless it is in use; whether that was done. Everything comes back when asked for."""
        with self.world.database.transaction() as connection:
            return bool(connection.execute(text("SELECT compoworld.park(:id)"), {"id": self.id}).scalar())
