"""Which services can follow which: those that take a semantic type that the other gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.kit import Service
from engine.near import did_you_mean
from tasks.errors import SamplingError
from tasks.sampling.chance import mask_of
from tasks.sampling.graph import Graph
from tasks.sampling.meanings import INFORMATIVE, Meanings, meanings


@dataclass(frozen=True)
class Crossing:
    """What can cross from one service to another.

    Attributes:
        types: semantic types that the first gives and the second takes, sorted.
        told: the first has fields of free form, in which whatever the second takes can be said.
        heard: the second has parameters of free form, into which whatever the first gives can be written.
    """

    types: tuple[str, ...]
    told: bool
    heard: bool


@dataclass(frozen=True)
class Compatibility:
    """The compatibility of some services.

    Attributes:
        domains: service to its domain.
        meanings: service to what it gives and takes.
        types: the semantic types that count.
    """

    domains: Mapping[str, str]
    meanings: Mapping[str, Meanings]
    types: frozenset[str] = INFORMATIVE

    @classmethod
    def of(cls, services: Iterable[Service]) -> Compatibility:
        """The compatibility of these services, such as those of a library."""
        listed = sorted(services, key=lambda service: service.name)
        return cls(
            {service.name: service.domain for service in listed},
            {service.name: meanings(service) for service in listed},
        )

    def over(self, types: Collection[str]) -> Compatibility:
        """The same where only these types count, such as ``{"code", "money"}``.

        Raises:
            SamplingError: one of them is no informative type.
        """
        unknown = sorted(set(types) - INFORMATIVE)
        if unknown:
            raise SamplingError(
                f"{', '.join(unknown)}: no semantic type that carries information",
                f"use some of {', '.join(sorted(INFORMATIVE))}",
            )
        return Compatibility(self.domains, self.meanings, frozenset(types))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The services, sorted."""
        return tuple(sorted(self.meanings))

    @cached_property
    def graph(self) -> Graph:
        """An edge from a service to each that takes a type which it gives."""
        return Graph.of(self.names, lambda before, after: bool(self._types(before, after)))

    def crossing(self, before: str, after: str) -> Crossing:
        """What can cross from the one to the other.

        Raises:
            SamplingError: one of them is unknown.
        """
        self.check((before, after))
        return Crossing(self._types(before, after), bool(self.meanings[before].tells), bool(self.meanings[after].hears))

    def check(self, names: Iterable[str]) -> None:
        """Refuse services that there are not.

        Raises:
            SamplingError: one is unknown.
        """
        for name in names:
            if name not in self.meanings:
                known = f"known are {', '.join(self.names)}"
                raise SamplingError(f"there is no service {name!r}", did_you_mean(name, self.names, known))

    def of_domain(self, domain: str) -> frozenset[str]:
        """The services of a domain, at least one.

        Raises:
            SamplingError: none is of it.
        """
        found = frozenset(name for name, each in self.domains.items() if each == domain)
        if not found:
            known = sorted(set(self.domains.values()))
            raise SamplingError(f"no service is of the domain {domain!r}", f"there are {', '.join(known)}")
        return found

    def mask(self, names: Iterable[str]) -> int:
        """Services as a mask over ``names``."""
        return mask_of(self.graph.place[name] for name in names)

    def edges_by_type(self) -> dict[str, int]:
        """How many edges each type can cross, the most frequent first; an edge counts for every type that can."""
        found: Counter[str] = Counter()
        for before in self.names:
            for after in self.names:
                if before != after:
                    found.update(self._types(before, after))
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def _types(self, before: str, after: str) -> tuple[str, ...]:
        shared = self.meanings[before].gives.keys() & self.meanings[after].takes.keys()
        return tuple(sorted(shared & self.types))
