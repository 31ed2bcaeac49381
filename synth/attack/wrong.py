"""Arguments that a schema does not allow, in every way: each with one defect, the rest valid."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.kit.fields import MAX_TEXT
from synth.attack.arguments import Maker, Path
from synth.attack.places import drop, put, value_at
from synth.attack.samples import bounds
from synth.attack.schemas import takes_null


@dataclass(frozen=True)
class Defect:
    """Arguments with one defect.

    Attributes:
        kind: of the defect: ``missing``, ``type``, ``null``, ``enum``, ``unknown``, ``size``, ``bound``, ``format``.
        text: what is wrong, for people.
    """

    kind: str
    text: str
    arguments: dict[str, Any]

    @property
    def place(self) -> str:
        """What the text begins with: the name of the place."""
        return self.text.removeprefix("an item of ").split(" ")[0]


_OTHERS: dict[str, tuple[Any, ...]] = {
    "string": (7, ["a"], {"a": 1}, True),
    "integer": ("seven", 1.5, [1], True),
    "number": ("seven", [1], {}, False),
    "boolean": ("true", 1, []),
    "array": ("a", {"0": "a"}, 3),
    "object": ("a", [1], 3),
}
_MISFORMED = {
    "date-time": ("yesterday", "2026-13-40T99:00:00Z", "2026-03-02"),
    "date": ("soon", "2026-02-30", "02/03/2026"),
    "email": ("nobody", "a@b@c"),
    "uri": ("no address", "://"),
    "uuid": ("not-a-uuid",),
    "time": ("25:99",),
    "ipv4": ("999.1.1.1",),
}


def defects(maker: Maker, valid: dict[str, Any], full: dict[str, Any]) -> list[Defect]:
    """Every defect that the schema of a tool can show; only such as the specification really refuses."""
    found = []
    for defect in _all(maker, valid, full):
        if maker.specification.problems(defect.arguments):
            found.append(defect)
    return found


def chosen(found: list[Defect], rng: random.Random, most: int) -> list[Defect]:
    """Some defects: of every place a broken constraint, then a wrong type, then of every kind as far as it goes."""
    ranked: dict[tuple[str, str], list[Defect]] = {}
    for item in found:
        rank = "constraint" if item.kind in ("enum", "size", "bound", "format") else item.kind
        ranked.setdefault((rank, item.place), []).append(item)
    for items in ranked.values():
        rng.shuffle(items)
    order = {"unknown": 0, "missing": 1, "constraint": 2, "type": 3, "null": 4}
    out: list[Defect] = []
    while len(out) < most and any(ranked.values()):
        for key in sorted(ranked, key=lambda key: order[key[0]]):
            if ranked[key] and len(out) < most:
                out.append(ranked[key].pop())
    return out


def _all(maker: Maker, valid: dict[str, Any], full: dict[str, Any]) -> Iterator[Defect]:
    yield Defect("unknown", "an argument that the specification does not know", {**valid, "zz_unknown": 1})
    root = maker.schemas.concrete(maker.schemas.root)
    yield from _object(maker, root, (), valid, full, 0)


def _object(
    maker: Maker, schema: dict[str, Any], path: Path, valid: dict[str, Any], full: dict[str, Any], depth: int
) -> Iterator[Defect]:
    for name in schema.get("required") or []:
        if value_at(valid, (*path, name)) is not None or isinstance(value_at(valid, path or ()), dict):
            yield Defect("missing", f"{name} is missing", drop(valid, (*path, name)))
    for name, part in (schema.get("properties") or {}).items():
        place = (*path, name)
        form = maker.schemas.concrete(part)
        base, example = valid, value_at(full, place)
        if value_at(valid, place) is None and example is not None:
            base = put(valid, place, example)  # nothing else of what may be left out: it might be refused itself
        where = ".".join(map(str, place))
        kind = str(form.get("type"))
        for other in _OTHERS.get(kind, ()):
            yield Defect("type", f"{where} is {other!r}, no {kind}", put(base, place, other))
        if not takes_null(part):
            yield Defect("null", f"{where} is null", put(base, place, None))
        for item in _scalar(form):
            yield Defect(item[0], f"{where} is {str(item[1])[:40]!r}", put(base, place, item[1]))
        if kind == "array":
            yield from _array(maker, form, place, base)
        if kind == "object" and depth < 3 and isinstance(value_at(base, place), dict):
            yield from _object(maker, form, place, base, full, depth + 1)
            yield Defect("unknown", f"{where} has an unknown name", put(base, (*place, "zz_unknown"), 1))


def _scalar(form: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    kind = form.get("type")
    if form.get("enum"):
        first = next((item for item in form["enum"] if isinstance(item, str)), None)
        yield "enum", "none of these"
        if first is not None:
            yield "enum", first + " "
            yield "enum", first.upper() if first.upper() != first else first.lower()
            yield "enum", ""
        return
    if kind in ("integer", "number"):
        low, high = bounds(form)
        if low is not None:
            yield "bound", low - 1
        if high is not None and high < 2**60:
            yield "bound", high + 1
    if kind == "string":
        if 0 < int(form.get("minLength") or 0) <= MAX_TEXT:
            yield "size", "a" * (int(form["minLength"]) - 1)
        if isinstance(form.get("maxLength"), int) and form["maxLength"] <= 50_000:
            yield "size", "a" * (form["maxLength"] + 1)
        for item in _MISFORMED.get(str(form.get("format")), ()):
            yield "format", item
        if form.get("pattern"):
            for item in ("", " ", "\n", "ÿ\u0000", "%%% !!"):
                yield "format", item


def _array(maker: Maker, form: dict[str, Any], place: Path, base: dict[str, Any]) -> Iterator[Defect]:
    where = ".".join(map(str, place))
    here = value_at(base, place)
    if form.get("minItems"):
        yield Defect("size", f"{where} is empty", put(base, place, []))
    items = maker.schemas.concrete(form.get("items", {}))
    if isinstance(here, list) and here:
        if isinstance(form.get("maxItems"), int) and form["maxItems"] <= 1000:
            yield Defect("size", f"{where} has too many items", put(base, place, here[:1] * (form["maxItems"] + 1)))
        if form.get("uniqueItems"):
            yield Defect("size", f"{where} has an item twice", put(base, place, [here[0], here[0]]))
        for other in _OTHERS.get(str(items.get("type")), ())[:2]:
            yield Defect("type", f"an item of {where} is {other!r}", put(base, place, [*here[1:], other]))
        yield Defect("null", f"an item of {where} is null", put(base, place, [*here[1:], None]))
        for kind, value in _scalar(items):
            yield Defect(kind, f"an item of {where} is {str(value)[:40]!r}", put(base, place, [*here[1:], value]))
        if isinstance(here[0], dict):
            for name in items.get("required") or []:
                part = {key: value for key, value in here[0].items() if key != name}
                yield Defect("missing", f"{name} is missing in {where}", put(base, place, [part, *here[1:]]))
