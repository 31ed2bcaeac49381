"""Does information really cross? On each edge of the walk an argument must come that only the visit before gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.errors import EntityInvalid
from tasks.admission import newest
from tasks.admission.arguments import schema_at
from tasks.admission.evidence import Evidence, concluded, counted
from tasks.admission.ground import Ground
from tasks.admission.knowledge import (
    CLOSED,
    Place,
    Telling,
    base_telling,
    given_away,
    known_before,
    made_in_run,
    other_telling,
)
from tasks.admission.occurrences import leaves, mentions, plain
from tasks.errors import TaskError
from tasks.parts import Part

_SHOWN = 80


@dataclass(frozen=True)
class _Tellings:
    """The base, and for each declared fact the reference over an s0 in which it is otherwise."""

    base: Telling
    others: dict[str, Telling]

    def otherwise(self, place: Place, value: Any) -> list[str]:
        """The facts that change an argument; first the one that changes least, which comes in nearest to it."""
        facts = [fact for fact, other in self.others.items() if other.arguments.get(place, value) != value]
        return sorted(facts, key=lambda fact: self._changed(self.others[fact]))

    def _changed(self, other: Telling) -> int:
        return sum(other.arguments.get(place, value) != value for place, value in self.base.arguments.items())


@dataclass(frozen=True)
class _Candidate:
    """An argument of a visit that takes from the visit before it."""

    call: int
    part: Part

    @property
    def place(self) -> Place:
        return self.call, self.part.place


def examine(ground: Ground) -> Evidence:
    """Check 4: on every edge something is carried that can be learnt nowhere else."""
    findings: list[str] = []
    told = _Tellings(base_telling(ground), _others(ground, findings))
    edges = []
    for visit in range(1, len(ground.visits)):
        before, after = (ground.calls[ground.visits[number][0]].service for number in (visit - 1, visit))
        candidates = list(_candidates(ground, visit))
        if not candidates:
            findings.append(
                f"visit {visit + 1} ({after}) takes nothing from visit {visit} ({before}): no argument of a call that "
                "writes, or whose observation is used, is a $from of an observation kept there; take one from it, or "
                "leave the visit out"
            )
            continue
        refusals = []
        for candidate in candidates:
            proof, refusal = _proof(ground, candidate, visit - 1, told)
            if proof is not None:
                edges.append(_edge(ground, candidate, visit, before, after, proof))
                break
            refusals.append(f"{_named(ground, candidate)} {refusal}")
        else:
            findings.append(
                f"nothing that visit {visit + 1} ({after}) takes from visit {visit} ({before}) is proven to cross: "
                + "; ".join(dict.fromkeys(refusals))
            )
    findings += newest.findings(ground)
    shown_by = f"{counted(len(edges), 'edge')}, each carries what only the visit before it gives"
    return concluded("crossing", shown_by, findings, {"edges": edges})


def _candidates(ground: Ground, visit: int) -> Iterator[_Candidate]:
    for number in ground.visits[visit]:
        if number not in ground.needed:
            continue
        for part in ground.parts[number]:
            if any(ground.made_in[name] == visit - 1 for name in part.names):
                yield _Candidate(number, part)


def _edge(ground: Ground, candidate: _Candidate, visit: int, before: str, after: str, proof: str) -> dict[str, Any]:
    call = ground.calls[candidate.call]
    return {
        "visit": visit + 1,
        "from": before,
        "to": after,
        "call": f"{candidate.call} {call.service}.{call.tool}",
        "argument": candidate.part.place,
        "value": _shown(candidate.part.value),
        "proof": proof,
    }


def _named(ground: Ground, candidate: _Candidate) -> str:
    call = ground.calls[candidate.call]
    return f"{candidate.part.place} of {call.service}.{call.tool} ({json.dumps(_shown(candidate.part.value))})"


def _proof(ground: Ground, candidate: _Candidate, visit: int, told: _Tellings) -> tuple[str | None, str]:
    """What proves that this argument can only come from a visit, or why nothing does."""
    value = candidate.part.value
    if mentions(ground.task.task.instruction, value):
        return None, "stands in the instruction"
    if choices := _closed(ground, candidate):
        return None, f"can be guessed: it is one of {choices}"
    if made_in_run(ground, value, visit):
        known = known_before(ground, value, visit, told.base)
        return (None, known) if known else ("made in the run", "")
    facts = told.otherwise(candidate.place, value)
    if not facts or any(leaf in ground.made for leaf in map(plain, leaves(value))):
        return None, "is the same whatever the declared facts are: no counterfactual changes it"
    if given := given_away(ground, value, *candidate.place):
        return None, given
    known = None
    for fact in facts:
        other = told.others[fact]
        instead = other.arguments[candidate.place]
        known = known_before(ground, value, visit, told.base, other, instead)
        if known is None:
            return f"with another {fact} it is {json.dumps(_shown(instead))}", ""
    return None, known or ""


def _closed(ground: Ground, candidate: _Candidate) -> str | None:
    """The few values that the argument can have, where that is known."""
    if isinstance(candidate.part.value, bool):
        return "true, false"
    columns = ground.seen.columns.get(plain(candidate.part.value), ())
    known = [ground.choices(*column) for column in sorted(columns)]
    if known and all(0 < len(choices) <= CLOSED for choices in known):
        return ", ".join(known[0])
    if candidate.part.in_text:
        return None
    specification = ground.specification(ground.calls[candidate.call])
    choices = schema_at(specification.input_schema, candidate.part.path).get("enum")
    if isinstance(choices, list) and len(choices) <= CLOSED:
        return ", ".join(map(str, choices))
    return None


def _others(ground: Ground, problems: list[str]) -> dict[str, Telling]:
    """What the reference tells where a declared fact is otherwise, by fact; what is wrong is added to the problems."""
    others: dict[str, Telling] = {}
    for item in ground.task.task.counterfactuals:
        try:
            told = other_telling(ground, item.change)
        except (TaskError, EntityInvalid) as error:
            problems.append(f"counterfactual {item.fact}: {error}")
            continue
        others[item.fact] = told
        if told.broken:
            problems.append(
                f"the counterfactual {item.fact} breaks the world: {told.broken}; another value of the fact has to be "
                "one with which the same calls lead to another end"
            )
    return others


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
    return value if isinstance(value, int | float | bool) or value is None else json.dumps(value)[:_SHOWN]
