"""Faults in what a tool does to rows, and in what it refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.errors import ToolError
from engine.kit import Tool, jsonable
from engine.kit.specification import ToolSpecification
from synth.attack.mutation import contexts
from synth.attack.mutation.planting import Mutant, without_check, wrapped
from synth.attack.mutation.registry import Place, fields_of, inside, operator, writable
from synth.attack.reading import read_all, words
from synth.attack.shapes import record_of
from synth.attack.vocabulary import vocabulary


@operator("delete_nothing", "A deletion deletes nothing.")
def _delete_nothing(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "delete" and "delete" in place.reach.methods:
        yield place.mutant("delete_nothing", "", inside(contexts.KeepingAll))


@operator("delete_too_much", "A deletion takes another row of the same kind with it.")
def _delete_too_much(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "delete" and "delete" in place.reach.methods:
        yield place.mutant("delete_too_much", "", inside(contexts.DeletingMore))


@operator("wrong_cascade", "A deletion takes a row of another kind with it that has nothing to do with it.")
def _wrong_cascade(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "delete" and "delete" in place.reach.methods and place.entity is not None:
        others = [item for item in reversed(place.service.entities) if item is not place.entity]
        if others:
            yield place.mutant("wrong_cascade", "", inside(contexts.cascading(others)))


@operator("wrong_row", "A call works on another row than the one that it names.")
def _wrong_row(place: Place) -> Iterator[Mutant]:
    reads = {"require", "get"} & place.reach.methods
    if reads and place.entity is not None and place.reading.kind in ("update", "delete", "get"):
        yield place.mutant("wrong_row", place.entity.__name__, inside(contexts.wrong_row(place.entity)))


@operator("swallowed_refusal", "What the tool refuses is answered as done.")
def _swallowed_refusal(place: Place) -> Iterator[Mutant]:
    if place.reading.kind not in ("get", "update", "delete", "write"):
        return
    if not {"require", "fail"} & place.reach.methods:
        return

    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        try:
            return inner(ctx, **given)
        except ToolError:
            return {}

    yield place.mutant("swallowed_refusal", "", lambda tool: wrapped(tool, around))


@operator("kept_after_refusal", "A refused call leaves a change behind.")
def _kept_after_refusal(place: Place) -> Iterator[Mutant]:
    entity = writable(place)
    if place.reading.promises_nothing_changes or entity is None or not {"require", "fail"} & place.reach.methods:
        return

    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        try:
            return inner(ctx, **given)
        except ToolError:
            ctx._session.expunge_all()
            if contexts.scribble(ctx, entity):
                ctx._session.keep()
            raise

    yield place.mutant("kept_after_refusal", entity.__name__, lambda tool: wrapped(tool, around))


@operator("stale_read", "A reading answers what it answered the first time.")
def _stale_read(place: Place) -> Iterator[Mutant]:
    if place.reading.kind != "get" or not place.tool.specification.required:
        return

    def change(tool: Tool) -> Tool:
        known: dict[str, Any] = {}

        def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
            return known.setdefault(repr(sorted(given.items())), None) or known.setdefault(
                f"{given!r}", jsonable(inner(ctx, **given))
            )

        return wrapped(tool, around)

    yield place.mutant("stale_read", "", change)


@operator("dropped_in_result", "A reading shows nothing where a value was given.")
def _dropped_in_result(place: Place) -> Iterator[Mutant]:
    if place.reading.kind != "get" or place.entity is None:
        return
    settable = set()
    for other in place.service.tools.values():
        reading = read_all({other.name: other.specification})[other.name]
        if reading.kind == "create" and reading.noun == place.reading.noun:
            settable |= set(other.specification.properties)
    for name in sorted(settable & fields_of(place)):

        def around(inner: Any, ctx: Any, given: dict[str, Any], name: str = name) -> Any:
            data = jsonable(inner(ctx, **given))
            record = record_of(data, place.reading.noun)
            if record is not None and name in record:
                record[name] = None
            return data

        yield place.mutant("dropped_in_result", name, lambda tool, around=around: wrapped(tool, around))  # type: ignore[misc]


@operator("check_removed", "A refusal is taken out of the code.")
def _check_removed(place: Place) -> Iterator[Mutant]:
    for function in place.reach.functions:
        for number in range(12):
            made = without_check(function, number)
            if made is None:
                break
            code, said = made
            where = f"{function.__name__}: {said[:60]!r}"
            stated = _speaks_of(place.tool.specification, said)
            yield Mutant(place.service.name, place.tool.name, "check_removed", where, stated, code=(function, code))


_COMMON = vocabulary("common")


def _speaks_of(specification: ToolSpecification, said: str) -> bool:
    """Whether a description says that it refuses, in words of the refusal."""
    parts = [specification.description, *(str(item.get("description")) for item in specification.properties.values())]
    clauses = [
        clause
        for part in parts
        for clause in re.split(r"[.;]", part)
        if re.search(r"\b(refused?|only|cannot|must|at most|at least|never|not|final|unless)\b", clause, re.IGNORECASE)
    ]
    spoken = {word[:5] for word in words(said) if len(word) > 3 and word not in _COMMON}
    return any(len(spoken & {word[:5] for word in words(clause)}) >= 2 for clause in clauses)
