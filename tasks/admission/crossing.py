"""Does information really cross? On each edge of the walk an argument must come that only the visit before gives."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import EntityInvalid
from tasks.admission.arguments import Part, parts, schema_at
from tasks.admission.evidence import Evidence, concluded
from tasks.admission.ground import Ground, Step
from tasks.admission.instruction import distinctive
from tasks.admission.occurrences import leaves, mentions, occurs, plain
from tasks.document import Counterfactual
from tasks.errors import TaskError, UnresolvedReference
from tasks.initial import changed_rows
from tasks.player import Player

CLOSED = 3
"""A set of at most so many possible values can be guessed."""

_SHOWN = 80

Place = tuple[int, str]
"""A call (from 0) and a part of its arguments."""


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
    worlds, wrong = _other_worlds(ground)
    findings += wrong
    edges = []
    for visit in range(1, len(ground.visits)):
        before, after = (ground.calls[ground.visits[number][0]].service for number in (visit - 1, visit))
        candidates = list(_candidates(ground, visit))
        if not candidates:
            findings.append(
                f"visit {visit + 1} ({after}) takes nothing from visit {visit} ({before}): no argument is a $from of "
                "an observation kept there; take one from it, or leave the visit out"
            )
            continue
        refusals = []
        for candidate in candidates:
            proof, refusal = _proof(ground, candidate, visit - 1, worlds)
            if proof is not None:
                edges.append(_edge(ground, candidate, visit, before, after, proof))
                break
            refusals.append(f"{_named(ground, candidate)} {refusal}")
        else:
            findings.append(
                f"nothing that visit {visit + 1} ({after}) takes from visit {visit} ({before}) is proven to cross: "
                + "; ".join(dict.fromkeys(refusals))
            )
    shown_by = f"{len(edges)} edges, each carries what only the visit before it gives"
    return concluded("crossing", shown_by, findings, {"edges": edges})


def _candidates(ground: Ground, visit: int) -> Iterator[_Candidate]:
    for number in ground.visits[visit]:
        for part in parts(ground.calls[number].arguments, ground.saved):
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


def _proof(
    ground: Ground, candidate: _Candidate, visit: int, worlds: Mapping[str, Mapping[Place, Any]]
) -> tuple[str | None, str]:
    """What proves that this argument can only come from the visit before, or why nothing does."""
    value = candidate.part.value
    if mentions(ground.task.task.instruction, value):
        return None, "stands in the instruction"
    if choices := _closed(ground, candidate):
        return None, f"can be guessed: it is one of {choices}"
    if _made_in_run(ground, value, visit):
        return "made in the run", ""
    # The fact that changes least is the one that comes in nearest to this edge.
    facts = sorted(
        (fact for fact, resolved in worlds.items() if resolved.get(candidate.place, value) != value),
        key=lambda fact: _changed(ground, worlds[fact]),
    )
    if not facts or any(leaf in ground.made for leaf in map(plain, leaves(value))):
        return None, "is the same whatever the declared facts are: no counterfactual changes it"
    if given := _given_away(ground, value, ground.calls[candidate.call].service):
        return None, given
    return f"with another {facts[0]} it is {json.dumps(_shown(worlds[facts[0]][candidate.place]))}", ""


def _closed(ground: Ground, candidate: _Candidate) -> str | None:
    """The few values that the argument can have, where that is known."""
    if isinstance(candidate.part.value, bool):
        return "true, false"
    if candidate.part.in_text:
        return None
    specification = ground.specification(ground.calls[candidate.call])
    choices = schema_at(specification.input_schema, candidate.part.path).get("enum")
    if isinstance(choices, list) and len(choices) <= CLOSED:
        return ", ".join(map(str, choices))
    return None


def _changed(ground: Ground, resolved: Mapping[Place, Any]) -> int:
    return sum(
        resolved.get((number, part.place), part.value) != part.value
        for number, call in enumerate(ground.calls)
        for part in parts(call.arguments, ground.saved)
    )


# made in the run


def _made_in_run(ground: Ground, value: Any, visit: int) -> bool:
    """Whether a value came into being by what the reference wrote to the service of a visit, up to that visit."""
    held = list(leaves(value))
    if not held or any(_anywhere(ground, leaf) for leaf in held):
        return False
    last = ground.visits[visit][-1]
    service = ground.calls[last].service
    written = {
        plain(leaf)
        for event in ground.events[: last + 1]
        if event.service == service
        for change in event.changes
        for leaf in leaves(change.after)
    }
    if all(plain(leaf) in written for leaf in held):
        return True
    return _gone_without_writes(ground, service, last, value)


def _gone_without_writes(ground: Ground, service: str, last: int, value: Any) -> bool:
    """Whether none of the service's observations has a value when nothing was written to the service."""
    writes = [number for number in ground.writes if number <= last and ground.calls[number].service == service]
    if not writes:
        return False
    steps = [Step(call, left_out=number in writes) for number, call in enumerate(ground.calls[: last + 1])]
    played = ground.play(steps[writes[0] :], after=writes[0])
    wanted = {plain(leaf) for leaf in leaves(value)}
    seen = {
        plain(leaf)
        for number, result in enumerate(played.results, writes[0])
        if ground.calls[number].service == service and result.ok
        for leaf in leaves(result.observation)
    }
    base = {
        plain(leaf)
        for number in range(writes[0], last + 1)
        if ground.calls[number].service == service
        for leaf in leaves(ground.events[number].observation)
    }
    return bool((wanted & base) - seen)


