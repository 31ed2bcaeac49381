"""Broken variants of a reference solution: with one thing done otherwise than it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tasks.admission.alterations import alterations, answers, further, longer, siblings
from tasks.admission.ground import Ground
from tasks.admission.occurrences import leaves
from tasks.parts import Part, parts

LIMIT = 60
"""Variants of a task, unless some criterion is failed by none of them: then up to twice as many."""

Kind = Literal["dropped", "altered", "answer", "twice", "also"]


@dataclass(frozen=True)
class Variant:
    """The reference solution with one thing done otherwise.

    Attributes:
        call: which call (from 0); the number of calls for the answer.
        change: what is otherwise, for people.
        part: what is altered; for ``also``, what names another record.
        values: what to put there, until the service takes it.
        later: of the second rank: left out first where there are too many.
        slip: only this is wrong: what follows is made as the reference makes it.
    """

    kind: Kind
    call: int
    change: str
    part: Part | None = None
    values: tuple[Any, ...] = ()
    later: bool = False
    slip: bool = False


def variants(ground: Ground) -> Iterator[Variant]:
    """Every broken variant of the reference solution."""
    for number in ground.writes:
        yield Variant("dropped", number, "not called")
        for part in ground.parts[number]:
            if values := alterations(ground, number, part):
                yield Variant("altered", number, part.place, part, tuple(values))
            for place, value in enumerate(further(ground, number, part)):
                yield Variant("altered", number, part.place, part, (value,), later=place > 0, slip=True)
            if (more := longer(part)) is not None:
                yield Variant("altered", number, part.place, part, (more,), later=True)
        if any(change.op == "insert" for change in ground.events[number].changes):
            yield Variant("twice", number, "called twice")
        if (target := _target(ground, number)) is not None:
            part, others = target
            yield Variant("also", number, f"also with another {part.place}", part, tuple(others))
    yield from _of_answer(ground)


def _target(ground: Ground, number: int) -> tuple[Part, list[Any]] | None:
    """The part of a call that names the record or the person that it is about, and others of the kind."""
    for part in ground.parts[number]:
        if part.in_text:
            continue
        listed = isinstance(part.value, list)
        value = part.value[0] if listed and part.value else part.value
        if not isinstance(value, str) or not (value in ground.made or _names_something(ground, number, value)):
            continue
        others = siblings(ground, value, ground.calls[number].service, f"{number} also")
        meant = _written_to(ground, number, part)
        if others := [item for item in others if item not in meant]:
            return part, [[item] if listed else item for item in others]
    return None


def _written_to(ground: Ground, number: int, part: Part) -> set[str]:
    """What the reference's calls of the same tool name in that place: the others that are meant, too."""
    call = ground.calls[number]
    named: set[str] = set()
    for place in ground.writes:
        if (ground.calls[place].service, ground.calls[place].tool) == (call.service, call.tool):
            values = [item.value for item in ground.parts[place] if item.path == part.path]
            named.update(leaf for value in values for leaf in leaves(value) if isinstance(leaf, str))
    return named


def _names_something(ground: Ground, number: int, value: str) -> bool:
    tables = ground.tables(ground.calls[number].service)
    return any(
        table in tables and ground.semantic(table, column) in ("id", "reference", "email", "person", "name", "code")
        for table, column in ground.seen.columns.get(value, ())
    )


def _of_answer(ground: Ground) -> Iterator[Variant]:
    template, end = ground.task.task.reference.answer, len(ground.calls)
    held = list(parts(template, ground.saved)) if isinstance(template, dict) else []
    if held or any(item.kind == "answer" for item in ground.task.criteria):
        yield Variant("answer", end, "no answer")
    for part in held:
        if values := answers(ground, part):
            yield Variant("answer", end, part.place, part, tuple(values[:1]))
        for value in further(ground, end, part):
            yield Variant("answer", end, part.place, part, (value,), later=True)
        if (more := longer(part)) is not None:
            yield Variant("answer", end, part.place, part, (more,), later=True)


def chosen(ground: Ground, found: list[Variant]) -> tuple[list[Variant], list[Variant]]:
    """The variants to be played, and those that are left; what is not of the first rank comes in a drawn order."""
    first = [item for item in found if not item.later]
    later = [item for item in found if item.later]
    draw = ground.random("variants")
    draw.shuffle(later)
    if len(first) > LIMIT:
        kept = {number for number, item in enumerate(first) if item.kind in ("dropped", "answer")}
        others = [number for number in range(len(first)) if number not in kept]
        kept.update(draw.sample(others, max(0, LIMIT - len(kept))))
        later = [item for number, item in enumerate(first) if number not in kept] + later
        first = [item for number, item in enumerate(first) if number in kept]
    room = max(0, LIMIT - len(first))
    return first + later[:room], later[room:]
