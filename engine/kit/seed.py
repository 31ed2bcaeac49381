"""What a service gets to make its initial rows from: a seeded generator, a start time and the cast."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from engine.kit.cast import COLLEAGUES, COMPANIES, CONTACTS, Company, Person

DEFAULT_START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""The logical clock's start: Monday, 2 March 2026, nine o'clock UTC."""


@dataclass(frozen=True)
class Seed:
    """The source of seed data for one service; equal seeds give equal rows.

    Attributes:
        service: name of the service.
        number: the seed's number.
        start: the logical clock's start.
        user: whose assistant the agent is.
    """

    service: str
    number: int = 0
    start: datetime = DEFAULT_START
    user: Person = COLLEAGUES[0]

    @property
    def colleagues(self) -> tuple[Person, ...]:
        """People of the user's own company, the user first."""
        return COLLEAGUES

    @property
    def companies(self) -> tuple[Company, ...]:
        """Customers and suppliers."""
        return COMPANIES

    @property
    def contacts(self) -> tuple[Person, ...]:
        """People at those companies."""
        return CONTACTS

    def random(self, purpose: str = "") -> random.Random:
        """A generator of its own for each purpose, so that adding one does not shift the others."""
        return random.Random(f"{self.number}/{self.service}/{purpose}")

    def at(self, day: int, hour: int = 9, minute: int = 0) -> datetime:
        """An instant ``day`` days from the start's date (negative: before it), UTC."""
        midnight = self.start.replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight + timedelta(days=day, hours=hour, minutes=minute)
