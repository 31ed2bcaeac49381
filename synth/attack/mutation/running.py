"""The mutation run: attack every mutant; look closely at those that were not caught."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.calls import CallResult
from engine.errors import InputError
from engine.kit.specification import ToolSpecification
from engine.world import World
from synth.attack.attack import attack
from synth.attack.mutation.operators import OPERATORS, mutants
from synth.attack.mutation.planting import Mutant
from synth.attack.reading import read_all
from synth.attack.world_target import WorldTarget

Fate = Literal["caught", "survived", "unseen", "unstated"]
"""unseen: no call of two further attacks showed any difference; unstated: the specification does not speak of it."""


@dataclass(frozen=True)
class Tried:
    """What became of a mutant.

    Attributes:
        by: the law that it broke first, and the tool that was quarantined for it; empty where it was not caught.
    """

    mutant: Mutant
    fate: Fate
    by: str
    seconds: float


@dataclass
class MutationReport:
    """A mutation run over some services."""

    services: list[str]
    seed: int
    tried: list[Tried] = field(default_factory=list)
    seconds: float = 0.0

    def count(self, fate: Fate, operator: str | None = None) -> int:
        """How many mutants ended so."""
        return sum(item.fate == fate and operator in (None, item.mutant.operator) for item in self.tried)

    @property
    def rate(self) -> float:
        """Share of the mutants that were caught, of those that break something the specification speaks of."""
        counted = self.count("caught") + self.count("survived")
        return self.count("caught") / counted if counted else 1.0

    @property
    def rate_at_worst(self) -> float:
        """The same, were every mutant of which nothing was seen a fault that was missed."""
        counted = self.count("caught") + self.count("survived") + self.count("unseen")
        return self.count("caught") / counted if counted else 1.0

    def as_json(self) -> dict[str, Any]:
        """The whole run."""
        fates: tuple[Fate, ...] = ("caught", "survived", "unseen", "unstated")
        return {
            "services": self.services,
            "seed": self.seed,
            "mutants": len(self.tried),
            **{fate: self.count(fate) for fate in fates},
            "rate": round(self.rate, 4),
            "rate_at_worst": round(self.rate_at_worst, 4),
            "operators": [
                {"name": name, "what": what, **{fate: self.count(fate, name) for fate in fates}}
                for name, (what, _) in OPERATORS.items()
            ],
            "survivors": [
                {"service": item.mutant.service, "tool": item.mutant.tool, "operator": item.mutant.operator,
                 "where": item.mutant.where}
                for item in self.tried
                if item.fate == "survived"
            ],
            "seconds": round(self.seconds, 1),
        }  # fmt: skip


Progress = Callable[[str, int, int], None]


def run(
    world: World,
    services: Sequence[str],
    *,
    seed: int = 0,
    most: int = 2,
    operators: Sequence[str] | None = None,
    progress: Progress = lambda *_: None,
) -> MutationReport:
    """Plant faults in services and attack each of them.

    Args:
        most: mutants of each operator in each service.
        operators: only these.

    Raises:
        InputError: there is no such operator.
        NotFound: there is no such service.
    """
    for name in operators or ():
        if name not in OPERATORS:
            raise InputError(f"there is no operator {name!r}", hint=f"known are {', '.join(OPERATORS)}")
    begun = time.perf_counter()
    report = MutationReport(list(services), seed)
    chosen = [
        mutant
        for name in services
        for mutant in mutants(world.library.get(name), seed, most)
        if operators is None or mutant.operator in operators
    ]
    clean: dict[str, set[str]] = {}
    for number, mutant in enumerate(chosen):
        progress(mutant.name, number, len(chosen))
        report.tried.append(try_mutant(world, mutant, seed, clean))
    report.seconds = time.perf_counter() - begun
    return report


def try_mutant(world: World, mutant: Mutant, seed: int, clean: dict[str, set[str]]) -> Tried:
    """Attack one mutant; where nothing is found, see whether it differs from the right service at all.

    Args:
        clean: tools that are quarantined without any fault, by service; filled as services come.
    """
    begun = time.perf_counter()
    service = world.library.get(mutant.service)
    if mutant.service not in clean:
        with WorldTarget(world, service) as target:
            clean[mutant.service] = set(attack(target, seed=seed).quarantined)
    by = ""
    with WorldTarget(world, mutant.planted(service)) as target, mutant.active():
        found = attack(target, seed=seed, only=concerned(target.specifications, mutant.tool))
        for verdict in found.tools:
            if verdict.cases and verdict.tool not in clean[mutant.service]:
                by = by or f"{verdict.cases[0].law} of {verdict.tool}"
        out = [item.tool for item in found.tools if item.verdict == "quarantined" and not item.cases]
    if not by and mutant.tool in out and mutant.tool not in clean[mutant.service]:
        with WorldTarget(world, service) as target:
            # The same attack finds a valid call where the fault is not: then it is the fault that is in the way.
            right = attack(target, seed=seed, only=concerned(target.specifications, mutant.tool))
        if mutant.tool in right.verified:
            by = f"no valid call of {mutant.tool}"
    fate: Fate = "caught"
    if not by:
        fate = "survived" if mutant.stated else "unstated"
        if not differs(world, mutant, seed):
            fate = "unseen"
    return Tried(mutant, fate, by, time.perf_counter() - begun)


def concerned(specifications: Mapping[str, ToolSpecification], tool: str) -> set[str]:
    """The tools by which a fault in this one may show: itself, and those that read things of its noun."""
    readings = read_all(specifications)
    noun = readings[tool].noun
    return {tool} | {
        name
        for name, item in readings.items()
        if item.noun == noun and item.kind in ("list", "get", "create", "update")
    }


def differs(world: World, mutant: Mutant, seed: int) -> bool:
    """Whether any call of two further attacks, made on both, shows something else or leaves another state."""
    service = world.library.get(mutant.service)
    for other in (seed + 1, seed + 2):
        with ExitStack() as stack:
            right = stack.enter_context(WorldTarget(world, service))
            wrong = stack.enter_context(WorldTarget(world, mutant.planted(service)))
            pair = _Pair(right, wrong, mutant)
            try:
                attack(pair, seed=other, only={mutant.tool})
            except _Different:
                return True
    return False


class _Different(Exception):
    """A call gave something else on the mutant."""


class _Pair:
    """Two targets that are asked the same: the right service, whose answers count, and the mutant."""

    def __init__(self, right: WorldTarget, wrong: WorldTarget, mutant: Mutant) -> None:
        self._right, self._wrong, self._mutant = right, wrong, mutant
        self.service, self.specifications = right.service, right.specifications
        self._twins: dict[int, int] = {}

    def fork(self, branch: int | None = None) -> int:
        made = self._right.fork(branch)
        self._twins[made] = self._wrong.fork(None if branch is None else self._twins[branch])
        return made

    def call(self, branch: int, tool: str, arguments: dict[str, Any]) -> CallResult:
        result = self._right.call(branch, tool, arguments)
        with self._mutant.active():
            other = self._wrong.call(self._twins[branch], tool, arguments)
        if not result.ok and not other.ok and result.outcome != "fault" != other.outcome:
            return result  # refused is refused, in whatever words
        if result.observation != other.observation or result.changes != other.changes:
            raise _Different
        if result.changes and self._right.digest(branch) != self._wrong.digest(self._twins[branch]):
            raise _Different
        return result

    def digest(self, branch: int) -> str:
        return self._right.digest(branch)
