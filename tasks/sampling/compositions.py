"""Compositions: which services a task needs, and which others the agent can discover beside them.

The services are drawn uniformly among all sets that fulfil what is asked for: a size is drawn in proportion to the
number of its candidates, then a candidate, and both again until the candidate has a valid walk. Distractors are not
uniform: they shall be plausible, so those of the same domain come four times as often as others, and those of a
neighbouring one twice.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from math import comb, sqrt

from tasks.document import LONGEST_WALK, SHORTEST_WALK
from tasks.errors import SamplingError
from tasks.sampling.chance import bits, mask_of, pick
from tasks.sampling.compatibility import Compatibility
from tasks.sampling.dials import Dials, Range
from tasks.sampling.graph import Graph

ENUMERATED = 250_000
"""Sets that are looked at one by one; of more, a sample is."""

_SAMPLED, _TRIES = 5_000, 20_000
_Z = 1.959964  # 95 %
_SAME, _NEIGHBOUR, _OTHER = 4, 2, 1

_NEIGHBOURHOODS = (
    ("communication", "productivity"),
    ("productivity", "software development", "data and analytics"),
    ("sales and crm", "marketing", "support", "commerce"),
    ("marketing", "media and events", "data and analytics"),
    ("finance", "commerce", "operations", "sales and crm"),
    ("finance", "people"),
    ("people", "education", "travel and places"),
    ("operations", "support", "software development"),
    ("health and home", "travel and places", "media and events"),
)


@dataclass(frozen=True)
class Composition:
    """Services for a task.

    Attributes:
        services: what its solution needs, sorted.
        distractors: what can be discovered beside them, sorted.
    """

    services: tuple[str, ...]
    distractors: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """What a composition is to be like.

    Attributes:
        services: fewest and most services.
        distractors: fewest and most distractors.
        length: fewest and most visits of a walk over it.
        domain: at least two services are of this domain, or all that it has; ``None`` for any.
        required: services that it has.
        forbidden: services that it has not, not even as distractors.
    """

    services: Range = (5, 5)
    distractors: Range = (5, 5)
    length: Range = (SHORTEST_WALK, LONGEST_WALK)
    domain: str | None = None
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()

    @classmethod
    def by(cls, dials: Dials) -> Wanted:
        """What these dials ask for."""
        return cls(dials.services, dials.distractors, dials.length, dials.domain)


@dataclass(frozen=True)
class Count:
    """How many sets of a size have a valid walk.

    Attributes:
        size: services of each set.
        sets: all that are as asked for otherwise.
        valid: those with a valid walk; an estimate where it is not exact.
        lowest: with 95% probability at least so many have one (Wilson's interval); ``valid`` where it is exact.
        highest: and at most so many.
        exact: every set was looked at, or a formula says it.
    """

    size: int
    sets: int
    valid: int
    lowest: int
    highest: int
    exact: bool


@dataclass(frozen=True)
class Compositions:
    """All compositions of some services that are as wanted."""

    compatibility: Compatibility
    wanted: Wanted = field(default_factory=Wanted)

    def __post_init__(self) -> None:
        check_wanted(self.compatibility, self.wanted.required, self.wanted.forbidden)
        members(self.compatibility, self.wanted.domain)

    def count(self, size: int) -> Count:
        """How many sets of this size there are, and how many of them have a valid walk."""
        sets = sum(ways for _, ways in self._strata(size))
        graph = self.compatibility.graph
        if sets == 0 or _nothing_missing(graph, size, self.wanted.length):
            return Count(size, sets, sets, sets, sets, True)
        if comb(len(self._free), size - len(self.wanted.required)) <= ENUMERATED:
            valid = sum(has_walk(graph, mask, self.wanted.length) for mask in self._masks(size))
            return Count(size, sets, valid, valid, valid, True)
        rng = random.Random(f"compositions of {size}")
        hits = sum(has_walk(graph, self._candidate(rng, size), self.wanted.length) for _ in range(_SAMPLED))
        low, high = _wilson(hits, _SAMPLED)
        return Count(size, sets, round(sets * hits / _SAMPLED), int(sets * low), round(sets * high), False)

    def draw(self, rng: random.Random) -> Composition:
        """One of them: its services each set with the same probability, with distractors.

        Raises:
            SamplingError: there is none, or too few services are left for the distractors.
        """
        mask = self._draw_mask(rng)
        services = tuple(self.compatibility.names[place] for place in bits(mask))
        wanted = rng.randint(*self.wanted.distractors)
        return Composition(services, distractors(rng, self.compatibility, services, wanted, self.wanted.forbidden))

    def _draw_mask(self, rng: random.Random) -> int:
        sizes = range(self.wanted.services[0], min(self.wanted.services[1], self.wanted.length[1] - 1) + 1)
        counts = [sum(ways for _, ways in self._strata(size)) for size in sizes]
        for _ in range(_TRIES if sum(counts) else 0):
            mask = self._candidate(rng, pick(rng, sizes, counts))
            if has_walk(self.compatibility.graph, mask, self.wanted.length):
                return mask
        raise SamplingError(
            "no composition of {} to {} services is as asked for".format(*self.wanted.services),
            "ask for other sizes or longer walks, or require and forbid fewer services",
        )

    @cached_property
    def _free(self) -> tuple[int, ...]:
        """Places of the services that may be chosen beside those required."""
        taken = self.wanted.required | self.wanted.forbidden
        return tuple(place for place, name in enumerate(self.compatibility.names) if name not in taken)

    @cached_property
    def _pools(self) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """The free places of the wanted domain, the others, and how many of the former must be chosen."""
        domain, least = members(self.compatibility, self.wanted.domain)
        names = self.compatibility.names
        inside = tuple(place for place in self._free if names[place] in domain)
        outside = tuple(place for place in self._free if names[place] not in domain)
        return inside, outside, max(0, least - len(domain & self.wanted.required))

    def _strata(self, size: int) -> list[tuple[int, int]]:
        """Numbers of services from the domain, with the number of sets that have so many."""
        if size not in self._counted:
            inside, outside, least = self._pools
            rest = size - len(self.wanted.required)
            self._counted[size] = [
                (many, comb(len(inside), many) * comb(len(outside), rest - many))
                for many in range(least, min(len(inside), rest) + 1)
            ]
        return self._counted[size]

    @cached_property
    def _counted(self) -> dict[int, list[tuple[int, int]]]:
        return {}

    def _candidate(self, rng: random.Random, size: int) -> int:
        inside, outside, _ = self._pools
        strata = self._strata(size)
        many = pick(rng, [many for many, _ in strata], [ways for _, ways in strata])
        chosen = rng.sample(inside, many) + rng.sample(outside, size - len(self.wanted.required) - many)
        return self.compatibility.mask(self.wanted.required) | mask_of(chosen)

    def _masks(self, size: int) -> Iterator[int]:
        inside, _, least = self._pools
        domain = mask_of(inside)
        for chosen in combinations(self._free, size - len(self.wanted.required)):
            mask = mask_of(chosen)
            if (mask & domain).bit_count() >= least:
                yield self.compatibility.mask(self.wanted.required) | mask


def check_wanted(compatibility: Compatibility, required: frozenset[str], forbidden: frozenset[str]) -> None:
    """Refuse services that there are not, and such as are both required and forbidden.

    Raises:
        SamplingError: one is.
    """
    compatibility.check(sorted(required | forbidden))
    for name in sorted(required & forbidden):
        raise SamplingError(f"{name} is both required and forbidden")


def members(compatibility: Compatibility, domain: str | None) -> tuple[frozenset[str], int]:
    """The services of a domain and how many make a composition one of it: two, or one where there is no second.

    Raises:
        SamplingError: no service is of it.
    """
    found = frozenset[str]() if domain is None else compatibility.of_domain(domain)
    return found, min(2, len(found))


def distractors(
    rng: random.Random,
    compatibility: Compatibility,
    services: Collection[str],
    many: int,
    forbidden: Collection[str] = (),
) -> tuple[str, ...]:
    """Other services, sorted; those of the same and of neighbouring domains come more often.

    Raises:
        SamplingError: there are not so many others.
    """
    rest = [name for name in compatibility.names if name not in services and name not in forbidden]
    if many > len(rest):
        raise SamplingError(f"{many} distractors are asked for, and {len(rest)} services are left")
    own = {compatibility.domains[name] for name in services}
    near = {domain for group in _NEIGHBOURHOODS if own.intersection(group) for domain in group}
    chosen: list[str] = []
    for _ in range(many):
        weights = [_weight(compatibility.domains, name, own, near) for name in rest]
        chosen.append(pick(rng, rest, weights))
        rest.remove(chosen[-1])
    return tuple(sorted(chosen))


def has_walk(graph: Graph, mask: int, length: Range) -> bool:
    """Whether a valid walk with a length in the range goes over exactly the services of a mask."""
    places = tuple(bits(mask))
    size = len(places)
    if size < 2 or length[1] <= size:
        return False
    if all(graph.mutual[place] & mask == mask ^ 1 << place for place in places):
        return True
    rows = tuple(
        mask_of(here for here, other in enumerate(places) if graph.after[place] >> other & 1) for place in places
    )
    return _walkable(rows, length)


@cache
def _walkable(rows: tuple[int, ...], length: Range) -> bool:
    """The same over a small graph alone: sets of services that look alike are decided once."""
    everything = (1 << len(rows)) - 1
    states = {(place, 1 << place) for place in range(len(rows))}
    for visits in range(2, length[1] + 1):
        states = {(place, seen | 1 << place) for last, seen in states for place in bits(rows[last])}
        long_enough = visits >= length[0] and visits > len(rows)
        if long_enough and any(seen == everything for _, seen in states):
            return True
    return False


def _nothing_missing(graph: Graph, size: int, length: Range) -> bool:
    """Whether every set of this size has a walk because every service may follow every other."""
    services = len(graph.names)
    return graph.edges == services * (services - 1) and 2 <= size < length[1]


def _weight(domains: Mapping[str, str], name: str, own: Collection[str], near: Collection[str]) -> int:
    return _SAME if domains[name] in own else _NEIGHBOUR if domains[name] in near else _OTHER


def _wilson(hits: int, tries: int) -> tuple[float, float]:
    share = hits / tries
    middle = share + _Z**2 / (2 * tries)
    spread = _Z * sqrt(share * (1 - share) / tries + _Z**2 / (4 * tries**2))
    scale = 1 + _Z**2 / tries
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
