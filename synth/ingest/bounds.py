"""Bounds, counts and flags of a schema: as the standard has them, and such that they can hold together."""

from __future__ import annotations

import math

from synth.ingest.keywords import Say, Schema, as_number, brief

EXACT = 2**53
"""From here on a float no longer tells whole numbers apart."""

WIDEST = 2**63
"""From here on a database has no whole number."""

_COUNTS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
)
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_RANGES = (("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"))
_FLAGS = ("uniqueItems", "deprecated", "readOnly", "writeOnly")
_TEXTS = ("contentEncoding", "contentMediaType")


def mend_numbers(schema: Schema, say: Say) -> None:
    """Bounds and counts as the standard has them; those that cannot hold together are taken out."""
    for low, strict in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        _mend_draft4(schema, low, strict, say)
    for key in (*_BOUNDS, *_COUNTS, "multipleOf"):
        if key in schema:
            _mend_number(schema, key, say)
    for key in _FLAGS:
        if key in schema and not isinstance(schema[key], bool):
            say("keyword", f"{key} is {brief(schema.pop(key))}, which is neither true nor false: taken out")
    for key in _TEXTS:
        if key in schema and not isinstance(schema[key], str):
            say("keyword", f"{key} is no text: taken out")
            del schema[key]
    for low, high in _RANGES:
        if schema.get(low, 0) > schema.get(high, math.inf):
            say("contradiction", f"{low} {schema.pop(low)} is above {high} {schema.pop(high)}: both are taken out")
    if _empty_range(schema):
        taken = {key: schema.pop(key) for key in _BOUNDS if key in schema}
        say("contradiction", f"no number is within {brief(taken)}: these bounds are taken out")


def _mend_draft4(schema: Schema, bound: str, strict: str, say: Say) -> None:
    if not isinstance(schema.get(strict), bool):
        return
    if schema.pop(strict) and bound in schema:
        schema[strict] = schema.pop(bound)
        say("boolean-bound", f"{strict}: true, as in draft 4, is written {strict}: {brief(schema[strict])}")
    else:
        say("boolean-bound", f"{strict} that is true or false, as in draft 4, says nothing here: taken out")


def _mend_number(schema: Schema, key: str, say: Say) -> None:
    given = schema[key]
    value = as_number(given)
    whole = key in _COUNTS
    if value is not None and whole and (value != int(value) or value < 0):
        value = None
    if value is None or (key == "multipleOf" and value <= 0):
        say("keyword", f"{key} is {brief(given)}: taken out")
        del schema[key]
    elif abs(value) >= WIDEST:
        say("large-bound", f"{key} {brief(given)} is beyond every number that is kept: taken out")
        del schema[key]
    else:
        schema[key] = int(value) if whole else value
        if isinstance(given, str):
            say("keyword", f"{key} was the text {brief(given)}")
        elif abs(value) >= EXACT - 1:
            say("large-bound", f"{key} {brief(given)} is carried: it stands for no bound")


def _empty_range(schema: Schema) -> bool:
    low = max((schema[key] for key in ("minimum", "exclusiveMinimum") if key in schema), default=-math.inf)
    high = min((schema[key] for key in ("maximum", "exclusiveMaximum") if key in schema), default=math.inf)
    if low != high:
        return bool(low > high)
    return low in (schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"))
