"""What can be known of a value without the visit that it is taken from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from engine.branches import Branch
from engine.events import Event
from engine.verifiers import judge
from tasks.admission.ground import Ground, Step, failed
from tasks.admission.instruction import distinctive
from tasks.admission.occurrences import as_moment, as_number, leaves, occurs, plain
from tasks.document import InitialState
from tasks.errors import UnresolvedReference
from tasks.initial import changed_rows
from tasks.parts import parts
from tasks.player import Player, make_call

CLOSED = 3
"""A set of at most so many possible values can be guessed."""

Place = tuple[int, str]
"""A call (from 0) and a part of its arguments."""


@dataclass(frozen=True)
class Telling:
    """One playing of the reference solution, seen for what it tells.

    Attributes:
        arguments: what each part of the arguments came to, as far as it was played.
        observations: of each call, all that it says, in small letters.
        broken: what goes wrong in it; ``None`` where every call succeeds.
    """

    arguments: dict[Place, Any]
    observations: list[str]
    broken: str | None = None


def base_telling(ground: Ground) -> Telling:
    """What the base tells."""
    arguments = {(number, part.place): part.value for number, held in enumerate(ground.parts) for part in held}
    return Telling(arguments, [_words(event.observation) for event in ground.events])


def other_telling(ground: Ground, change: InitialState) -> Telling:
    """What the reference tells over an s0 that is otherwise; how far it can be played there.

    Raises:
        TaskError, EntityInvalid: the change does not fit s0.
    """
    branch = ground.otherwise(changed_rows(ground.task.composition, ground.s0, change))
    told = Telling({}, [])
    player = Player(ground.task.task)
    for number, call in enumerate(ground.calls):
        where = f"call {number} ({call.service}.{call.tool})"
        try:
            told.arguments.update(((number, part.place), part.value) for part in parts(call.arguments, player.saved))
            result = make_call(branch, call.service, call.tool, player.arguments(call))
        except UnresolvedReference as error:
            return replace(told, broken=f"{where} finds nothing to take there: {error.message}")
        if not result.ok:
            return replace(told, broken=f"{where} fails there: {(result.error or {}).get('message')}")
        told.observations.append(_words(result.observation))
        player.keep(call, result.observation)
    return replace(told, broken=_not_held(ground, branch))


def _not_held(ground: Ground, branch: Branch) -> str | None:
    """A criterion that does not hold at the end of a playing though it writes what the base writes."""
    if _written(branch.events()) != _written(ground.events):
        return None
    # A guard would see the change itself, with which the log of the branch begins.
    names = failed(judge(branch, [item for item in ground.task.criteria if item.kind == "state"]))
    return f"{names[0]} does not hold there, though the same is written" if names else None


def _written(events: Sequence[Event]) -> list[tuple[str, str, Any]]:
    return [(item.table, item.key, item.after) for event in events for item in event.changes]


def _words(observation: Any) -> str:
    return "\n".join(map(plain, leaves(observation))).lower()


def known_before(
    ground: Ground, value: Any, visit: int, base: Telling, other: Telling | None = None, instead: Any = None
) -> str | None:
    """Where a value was known from before a visit's end (visits from 0) without its service; ``None``: it was not.

    Args:
        other: a playing over another s0, in which the value is ``instead``: what tells the one here and the other
            there is no coincidence.
    """
    numbers = ground.visits[visit]
    service = ground.calls[numbers[0]].service
    sources = {call.save: call.service for call in ground.calls if call.save}
    for number in range(numbers[0]):
        if (
            ground.calls[number].service != service
            and _tells(base.observations[number], value)
            and (other is None or (number < len(other.observations) and _tells(other.observations[number], instead)))
        ):
            return f"is known before: {_named(ground, number)} tells it"
    for number in range(numbers[-1] + 1):
        for part in ground.parts[number]:
            if part.value != value or any(sources[name] == service for name in part.names):
                continue
            if other is None or other.arguments.get((number, part.place)) == instead:
                return f"is known before: it is the {part.place} of {_named(ground, number)}"
    return None


def _named(ground: Ground, number: int) -> str:
    call = ground.calls[number]
    visit = next(visit for visit, numbers in enumerate(ground.visits, 1) if number in numbers)
    return f"{call.service}.{call.tool} at visit {visit}"


def _tells(words: str, value: Any) -> bool:
    held = list(leaves(value))
    return bool(held) and all(any(occurs(words, form) for form in _forms(plain(leaf))) for leaf in held)


@cache
def _forms(leaf: str) -> tuple[str, ...]:
    number = as_number(leaf)
    return (leaf.lower(),) if number is None else (leaf, plain(number), f"{number:.2f}", f"{number:,.2f}")


def made_in_run(ground: Ground, value: Any, visit: int) -> bool:
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


def given_away(ground: Ground, value: Any, call: int, argument: str) -> str | None:
    """How the service of a call would give the value of an argument away, or ``None``.

    It does not where it holds no such value, or where it is one of many and the instruction does not say which.
    """
    terms = distinctive(ground.task.task.instruction)
    for leaf in leaves(value):
        for table, key, column in ground.seen.holding(leaf, ground.tables(ground.calls[call].service)):
            if _by_chance(ground, leaf, call, argument, ground.s0[table][key].get(column), column):
                continue
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


def _by_chance(ground: Ground, leaf: Any, call: int, argument: str, held: Any, column: str) -> bool:
    """Whether a number or a date stands in a column by chance: it is not the one that the argument is about."""
    number = as_number(leaf)
    if number is None and as_moment(leaf) is None:
        return False
    if isinstance(held, str) and plain(leaf).lower() != held.lower():
        return len(plain(leaf)) < 3  # inside a text
    written = {
        name
        for change in ground.events[call].changes
        for name, value in (change.after or {}).items()
        if plain(value) == plain(leaf)
    }
    return column not in {argument.rpartition(".")[2], *written}
