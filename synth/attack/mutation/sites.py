"""Where a fault can be planted: what a tool's code reaches, read from its source."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

from engine.kit import Entity, Service, Tool, entity_name
from synth.attack.reading import Reading, normal


@dataclass
class Reach:
    """What the code of a tool comes to.

    Attributes:
        methods: names of the methods of its context that are called somewhere on the way.
        functions: the functions of the service, the tool's own first.
    """

    methods: set[str] = field(default_factory=set)
    functions: list[FunctionType] = field(default_factory=list)


def reach(function: Callable[..., Any]) -> Reach:
    """Read a tool's source and that of the functions of its service that it calls."""
    found = Reach()
    waiting = [function]
    package = function.__module__.rpartition(".")[0]
    while waiting:
        current = inspect.unwrap(waiting.pop(0))
        if not isinstance(current, FunctionType) or current in found.functions:
            continue
        if not current.__module__.startswith(package):
            continue
        found.functions.append(current)
        for node in ast.walk(tree_of(current)):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="ctx"), attr=method)):
                    found.methods.add(method)
            if isinstance(node, ast.Name | ast.Attribute):
                target = _resolved(node, current.__globals__)
                if isinstance(target, FunctionType):
                    waiting.append(target)
    return found


def tree_of(function: FunctionType) -> ast.Module:
    """The syntax tree of a function alone."""
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def _resolved(node: ast.expr, names: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        holder = names.get(node.value.id)
        return getattr(holder, node.attr, None) if isinstance(holder, ModuleType) else None
    return None


def entity_of(service: Service, reading: Reading) -> type[Entity] | None:
    """The entity that a tool is about, by name."""
    for entity in service.entities:
        if normal(entity_name(entity)) == reading.noun:
            return entity
    last = reading.noun.split("_")[-1]
    return next((item for item in service.entities if normal(entity_name(item)).split("_")[-1] == last), None)


def text_field(entity: type[Entity]) -> str | None:
    """A field of plain text in which a change breaks no rule."""
    for column in entity.table().columns:
        semantic = column.info.get("semantic")
        bound = column.primary_key or column.unique or "choices" in column.info
        if semantic in ("title", "text", "name", "person", "body", "note") and not bound:
            return str(column.name)
    return None


def optional_parameters(
    tool: Tool, kinds: tuple[str, ...] = ("string", "integer", "number", "boolean", "array")
) -> list[str]:
    """Parameters that may be left out, of these types."""
    return [
        name
        for name, schema in tool.specification.properties.items()
        if name not in tool.specification.required and _kind(schema) in kinds
    ]


def _kind(schema: dict[str, Any]) -> str:
    kind = schema.get("type")
    return str(next((item for item in kind if item != "null"), "null") if isinstance(kind, list) else kind)
