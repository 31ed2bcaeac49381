"""Reading JSON Schema for the attack: one concrete form of a schema, and the check of a value against it."""

from __future__ import annotations

from typing import Any

import jsonschema_rs

_DEEPEST = 12


class SchemaReader:
    """Resolves ``$ref``, ``allOf``, ``anyOf``, ``oneOf`` and lists of types inside one root schema."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self._validators: dict[int, jsonschema_rs.Validator | None] = {}
        self._kept: list[Any] = []

    def concrete(self, schema: Any, branch: int = 0, depth: int = 0) -> dict[str, Any]:
        """The schema without combinators: of several alternatives the ``branch``-th that is not null."""
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return {}
        if "$ref" in schema:
            target = self._target(schema["$ref"])
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            return self.concrete({**target, **rest}, branch, depth + 1)
        out = {key: value for key, value in schema.items() if key not in ("allOf", "anyOf", "oneOf")}
        for part in schema.get("allOf") or []:
            out = merged(out, self.concrete(part, 0, depth + 1))
        for name in ("anyOf", "oneOf"):
            options = [item for item in schema.get(name) or [] if not is_null(item)]
            if options:
                out = merged(out, self.concrete(options[branch % len(options)], 0, depth + 1))
        if isinstance(out.get("type"), list):
            kinds = [item for item in out["type"] if item != "null"] or ["null"]
            out["type"] = kinds[branch % len(kinds)]
        if "type" not in out:
            out |= _guessed(out)
        return out

    def alternatives(self, schema: Any) -> int:
        """How many concrete forms a schema has."""
        if not isinstance(schema, dict):
            return 1
        counts = [len([x for x in schema.get(name) or [] if not is_null(x)]) for name in ("anyOf", "oneOf")]
        kinds = schema.get("type")
        counts.append(len([item for item in kinds if item != "null"]) if isinstance(kinds, list) else 1)
        return max(1, *counts)

    def accepts(self, schema: dict[str, Any], value: Any) -> bool:
        """Whether a value is valid against a schema inside the root; yes where the schema cannot be checked."""
        key = id(schema)
        if key not in self._validators:
            self._kept.append(schema)
            defs: dict[str, Any] = {name: self.root[name] for name in ("$defs", "definitions") if name in self.root}
            try:
                self._validators[key] = jsonschema_rs.validator_for({**defs, **schema}, validate_formats=True)
            except (ValueError, jsonschema_rs.ValidationError):
                self._validators[key] = None
        validator = self._validators[key]
        return validator is None or validator.is_valid(value)

    def _target(self, reference: Any) -> dict[str, Any]:
        found: Any = self.root
        if not isinstance(reference, str) or not reference.startswith("#"):
            return {}
        for part in reference.lstrip("#").strip("/").split("/"):
            name = part.replace("~1", "/").replace("~0", "~")
            if name:
                found = found.get(name, {}) if isinstance(found, dict) else {}
        return found if isinstance(found, dict) else {}


def is_null(schema: Any) -> bool:
    """Whether a schema allows nothing but null."""
    return isinstance(schema, dict) and (schema.get("type") == "null" or schema.get("enum") == [None])


def takes_null(schema: Any) -> bool:
    """Whether null is among what a schema names as allowed."""
    if not isinstance(schema, dict):
        return True
    kinds = schema.get("type")
    return (
        kinds == "null"
        or (isinstance(kinds, list) and "null" in kinds)
        or bool(schema.get("nullable"))
        or any(is_null(item) or takes_null(item) for name in ("anyOf", "oneOf") for item in schema.get(name) or [])
        or None in (schema.get("enum") or [])
    )


def merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Two schemas of which both hold, as far as the attack reads them."""
    out = {**first, **second}
    if "properties" in first and "properties" in second:
        out["properties"] = {**first["properties"], **second["properties"]}
    if first.get("required") and second.get("required"):
        out["required"] = list(dict.fromkeys([*first["required"], *second["required"]]))
    return out


def _guessed(schema: dict[str, Any]) -> dict[str, Any]:
    if "properties" in schema or "required" in schema:
        return {"type": "object"}
    if "items" in schema:
        return {"type": "array"}
    if "enum" in schema or "const" in schema:
        return {}
    if any(name in schema for name in ("minimum", "maximum")):
        return {"type": "number"}
    return {"type": "string"}
