"""Values that careless code loses: False and 0, empty and long texts, odd letters and quotes, fractions, two items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from synth.attack.arguments import Maker, Path
from synth.attack.places import Place, places_of, put, required_paths
from synth.attack.reading import singular, words
from synth.attack.vocabulary import vocabulary

_LONG = 300
_MOST_CALLS = 6
_FOLDED = vocabulary("folded")
_PLAIN_LONG = "A long remark that goes on. " * 12
_ROUNDS: tuple[dict[str, tuple[Any, ...]], ...] = (
    {"boolean": (True,), "integer": (-7, 3), "number": (-12.25, 12.25), "string": (_PLAIN_LONG,)},
    {"integer": (4,), "number": (7.75,), "string": ('Zoë\'s "Straße" <漢字> & co',), "array": ("two",)},
    {"boolean": (False,), "integer": (0, 6), "number": (0, 6.5), "string": ("", "Short again")},
)
"""For each round what a value of a type is, the first that the schema allows; the last takes away what was given."""

Given = list[tuple[Path, Any]]


def rounds(maker: Maker, arguments: dict[str, Any], skip: Path | None = None) -> list[Given]:
    """For each round the places and what they are given; places of identifiers and fixed choices have none."""
    found: list[Given] = []
    needed = required_paths(maker)
    for values in _ROUNDS:
        given: Given = []
        for place in places_of(maker):
            if place.path == skip or place.path in maker.references:
                continue
            for value in _options(maker, place, values):
                if (value != "" or place.path not in needed) and maker.valid(put(arguments, place.path, value)):
                    given.append((place.path, value))
                    break
        found.append(given)
    return [given for given in found if given]


def _options(maker: Maker, place: Place, values: dict[str, tuple[Any, ...]]) -> list[Any]:
    kind = place.schema.get("type")
    if kind not in values or place.schema.get("enum"):
        return []
    if kind == "array":
        items = maker.schemas.concrete(place.schema.get("items", {}))
        free = items.get("type") == "string" and not items.get("format") and not items.get("pattern")
        if free and not items.get("enum") and (*place.path, 0) not in maker.references:
            return [["birch one", "rowan two"]]
        known = items.get("enum") or maker.candidates.get((*place.path, 0), [])
        return [list(known[:2])] if len(known) > 1 else []
    if kind == "string":
        if (
            place.schema.get("format")
            or place.schema.get("pattern")
            or _FOLDED & {singular(w) for w in words(place.key)}
        ):
            return []
        most = min(int(place.schema.get("maxLength") or _LONG), _LONG)
        return [str(value)[:most].strip() for value in values[kind]]
    return list(values[kind])


def accepted(
    arguments: dict[str, Any], given: Given, taken: Callable[[dict[str, Any]], bool], most: int = _MOST_CALLS
) -> int:
    """Give all values at once; where that is refused, each half of them; how many calls it took."""
    together = arguments
    for path, value in given:
        together = put(together, path, value)
    if taken(together) or len(given) == 1:
        return 1
    calls, half = 1, len(given) // 2
    for part in (given[:half], given[half:]):
        if calls < most:
            calls += accepted(arguments, part, taken, most - calls)
    return calls
