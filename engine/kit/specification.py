"""The tool specification of a service: the form of MCP ``tools/list``, and the check of arguments against it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonschema_rs

from engine.errors import ServiceDefinitionError

MAX_ARGUMENTS = 1_000_000
"""Characters that the arguments of one call may have as JSON."""


@dataclass(frozen=True)
class ToolSpecification:
    """One tool as an agent sees it.

    Attributes:
        name: unique in its service.
        description: text for the agent; never an instruction to the system.
        input_schema: JSON Schema of the arguments; its root is an object.
        output_schema: JSON Schema of ``data`` in the result, where given.
        annotations: MCP hints such as ``readOnlyHint``.
    """

    name: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None = None
    annotations: dict[str, Any] = field(default_factory=dict)

    @property
    def read_only(self) -> bool:
        """Whether the tool promises to change nothing."""
        return bool(self.annotations.get("readOnlyHint", False))

    @property
    def properties(self) -> dict[str, Any]:
        """The schema of each argument by name."""
        return self.input_schema.get("properties") or {}

    @property
    def required(self) -> list[str]:
        """Names of the arguments that must be given."""
        return self.input_schema.get("required") or []

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        schema = dict(self.input_schema)
        if "additionalProperties" not in schema and "patternProperties" not in schema:
            # A name that the specification does not know is a mistake of the caller, so it is said, not dropped.
            schema["additionalProperties"] = False
        return jsonschema_rs.validator_for(schema, validate_formats=True, offline=True)

    @cached_property
    def _output_validator(self) -> jsonschema_rs.Validator | None:
        if self.output_schema is None:
            return None
        try:
            return jsonschema_rs.validator_for(self.output_schema, validate_formats=True)
        except ValueError:
            return None  # no schema at all: it binds nobody

    def problems(self, arguments: dict[str, Any]) -> list[dict[str, str]]:
        """What is wrong with the arguments, as ``{"argument", "problem"}`` in a stable order; empty if nothing."""
        if self._validator.is_valid(arguments):
            return []
        return [
            {
                "argument": ".".join(map(str, error.instance_path)) or "arguments",
                "problem": _problem(error)[:500],
            }
            for error in self._validator.iter_errors(arguments)
        ]

    def output_problems(self, data: Any) -> list[str]:
        """What is wrong with a result's data by the output schema, with its place; empty where there is no schema."""
        if self._output_validator is None or self._output_validator.is_valid(data):
            return []
        return [
            f"{'.'.join(map(str, error.instance_path)) or 'data'}: {_problem(error)[:500]}"
            for error in self._output_validator.iter_errors(data)
        ]

    def as_mcp(self) -> dict[str, Any]:
        """The tool in the form of MCP ``tools/list``."""
        out: dict[str, Any] = {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema,
        }
        if self.output_schema is not None:
            out["outputSchema"] = self.output_schema
        if self.annotations:
            out["annotations"] = self.annotations
        return out


def _problem(error: jsonschema_rs.ValidationError) -> str:
    if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Enum):
        # The library's own message shows two of the choices and counts the others.
        given, *choices = (json.dumps(item, ensure_ascii=False) for item in (error.instance, *error.kind.options))
        return f"{given} is not one of {', '.join(choices)}"
    return error.message


def read_specification(path: Path) -> dict[str, ToolSpecification]:
    """Read ``{"tools": [...]}`` (an MCP ``tools/list`` result).

    Raises:
        ServiceDefinitionError: the file is missing, is not JSON or lacks a part; the message names the tool.
    """
    where = "/".join(path.parts[-3:])
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ServiceDefinitionError(f"cannot read the specification {where}: {error}") from error
    tools: dict[str, ToolSpecification] = {}
    for item in document.get("tools", []):
        name = item.get("name")
        if not isinstance(name, str) or not name:
            raise ServiceDefinitionError(f"{where}: a tool has no name")
        schema = item.get("inputSchema")
        if not isinstance(schema, dict) or schema.get("type") != "object":
            raise ServiceDefinitionError(f"{where}: the inputSchema of {name!r} is not of type object")
        if name in tools:
            raise ServiceDefinitionError(f"{where}: two tools are named {name!r}")
        try:
            jsonschema_rs.validator_for(schema, offline=True)
        except jsonschema_rs.ValidationError as error:
            raise ServiceDefinitionError(f"{where}: the schema of {name!r}: {error.message}") from error
        tools[name] = ToolSpecification(
            name=name,
            description=item.get("description", ""),
            input_schema=schema,
            output_schema=item.get("outputSchema"),
            annotations=item.get("annotations", {}),
        )
    return tools
