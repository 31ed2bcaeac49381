"""The faults: each operator finds the places of a service where it can be planted."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from engine.errors import ToolError
from engine.kit import Context, Entity, Service, Tool, jsonable
from engine.kit.specification import ToolSpecification
from synth.attack.mutation import contexts
from synth.attack.mutation.planting import Mutant, without_check, wrapped
from synth.attack.mutation.sites import Reach, entity_of, optional_parameters, reach, text_field
from synth.attack.places import CURSORS, LIMITS, OFFSETS, PAGES, SORTS
from synth.attack.reading import Reading, normal, read_all, words
from synth.attack.shapes import record_of, rows_of
from synth.attack.vocabulary import vocabulary

_TURNING = LIMITS | CURSORS | OFFSETS | PAGES | SORTS


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


def _in(kind: type[Context]) -> Callable[[Tool], Tool]:
    return lambda tool: wrapped(tool, lambda inner, ctx, given: inner(contexts.as_context(kind, ctx), **given))


@operator("page_skips", "Every page but the first leaves out its first row.")
def _page_skips(place: Place) -> Iterator[Mutant]:
    if "page" in place.reach.methods and CURSORS & set(place.tool.specification.properties):
        yield place.mutant("page_skips", "", _in(contexts.SkippingPages))


@operator("page_repeats", "The last row of a page comes again on the next.")
def _page_repeats(place: Place) -> Iterator[Mutant]:
    if "page" in place.reach.methods and CURSORS & set(place.tool.specification.properties):
        yield place.mutant("page_repeats", "", _in(contexts.RepeatingPages))


def _dropping(parameter: str) -> Callable[[Tool], Tool]:
    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        return inner(ctx, **{name: value for name, value in given.items() if name.rstrip("_") != parameter})

    return lambda tool: wrapped(tool, around)


def _fields(place: Place) -> set[str]:
    return set(place.entity.model_fields) if place.entity is not None else set()


@operator("lost_update", "An update does not write one of the values that it is given.")
def _lost_update(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "update":
        for name in optional_parameters(place.tool):
            if name in _fields(place):
                yield place.mutant("lost_update", name, _dropping(name))


@operator("dropped_at_creation", "A creation drops one of the values that it is given.")
def _dropped_at_creation(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "create" and "add" in place.reach.methods:
        for name in optional_parameters(place.tool):
            if name in _fields(place):
                yield place.mutant("dropped_at_creation", name, _dropping(name))


@operator("ignored_filter", "A listing does not heed one of its filters.")
def _ignored_filter(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "list":
        for name in optional_parameters(place.tool):
            if normal(name) not in _TURNING and not name.startswith("include"):
                yield place.mutant("ignored_filter", name, _dropping(name))


@operator("swallowed_limit", "A listing gives more rows than its limit.")
def _swallowed_limit(place: Place) -> Iterator[Mutant]:
    limit = next((name for name in place.tool.specification.properties if normal(name) in LIMITS), None)
    if limit is None or place.reading.kind not in ("list", "read", "get"):
        return
    most = place.tool.specification.properties[limit].get("maximum", 100)

    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        return inner(ctx, **{**given, limit: most})

    yield place.mutant("swallowed_limit", limit, lambda tool: wrapped(tool, around))


_CONSTRAINTS = ("enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems")


@operator("missing_validation", "One argument is taken whatever its schema says.")
def _missing_validation(place: Place) -> Iterator[Mutant]:
    for name, schema in place.tool.specification.properties.items():
        if any(item in schema for item in _CONSTRAINTS):
            yield place.mutant("missing_validation", name, lambda tool, name=name: _lax(tool, name))  # type: ignore[misc]


class _Lax(Tool):
    """A tool whose own copy of the specification says less than the one that everybody sees."""

    def typed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return Tool(_weaker(self.specification, self.__dict__["lax"]), self.function, self.arguments_model).typed(
            arguments
        )


def _lax(tool: Tool, parameter: str) -> Tool:
    made = _Lax(tool.specification, tool.function, tool.arguments_model)
    made.__dict__["lax"] = parameter
    return made


def _weaker(specification: ToolSpecification, parameter: str) -> ToolSpecification:
    schema = dict(specification.input_schema)
    kept = {key: value for key, value in schema["properties"][parameter].items() if key not in _CONSTRAINTS}
    schema["properties"] = {**schema["properties"], parameter: kept}
    return replace(specification, input_schema=schema)


@operator("write_in_read", "A tool that reads changes a row.")
def _write_in_read(place: Place) -> Iterator[Mutant]:
    entity = _writable(place)
    if not place.reading.promises_nothing_changes or entity is None:
        return

    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        data = jsonable(inner(ctx, **given))
        contexts.scribble(ctx, entity)
        return data

    yield place.mutant("write_in_read", entity.__name__, lambda tool: wrapped(tool, around))


def _writable(place: Place) -> type[Entity] | None:
    options = [place.entity, *place.service.entities]
    return next((item for item in options if item is not None and text_field(item) is not None), None)


@operator("id_counter", "Identifiers come from a counter of the process.")
def _id_counter(place: Place) -> Iterator[Mutant]:
    if "new_id" in place.reach.methods:
        yield place.mutant("id_counter", "", _in(contexts.Counting))


@operator("wall_clock", "The time is the machine's.")
def _wall_clock(place: Place) -> Iterator[Mutant]:
    if not place.reading.promises_nothing_changes and "now" in place.reach.methods:
        yield place.mutant("wall_clock", "", _in(contexts.WallClock))


@operator("unordered", "The rows of a listing come in any order.")
def _unordered(place: Place) -> Iterator[Mutant]:
    if place.reading.kind != "list":
        return

    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        data = jsonable(inner(ctx, **given))
        random.SystemRandom().shuffle(rows_of(data) or [])
        return data

    yield place.mutant("unordered", "", lambda tool: wrapped(tool, around))


@operator("missing_row", "A listing leaves out its last row.")
def _missing_row(place: Place) -> Iterator[Mutant]:
    if place.reading.kind != "list":
        return

    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        data = jsonable(inner(ctx, **given))
        rows = rows_of(data)
        if rows and len(rows) > 1:
            rows.pop()
        return data

    yield place.mutant("missing_row", "", lambda tool: wrapped(tool, around))


@operator("delete_nothing", "A deletion deletes nothing.")
def _delete_nothing(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "delete" and "delete" in place.reach.methods:
        yield place.mutant("delete_nothing", "", _in(contexts.KeepingAll))


@operator("delete_too_much", "A deletion takes another row of the same kind with it.")
def _delete_too_much(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "delete" and "delete" in place.reach.methods:
        yield place.mutant("delete_too_much", "", _in(contexts.DeletingMore))


@operator("wrong_cascade", "A deletion takes a row of another kind with it that has nothing to do with it.")
def _wrong_cascade(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "delete" and "delete" in place.reach.methods and place.entity is not None:
        others = [item for item in reversed(place.service.entities) if item is not place.entity]
        if others:
            yield place.mutant("wrong_cascade", "", _in(contexts.cascading(others)))


@operator("wrong_row", "A call works on another row than the one that it names.")
def _wrong_row(place: Place) -> Iterator[Mutant]:
    reads = {"require", "get"} & place.reach.methods
    if reads and place.entity is not None and place.reading.kind in ("update", "delete", "get"):
        yield place.mutant("wrong_row", place.entity.__name__, _in(contexts.wrong_row(place.entity)))


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
    entity = _writable(place)
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
    for name in sorted(settable & _fields(place)):

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


def now() -> datetime:
    """The machine's time."""
    return datetime.now(UTC)
