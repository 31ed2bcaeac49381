"""A service: entities, tools bound to a specification, and seed data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from engine.errors import ServiceDefinitionError
from engine.kit.cast import Person
from engine.kit.entity import Entity
from engine.kit.seed import Seed
from engine.kit.specification import read_specification
from engine.kit.tool import Tool, bind, is_tool, simulated

if TYPE_CHECKING:
    from engine.calls import CallResult

SeedFunction: TypeAlias = Callable[[Seed], Iterable[Entity]]

DOMAINS = (
    "communication",
    "productivity",
    "sales and crm",
    "marketing",
    "finance",
    "commerce",
    "support",
    "software development",
    "operations",
    "data and analytics",
    "people",
    "travel and places",
    "education",
    "health and home",
    "media and events",
)
"""The application domains; a service has exactly one."""


class Runner(Protocol):
    """Makes the calls of a service whose code does not run in this process."""

    def call(self, branch: int, person: Person, tool: str, arguments: dict[str, Any]) -> CallResult | str:
        """Make a call and log it as one event; or say, as a text, why there is none: that is a fault of the service."""
        ...


class Service:
    """One application.

    Args:
        name: lower-case identifier, unique in the library; the namespace of its tools and tables.
        title: how people call it.
        domain: one of ``DOMAINS``.
        summary: one sentence for the agent's ``list_services``.
        entities: its tables, a referenced one before those that refer to it.
        tools: the module whose functions marked ``@tool`` implement the specification.
        specification: path of its ``tools.json``.
        seed: makes the rows of the standard initial state.
        simulated: tools of the specification that have no code and are left to the world model.
        withheld: tools that are not offered, with the reason (they failed an attack).

    Attributes:
        runner: makes the calls of its tools where its code runs elsewhere; nearly always none.

    Raises:
        ServiceDefinitionError: entities, functions and specification do not fit together.
    """

    runner: Runner | None = None

    def __init__(
        self,
        *,
        name: str,
        title: str,
        domain: str,
        summary: str,
        entities: Sequence[type[Entity]],
        tools: ModuleType,
        specification: Path,
        seed: SeedFunction,
        simulated: Sequence[str] = (),
        withheld: Mapping[str, str] | None = None,
    ) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,30}", name):
            raise ServiceDefinitionError(f"service name {name!r} is not a lower-case identifier")
        if domain not in DOMAINS:
            raise ServiceDefinitionError(f"service {name}: unknown domain {domain!r}")
        for entity in entities:
            if entity.__service__ != name:
                raise ServiceDefinitionError(f"service {name}: {entity.__name__} belongs to another service")
        self.name = name
        self.title = title
        self.domain = domain
        self.summary = summary
        self.entities = tuple(entities)
        self.seed = seed
        self.simulated = frozenset(simulated)
        self.withheld = dict(withheld or {})
        self._tools_module = tools
        self._specification = specification

    @cached_property
    def tools(self) -> dict[str, Tool]:
        """All that there are, by name, in the order of the specification; see ``offered``."""
        functions = {name: value for name, value in vars(self._tools_module).items() if is_tool(value)}
        specifications = read_specification(self._specification)
        missing = sorted((specifications.keys() ^ functions.keys()) ^ self.simulated)
        if missing:
            raise ServiceDefinitionError(
                f"service {self.name}: {', '.join(missing)} stand only in the specification or only in the code"
            )
        return {
            name: simulated(spec) if name in self.simulated else bind(spec, functions[name])
            for name, spec in specifications.items()
        }

    @property
    def package(self) -> str:
        """Name of the Python package that it is."""
        return self._tools_module.__name__.rpartition(".")[0]

    def offered(self, simulated: bool) -> dict[str, Tool]:
        """The tools that can be called: none that is withheld; where no world model answers, only those with code."""
        return self._offered if simulated else self._coded

    @cached_property
    def _offered(self) -> dict[str, Tool]:
        return {name: tool for name, tool in self.tools.items() if name not in self.withheld}

    @cached_property
    def _coded(self) -> dict[str, Tool]:
        return {name: tool for name, tool in self._offered.items() if not tool.simulated}

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return self._specification.parent

    def without(self, withheld: Mapping[str, str]) -> Service:
        """The same service with these tools withheld (name to reason); no others are."""
        copied = copy(self)
        for made in ("_offered", "_coded"):
            copied.__dict__.pop(made, None)
        copied.withheld = dict(withheld)
        return copied

    def __repr__(self) -> str:
        return f"Service({self.name!r})"
