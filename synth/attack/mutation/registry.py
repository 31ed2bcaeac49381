"""Operators: each plants one kind of fault, and finds the places of a service where it can be planted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.kit import Context, Entity, Service, Tool
from synth.attack.mutation import contexts
from synth.attack.mutation.planting import Mutant, wrapped
from synth.attack.mutation.sites import Reach, entity_of, reach, text_field
from synth.attack.reading import Reading, read_all


@dataclass(frozen=True)
class Place:
    """A tool, with what its name and its source say."""

    service: Service
    tool: Tool
    reading: Reading
    reach: Reach
    entity: type[Entity] | None

    def mutant(self, operator: str, where: str, change: Callable[[Tool], Tool], stated: bool = True) -> Mutant:
        """A mutant at this place."""
        return Mutant(self.service.name, self.tool.name, operator, where, stated, change)


Finder = Callable[[Place], Iterator[Mutant]]
OPERATORS: dict[str, tuple[str, Finder]] = {}
"""By name: a sentence for people, and the finder of places."""


def operator(name: str, sentence: str) -> Callable[[Finder], Finder]:
    """Register an operator."""

    def register(finder: Finder) -> Finder:
        OPERATORS[name] = (sentence, finder)
        return finder

    return register


def places(service: Service) -> list[Place]:
    """The tools of a service that have code."""
    readings = read_all({name: tool.specification for name, tool in service.tools.items()})
    return [
        Place(service, tool, readings[name], reach(tool.function), entity_of(service, readings[name]))
        for name, tool in service.tools.items()
        if not tool.simulated
    ]


def mutants(service: Service, seed: int, most: int) -> list[Mutant]:
    """Up to ``most`` mutants of each operator, the choice by the seed."""
    found: list[Mutant] = []
    every = places(service)
    for name, (_, finder) in OPERATORS.items():
        here = [mutant for place in every for mutant in finder(place)]
        rng = random.Random(f"{seed}/{service.name}/{name}")
        found += rng.sample(here, min(most, len(here)))
    return found


def inside(kind: type[Context]) -> Callable[[Tool], Tool]:
    """The tool in a context that does something wrongly."""
    return lambda tool: wrapped(tool, lambda inner, ctx, given: inner(contexts.as_context(kind, ctx), **given))


def fields_of(place: Place) -> set[str]:
    """Names of the fields of the entity that a tool is about."""
    return set(place.entity.model_fields) if place.entity is not None else set()


def writable(place: Place) -> type[Entity] | None:
    """An entity of which some text can be changed without breaking a rule: that of the tool, if it has one."""
    options = [place.entity, *place.service.entities]
    return next((item for item in options if item is not None and text_field(item) is not None), None)
