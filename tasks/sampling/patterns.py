"""Scenario families over services: who plays which role, in which order. Counted exactly, drawn uniformly.

A family has roles, each with the services that can play it, and patterns, rows of roles in the order of the visits. An
**assignment** gives each role of a pattern a service, two roles the same one if they like; it is valid if the walk that
it makes of the pattern is. Different assignments of a pattern make different walks.

Drawing takes a pattern in proportion to its candidates (services for each role, whatever the walk), then a candidate,
and both again until it is valid. Where few are, it takes a pattern and a set of services in proportion to the number of
their assignments, and then one of these. Either way each valid assignment is equally likely.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Protocol

from tasks.document import LONGEST_WALK, SHORTEST_WALK
from tasks.errors import SamplingError
from tasks.sampling.chance import bits, pick
from tasks.sampling.compatibility import Compatibility
from tasks.sampling.compositions import check_wanted, distractors, members
from tasks.sampling.counting import far_apart, sets_of
from tasks.sampling.dials import FEWEST_SERVICES, MOST_SERVICES, Dials, Range
from tasks.sampling.walks import staleness, valid

_TRIES = 500
"""Candidates that are drawn before the valid ones are counted."""


class Casting(Protocol):
    """What sampling needs to know of a scenario family.

    Attributes:
        name: for messages.
        roles: role to the services that can play it.
        patterns: roles in the order of the visits.
    """

    @property
    def name(self) -> str: ...
    @property
    def roles(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def patterns(self) -> Sequence[tuple[str, ...]]: ...


@dataclass(frozen=True)
class Assignment:
    """Who plays which role of a pattern.

    Attributes:
        family: its name.
        pattern: the number of its pattern, from 0.
        roles: role to service, in the order of the first visits; roles that the pattern lacks have none.
        walk: the services in the order of the visits.
        distractors: services that can be discovered beside them, sorted.
    """

    family: str
    pattern: int
    roles: Mapping[str, str]
    walk: tuple[str, ...]
    distractors: tuple[str, ...] = ()

    @property
    def services(self) -> tuple[str, ...]:
        """What the task needs, in the order of the first visits."""
        return tuple(dict.fromkeys(self.walk))


@dataclass(frozen=True)
class Limits:
    """Which assignments count.

    Attributes:
        length: fewest and most visits.
        services: fewest and most services.
        staleness: visits at least from the first look at some service to the last visit there.
        domain: at least two services are of this domain, or all that it has; ``None`` for any.
        required: services that take part.
        forbidden: services that do not, not even as distractors.
        returning: the walk comes back to a service.
    """

    length: Range = (SHORTEST_WALK, LONGEST_WALK)
    services: Range = (FEWEST_SERVICES, MOST_SERVICES)
    staleness: int = 0
    domain: str | None = None
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    returning: bool = True

    @classmethod
    def by(cls, dials: Dials, required: Iterable[str] = (), forbidden: Iterable[str] = ()) -> Limits:
        """What these dials ask for."""
        return cls(
            dials.length,
            dials.services,
            dials.staleness,
            dials.domain,
            frozenset(required),
            frozenset(forbidden),
            returning=not dials.short,
        )


@dataclass(frozen=True)
class _Pattern:
    """A pattern with the services that can still play its roles."""

    number: int
    visits: tuple[str, ...]
    roles: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]

    @property
    def candidates(self) -> int:
        return prod(map(len, self.options))

    def walk(self, services: Sequence[str]) -> tuple[str, ...]:
        """The walk in which these services play the roles, in the roles' order."""
        played = dict(zip(self.roles, services, strict=True))
        return tuple(played[role] for role in self.visits)


