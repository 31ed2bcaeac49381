"""The places of a tool's arguments: parameters, also those inside ``body`` or ``query``, and what goes there."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from synth.attack.arguments import Maker, Path
from synth.attack.reading import normal
from synth.attack.vocabulary import vocabulary

LIMITS = vocabulary("limits")
CURSORS = vocabulary("cursors")
OFFSETS = vocabulary("offsets")
PAGES = vocabulary("pages")
SORTS = vocabulary("sorts")


@dataclass(frozen=True)
class Place:
    """A parameter, perhaps inside ``body`` or ``query``."""

    path: Path
    key: str
    schema: dict[str, Any]

    @property
    def name(self) -> str:
        return normal(self.key)


def places_of(maker: Maker) -> list[Place]:
    """Every parameter of a tool that is no object, in the order of the schema; objects are looked into."""
    reader = maker.schemas
    found: list[Place] = []

    def walk(schema: dict[str, Any], path: Path, depth: int) -> None:
        for name, part in (schema.get("properties") or {}).items():
            form = reader.concrete(part)
            if form.get("type") == "object" and form.get("properties") and depth < 2:
                walk(form, (*path, name), depth + 1)
            else:
                found.append(Place((*path, name), name, form))

    walk(reader.concrete(reader.root), (), 0)
    return found


def put(arguments: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy of arguments with one more value; objects on the way are made."""
    out = copy.deepcopy(arguments)
    inner: Any = out
    for part in path[:-1]:
        inner = inner.setdefault(part, {}) if isinstance(inner, dict) else inner[part]
    inner[path[-1]] = value
    return out


def put_at(arguments: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy of arguments with another value where one stands, in lists too."""
    out = copy.deepcopy(arguments)
    inner: Any = out
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return out


def drop(arguments: dict[str, Any], path: Path) -> dict[str, Any]:
    """A copy of arguments without the value at a path."""
    out = copy.deepcopy(arguments)
    inner: Any = out
    for part in path[:-1]:
        if not isinstance(inner, dict) or part not in inner:
            return out
        inner = inner[part]
    if isinstance(inner, dict):
        inner.pop(path[-1], None)
    return out


def value_at(arguments: Any, path: Path) -> Any:
    """The value at a path, or ``None``."""
    for part in path:
        found = isinstance(arguments, dict) and part in arguments
        if not found and not (isinstance(arguments, list) and isinstance(part, int) and part < len(arguments)):
            return None
        arguments = arguments[part]
    return arguments


def named_place(maker: Maker, names: frozenset[str], kinds: tuple[str, ...]) -> Place | None:
    """The parameter of one of these names and types."""
    for place in places_of(maker):
        if place.name in names and place.schema.get("type") in kinds:
            return place
    return None


def required_paths(maker: Maker) -> set[Path]:
    """Paths of the parameters that must be given."""
    reader = maker.schemas
    found: set[Path] = set()

    def walk(schema: dict[str, Any], path: Path, depth: int) -> None:
        for name in schema.get("required") or []:
            form = reader.concrete((schema.get("properties") or {}).get(name, {}))
            if form.get("type") == "object" and form.get("properties") and depth < 2:
                walk(form, (*path, name), depth + 1)
            else:
                found.add((*path, name))

    walk(reader.concrete(reader.root), (), 0)
    return found
