"""Keywords of JSON Schema, one by one: how each is mended in a single schema, with what was done about it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import jsonschema_rs

Say = Callable[[str, str], None]
"""Records a note: the kind of the quirk, and what was done about it."""

Schema = dict[str, Any]

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")

FORMATS = frozenset(
    [
        "date",
        "date-time",
        "time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    ]
)
"""Those that are checked."""

MAX_PATTERN = 2_000

_TYPE_NAMES: dict[str, tuple[str | None, str | None]] = {
    **{name: (name, None) for name in TYPES},
    **dict.fromkeys(("str", "text", "char", "varchar", "file", "binary", "bytes", "password"), ("string", None)),
    **dict.fromkeys(("int", "int32", "int64", "long", "short", "bigint", "integers"), ("integer", None)),
    **dict.fromkeys(("float", "double", "decimal", "numeric", "num"), ("number", None)),
    **dict.fromkeys(("bool",), ("boolean", None)),
    **dict.fromkeys(("dict", "map", "record", "struct", "json"), ("object", None)),
    **dict.fromkeys(("list", "tuple", "set"), ("array", None)),
    **dict.fromkeys(("none", "nil", "undefined"), ("null", None)),
    **dict.fromkeys(("datetime", "timestamp", "date-time"), ("string", "date-time")),
    **{name: ("string", name) for name in ("date", "time", "uuid", "email", "uri")},
    "url": ("string", "uri"),
    **dict.fromkeys(("any", "mixed", "unknown", "*", ""), (None, None)),
}


def mend_type(schema: Schema, say: Say) -> None:
    """``type`` as one of the seven names, or a list of different ones; else taken out."""
    if "type" not in schema:
        return
    given = schema.pop("type")
    names = given if isinstance(given, list) else [given]
    found: list[str] = []
    unknown = False
    for name in names:
        known, format_ = _TYPE_NAMES.get(name.strip().lower(), (None, None)) if isinstance(name, str) else (None, None)
        if name is None and isinstance(given, list):
            known = "null"
        if known is None:
            unknown = True
        elif known not in found:
            found.append(known)
        if format_ and len(names) == 1:
            schema.setdefault("format", format_)
    if unknown and any(isinstance(name, str) and name.strip().lower() in ("any", "mixed", "*") for name in names):
        found = []
    if found:
        schema["type"] = found[0] if len(found) == 1 else found
    if isinstance(given, list):
        say("type-array", "a list of types is carried" if found == given else _typed(given, found))
    elif found != [given]:
        say("type-name", _typed(given, found))


def _typed(given: Any, found: list[str]) -> str:
    return f"the type {brief(given)} is written {' or '.join(found)}" if found else f"no type is {brief(given)}: any"


def mend_nullable(schema: Schema, say: Say) -> bool:
    """Take ``nullable`` out; whether null is allowed by it."""
    if "nullable" not in schema:
        return False
    given = schema.pop("nullable")
    asked = given is True or (isinstance(given, str) and given.strip().lower() == "true")
    say("nullable", "null is one of the types now" if asked else "nullable that does not say yes is taken out")
    return asked


def allow_null(schema: Schema) -> Schema:
    """The schema, with null allowed too."""
    kinds = schema.get("type")
    if kinds is not None:
        listed = kinds if isinstance(kinds, list) else [kinds]
        if "null" not in listed:
            schema["type"] = [*listed, "null"]
        if "enum" in schema and None not in schema["enum"]:
            schema["enum"] = [*schema["enum"], None]
        if "const" in schema:
            schema["enum"] = [schema.pop("const"), None]
        if not any(key in schema for key in ("anyOf", "oneOf", "allOf", "$ref")):
            return schema
    about: Schema = {key: schema.pop(key) for key in ("title", "description", "default", "examples") if key in schema}
    if set(schema) == {"anyOf"}:
        return {**about, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    return {**about, "anyOf": [schema, {"type": "null"}]} if schema else about


def mend_format(schema: Schema, say: Say) -> None:
    """``format`` as a text; one that is not known is carried and not checked."""
    if "format" not in schema:
        return
    if not isinstance(schema["format"], str):
        say("format", f"the format {brief(schema.pop('format'))} is no text: taken out")
    elif schema["format"] not in FORMATS:
        say("format", f"the format {brief(schema['format'])} is not known: carried, not checked")


def mend_pattern(schema: Schema, say: Say) -> None:
    """``pattern`` as a regular expression that can be compiled; else taken out."""
    if "pattern" not in schema:
        return
    given = schema.pop("pattern")
    mended = usable_pattern(given)
    if mended is None:
        say("pattern", f"the pattern {brief(given)} is no regular expression here: taken out")
        return
    if mended != given:
        say("pattern", f"the pattern {brief(given)} is written {brief(mended)}")
    schema["pattern"] = mended


@lru_cache(maxsize=2_000)
def _compiles(pattern: str) -> bool:
    try:
        jsonschema_rs.validator_for({"pattern": pattern}, offline=True)
    except (jsonschema_rs.ValidationError, ValueError):
        return False
    return True


def usable_pattern(given: Any) -> str | None:
    """A regular expression that the validator can compile, mended where that is plain; ``None``: there is none."""
    if not isinstance(given, str) or len(given) > MAX_PATTERN:
        return None
    literal = re.fullmatch(r"/(\^.*\$)/[a-z]*", given, re.DOTALL)
    anchored = re.sub(r"^\\A", "^", re.sub(r"\\[zZ]$", "$", literal[1] if literal else given))
    for pattern in (anchored, given):
        if _compiles(pattern):
            return pattern
    return None


def as_number(value: Any) -> int | float | None:
    """A finite number, also one that stands in a text."""
    if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,40}(\.[0-9]{1,40})?\s*", value):
        value = float(value) if "." in value else int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value.bit_length() < 1_000 else None
    return value if isinstance(value, float) and math.isfinite(value) else None


def brief(value: Any) -> str:
    """A given value in a note: short, and never more than one level of it."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        inner = all(item is None or isinstance(item, str | int | float) for item in value)
        return _cut(str(value)) if inner and len(value) <= 8 else f"a list of {len(value)}"
    if isinstance(value, str):
        return repr(_cut(value))
    return _cut(str(value)) if not isinstance(value, int) or value.bit_length() < 2_000 else "a huge number"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
