"""The values that a schema names: its choices, its constant, and other values made to fit its type."""

from __future__ import annotations

from typing import Any

from engine.kit.values import canonical_json
from synth.ingest.document import Unusable, plain_value
from synth.ingest.keywords import Say, Schema, as_number, brief


def mend_choices(schema: Schema, say: Say) -> None:
    """``enum`` as a list of different values that the type allows, ``const`` as a value that can be."""
    for key in ("const", "enum"):
        if key in schema:
            try:
                schema[key] = plain_value(schema[key])
            except Unusable as error:
                say("keyword", f"{key} is {error}: taken out")
                del schema[key]
    if "enum" not in schema:
        return
    given = schema.pop("enum")
    if isinstance(given, dict):
        given = list(given)
        say("enum", "an object of choices: its keys are the choices")
    if not isinstance(given, list) or not given:
        say("enum", f"the choices {brief(given)} are no list with something in it: taken out")
        return
    kept = _different(given)
    if len(kept) < len(given):
        say("enum-duplicates", f"{len(given) - len(kept)} choices that stood more than once are taken out")
    kinds = schema.get("type")
    if kinds is None:
        _type_of_choices(schema, kept, say)
    else:
        kept = _fitting(kept, kinds if isinstance(kinds, list) else [kinds], say)
    if kept:
        schema["enum"] = kept


def _type_of_choices(schema: Schema, choices: list[Any], say: Say) -> None:
    kinds = list(dict.fromkeys(type_of(item) for item in choices))
    if any(key in schema for key in ("anyOf", "oneOf", "allOf", "$ref", "const")):
        return
    schema["type"] = kinds[0] if len(kinds) == 1 else kinds
    say("enum-without-type", f"choices without a type: {' or '.join(kinds)} is added")


def _fitting(choices: list[Any], kinds: list[str], say: Say) -> list[Any]:
    fitting = [converted(item, kinds) for item in choices]
    kept = [item for item in fitting if item is not NOTHING]
    if kept != choices or [type(item) for item in kept] != [type(item) for item in choices]:
        say("enum-type", f"choices that are not of type {' or '.join(kinds)} are converted or taken out")
        kept = _different(kept)
    return kept


def _different(items: list[Any]) -> list[Any]:
    found: dict[str, Any] = {}
    for item in items:
        found.setdefault(canonical_json(item), item)
    return list(found.values())


def type_of(value: Any) -> str:
    """The name that JSON Schema has for a value's type; whole numbers are integers."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case dict():
            return "object"
    return "array"


NOTHING: Any = object()
"""Where no value is: null is one."""


def converted(value: Any, kinds: list[str]) -> Any:
    """The value as one of these types: as it is, or where a text and a number mean the same; else ``NOTHING``."""
    kind = type_of(value)
    if kind in kinds or (kind == "integer" and "number" in kinds):
        return value
    if isinstance(value, str):
        lowered = value.strip().lower()
        if "boolean" in kinds and lowered in ("true", "false"):
            return lowered == "true"
        number = as_number(value)
        if number is not None and ("number" in kinds or ("integer" in kinds and number == int(number))):
            return int(number) if "number" not in kinds else number
        if "null" in kinds and lowered in ("null", "none"):
            return None
    if "string" in kinds and isinstance(value, bool | int | float):
        return canonical_json(value)
    return NOTHING
