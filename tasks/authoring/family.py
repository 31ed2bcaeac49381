"""Scenario families: stories that can be told over many compositions."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tasks.document import LONGEST_WALK, SHORTEST_WALK, Area

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
        patterns: roles in the order of the visits, 7 to 12 of them.
        tell: plants s0, records the reference solution and writes the instruction on a ``Draft``.
        story: what it is about, for people.
    """

    name: str
    area: Area
    roles: Mapping[str, tuple[str, ...]]
    patterns: tuple[tuple[str, ...], ...]
    tell: Teller
    story: str


_families: dict[str, Family] = {}


def family(
    name: str, *, area: Area, roles: Mapping[str, Iterable[str]], patterns: Iterable[str]
) -> Callable[[Teller], Teller]:
    """Declare a function that tells a scenario as a family; its docstring is the story.

    Args:
        patterns: role names in the order of the visits, with spaces between them.

    Raises:
        ValueError: two families have the name, or a pattern is no row of 7 to 12 of the roles.
    """
    split = tuple(tuple(pattern.split()) for pattern in patterns)
    services = {role: tuple(names) for role, names in roles.items()}
    for pattern in split:
        if not SHORTEST_WALK <= len(pattern) <= LONGEST_WALK or set(pattern) != set(pattern) & set(services):
            raise ValueError(f"family {name}: {' '.join(pattern)} is no row of 7 to 12 of its roles")

    def declare(tell: Teller) -> Teller:
        if name in _families and _families[name].tell.__module__ != tell.__module__:
            raise ValueError(f"two families are called {name}")
        story = " ".join((tell.__doc__ or "").split())
        _families[name] = Family(name, area, services, split, tell, story)
        return tell

    return declare


@cache
def families() -> Mapping[str, Family]:
    """All families by name, in the order of their names."""
    import tasks.families

    for module in pkgutil.walk_packages(tasks.families.__path__, "tasks.families."):
        import_module(module.name)
    return dict(sorted(_families.items()))
