"""A commission where the caller leaves services or walk open: drawn by a seed, uniformly among what is possible."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from engine.errors import InputError
from engine.kit import Service
from tasks.modelled.commission import Commission
from tasks.sampling import Compatibility, Compositions, Walks, Wanted

SERVICES, DISTRACTORS, LENGTH = (4, 5), (2, 3), (7, 9)
"""How many of each where nothing is said: enough to cross, and short enough for one conversation."""


def choose(
    library: Iterable[Service],
    services: Sequence[str] = (),
    walk: Sequence[str] = (),
    distractors: Sequence[str] = (),
    *,
    draw: int = 0,
    seed: int = 0,
) -> Commission:
    """What is given, and the rest drawn.

    Args:
        walk: with it, its services are the task's.
        draw: seed of what is drawn.
        seed: number of the services' seed data.

    Raises:
        InputError: services and walk do not fit together, or there is no walk over the services.
    """
    if walk:
        needed = tuple(dict.fromkeys(walk))
        if services and set(services) != set(needed):
            raise InputError(f"the walk visits {', '.join(sorted(needed))}, which are not the services given")
        return Commission(needed, tuple(walk), tuple(distractors), seed)
    rng = random.Random(f"commission/{draw}")
    compatibility = Compatibility.of(library)
    compatibility.check([*services, *distractors])
    if len(services) == 1:
        raise InputError("a task needs two services or more", hint="name another one, or none")
    wanted = Wanted(
        services=(len(services), len(services)) if services else SERVICES,
        distractors=DISTRACTORS,
        length=LENGTH,
        required=frozenset(services),
        forbidden=frozenset(distractors),
    )
    drawn = Compositions(compatibility, wanted).draw(rng)
    walks = Walks(compatibility.graph.among(drawn.services), LENGTH)
    return Commission(drawn.services, walks.draw(rng), tuple(distractors) or drawn.distractors, seed)
