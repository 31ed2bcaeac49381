"""What an author is asked for: a task over these services, along this walk."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engine.errors import InputError
from engine.near import did_you_mean
from engine.world import World
from tasks.document import LONGEST_WALK, SHORTEST_WALK


@dataclass(frozen=True)
class Commission:
    """A composition and a walk.

    Attributes:
        services: what the task needs.
        walk: the services in the order in which the solution visits them.
        distractors: what the agent can discover beside them.
        seed: number of the services' seed data.

    Raises:
        InputError: the walk is none over these services.
    """

    services: tuple[str, ...]
    walk: tuple[str, ...]
    distractors: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        everything = [*self.services, *self.distractors]
        if len(self.services) < 2 or len(set(everything)) != len(everything):
            raise InputError("a task needs two services or more, and none is named twice, distractors included")
        if not SHORTEST_WALK <= len(self.walk) <= LONGEST_WALK:
            raise InputError(f"a walk has {SHORTEST_WALK} to {LONGEST_WALK} visits, this one {len(self.walk)}")
        if twice := [a for a, b in pairwise(self.walk) if a == b]:
            raise InputError(f"the walk visits {twice[0]} twice in a row", hint="that is one visit")
        if set(self.walk) != set(self.services):
            raise InputError(
                f"the walk visits {', '.join(sorted(set(self.walk)))} and the services are"
                f" {', '.join(sorted(self.services))}",
                hint="it visits each of them, and no other",
            )
        if len(self.walk) == len(self.services):
            raise InputError("the walk comes back to no service")

    def check(self, world: World) -> None:
        """See that there are such services.

        Raises:
            InputError: there is none of a name.
        """
        known = world.library.names()
        if unknown := [name for name in (*self.services, *self.distractors) if name not in known]:
            hint = did_you_mean(unknown[0], known, f"there are {', '.join(known)}")
            raise InputError(f"there is no service {unknown[0]!r}", hint=hint)
