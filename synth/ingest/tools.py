"""Tools as they were given, in any of the known forms, into usable tools or refusals with a reason."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jsonschema_rs

from engine.kit.values import canonical_json
from synth.ingest.composition import NoArguments
from synth.ingest.document import Unusable, plain_text, plain_value, repeated_keys
from synth.ingest.keywords import Schema, brief
from synth.ingest.names import tool_names
from synth.ingest.schemas import Normaliser, TooLarge
from synth.specs import Note, RefusedTool, ToolSpec

MAX_DESCRIPTION = 20_000
MAX_NAME = 1_000
MAX_SCHEMA = 200_000
"""Characters of a schema as JSON."""

GROUPS = frozenset({"path", "query", "header", "headers", "cookie", "cookies", "body"})
"""Properties of generated clients that hold the parameters of an HTTP request by their place in it."""

_SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters")
_OUTPUT_KEYS = ("outputSchema", "output_schema")
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


@dataclass(frozen=True)
class _Read:
    original: str
    description: str
    schema: Schema
    output: Schema | None
    annotations: dict[str, Any]
    notes: tuple[Note, ...]


def looks_like_tool(value: Any) -> bool:
    """Whether an object is a tool in one of the known forms."""
    if not isinstance(value, Mapping):
        return False
    if isinstance(value.get("function"), Mapping):
        return "name" in value["function"]
    return "name" in value and "tools" not in value


def read_tools(items: Sequence[Any]) -> tuple[tuple[ToolSpec, ...], tuple[RefusedTool, ...]]:
    """The usable tools of one server, with names that are different from each other, and those refused."""
    read: list[_Read] = []
    refused: list[RefusedTool] = []
    seen: dict[str, set[str]] = {}
    for number, item in enumerate(items, 1):
        found = _read_tool(item, number)
        if isinstance(found, RefusedTool):
            refused.append(found)
            continue
        same = seen.setdefault(found.original, set())
        schema = canonical_json(found.schema)
        if schema in same:
            refused.append(RefusedTool(original_name=found.original, reason="it is listed twice, with the same schema"))
            continue
        if same:
            note = Note(pointer="", kind="duplicate-name", text="another tool of this name has another schema")
            found = replace(found, notes=(*found.notes, note))
        same.add(schema)
        read.append(found)
    names = tool_names([item.original for item in read])
    return tuple(_named(item, name) for item, name in zip(read, names, strict=True)), tuple(refused)


def _named(read: _Read, name: str) -> ToolSpec:
    notes = read.notes
    if name != read.original:
        notes = (Note(pointer="/name", kind="name", text=f"it is called {name} here"), *notes)
    return ToolSpec(
        name=name,
        original_name=read.original,
        description=read.description,
        input_schema=read.schema,
        output_schema=read.output,
        annotations=read.annotations,
        notes=notes,
    )


def _read_tool(item: Any, number: int) -> _Read | RefusedTool:
    if not isinstance(item, Mapping):
        return RefusedTool(original_name=f"tool {number}", reason=f"it is {brief(item)}, not an object with a name")
    wrapped = isinstance(item.get("function"), Mapping)
    inner: Mapping[str, Any] = item["function"] if wrapped else item
    base = "/function" if wrapped else ""
    original = plain_text(inner.get("name"), MAX_NAME) if isinstance(inner.get("name"), str) else ""
    if not original:
        return RefusedTool(original_name=f"tool {number}", reason="it has no name")
    key = next((key for key in _SCHEMA_KEYS if key in inner), None)
    kind = item.get("type")
    if key is None and isinstance(kind, str) and kind not in ("function", "custom"):
        reason = f"it is built into a model's own server ({brief(plain_text(kind, 60))}) and has no schema"
        return RefusedTool(original_name=original, reason=reason)
    normaliser = Normaliser(inner.get(key) if key else None, f"{base}/{key or _SCHEMA_KEYS[0]}")
    try:
        schema = normaliser.arguments()
    except (NoArguments, TooLarge) as error:
        return RefusedTool(original_name=original, reason=str(error))
    problem = _problem(schema)
    if problem:
        return RefusedTool(original_name=original, reason=problem)
    output, output_notes = _output(inner, base)
    notes = [*_notes(inner, base, original), *normaliser.notes, *_shape(schema, f"{base}/{key or _SCHEMA_KEYS[0]}")]
    return _Read(
        original,
        plain_text(inner.get("description"), MAX_DESCRIPTION) or plain_text(inner.get("title"), MAX_DESCRIPTION),
        schema,
        output,
        _annotations(inner),
        (*notes, *output_notes),
    )


def _problem(schema: Schema) -> str | None:
    """Why a normalised schema cannot be used after all."""
    size = len(json.dumps(schema, ensure_ascii=False))
    if size > MAX_SCHEMA:
        return f"its schema has {size} characters; at most {MAX_SCHEMA} are used"
    closed = schema if "patternProperties" in schema else {"additionalProperties": False, **schema}
    try:
        jsonschema_rs.validator_for(closed, validate_formats=True, offline=True)
    except (jsonschema_rs.ValidationError, ValueError) as error:
        return f"its schema cannot be compiled: {plain_text(getattr(error, 'message', str(error)), 200)}"
    return None


def _output(inner: Mapping[str, Any], base: str) -> tuple[Schema | None, tuple[Note, ...]]:
    key = next((key for key in _OUTPUT_KEYS if inner.get(key) is not None), None)
    if key is None:
        return None, ()
    pointer = f"{base}/{key}"
    if not isinstance(inner[key], Mapping):
        return None, (Note(pointer=pointer, kind="output", text="the schema of its result is no object: taken out"),)
    normaliser = Normaliser(inner[key], pointer)
    try:
        made = normaliser.result()
        problem = _problem({"type": "object", "properties": {"result": made}, "$defs": made.get("$defs", {})})
    except TooLarge as error:
        made, problem = {}, str(error)
    if problem:
        return None, (Note(pointer=pointer, kind="output", text=f"the schema of its result is taken out: {problem}"),)
    return made, normaliser.notes


def _annotations(inner: Mapping[str, Any]) -> dict[str, Any]:
    given = inner.get("annotations")
    made: dict[str, Any] = {}
    for key, item in given.items() if isinstance(given, Mapping) else ():
        if key in _HINTS:
            # "false" is a text, and a text that is not empty counts as yes.
            if isinstance(item, bool) or item in ("true", "false"):
                made[key] = item in (True, "true")
            continue
        try:
            made[key] = plain_value(item)
        except Unusable:
            continue
    title = plain_text(inner.get("title"), MAX_NAME)
    if title:
        made.setdefault("title", title)
    made = {key: item for key, item in made.items() if item is not None}
    return dict(plain_value(made))


def _notes(inner: Mapping[str, Any], base: str, original: str) -> list[Note]:
    notes = []
    if "description" in inner and inner["description"] is not None and not isinstance(inner["description"], str):
        notes.append(Note(pointer=f"{base}/description", kind="text", text="the description is no text"))
    elif isinstance(inner.get("description"), str):
        given = inner["description"].strip()
        if plain_text(given, MAX_DESCRIPTION) != given:
            text = "the description held what cannot be stored, or was too long"
            notes.append(Note(pointer=f"{base}/description", kind="text", text=text))
    if original != inner["name"]:
        notes.append(Note(pointer=f"{base}/name", kind="text", text="the name held what cannot be stored"))
    if "strict" in inner:
        notes.append(Note(pointer=f"{base}/strict", kind="strict", text="arguments are always checked strictly"))
    if repeated_keys(inner):
        names = brief(list(repeated_keys(inner)))
        notes.append(Note(pointer=base, kind="repeated-key", text=f"{names} stand more than once: the last counts"))
    return [note.model_copy(update={"text": plain_text(note.text, 300)}) for note in notes]


def _shape(schema: Schema, pointer: str) -> list[Note]:
    properties = schema.get("properties", {})
    if not properties and not schema.get("additionalProperties") and "patternProperties" not in schema:
        return [Note(pointer=pointer, kind="no-properties", text="it takes no arguments")]
    grouped = [name for name, item in properties.items() if isinstance(item, dict) and "properties" in item]
    if grouped and set(properties) <= GROUPS:
        text = f"the parameters stand under {', '.join(sorted(properties))}: carried"
        return [Note(pointer=f"{pointer}/properties", kind="parameter-groups", text=text)]
    return []
