"""The form that a specification asks of a tool's answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.compiler.parameters import simple, type_of
from synth.compiler.plan import ToolPlan


def wrapped(tool: ToolPlan, call: str) -> str:
    """The expression with its answer in the form that the output schema asks for."""
    schema = tool.spec.output_schema
    if not schema or not isinstance(schema.get("properties"), Mapping):
        return call
    path = _around(schema, listing=".find(" in call or "_many(" in call)
    inner = f"within({call}, {', '.join(map(repr, path))})" if path else call
    return f"fitted({inner}, _OUTPUTS[{tool.spec.name!r}])"


def items_name(tool: ToolPlan) -> str:
    """Under which name the output schema wants a list's rows; ``items`` where it does not say."""
    schema = tool.spec.output_schema
    at: Any = schema
    for name in _around(schema, listing=True):
        at = simple(schema or {}, (at.get("properties") or {}).get(name))
    lists = _of_type(schema or {}, at, "array") if isinstance(at, Mapping) else []
    return lists[0] if lists else "items"


def _of_type(root: Mapping[str, Any], schema: Mapping[str, Any], kind: str) -> list[str]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return []
    return [name for name, given in properties.items() if type_of(simple(root, given)) == kind]


def _around(schema: Mapping[str, Any] | None, *, listing: bool) -> list[str]:
    """Names of the objects around the answer."""
    if not schema or not isinstance(schema.get("properties"), Mapping):
        return []
    path: list[str] = []
    at: Mapping[str, Any] = schema
    while len(path) < 3:
        if listing and _of_type(schema, at, "array"):
            break
        objects = _of_type(schema, at, "object")
        plain = [name for kind in ("string", "integer", "number") for name in _of_type(schema, at, kind)]
        plain = [name for name in plain if name.lower() not in ("error", "message")]
        if len(objects) != 1 or "id" in (at.get("properties") or {}) or plain:
            break
        path.append(objects[0])
        at = simple(schema, at["properties"][objects[0]])
        if not isinstance(at.get("properties"), Mapping):
            break
    return path
