"""Defaults: only values that the schema itself allows are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema_rs

from synth.ingest.choices import NOTHING, converted
from synth.ingest.document import parse
from synth.ingest.keywords import Say, Schema, brief
from synth.ingest.places import subschemas


def mend_defaults(schema: Schema, say: Callable[[str], Say]) -> None:
    """Convert or take out, in place, each default that its schema does not allow.

    Args:
        schema: a whole, normalised schema.
        say: makes the recorder of notes for a pointer.
    """
    definitions = schema.get("$defs", {})
    for pointer, part in subschemas(schema):
        if "default" in part:
            _mend(part, definitions, say(pointer))


def _mend(schema: Schema, definitions: Schema, say: Say) -> None:
    rest = {key: item for key, item in schema.items() if key != "default"}
    try:
        validator = jsonschema_rs.validator_for(
            {**rest, "$defs": definitions} if definitions else rest, validate_formats=True, offline=True
        )
    except (jsonschema_rs.ValidationError, ValueError):
        return  # the whole schema is checked at the end
    given = schema["default"]
    if validator.is_valid(given):
        return
    if given is None:
        say("default-null", "the default null is not of its type: it is taken out, left out says the same")
        del schema["default"]
        return
    mended = _converted(given, schema.get("type"))
    if mended is not NOTHING and validator.is_valid(mended):
        say("default-type", f"the default {brief(given)} is written {brief(mended)}")
        schema["default"] = mended
    else:
        say("default-type", f"the default {brief(given)} is not allowed by its schema: it is taken out")
        del schema["default"]


def _converted(value: Any, kinds: Any) -> Any:
    listed = kinds if isinstance(kinds, list) else [kinds] if kinds else []
    if isinstance(value, str) and {"array", "object"} & set(listed):
        try:
            return parse(value)
        except ValueError:
            return NOTHING
    return converted(value, listed)
