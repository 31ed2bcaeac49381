"""The root of a tool's schema: always an object, and every property known that a part of it allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from synth.ingest.document import parse
from synth.ingest.keywords import Say, Schema, brief, mend_type
from synth.ingest.references import References, lost

_COMBINATIONS = ("allOf", "anyOf", "oneOf")
_CONDITIONS = ("then", "else")
_ABOUT = ("title", "description", "$schema", "$defs", "definitions", "$comment")
_WORDS = frozenset(
    [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "$ref",
        "$defs",
        "definitions",
        "$schema",
        "$id",
        "id",
        "title",
        "description",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "items",
        "enum",
        "const",
        "default",
        "examples",
        "nullable",
    ]
)
_MOST_HOPS = 10
_DEEPEST = 4


class NoArguments(ValueError):
    """What stands where the schema should be cannot be made the schema of an object."""


def mend_root(given: Any, references: References, say: Say) -> Mapping[str, Any]:
    """A schema whose root is an object, made of what was given.

    Raises:
        NoArguments: it cannot be.
    """
    schema = _followed(_object(given, say), references, say)
    kinds = _kinds(schema)
    if "object" in kinds or not kinds:
        if schema.get("type") != "object":
            say("root", "the root does not say that it is an object: it is one")
        schema = {**schema, "type": "object"}
        if schema.pop("nullable", None) is not None:
            say("nullable", "arguments are never null")
    elif kinds == ["null"]:
        say("root", "the root is null: there are no arguments")
        schema = {"type": "object"}
    else:
        say("root", f"the root is of type {' or '.join(kinds)}: it is the argument value")
        about = {key: schema[key] for key in _ABOUT if key in schema}
        inner = {key: item for key, item in schema.items() if key not in about}
        schema = {**about, "type": "object", "properties": {"value": inner}, "required": ["value"]}
    return _merged(schema, references, say)


def _object(given: Any, say: Say) -> Mapping[str, Any]:
    if isinstance(given, str):
        try:
            given = parse(given)
            say("root", "the schema stands in a text")
        except ValueError:
            raise NoArguments(f"its schema is the text {brief(given)}") from None
    if given is None:
        say("root", "there is no schema: there are no arguments")
        return {"type": "object"}
    if isinstance(given, bool):
        say("root", "any arguments at all" if given else "no arguments at all")
        return {"type": "object", "additionalProperties": given}
    if isinstance(given, list) and (not given or all(isinstance(item, Mapping) and "name" in item for item in given)):
        say("root", "a list of parameters is written as properties")
        return {"type": "object", "properties": given} if given else {"type": "object"}
    if not isinstance(given, Mapping):
        raise NoArguments(f"its schema is {brief(given)}, not an object")
    described = [item for item in given.values() if isinstance(item, Mapping) and {"type", "description"} & item.keys()]
    if given and len(described) == len(given) and not (_WORDS - {"type", "title", "description", "id"}) & given.keys():
        say("root", "the properties stand without a schema around them")
        return {"type": "object", "properties": dict(given)}
    return given


def _followed(schema: Mapping[str, Any], references: References, say: Say) -> Schema:
    made = dict(schema)
    for _ in range(_MOST_HOPS):
        if "$ref" not in made:
            break
        reference = made.pop("$ref")
        target = references.target(reference)
        if not target:
            say("ref-lost", lost(reference) if target is None else "the root refers to itself: taken out")
            continue
        say("root-ref", f"the root is what {brief(reference)} refers to")
        found = references.at(target)
        made = {**(found if isinstance(found, Mapping) else {}), **made}
    made.pop("$ref", None)
    return made


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    known: Schema = {"type": schema["type"]} if "type" in schema else {}
    mend_type(known, lambda _kind, _text: None)
    kinds = known.get("type", [])
    return [kinds] if isinstance(kinds, str) else kinds


def _merged(schema: Schema, references: References, say: Say) -> Schema:
    """The schema with the properties of its alternatives and parts among its own, so that each is known by name."""
    for key in _COMBINATIONS:
        listed = _listed(schema.get(key))
        kept = [item for item in listed if _may_be_object(item)]
        if len(kept) < len(listed):
            say(f"root-{key}", "alternatives that are no object are taken out")
            schema = {**schema, key: kept} if kept else {name: item for name, item in schema.items() if name != key}
    own = schema.get("properties")
    if own is not None and not isinstance(own, Mapping):
        return schema
    variants: dict[str, tuple[str, list[Any]]] = {}
    required: list[Any] = list(schema["required"]) if isinstance(schema.get("required"), list) else []
    for key, part in _parts(schema, references, _DEEPEST):
        say(f"root-{key}", f"the properties that {key} names stand at the root too")
        for name, item in part["properties"].items() if isinstance(part.get("properties"), Mapping) else ():
            if name not in (own or {}):
                listed = variants.setdefault(name, ("allOf" if key == "allOf" else "anyOf", []))[1]
                if item not in listed:
                    listed.append(item)
        if key == "allOf" and isinstance(part.get("required"), list):
            required += part["required"]
    if variants or own is None:  # else it stays as it was given, with what is known of it
        more = {name: items[0] if len(items) == 1 else {key: items} for name, (key, items) in variants.items()}
        own = {**(own or {}), **more}
    return {**schema, "properties": own, **({"required": required} if required else {})}


def _listed(given: Any) -> list[Any]:
    return [given] if isinstance(given, Mapping) else given if isinstance(given, list) else []


def _may_be_object(schema: Any) -> bool:
    if isinstance(schema, str):  # taken for a type
        schema = {"type": schema}
    if not isinstance(schema, Mapping):
        return True
    kinds = _kinds(schema)
    return not kinds or "object" in kinds


def _parts(schema: Mapping[str, Any], references: References, depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The schemas that apply to the same object, with the keyword by which they do."""
    if depth == 0:
        return
    listed = [(key, item) for key in _COMBINATIONS for item in _listed(schema.get(key))]
    listed += [(key, schema[key]) for key in _CONDITIONS if key in schema]
    for key in ("dependentSchemas", "dependencies"):
        if isinstance(schema.get(key), Mapping):
            listed += [(key, item) for item in schema[key].values()]
    for key, item in listed:
        if not isinstance(item, Mapping):
            continue
        target = references.target(item["$ref"]) if "$ref" in item else None
        found = references.at(target) if target else item
        if isinstance(found, Mapping):
            yield key, found
            yield from ((key, inner) for _, inner in _parts(found, references, depth - 1))
