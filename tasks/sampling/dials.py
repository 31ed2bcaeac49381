"""Dials of difficulty: what a task is made with, beside its family and its seed."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.fields import FieldInfo

from tasks.document import LONGEST_SHORT_WALK, LONGEST_WALK, SHORTEST_WALK
from tasks.errors import SamplingError

Level = Literal["short", "easy", "medium", "hard"]

Range = tuple[int, int]
"""Lowest and highest, both included."""

LEVELS: tuple[str, ...] = get_args(Level)
FEWEST_SERVICES, MOST_SERVICES, MOST_DISTRACTORS = 2, LONGEST_WALK - 1, 5

_MIX: tuple[tuple[Level, int], ...] = (("easy", 2), ("medium", 5), ("hard", 3))
"""How often each level is drawn for a set, out of ten."""


class Dials(BaseModel):
    """How hard a task is to be.

    Attributes:
        short: a short task, for small models: of a family of short tasks, with 1 to 6 visits.
        length: visits of the walk.
        services: services that the solution needs.
        distractors: services that the agent can discover beside them.
        domain: application domain that services should come from; ``None`` for any.
        alike: near-duplicate records beside each one that is looked up.
        stale: older records that another one supersedes.
        noise: records that do not matter or mislead.
        carried: facts at least that must be carried from one service to another; a draft with fewer is rejected.
        staleness: visits at least from the first look at a service to the one that sees it changed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    short: bool = False
    length: Range = (SHORTEST_WALK, LONGEST_WALK)
    services: Range = (3, 7)
    distractors: Range = (2, 4)
    domain: str | None = None
    alike: Annotated[int, Field(ge=3, le=8)] = 4
    stale: Annotated[int, Field(ge=0, le=3)] = 1
    noise: Annotated[int, Field(ge=0, le=4)] = 2
    carried: Annotated[int, Field(ge=1, le=11)] = 3
    staleness: Annotated[int, Field(ge=0, lt=LONGEST_WALK)] = 2

    @field_validator("length", "services", "distractors")
    @classmethod
    def _ascending(cls, value: Range) -> Range:
        if value[0] > value[1]:
            raise ValueError(f"is from {value[0]} to {value[1]}, which is nothing")
        return value

    @model_validator(mode="after")
    def _possible(self) -> Self:
        _within("distractors", self.distractors, 0, MOST_DISTRACTORS)
        if self.short:
            _within("length", self.length, 1, LONGEST_SHORT_WALK)
            _within("services", self.services, 1, LONGEST_SHORT_WALK)
            return self
        _within("length", self.length, SHORTEST_WALK, LONGEST_WALK)
        _within("services", self.services, FEWEST_SERVICES, MOST_SERVICES)
        if self.staleness < 2:
            raise ValueError(f"a value is stale after two visits at least, not {self.staleness}")
        if self.length[1] <= self.services[0]:
            raise ValueError(f"{self.length[1]} visits come back to no service of {self.services[0]}")
        return self

    @classmethod
    def level(cls, level: str) -> Dials:
        """The dials of a level: ``short``, ``easy``, ``medium`` or ``hard``.

        Raises:
            SamplingError: there is no such level.
        """
        if level not in _PRESETS:
            raise SamplingError(f"there is no level {level!r}", f"use {', '.join(LEVELS)}")
        return _PRESETS[level]

    @classmethod
    def drawn(cls, rng: random.Random) -> Dials:
        """Dials for one task of a mixed set: a level, easy 2, medium 5 and hard 3 times of ten, varied a little."""
        names, weights = zip(*_MIX, strict=True)
        chosen = cls.level(rng.choices(names, weights)[0])
        distractors = rng.randint(*chosen.distractors)
        return chosen.but(
            distractors=(distractors, distractors),
            alike=max(3, min(8, chosen.alike + rng.randint(-1, 1))),
            stale=max(0, min(3, chosen.stale + rng.randint(-1, 1))),
            noise=max(0, min(4, chosen.noise + rng.randint(-1, 1))),
        )

    @classmethod
    def read(cls, value: object) -> Dials:
        """Dials from JSON values, as ``document`` gives them; what is missing stands at the default.

        Raises:
            SamplingError: a dial is unknown or out of its range.
        """
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            problem = first["msg"].removeprefix("Value error, ")
            if not first["loc"]:
                raise SamplingError(problem, place="dials") from error
            dial = str(first["loc"][0])
            if first["type"] != "value_error" and dial in cls.model_fields and isinstance(value, Mapping):
                kind = _kind(cls.model_fields[dial])
                raise SamplingError(f"the dial {dial} is {kind}; not {repr(value[dial])[:60]}") from error
            raise SamplingError(problem, place=f"dials.{dial}") from error

    def but(self, **changed: Any) -> Dials:
        """The same with some dials turned.

        Raises:
            SamplingError: a dial is unknown or out of its range.
        """
        return Dials.read({**self.document(), **changed})

    def document(self) -> dict[str, Any]:
        """The dials as JSON values."""
        document: dict[str, Any] = self.model_dump(mode="json")
        return document


def _kind(field: FieldInfo) -> str:
    """What values a dial takes, for people."""
    bounds: dict[str, int] = {}
    for item in field.metadata:
        bounds |= {word: getattr(item, word) for word in ("ge", "le", "lt") if hasattr(item, word)}
    if "ge" in bounds:
        return f"a whole number from {bounds['ge']} to {bounds['le'] if 'le' in bounds else bounds['lt'] - 1}"
    if field.annotation is bool:
        return "true or false"
    return "two whole numbers, the least and the most, such as [4, 6]" if isinstance(field.default, tuple) else "a word"


def _within(name: str, value: Range, lowest: int, highest: int) -> None:
    if value[0] < lowest or value[1] > highest:
        raise ValueError(f"{name} is from {lowest} to {highest}, not from {value[0]} to {value[1]}")


_PRESETS: dict[str, Dials] = {
    "short": Dials(
        short=True,
        length=(2, 4),
        services=(2, 4),
        distractors=(0, 2),
        alike=3,
        stale=0,
        noise=0,
        carried=1,
        staleness=0,
    ),
    "easy": Dials(
        length=(7, 8), services=(3, 6), distractors=(1, 2), alike=3, stale=0, noise=0, carried=2, staleness=2
    ),
    "medium": Dials(length=(7, 9)),
    "hard": Dials(
        length=(9, 12), services=(4, 8), distractors=(4, 5), alike=6, stale=3, noise=4, carried=4, staleness=3
    ),
}
