"""Walks: how visits go over the services of a composition. Counted exactly, drawn uniformly.

A walk of length L over services visits each of them, never one twice in a row, comes back to at least one (so L is
greater than their number), and goes along edges of the graph.

In how many ways a walk can be completed depends on three things only: how many visits are left, which service was
visited last and which have been visited. Counting from the end gives, for each such state, the number of its
completions; a draw that takes each next visit in proportion to them takes each whole walk with the same probability.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb

from tasks.document import LONGEST_WALK, SHORTEST_WALK
from tasks.errors import SamplingError
from tasks.sampling.chance import bits, pick
from tasks.sampling.compatibility import Compatibility
from tasks.sampling.graph import Graph

_TRIES = 20_000


@dataclass(frozen=True)
class Revisit:
    """A visit to a service that was visited before.

    Attributes:
        visit: its place in the walk, from 0.
        former: the place of the visit before it to the same service.
        first: the place of the first visit there.
    """

    visit: int
    service: str
    former: int
    first: int

    @property
    def gap(self) -> int:
        """Visits from the former one to this."""
        return self.visit - self.former

    @property
    def since_first(self) -> int:
        """Visits from the first one to this."""
        return self.visit - self.first


@dataclass(frozen=True)
class Dependency:
    """An edge of a walk: what the visit can learn from the one before it.

    Attributes:
        visit: place of the later visit, from 0.
        types: semantic types that can cross, sorted.
        revisit: what the later visit comes back to; ``None`` if it is the first there.
    """

    visit: int
    before: str
    after: str
    types: tuple[str, ...]
    revisit: Revisit | None


def revisits(walk: Sequence[str]) -> tuple[Revisit, ...]:
    """The visits of a walk that come back, in order."""
    first: dict[str, int] = {}
    former: dict[str, int] = {}
    found = []
    for place, service in enumerate(walk):
        if service in first:
            found.append(Revisit(place, service, former[service], first[service]))
        first.setdefault(service, place)
        former[service] = place
    return tuple(found)


def staleness(walk: Sequence[str]) -> int:
    """Visits from a first visit to the last one there, where that is longest; 0 if the walk comes back to nothing."""
    return max((item.since_first for item in revisits(walk)), default=0)


def dependency_graph(walk: Sequence[str], compatibility: Compatibility) -> tuple[Dependency, ...]:
    """What can cross on each edge of a walk, in order.

    Raises:
        SamplingError: it visits a service that is unknown.
    """
    back = {item.visit: item for item in revisits(walk)}
    return tuple(
        Dependency(place, before, after, compatibility.crossing(before, after).types, back.get(place))
        for place, (before, after) in enumerate(pairwise(walk), 1)
    )


def valid(walk: Sequence[str], graph: Graph, *, returning: bool = True) -> bool:
    """Whether a walk comes back to a service, where it has to, and goes along edges, over the services it visits."""
    return (len(set(walk)) < len(walk) or not returning) and all(
        graph.allows(before, after) for before, after in pairwise(walk)
    )


def walks_on_complete(services: int, length: int) -> int:
    """The number of walks where every service may follow every other, by inclusion and exclusion."""
    if services < 2 or length <= services:
        return 0
    return sum(
        (-1) ** missed * comb(services, missed) * (services - missed) * (services - missed - 1) ** (length - 1)
        for missed in range(services)
    )


class Walks:
    """All walks over a graph's services with lengths in a range.

    Args:
        graph: the services that are visited, all of them, and the edges.
        length: fewest and most visits.
    """

    def __init__(self, graph: Graph, length: tuple[int, int] = (SHORTEST_WALK, LONGEST_WALK)) -> None:
        self.graph = graph
        self.length = length
        self._all = (1 << len(graph.names)) - 1
        self._completions: dict[tuple[int, int, int], int] = {}

    def count(self) -> int:
        """How many there are."""
        return sum(self.by_length().values())

    def by_length(self) -> dict[int, int]:
        """How many there are of each length."""
        return {length: self._of(length) for length in range(self.length[0], self.length[1] + 1)}

    def draw(self, rng: random.Random, staleness_from: int = 0) -> tuple[str, ...]:
        """One of them, each with the same probability; for one length, ask for walks of that length only.

        Longer walks are more numerous and so drawn more often.

        Args:
            staleness_from: only walks with at least this ``staleness``; those with less are drawn again, so that
                the rest stay equally likely.

        Raises:
            SamplingError: there is none.
        """
        counts = self.by_length()
        if not sum(counts.values()):
            raise SamplingError(
                f"no walk of {self.length[0]} to {self.length[1]} visits goes over {', '.join(self.graph.names)}",
                "allow more visits, fewer services or others",
            )
        for _ in range(_TRIES):
            walk = self._draw(rng, pick(rng, list(counts), list(counts.values())))
            if staleness(walk) >= staleness_from:
                return walk
        raise SamplingError(
            f"none of {_TRIES} walks over {', '.join(self.graph.names)} comes back after {staleness_from} visits",
            "ask for less staleness, or for longer walks",
        )

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """All of them, the shortest first; only for small graphs."""
        for length in range(self.length[0], self.length[1] + 1):
            if length > len(self.graph.names):
                for place in range(len(self.graph.names)):
                    yield from self._walks((place,), 1 << place, length - 1)

    def _of(self, length: int) -> int:
        services = len(self.graph.names)
        if length <= services:
            return 0
        return sum(self._complete(length - 1, place, 1 << place) for place in range(services))

    def _complete(self, left: int, last: int, visited: int) -> int:
        """In how many ways a walk goes on for as many visits and leaves out nothing."""
        if left < (self._all ^ visited).bit_count():
            return 0
        if left == 0:
            return 1
        state = (left, last, visited)
        if state not in self._completions:
            self._completions[state] = sum(
                self._complete(left - 1, place, visited | 1 << place) for place in bits(self.graph.after[last])
            )
        return self._completions[state]

    def _draw(self, rng: random.Random, length: int) -> tuple[str, ...]:
        walk: list[int] = []
        visited = 0
        for left in range(length - 1, -1, -1):
            places = list(bits(self.graph.after[walk[-1]] if walk else self._all))
            ways = [self._complete(left, place, visited | 1 << place) for place in places]
            walk.append(pick(rng, places, ways))
            visited |= 1 << walk[-1]
        return tuple(self.graph.names[place] for place in walk)

    def _walks(self, walk: tuple[int, ...], visited: int, left: int) -> Iterator[tuple[str, ...]]:
        if not self._complete(left, walk[-1], visited):
            return
        if left == 0:
            yield tuple(self.graph.names[place] for place in walk)
            return
        for place in bits(self.graph.after[walk[-1]]):
            yield from self._walks((*walk, place), visited | 1 << place, left - 1)
