"""Plans: which family is told next, over which services, how hard; a pure function of seed and number."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

from engine.library import Library
from tasks.authoring.family import Family, families, family_named
from tasks.document import LONGEST_WALK, SHORTEST_WALK, Area
from tasks.errors import SamplingError
from tasks.sampling.compatibility import Compatibility
from tasks.sampling.dials import FEWEST_SERVICES, MOST_SERVICES, Dials
from tasks.sampling.patterns import Assignment, Assignments, Limits, assign

_TRIES = 500

_ANY = {"length": (SHORTEST_WALK, LONGEST_WALK), "services": (FEWEST_SERVICES, MOST_SERVICES), "staleness": 2}


@dataclass(frozen=True)
class Plan:
    """What is to be drafted.

    Attributes:
        ordinal: its number in the row of plans, from 0.
        pattern: which of the family's patterns, from 0.
        roles: the service of each role of the pattern.
        walk: the services in the order of the visits.
        distractors: services that the agent can discover beside them.
        seed: of the draft.
    """

    ordinal: int
    family: str
    area: Area
    pattern: int
    roles: Mapping[str, str]
    walk: tuple[str, ...]
    distractors: tuple[str, ...]
    dials: Dials
    seed: int

    @property
    def services(self) -> tuple[str, ...]:
        """What the solution needs, in the order of the first visits."""
        return tuple(dict.fromkeys(self.walk))


def plans(
    seed: int, dials: Dials | None = None, names: Sequence[str] | None = None, *, first: int = 0
) -> Iterator[Plan]:
    """Plans without end, the same for the same arguments; none depends on those before it.

    Families come in turns, in another order each round. Within a family the length is drawn first, uniformly among
    those that it has for the dials; then pattern and services uniformly among those that make a valid walk of it.

    Args:
        dials: for every plan; by default each draws a level of its own.
        names: the families to tell; by default all that have a walk for the dials, short ones for dials of short tasks.
        first: the number of the plan to begin with.

    Raises:
        SamplingError: there is no such family, or a family has no walk for these dials.
    """
    short = dials is not None and dials.short
    chosen = [family_named(name) for name in sorted(set(names or families(short=short)))]
    for family in chosen:
        if family.short != short:
            mend = "ask for other families" if short else "ask for the level short"
            raise SamplingError(f"family {family.name} tells {'short' if family.short else 'whole'} tasks only", mend)
    if dials is not None and names is None:
        chosen = [family for family in chosen if _can_tell(family, dials)]
        if not chosen:
            raise SamplingError("no family has a walk for these dials", "allow other lengths or numbers of services")
    for ordinal in count(first):
        yield _plan(seed, ordinal, chosen, dials)


def _plan(seed: int, ordinal: int, chosen: Sequence[Family], dials: Dials | None) -> Plan:
    turn, place = divmod(ordinal, len(chosen))
    order = random.Random(f"{seed}/round/{turn}").sample(range(len(chosen)), len(chosen))
    family = chosen[order[place]]
    rng = random.Random(f"{seed}/plan/{ordinal}")
    used = Dials.drawn(rng) if dials is None else dials
    drawn = _assignment(rng, family, used, strict=dials is not None)
    return Plan(
        ordinal=ordinal,
        family=family.name,
        area=family.area,
        pattern=drawn.pattern,
        roles=drawn.roles,
        walk=drawn.walk,
        distractors=drawn.distractors,
        dials=used,
        seed=int.from_bytes(hashlib.sha256(f"{seed}/{ordinal}".encode()).digest()[:4]),
    )


def _assignment(rng: random.Random, family: Family, dials: Dials, *, strict: bool) -> Assignment:
    found = _of_some_length(rng, family, dials)
    if found is None and not strict:
        # Dials that were drawn are a wish: a short family is told short in a hard set, too.
        found = _of_some_length(rng, family, dials.but(**_ANY))
    if found is None:
        raise SamplingError(f"family {family.name} has no walk as asked for", "allow other lengths or more services")
    return found


def _of_some_length(rng: random.Random, family: Family, dials: Dials) -> Assignment | None:
    """An assignment of a length drawn first, lest nearly all walks be long; ``None`` if there is none of any length."""
    shortest, longest = dials.length
    least = max(shortest, dials.services[0] + (not dials.short))
    told = {len(pattern) for pattern in family.patterns} & set(range(least, longest + 1))
    for length in rng.sample(sorted(told), len(told)):
        exact = dials.but(length=(length, length))
        for _ in range(_TRIES):
            try:
                drawn = assign(family, _compatibility(), exact, rng)
            except SamplingError:
                break
            if _files_apart(drawn):
                return drawn
    return None


def _can_tell(family: Family, dials: Dials) -> bool:
    return Assignments(family, _compatibility(), Limits.by(dials)).count() > 0


def _files_apart(drawn: Assignment) -> bool:
    """Whether a record is filed on in services that nothing else is in: two new records of a kind are mixed up."""
    services = list(drawn.roles.values())
    return all(services.count(service) == 1 for role, service in drawn.roles.items() if "-filed-" in role)


@cache
def _compatibility() -> Compatibility:
    return Compatibility.of(Library())
