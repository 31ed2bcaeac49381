"""Scenario families: stories that can be told over many compositions."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tasks.document import LONGEST_SHORT_WALK, LONGEST_WALK, SHORTEST_WALK, Area
from tasks.errors import SamplingError

if TYPE_CHECKING:
    from tasks.authoring.draft import Draft

Teller = Callable[["Draft"], None]


@dataclass(frozen=True)
class Family:
    """A scenario family.

    Attributes:
        name: unique among families.
        area: the business function, or private life.
        roles: what is needed, with the services that can play each role.
        patterns: roles in the order of the visits, 7 to 12 of them, or 1 to 6 of a family of short tasks.
        tellings: for each pattern, the number of the one among those declared that is told, with or without further
            places where a record is filed on.
        tell: plants s0, records the reference solution and writes the instruction on a ``Draft``.
        story: what it is about, for people.
    """

    name: str
    area: Area
    roles: Mapping[str, tuple[str, ...]]
    patterns: tuple[tuple[str, ...], ...]
    tellings: tuple[int, ...]
    tell: Teller
    story: str
    short: bool = False


FILED = ("boards", "contacts", "docs", "files", "home", "tables", "tickets")
"""Services in which a record can name another one without a day of its own."""

MOST_FILED = 3
"""Further places in which a record is filed on."""

_families: dict[str, Family] = {}


def family(
    name: str,
    *,
    area: Area,
    roles: Mapping[str, Iterable[str]],
    patterns: Iterable[str],
    filed: str | None = None,
    short: bool = False,
) -> Callable[[Teller], Teller]:
    """Declare a function that tells a scenario as a family; its docstring is the story.

    Args:
        patterns: role names in the order of the visits, with spaces between them.
        filed: the role of a record that may be filed on in one to three further places, which makes walks of up to 12
            visits; what comes after it names its number.
        short: its tasks are short ones, for small models: patterns of 1 to 6 visits.

    Raises:
        ValueError: two families have the name, or a pattern is no row of so many of the roles.
    """
    split = tuple(tuple(pattern.split()) for pattern in patterns)
    services = {role: tuple(names) for role, names in roles.items()}
    tellings = tuple(range(len(split)))
    if filed is not None:
        longer = _longer(split, filed)
        split += tuple(pattern for _, pattern in longer)
        tellings += tuple(number for number, _ in longer)
        further = tuple(service for service in services[filed] if service in FILED)
        services |= {f"{filed}-filed-{number}": further for number in range(1, MOST_FILED + 1)}
    shortest, longest = (1, LONGEST_SHORT_WALK) if short else (SHORTEST_WALK, LONGEST_WALK)
    for pattern in split:
        if not shortest <= len(pattern) <= longest or set(pattern) != set(pattern) & set(services):
            raise ValueError(f"family {name}: {' '.join(pattern)} is no row of {shortest} to {longest} of its roles")

    def declare(tell: Teller) -> Teller:
        if name in _families and _families[name].tell.__module__ != tell.__module__:
            raise ValueError(f"two families are called {name}")
        story = " ".join((tell.__doc__ or "").split())
        _families[name] = Family(name, area, services, split, tellings, tell, story, short)
        return tell

    return declare


def _longer(patterns: Iterable[tuple[str, ...]], filed: str) -> list[tuple[int, tuple[str, ...]]]:
    """The patterns with further visits after the one in which the record is made, with the numbers that they had."""
    found = []
    for number, pattern in enumerate(patterns):
        if pattern.count(filed) == 1:
            place = pattern.index(filed) + 1
            for many in range(1, min(MOST_FILED, LONGEST_WALK - len(pattern)) + 1):
                further = tuple(f"{filed}-filed-{step}" for step in range(1, many + 1))
                found.append((number, pattern[:place] + further + pattern[place:]))
    return found


@cache
def families(*, short: bool = False) -> Mapping[str, Family]:
    """All families by name, in the order of their names: those of whole tasks, or those of short ones."""
    import tasks.families

    for module in pkgutil.walk_packages(tasks.families.__path__, "tasks.families."):
        import_module(module.name)
    return {name: found for name, found in sorted(_families.items()) if found.short == short}


def all_families() -> Mapping[str, Family]:
    """The families of whole tasks by name, then those of short ones."""
    return {**families(), **families(short=True)}


def family_named(name: str) -> Family:
    """The family of that name, of whole or of short tasks.

    Raises:
        SamplingError: there is none.
    """
    known = all_families()
    if name not in known:
        raise SamplingError(f"there is no family {name!r}", f"the families are {', '.join(known)}")
    return known[name]
