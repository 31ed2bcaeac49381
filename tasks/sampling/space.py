"""How much there is to sample from: compositions, walks, and what the scenario families can be told over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb

from engine.kit import Service
from tasks.document import LONGEST_WALK, SHORTEST_WALK
from tasks.errors import SamplingError
from tasks.sampling.compatibility import Compatibility
from tasks.sampling.compositions import Compositions, Count
from tasks.sampling.dials import MOST_SERVICES
from tasks.sampling.graph import Graph
from tasks.sampling.patterns import Assignments, Casting
from tasks.sampling.union import DifferentWalks
from tasks.sampling.walks import walks_on_complete

PUBLISHED_SERVICES = 448
"""Services of the largest library that was published, for comparison."""


@dataclass(frozen=True)
class SizeSpace:
    """Compositions of one size.

    Attributes:
        count: of these services.
        published: sets of as many out of the largest published library.
        walks: length to number of walks over one such composition whose services can all follow each other.
    """

    count: Count
    published: int
    walks: dict[int, int]


@dataclass(frozen=True)
class FamilySpace:
    """What one family can be told over.

    Attributes:
        assignments: valid ones of all its patterns; each is another walk or another pattern.
        compositions: different sets of services among them.
        by_size: number of services to the number of assignments with so many.
    """

    family: str
    patterns: int
    assignments: int
    compositions: int
    by_size: dict[int, int]


@dataclass(frozen=True)
class Space:
    """How much there is to sample from.

    Attributes:
        pairs: ordered pairs of services.
        edges: those of them where something can cross.
        edges_by_type: how many edges each semantic type can cross.
        sizes: by number of services.
        families: by family, in the order given.
        assignments: of all families.
        walks: different ones that they make; ``None`` where families overlap in too many ways to count them.
        compositions: different sets of services of all families together.
        compositions_by_size: the same by number of services.
    """

    services: int
    pairs: int
    edges: int
    edges_by_type: dict[str, int]
    sizes: tuple[SizeSpace, ...]
    families: tuple[FamilySpace, ...]
    assignments: int
    walks: int | None
    compositions: int
    compositions_by_size: dict[int, int]


def space(services: Iterable[Service], families: Iterable[Casting] = ()) -> Space:
    """Count what these services and families allow, with walks of 7 to 12 visits.

    Args:
        services: such as a library.
        families: such as ``families().values()``.

    Raises:
        SamplingError: a family names a service that there is not.
    """
    compatibility = Compatibility.of(services)
    compositions = Compositions(compatibility)
    many = len(compatibility.names)
    sizes = tuple(
        SizeSpace(compositions.count(size), comb(PUBLISHED_SERVICES, size), _walks(size))
        for size in range(2, min(many, MOST_SERVICES) + 1)
    )
    counted = []
    sets: set[int] = set()
    patterns = []
    for family in families:
        by_set = Assignments(family, compatibility).by_set().values()
        own = set().union(*by_set)
        by_size: Counter[int] = Counter()
        for found in by_set:
            for mask, ways in found.items():
                by_size[mask.bit_count()] += ways
        counted.append(
            FamilySpace(family.name, len(family.patterns), by_size.total(), len(own), dict(sorted(by_size.items())))
        )
        sets |= own
        patterns += _patterns(family, compatibility)
    return Space(
        services=many,
        pairs=many * (many - 1),
        edges=compatibility.graph.edges,
        edges_by_type=compatibility.edges_by_type(),
        sizes=sizes,
        families=tuple(counted),
        assignments=sum(item.assignments for item in counted),
        walks=_different(patterns, compatibility.graph),
        compositions=len(sets),
        compositions_by_size=dict(sorted(Counter(mask.bit_count() for mask in sets).items())),
    )


def _patterns(family: Casting, compatibility: Compatibility) -> list[tuple[list[int], list[int]]]:
    roles = list(family.roles)
    options = [compatibility.mask(family.roles[role]) for role in roles]
    return [([roles.index(role) for role in visits], options) for visits in family.patterns]


def _different(patterns: Sequence[tuple[Sequence[int], Sequence[int]]], graph: Graph) -> int | None:
    try:
        return DifferentWalks(graph).of(patterns)
    except SamplingError:
        return None


def _walks(services: int) -> dict[int, int]:
    return {length: walks_on_complete(services, length) for length in range(SHORTEST_WALK, LONGEST_WALK + 1)}
