"""The JSON Schema of a world model's answer, made of a service's entities."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Boolean, Date, DateTime, Float, Numeric
from sqlalchemy.dialects.postgresql import JSONB

from engine.kit import Entity, Service, ToolSpecification, entity_name

_LIMITS = {"max_length": "maxLength", "min_length": "minLength", "ge": "minimum", "le": "maximum"}

_RESULT: dict[str, Any] = {
    "description": "What the agent reads: data of a call that did what was asked, or the error of one that did not.",
    "anyOf": [
        {
            "type": "object",
            "properties": {"ok": {"const": True}, "data": {}},
            "required": ["ok", "data"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {
                "ok": {"const": False},
                "code": {
                    "type": "string",
                    "description": "One word: not_found, invalid, conflict, forbidden, limit, ...",
                },
                "message": {"type": "string", "description": "One sentence for the agent."},
                "details": {"type": "object"},
            },
            "required": ["ok", "code", "message"],
            "additionalProperties": False,
        },
    ],
}


def answer_schema(service: Service, specification: ToolSpecification) -> dict[str, Any]:
    """The schema of the whole answer; a read-only tool can say no changes."""
    changes: dict[str, Any] = {"type": "array", "maxItems": 0}
    if not specification.read_only and service.entities:
        changes = {
            "type": "array",
            "description": "The rows that change, in order; a row before those that refer to it.",
            "items": {"anyOf": [change for entity in service.entities for change in _changes(entity)]},
        }
    result = _RESULT
    if specification.output_schema is not None:
        good, bad = _RESULT["anyOf"]
        # Not the schema itself: its references would lead nowhere here. It stands in the question, and is checked.
        properties = {**good["properties"], "data": {"description": "As the tool's output schema says."}}
        result = {**_RESULT, "anyOf": [{**good, "properties": properties}, bad]}
    return {
        "type": "object",
        "properties": {"changes": changes, "result": result},
        "required": ["changes", "result"],
        "additionalProperties": False,
    }


def _changes(entity: type[Entity]) -> list[dict[str, Any]]:
    names = entity.key_columns()
    fields = {name: field_schema(entity, name) for name in entity.model_fields}
    required = [name for name, info in entity.model_fields.items() if info.is_required()]
    key: dict[str, Any] = _object({name: {"type": fields[name]["type"]} for name in names}, list(names))
    if len(names) == 1:
        key = {"type": fields[names[0]]["type"]}
    others = {name: item for name, item in fields.items() if name not in names}
    head = {"entity": {"const": entity_name(entity)}}
    made = [
        _object({"op": {"const": "insert"}, **head, "values": _object(fields, required)}, ["op", "entity", "values"]),
        _object({"op": {"const": "delete"}, **head, "key": key}, ["op", "entity", "key"]),
    ]
    if others:
        parts = {"op": {"const": "update"}, **head, "key": key, "values": _object(others, [])}
        made.insert(1, _object(parts, ["op", "entity", "key", "values"]))
    return made


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def field_schema(entity: type[Entity], name: str) -> dict[str, Any]:
    """The schema of a field's values."""
    column = entity.table().columns[name]
    kind: dict[str, Any]
    match column.type:
        case Boolean():
            kind = {"type": "boolean"}
        case BigInteger():
            kind = {"type": "integer"}
        case Float() | Numeric():
            kind = {"type": "number"}
        case DateTime():
            kind = {"type": "string", "format": "date-time"}
        case Date():
            kind = {"type": "string", "format": "date"}
        case JSONB():
            kind = {} if column.info.get("semantic") == "json" else {"type": "array", "items": {"type": "string"}}
        case _:
            kind = {"type": "string"}
    if not kind:
        return kind
    for limit in entity.model_fields[name].metadata:
        for attribute, keyword in _LIMITS.items():
            if (value := getattr(limit, attribute, None)) is not None:
                kind[keyword] = value
    choices = column.info.get("choices")
    if column.nullable:
        kind["type"] = [kind["type"], "null"]
    if choices:
        kind["enum"] = [*choices, *([None] if column.nullable else [])]
    return kind
