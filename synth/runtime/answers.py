"""The form of answers, where a specification says what it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_NEUTRAL: dict[str, Any] = {"boolean": True, "string": "", "integer": 0, "number": 0, "array": [], "object": {}}
_PYTHON: dict[str, type | tuple[type, ...]] = {
    "boolean": bool,
    "string": str,
    "integer": int,
    "number": (int, float),
    "array": list,
    "object": dict,
}


def outputs(specification: Path) -> dict[str, dict[str, Any]]:
    """The output schemas of a specification, by the tool's name."""
    tools = json.loads(specification.read_text(encoding="utf-8"))["tools"]
    return {tool["name"]: tool["outputSchema"] for tool in tools if "outputSchema" in tool}


def within(answer: Any, *path: str) -> Any:
    """The answer inside objects of these names: ``{"data": {"issue": answer}}``."""
    for name in reversed(path):
        answer = {name: answer}
    return answer


def fitted(answer: Any, schema: Mapping[str, Any]) -> Any:
    """The answer without what the schema forbids, and with something neutral where a needed thing is not set.

    A value of the wrong type stays: that is a mistake which an attack is to find.
    """
    return _fit(answer, schema, schema, 0)


def _fit(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    schema = _followed(schema, root)
    if depth > 12:
        return value
    if isinstance(value, dict) and isinstance(schema.get("properties"), Mapping):
        properties: Mapping[str, Any] = schema["properties"]
        closed = schema.get("additionalProperties") is False
        found = {
            name: _fit(item, properties.get(name) or {}, root, depth + 1)
            for name, item in value.items()
            if not (closed and name not in properties)
            and (name in (schema.get("required") or []) or _may(item, properties.get(name), root))
        }
        for name in schema.get("required") or []:
            if name not in found:
                found[name] = _neutral(_followed(properties.get(name) or {}, root), root, depth)
        return found
    if isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        return [_fit(item, schema["items"], root, depth + 1) for item in value]
    return value


def _followed(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(schema, Mapping):
        return {}  # ``true``
    found: Mapping[str, Any] = schema
    reference = found.get("$ref")
    for _ in range(8):
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        target: Any = root
        for part in reference[2:].split("/"):
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        found = target if isinstance(target, Mapping) else {}
        reference = found.get("$ref")
    return found


def _types(schema: Mapping[str, Any]) -> list[str]:
    given = schema.get("type")
    return (
        [given]
        if isinstance(given, str)
        else [item for item in given if isinstance(item, str)]
        if isinstance(given, list)
        else []
    )


def _may(value: Any, schema: Any, root: Mapping[str, Any]) -> bool:
    """Whether a value that may be left out is of a type that the schema allows."""
    if not isinstance(schema, Mapping):
        return True
    types = _types(_followed(schema, root))
    plain = [_PYTHON[name] for name in types if name in _PYTHON]
    return not plain or (value is None and "null" in types) or any(isinstance(value, kind) for kind in plain)


def _neutral(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    types = _types(schema)
    if "null" in types or schema.get("nullable"):
        return None
    choices = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(choices, list) and any(isinstance(item, Mapping) and item.get("type") == "null" for item in choices):
        return None
    made = _NEUTRAL.get(types[0] if types else "object")
    return _fit(dict(made), schema, root, depth + 1) if isinstance(made, dict) else made
