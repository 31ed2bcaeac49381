"""A schema as it was given, normalised: JSON Schema 2020-12, closed in itself, with a note for each repair."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from synth.ingest.bounds import mend_numbers
from synth.ingest.choices import mend_choices
from synth.ingest.composition import mend_root
from synth.ingest.defaults import mend_defaults
from synth.ingest.document import clean, repeated_keys
from synth.ingest.keywords import (
    Say,
    Schema,
    allow_null,
    brief,
    mend_format,
    mend_nullable,
    mend_pattern,
    mend_type,
    usable_pattern,
)
from synth.ingest.names import is_awkward
from synth.ingest.places import LISTS, MAPS, SINGLE, VALUES, escaped
from synth.ingest.references import References, break_cycles, lost, reference_of
from synth.ingest.remarks import carry_rest, note_draft, read_texts
from synth.ingest.required import mend_required
from synth.specs import Note

MAX_DEPTH = 40
"""Levels of schemas within schemas."""

MAX_SCHEMAS = 5_000
"""Schemas in the schema of one tool."""

_IN_PLACE = {"allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
_PARTS = (*LISTS, *SINGLE, *MAPS)
_READ = {*_PARTS, *VALUES, "definitions", "required", "dependencies", "dependentRequired", "additionalItems"}


class TooLarge(ValueError):
    """A schema of more parts than anybody reads."""


class Normaliser:
    """Makes one schema usable.

    Args:
        document: the schema as it was given, any JSON value.
        pointer: where it stands in the tool.
    """

    def __init__(self, document: Any, pointer: str) -> None:
        self._document = document
        self._pointer = pointer
        self._references = References(document)
        self._notes: dict[tuple[str, str], Note] = {}
        self._schemas = 0

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was done, in the order in which it was met."""
        return tuple(self._notes.values())

    def arguments(self) -> Schema:
        """The schema of a tool's arguments: its root is an object whose properties are all known.

        Raises:
            TooLarge: it has too many parts.
        """
        given = mend_root(self._document, self._references, self._say(""))
        made = self._finished(self._schema(given, "", 0, root=True))
        if not isinstance(made, dict):
            return {"type": "object", "properties": {}}
        made.setdefault("properties", {})
        return made

    def result(self) -> Schema:
        """The schema of a result, whatever its root is.

        Raises:
            TooLarge: it has too many parts.
        """
        made = self._finished(self._schema(self._document, "", 0))
        return made if isinstance(made, dict) else {}

    def _finished(self, made: Any) -> Any:
        definitions: Schema = {}
        while self._references.waiting:
            name, pointer = self._references.waiting.pop(0)
            definitions[name] = self._schema(self._references.at(pointer), pointer, 0)
        for name in break_cycles(definitions):
            self._say("")("ref-cycle", f"the definition {name} is itself and nothing else: any value there")
        if definitions and isinstance(made, dict):
            made["$defs"] = definitions
        if isinstance(made, dict):
            mend_defaults(made, self._say)
        return made

    def _say(self, pointer: str) -> Say:
        def say(kind: str, text: str) -> None:
            place = clean(self._pointer + pointer)
            self._notes.setdefault((place, kind), Note(pointer=place, kind=kind, text=clean(text)))

        return say

    def _schema(
        self, given: Any, pointer: str, depth: int, outer: Collection[str] | None = None, *, root: bool = False
    ) -> Any:
        """One schema and all within it; where it is a part of another, ``outer`` are the properties of that one."""
        say = self._say(pointer)
        self._schemas += 1
        if self._schemas > MAX_SCHEMAS:
            raise TooLarge(f"its schema has more than {MAX_SCHEMAS} parts")
        if isinstance(given, bool):
            return given
        if depth > MAX_DEPTH:
            say("too-deep", f"below {MAX_DEPTH} levels anything is allowed")
            return {}
        if isinstance(given, str):
            say("not-a-schema", f"the word {brief(given)} is taken for a type")
            given = {"type": given}
        if not isinstance(given, Mapping):
            say("not-a-schema", f"{brief(given)} is no schema: any value")
            return {}
        for key in repeated_keys(given):
            say("repeated-key", f"{brief(key)} stands more than once: the last one counts")
        made: Schema = {}
        read_texts(given, made, say)
        note_draft(given, say)
        self._reference(given, made, pointer, say)
        for key, item in given.items():
            if key in VALUES:
                made[key] = clean(item) if isinstance(item, str) else item
        self._types(made, given, say, part=outer is not None)
        names = self._properties(given, made, pointer, depth)
        known = {*names, *(outer or ())}
        self._parts(given, made, pointer, depth, known)
        self._items(given, made, pointer, depth)
        mend_required(given, made, outer or (), say, root=root)
        self._dependencies(given, made, pointer, depth)
        carry_rest(given, made, say, _READ)
        if mend_nullable(made, say):
            made = allow_null(made)
        return made

    def _reference(self, given: Mapping[str, Any], made: Schema, pointer: str, say: Say) -> None:
        found = reference_of(given)
        if found is None:
            return
        key, reference = found
        if key != "$ref":
            say("ref", f"{key} is written $ref")
        target = self._references.target(reference)
        if target is None:
            say("ref-lost", lost(reference))
        else:
            made["$ref"] = f"#/$defs/{self._references.definition(target)}"
            inside = pointer == target or pointer.startswith(f"{target}/") or target == ""
            if inside:
                say("ref-recursive", "a schema that contains itself is carried")

    def _types(self, made: Schema, given: Mapping[str, Any], say: Say, *, part: bool) -> None:
        mend_type(made, say)
        free = not part and not any(key in given for key in ("type", "$ref", "enum", "const", "not", *LISTS))
        for key, kind in (("properties", "object"), ("items", "array")):
            if free and isinstance(given.get(key), Mapping | list) and "type" not in made:
                made["type"] = kind
                say("no-type", f"{key} without a type: {kind} is added")
        mend_numbers(made, say)
        mend_format(made, say)
        mend_pattern(made, say)
        mend_choices(made, say)

    def _properties(self, given: Mapping[str, Any], made: Schema, pointer: str, depth: int) -> list[str]:
        say = self._say(pointer)
        for key in MAPS:
            if key not in given:
                continue
            items = self._map(given[key], f"{pointer}/{key}", say)
            made[key] = {}
            for name, item, place in items:
                usable = usable_pattern(name) if key == "patternProperties" else clean(name)
                if usable is None:
                    self._say(place)("pattern", f"{brief(name)} is no regular expression here: taken out")
                    continue
                if usable != name:
                    self._say(place)("text", "its name held what cannot be stored")
                if key == "properties" and is_awkward(usable):
                    self._say(place)("property-name", f"{brief(usable)} is carried: a function takes it in **arguments")
                made[key][usable] = self._schema(item, place, depth + 1, () if key == "dependentSchemas" else None)
            if not made[key] and not (key == "properties" and isinstance(given[key], Mapping | list)):
                del made[key]
        return list(made.get("properties", ()))

    def _map(self, given: Any, pointer: str, say: Say) -> list[tuple[str, Any, str]]:
        if isinstance(given, Mapping):
            for name in repeated_keys(given):
                self._say(pointer)("repeated-key", f"{brief(name)} stands more than once: the last one counts")
            return [(name, item, f"{pointer}/{escaped(name)}") for name, item in given.items()]
        key = pointer.rsplit("/", 1)[-1]
        named = [
            (item["name"], {part: value for part, value in item.items() if part != "name"}, f"{pointer}/{index}")
            for index, item in enumerate(given if isinstance(given, list) else ())
            if isinstance(item, Mapping) and isinstance(item.get("name"), str)
        ]
        say("properties", f"{key} is {brief(given)}: " + ("written as an object" if named else "taken out"))
        return named

    def _parts(self, given: Mapping[str, Any], made: Schema, pointer: str, depth: int, known: Collection[str]) -> None:
        say = self._say(pointer)
        for key in LISTS:
            if key not in given:
                continue
            listed = [given[key]] if isinstance(given[key], Mapping) else given[key]
            if not isinstance(listed, list) or not listed:
                say("keyword", f"{key} is {brief(given[key])}: taken out")
                continue
            inner = known if key in _IN_PLACE else None
            made[key] = [
                self._schema(item, f"{pointer}/{key}/{index}", depth + 1, inner) for index, item in enumerate(listed)
            ]
        for key in SINGLE:
            if key not in given or (key == "items" and isinstance(given[key], list)):
                continue
            item = given[key]
            word = item.strip().lower() if isinstance(item, str) else ""
            if word in ("true", "false"):
                say("keyword", f"{key} is the text {word}: taken for the value")
                item = word == "true"
            if not isinstance(item, Mapping | bool | str):
                say("keyword", f"{key} is {brief(item)}: taken out")
                continue
            made[key] = self._schema(item, f"{pointer}/{key}", depth + 1, known if key in _IN_PLACE else None)

    def _items(self, given: Mapping[str, Any], made: Schema, pointer: str, depth: int) -> None:
        if not isinstance(given.get("items"), list):
            return
        say = self._say(pointer)
        say("tuple", "a list of items, one for each place, is written prefixItems")
        parts = [self._schema(item, f"{pointer}/items/{n}", depth + 1) for n, item in enumerate(given["items"])]
        if parts:
            made["prefixItems"] = parts
        if isinstance(given.get("additionalItems"), Mapping | bool):
            made["items"] = self._schema(given["additionalItems"], f"{pointer}/additionalItems", depth + 1)

    def _dependencies(self, given: Mapping[str, Any], made: Schema, pointer: str, depth: int) -> None:
        say = self._say(pointer)
        for key in ("dependencies", "dependentRequired"):
            if key not in given:
                continue
            if key == "dependencies":
                say("dependencies", "as in draft 7: written dependentRequired and dependentSchemas")
            for name, item in given[key].items() if isinstance(given[key], Mapping) else ():
                if isinstance(item, list):
                    texts = list(dict.fromkeys(clean(part) for part in item if isinstance(part, str)))
                    made.setdefault("dependentRequired", {})[clean(name)] = texts
                elif isinstance(item, Mapping | bool) and key == "dependencies":
                    place = f"{pointer}/{key}/{escaped(name)}"
                    made.setdefault("dependentSchemas", {})[clean(name)] = self._schema(item, place, depth + 1, ())