def _anywhere(ground: Ground, leaf: Any) -> bool:
    return next(ground.seen.holding(leaf, set(ground.s0)), None) is not None


# what the later service tells of itself


def _given_away(ground: Ground, value: Any, service: str) -> str | None:
    """How the later service would give a value away, or ``None``: nothing, or one of many without a hint at which."""
    terms = distinctive(ground.task.task.instruction)
    for leaf in leaves(value):
        for table, key, column in ground.seen.holding(leaf, ground.tables(service)):
            known = ground.seen.values(table, column)
            if len(known) <= CLOSED and isinstance(leaf, str):
                return f"can be guessed: {table}.{column} has only {len(known)} different values"
            texts = ground.seen.texts[table]
            told = [term for term in terms if occurs(texts[key], term)]
            alike = [other for other, text in texts.items() if all(occurs(text, term) for term in told)]
            if len(alike) <= CLOSED:
                hint = f"the instruction's {', '.join(map(repr, told))}" if told else "nothing more than the table"
                return f"stands in {table} {key} ({column}), and {hint} leads there: {len(alike)} such rows"
    return None


# the same world with another fact


def _other_worlds(ground: Ground) -> tuple[dict[str, dict[Place, Any]], list[str]]:
    """By fact what the arguments come to where it is otherwise, as far as the calls succeed; and what is wrong."""
    worlds: dict[str, dict[Place, Any]] = {}
    problems = []
    for item in ground.task.task.counterfactuals:
        try:
            worlds[item.fact] = _arguments_in(ground, item)
        except (TaskError, EntityInvalid) as error:
            problems.append(f"counterfactual {item.fact}: {error}")
    return worlds, problems


def _arguments_in(ground: Ground, item: Counterfactual) -> dict[Place, Any]:
    branch = ground.otherwise(changed_rows(ground.task.composition, ground.s0, item.change))
    found: dict[Place, Any] = {}
    player = Player(ground.task.task)
    try:
        for number, call in enumerate(ground.calls):
            found.update(((number, part.place), part.value) for part in parts(call.arguments, player.saved))
            result = branch.call(call.service, call.tool, player.arguments(call))
            if not result.ok:
                break
            player.keep(call, result.observation)
    except UnresolvedReference:
        pass  # what was found does not lead further there
    return found


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
    return value if isinstance(value, int | float | bool) or value is None else json.dumps(value)[:_SHOWN]
