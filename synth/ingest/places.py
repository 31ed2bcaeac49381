"""Where in a schema other schemas stand, and where values do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
"""Keywords with a list of schemas."""

MAPS = ("properties", "patternProperties", "dependentSchemas")
"""Keywords with schemas by name."""

SINGLE = (
    *("additionalProperties", "items", "not", "if", "then", "else", "contains", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties", "contentSchema"),
)
"""Keywords with one schema."""

VALUES = (
    *("type", "format", "pattern", "enum", "const", "nullable"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
    *("minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"),
    *("uniqueItems", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"),
)
"""Keywords with a value that is a rule."""


def escaped(key: str) -> str:
    """A key as a part of a JSON Pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def subschemas(schema: dict[str, Any], pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """A normalised schema and all within it, each with its JSON Pointer; ``true`` and ``false`` are left out."""
    yield pointer, schema
    for key in (*MAPS, "$defs"):
        for name, item in schema.get(key, {}).items():
            if isinstance(item, dict):
                yield from subschemas(item, f"{pointer}/{key}/{escaped(name)}")
    for key in LISTS:
        for index, item in enumerate(schema.get(key, ())):
            if isinstance(item, dict):
                yield from subschemas(item, f"{pointer}/{key}/{index}")
    for key in SINGLE:
        if isinstance(schema.get(key), dict):
            yield from subschemas(schema[key], f"{pointer}/{key}")
