"""The seed's texts (``seed_data.json``) as typed rows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from engine.kit import Seed

DATA: dict[str, Any] = json.loads(Path(__file__).with_name("seed_data.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class MoreCompany:
    """A company beside the cast."""

    name: str
    domain: str | None
    industry: str
    city: str
    country: str
    currency: str
    phone: str
    lifecycle: str
    owner: str
    parent: str = ""


@dataclass(frozen=True)
class SeedDeal:
    """A deal; ``closes`` counts days from the start."""

    name: str
    company: str
    person: str
    owner: str
    stage: str
    amount: str
    currency: str
    closes: int
    next_step: str = ""
    probability: str = ""
    lost_reason: str = ""
    comment: str = ""


@dataclass(frozen=True)
class SeedActivity:
    """An activity; a task without an outcome is open."""

    kind: str
    subject: str
    company: str
    who: str
    day: int
    hour: int
    person: str = ""
    deal: str = ""
    body: str = ""
    outcome: str = ""
    minutes: int = 0
    minute: int = 0


OWNERS: dict[str, str] = DATA["owners"]
MORE_COMPANIES = [MoreCompany(**row) for row in DATA["more_companies"]]
MORE_PEOPLE: list[list[str]] = DATA["more_people"]
DEALS = [SeedDeal(**row) for row in DATA["deals"]]


def all_activities(seed: Seed) -> list[SeedActivity]:
    """The story's activities, and a history of routine ones that differs from seed to seed."""
    chance = seed.random("activities")
    made = [SeedActivity(**row) for row in DATA["story"]]
    first = {person.company: person.name for person in reversed(seed.contacts)}
    for company, (kind, subject, outcome, minutes) in product(OWNERS, DATA["routine"]):
        made.append(
            SeedActivity(
                kind,
                subject,
                company,
                OWNERS[company],
                -chance.randint(12, 170),
                chance.randint(8, 16),
                first[company],
                outcome=outcome,
                minutes=minutes,
                minute=chance.choice((0, 10, 15, 30, 45)),
            )
        )
    return made
