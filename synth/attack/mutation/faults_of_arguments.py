"""Faults in what a tool makes of its arguments, of time and of order."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from engine.kit import Tool, jsonable
from engine.kit.specification import ToolSpecification
from synth.attack.mutation import contexts
from synth.attack.mutation.planting import Mutant, wrapped
from synth.attack.mutation.registry import Place, fields_of, inside, operator, writable
from synth.attack.mutation.sites import optional_parameters
from synth.attack.places import CURSORS, LIMITS, OFFSETS, PAGES, SORTS
from synth.attack.reading import normal
from synth.attack.shapes import rows_of

_TURNING = LIMITS | CURSORS | OFFSETS | PAGES | SORTS


@operator("page_skips", "Every page but the first leaves out its first row.")
def _page_skips(place: Place) -> Iterator[Mutant]:
    if "page" in place.reach.methods and CURSORS & set(place.tool.specification.properties):
        yield place.mutant("page_skips", "", inside(contexts.SkippingPages))


@operator("page_repeats", "The last row of a page comes again on the next.")
def _page_repeats(place: Place) -> Iterator[Mutant]:
    if "page" in place.reach.methods and CURSORS & set(place.tool.specification.properties):
        yield place.mutant("page_repeats", "", inside(contexts.RepeatingPages))


def _dropping(parameter: str) -> Callable[[Tool], Tool]:
    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        return inner(ctx, **{name: value for name, value in given.items() if name.rstrip("_") != parameter})

    return lambda tool: wrapped(tool, around)


@operator("lost_update", "An update does not write one of the values that it is given.")
def _lost_update(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "update":
        for name in optional_parameters(place.tool):
            if name in fields_of(place):
                yield place.mutant("lost_update", name, _dropping(name))


@operator("dropped_at_creation", "A creation drops one of the values that it is given.")
def _dropped_at_creation(place: Place) -> Iterator[Mutant]:
    if place.reading.kind == "create" and "add" in place.reach.methods:
        for name in optional_parameters(place.tool):
            if name in fields_of(place):
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
            yield place.mutant("missing_validation", name, lambda tool, name=name: lax(tool, name))  # type: ignore[misc]


class _Lax(Tool):
    """A tool whose own copy of the specification says less than the one that everybody sees."""

    def typed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return Tool(_weaker(self.specification, self.__dict__["lax"]), self.function, self.arguments_model).typed(
            arguments
        )


def lax(tool: Tool, parameter: str) -> Tool:
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
    entity = writable(place)
    if not place.reading.promises_nothing_changes or entity is None:
        return

    def around(inner: Any, ctx: Any, given: dict[str, Any]) -> Any:
        data = jsonable(inner(ctx, **given))
        contexts.scribble(ctx, entity)
        return data

    yield place.mutant("write_in_read", entity.__name__, lambda tool: wrapped(tool, around))


@operator("id_counter", "Identifiers come from a counter of the process.")
def _id_counter(place: Place) -> Iterator[Mutant]:
    if "new_id" in place.reach.methods:
        yield place.mutant("id_counter", "", inside(contexts.Counting))


@operator("wall_clock", "The time is the machine's.")
def _wall_clock(place: Place) -> Iterator[Mutant]:
    if not place.reading.promises_nothing_changes and "now" in place.reach.methods:
        yield place.mutant("wall_clock", "", inside(contexts.WallClock))


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
