"""How many different walks several patterns make together.

A walk that two patterns make is one that a joint pattern makes: its roles are those that either has at the same visits,
with the services that can play them in both. So what patterns share is counted like what each makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tasks.errors import SamplingError
from tasks.sampling.counting import sets_of
from tasks.sampling.graph import Graph

_MOST = 2_000
"""Joint patterns that are looked at."""

_Pattern = tuple[tuple[int, ...], tuple[int, ...]]
"""Roles in the order of the visits, numbered by their first ones, and for each the mask of the services for it."""


class DifferentWalks:
    """Counts walks that come back to a service, each once, however many patterns make it."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._looked_at = 0

    def of(self, patterns: Sequence[tuple[Sequence[int], Sequence[int]]]) -> int:
        """How many different walks the patterns make.

        Args:
            patterns: visits and options as in ``sets_of``.

        Raises:
            SamplingError: they overlap in too many ways to be counted.
        """
        self._looked_at = 0
        by_length: dict[int, list[_Pattern]] = {}
        for visits, options in patterns:
            by_length.setdefault(len(visits), []).append(_numbered(visits, options))
        return sum(self._together(each) for each in by_length.values())

    def _together(self, patterns: Sequence[_Pattern]) -> int:
        different = list(dict.fromkeys(patterns))
        return sum(self._only(each, different[place + 1 :]) for place, each in enumerate(different))

    def _only(self, pattern: _Pattern, later: Sequence[_Pattern]) -> int:
        """How many walks the pattern makes that no later one does."""
        self._looked_at += 1
        if self._looked_at > _MOST:
            raise SamplingError(f"the patterns overlap in more than {_MOST} ways")
        shared = [joint for other in later if (joint := _joint(pattern, other)) is not None]
        if pattern in shared:
            return 0
        return self._all(pattern) - self._together(shared)

    def _all(self, pattern: _Pattern) -> int:
        visits, options = pattern
        if len(options) < len(visits):
            return sum(sets_of(self._graph, visits, options, by_set=False).values())
        sets = sets_of(self._graph, visits, options)
        return sum(ways for mask, ways in sets.items() if mask.bit_count() < len(visits))


def _numbered(visits: Sequence[int], options: Sequence[int]) -> _Pattern:
    """The pattern with its roles numbered in the order of their first visits."""
    roles = {role: number for number, role in enumerate(dict.fromkeys(visits))}
    return tuple(roles[role] for role in visits), tuple(options[role] for role in roles)


def _joint(one: _Pattern, other: _Pattern) -> _Pattern | None:
    """The pattern of the walks that both make; ``None`` if there are none for want of services."""
    # Visits fall together if either pattern has the same role there.
    leader = list(range(len(one[0])))
    for visits, _ in (one, other):
        first: dict[int, int] = {}
        for place, role in enumerate(visits):
            here, there = leader[place], leader[first.setdefault(role, place)]
            leader = [there if each == here else each for each in leader]
    options: dict[int, int] = {}
    for place, group in enumerate(leader):
        playing = one[1][one[0][place]] & other[1][other[0][place]]
        options[group] = options.get(group, playing) & playing
    if not all(options.values()) or any(before == after for before, after in pairwise(leader)):
        return None
    groups = {group: number for number, group in enumerate(dict.fromkeys(leader))}
    return tuple(groups[group] for group in leader), tuple(options[group] for group in groups)
