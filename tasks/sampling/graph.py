"""A directed graph over services, as bit masks: which visit may follow which."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from tasks.sampling.chance import mask_of


@dataclass(frozen=True)
class Graph:
    """Services and the edges between them.

    Attributes:
        names: the services, each once; their places are the bits of masks.
        after: for each service the mask of those that may follow it; never itself.
    """

    names: tuple[str, ...]
    after: tuple[int, ...]

    @classmethod
    def of(cls, names: Iterable[str], allowed: Callable[[str, str], bool]) -> Graph:
        """The graph over these services, in alphabetical order, with the edges that are allowed."""
        ordered = tuple(sorted(set(names)))
        return cls(
            ordered,
            tuple(
                mask_of(place for place, other in enumerate(ordered) if other != name and allowed(name, other))
                for name in ordered
            ),
        )

    @classmethod
    def complete(cls, names: Iterable[str]) -> Graph:
        """Every service may follow every other."""
        return cls.of(names, lambda _before, _after: True)

    @cached_property
    def place(self) -> dict[str, int]:
        """Service to its bit."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def edges(self) -> int:
        """How many ordered pairs are connected."""
        return sum(row.bit_count() for row in self.after)

    @cached_property
    def before(self) -> tuple[int, ...]:
        """For each service the mask of those that it may follow."""
        return tuple(
            mask_of(other for other, row in enumerate(self.after) if row >> place & 1)
            for place in range(len(self.names))
        )

    @cached_property
    def mutual(self) -> tuple[int, ...]:
        """For each service the mask of those connected with it both ways."""
        return tuple(after & before for after, before in zip(self.after, self.before, strict=True))

    def allows(self, before: str, after: str) -> bool:
        """Whether a visit to the one may follow a visit to the other. False for services that it does not have."""
        here, there = self.place.get(before), self.place.get(after)
        return here is not None and there is not None and bool(self.after[here] >> there & 1)

    def among(self, names: Iterable[str]) -> Graph:
        """The graph over some of its services."""
        return Graph.of(names, self.allows)
