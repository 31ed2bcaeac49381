"""References of a schema: each leads into ``$defs`` of the same schema, or is replaced by what it may mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from synth.ingest.keywords import Schema, brief
from synth.ingest.places import escaped

_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE = ("not", "if", "then", "else")
_MOST_HOPS = 50
_DEEPEST = 60


class References:
    """The definitions of one schema, by the pointers of the document that it was given as.

    Args:
        document: the schema as it was given.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self._names: dict[str, str] = {}
        self._anchors: dict[str, str] | None = None
        self.waiting: list[tuple[str, str]] = []
        """Definitions that are referred to and not made yet: name and pointer."""

    def target(self, reference: Any) -> str | None:
        """The pointer that a reference leads to, in the document as it was given; ``None``: nowhere in it."""
        if not isinstance(reference, str):
            return None
        own = self._document.get("$id") if isinstance(self._document, Mapping) else None
        if isinstance(own, str) and own and reference.startswith(f"{own.rstrip('#')}#"):
            reference = reference[len(own.rstrip("#")) :]
        pointer = unquote(reference.removeprefix("#")) if reference.startswith("#") else ""
        if not reference.startswith("#"):
            pointer = self._by_name(reference)
        elif pointer and not pointer.startswith("/"):
            pointer = self._anchored(pointer)
        if self.at(pointer) is None:
            pointer = self._elsewhere(pointer)
        for _ in range(_MOST_HOPS):
            found = self.at(pointer)
            if found is None:
                return None
            further = _only_reference(found)
            if further is None or not further.startswith("#/"):
                return pointer
            pointer = unquote(further[1:])
        return None

    def at(self, pointer: str) -> Any:
        """What stands at a pointer of the document; ``None``: nothing that is a schema."""
        value = self._document
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(value, Mapping) and key in value:
                value = value[key]
            elif isinstance(value, list) and re.fullmatch("[0-9]{1,6}", key) and int(key) < len(value):
                value = value[int(key)]
            else:
                return None
        return value if isinstance(value, Mapping | bool) else None

    def definition(self, pointer: str) -> str:
        """The name that the definition of that pointer has in ``$defs``."""
        if pointer not in self._names:
            parts = [part for part in pointer.split("/") if part not in ("", "$defs", "definitions", "properties")]
            base = re.sub("[^A-Za-z0-9_]+", "_", "_".join(parts[-2:] if len(parts) > 1 else parts)).strip("_")
            if pointer.rsplit("/", 1)[0] in ("/$defs", "/definitions"):
                base = re.sub("[^A-Za-z0-9_.-]+", "_", parts[-1] if parts else "").strip("_")
            base = base[:60] or "root"
            name, number = base, 1
            while name in self._names.values():
                number += 1
                name = f"{base}_{number}"
            self._names[pointer] = name
            self.waiting.append((name, pointer))
        return self._names[pointer]

    def _by_name(self, reference: str) -> str:
        """A reference without ``#`` that is the name of a definition, or a file's place for one."""
        name = reference.rsplit("/", 1)[-1].rsplit("#", 1)[-1]
        plain = "://" not in reference
        for place in ("$defs", "definitions"):
            pointer = f"/{place}/{name.replace('~', '~0').replace('/', '~1')}"
            if plain and name and self.at(pointer) is not None:
                return pointer
        return "/"

    def _elsewhere(self, pointer: str) -> str:
        """The only definition of that name within some other schema: those are often left where they were made."""
        place, _, name = pointer.rpartition("/")
        if place not in ("/$defs", "/definitions"):
            return pointer
        found = [at for at, called in _definitions(self._document, "", 0) if called == name]
        return found[0] if len(found) == 1 else pointer

    def _anchored(self, anchor: str) -> str:
        if self._anchors is None:
            self._anchors = dict(_anchors(self._document, "", 0))
        return self._anchors.get(anchor, "/")


def _anchors(value: Any, pointer: str, depth: int) -> Iterator[tuple[str, str]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        for key in ("$anchor", "$dynamicAnchor", "$id", "id"):
            name = value.get(key)
            if isinstance(name, str) and (name.startswith("#") or key.endswith("nchor")):
                yield name.removeprefix("#"), pointer
        for key, item in value.items():
            yield from _anchors(item, f"{pointer}/{escaped(key)}", depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _anchors(item, f"{pointer}/{index}", depth + 1)


def _definitions(value: Any, pointer: str, depth: int) -> Iterator[tuple[str, str]]:
    """Pointer and escaped name of every definition, wherever it stands."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key in ("$defs", "definitions") and isinstance(item, Mapping):
                yield from ((f"{pointer}/{key}/{escaped(name)}", escaped(name)) for name in item)
            yield from _definitions(item, f"{pointer}/{escaped(key)}", depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _definitions(item, f"{pointer}/{index}", depth + 1)


def reference_of(schema: Mapping[str, Any]) -> tuple[str, Any] | None:
    """The keyword of a reference in a schema as it was given, and the reference."""
    for key in ("$ref", "$dynamicRef", "$recursiveRef"):
        if key in schema:
            return key, schema[key]
    return None


def _only_reference(schema: Any) -> str | None:
    if isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str) and len(schema) == 1:
        return str(schema["$ref"])
    return None


def break_cycles(definitions: dict[str, Any]) -> list[str]:
    """Take out references by which a definition is itself and nothing else; the names of those definitions.

    A definition may refer to itself from inside a property or an item: that is a tree. Not where it stands.
    """
    broken = []
    for name in sorted(definitions):
        if name in _reached(name, definitions):
            definitions[name] = _without(definitions[name], name, definitions)
            broken.append(name)
    return broken


def _reached(start: str, definitions: Mapping[str, Any]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for name in _standing(definitions.get(waiting.pop())):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _standing(schema: Any) -> Iterator[str]:
    """Names of the definitions that a schema is, or must or may be, where it stands."""
    if not isinstance(schema, dict):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        yield reference.removeprefix("#/$defs/")
    for key in _IN_PLACE_LISTS:
        for item in schema.get(key, ()):
            yield from _standing(item)
    for key in _IN_PLACE:
        yield from _standing(schema.get(key))


def _without(schema: Any, name: str, definitions: Mapping[str, Any]) -> Any:
    if not isinstance(schema, dict):
        return schema
    out: Schema = dict(schema)
    for target in _standing({"$ref": out.get("$ref")}):
        if target == name or name in _reached(target, definitions):
            del out["$ref"]
    for key in _IN_PLACE_LISTS:
        if key in out:
            out[key] = [_without(item, name, definitions) for item in out[key]]
    for key in _IN_PLACE:
        if key in out:
            out[key] = _without(out[key], name, definitions)
    return out


def lost(reference: Any) -> str:
    """What a note says of a reference that leads nowhere."""
    where = "to another document" if isinstance(reference, str) and not reference.startswith("#") else "nowhere"
    return f"the reference {brief(reference)} leads {where}: any value"