@dataclass(frozen=True)
class Assignments:
    """The valid assignments of a family.

    Raises:
        SamplingError: a role or a limit names a service, or the limits a domain, that there is not.
    """

    family: Casting
    compatibility: Compatibility
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        known = set(self.compatibility.names)
        for role, names in self.family.roles.items():
            for name in names:
                if name not in known:
                    raise SamplingError(f"family {self.family.name}, role {role}: there is no service {name!r}")
        check_wanted(self.compatibility, self.limits.required, self.limits.forbidden)
        members(self.compatibility, self.limits.domain)

    def count(self) -> int:
        """How many there are."""
        return sum(sum(sets.values()) for sets in self.by_set().values())

    def by_set(self) -> dict[int, dict[int, int]]:
        """For each pattern, sets of services (masks over the compatibility's names) to the number of assignments."""
        return {pattern.number: self._sets(pattern) for pattern in self._patterns}

    def draw(self, rng: random.Random, distractors_from_to: Range = (0, 0)) -> Assignment:
        """One of them, each with the same probability, with distractors.

        Raises:
            SamplingError: there is none, or too few services are left for the distractors.
        """
        chosen = self._candidate(rng) or self._counted(rng)
        others = rng.randint(*distractors_from_to)
        return replace(
            chosen,
            distractors=distractors(rng, self.compatibility, chosen.services, others, self.limits.forbidden),
        )

    def __iter__(self) -> Iterator[Assignment]:
        """All of them, pattern by pattern."""
        for pattern in self._patterns:
            yield from self._listed(pattern, pattern.options)

    def _candidate(self, rng: random.Random) -> Assignment | None:
        """One of them if a few candidates show one."""
        weights = [pattern.candidates for pattern in self._patterns]
        for _ in range(_TRIES if sum(weights) else 0):
            pattern = pick(rng, self._patterns, weights)
            services = [rng.choice(options) for options in pattern.options]
            if self._fits(pattern.walk(services)):
                return self._assignment(pattern, services)
        return None

    def _counted(self, rng: random.Random) -> Assignment:
        """One of them by their number."""
        found = [
            (pattern, mask, ways) for pattern in self._patterns for mask, ways in sorted(self._sets(pattern).items())
        ]
        if not found:
            raise SamplingError(
                f"family {self.family.name} has no assignment as asked for",
                "allow other lengths and sizes, or require and forbid fewer services",
            )
        pattern, mask, _ = pick(rng, found, [ways for _, _, ways in found])
        names = {self.compatibility.names[place] for place in bits(mask)}
        inside = [tuple(name for name in options if name in names) for options in pattern.options]
        return rng.choice([each for each in self._listed(pattern, inside) if set(each.walk) == names])

    def _listed(self, pattern: _Pattern, options: Sequence[Sequence[str]]) -> Iterator[Assignment]:
        for services in product(*options):
            if self._fits(pattern.walk(services)):
                yield self._assignment(pattern, services)

    def _assignment(self, pattern: _Pattern, services: Sequence[str]) -> Assignment:
        roles = dict(zip(pattern.roles, services, strict=True))
        return Assignment(self.family.name, pattern.number, roles, pattern.walk(services))

    def _fits(self, walk: tuple[str, ...]) -> bool:
        return (
            valid(walk, self.compatibility.graph, returning=self.limits.returning)
            and self._fitting(self.compatibility.mask(walk), len(walk))
            and staleness(walk) >= self.limits.staleness
        )

    def _fitting(self, mask: int, visits: int) -> bool:
        """Whether a set of services is as asked for, and so many visits come back to one where they have to."""
        fewest, most = self.limits.services
        required, domain, least = self._masks
        return (
            fewest <= mask.bit_count() <= min(most, visits - self.limits.returning)
            and mask & required == required
            and (mask & domain).bit_count() >= least
        )

    @cached_property
    def _masks(self) -> tuple[int, int, int]:
        """The required services, those of the domain, and how many of these take part at least."""
        domain, least = members(self.compatibility, self.limits.domain)
        return self.compatibility.mask(self.limits.required), self.compatibility.mask(domain), least

    @cached_property
    def _patterns(self) -> tuple[_Pattern, ...]:
        """The patterns of a length that is asked for, without forbidden services."""
        shortest, longest = self.limits.length
        found = []
        for number, visits in enumerate(self.family.patterns):
            if shortest <= len(visits) <= longest:
                roles = tuple(dict.fromkeys(visits))
                options = tuple(
                    tuple(name for name in dict.fromkeys(self.family.roles[role]) if name not in self.limits.forbidden)
                    for role in roles
                )
                found.append(_Pattern(number, visits, roles, options))
        return tuple(found)

    def _sets(self, pattern: _Pattern) -> dict[int, int]:
        """Sets of services to the number of assignments of a pattern."""
        graph = self.compatibility.graph
        options = tuple(map(self.compatibility.mask, pattern.options))
        visits = tuple(pattern.roles.index(role) for role in pattern.visits)
        counted = sets_of(graph, visits, options)
        if staleness(pattern.visits) < self.limits.staleness:
            # Only two roles far apart with one service make it long enough: all but those where no such two share one.
            fresh = sets_of(graph, visits, options, apart=far_apart(visits, self.limits.staleness))
            counted = {mask: ways - fresh.get(mask, 0) for mask, ways in counted.items()}
        return {mask: ways for mask, ways in counted.items() if ways and self._fitting(mask, len(visits))}


def assign(
    family: Casting,
    compatibility: Compatibility,
    dials: Dials,
    rng: random.Random,
    *,
    required: Iterable[str] = (),
    forbidden: Iterable[str] = (),
) -> Assignment:
    """Draw who plays which role for these dials, each valid assignment with the same probability, with distractors.

    The dials' domain is a preference: where the family has nothing in it, it is left aside.

    Raises:
        SamplingError: the family has no assignment for them.
    """
    limits = Limits.by(dials, required, forbidden)
    chosen = Assignments(family, compatibility, limits)
    if limits.domain is not None and not chosen.count():
        chosen = Assignments(family, compatibility, replace(limits, domain=None))
    return chosen.draw(rng, dials.distractors)
