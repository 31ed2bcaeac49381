"""Short ways to give tools and to look at what becomes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.kit.specification import ToolSpecification, read_specification
from engine.kit.tool import Tool, bind
from synth.ingest.tools import read_tools
from synth.specs import RefusedTool, ToolSpec


def tool(schema: Any = None, name: str = "make", **more: Any) -> dict[str, Any]:
    """A tool in the form of MCP."""
    return {"name": name, "description": "Make a thing.", "inputSchema": schema, **more}


def made(schema: Any, **more: Any) -> ToolSpec:
    """The one usable tool with that schema."""
    (usable,), refused = read_tools([tool(schema, **more)])
    assert refused == ()
    return usable


def refused(*tools: Any) -> RefusedTool:
    """The one tool among these that is refused."""
    (item,) = read_tools(list(tools))[1]
    return item


def arguments(**properties: Any) -> dict[str, Any]:
    """A schema with these properties."""
    return {"type": "object", "properties": properties}


def property_(schema: Any) -> Any:
    """What becomes of a property's schema."""
    return made(arguments(thing=schema)).input_schema["properties"]["thing"]


def kinds(usable: ToolSpec) -> set[str]:
    """The kinds of its notes."""
    return {note.kind for note in usable.notes}


def accepts(usable: ToolSpec, **values: Any) -> bool:
    """Whether the kit lets these arguments through."""
    return not ToolSpecification(usable.name, "", usable.input_schema).problems(values)


def bound(tools: tuple[ToolSpec, ...] | list[ToolSpec], folder: Path) -> list[Tool]:
    """The tools as the kit binds them, read from a specification file as services have it."""
    path = folder / "tools.json"
    path.write_text(json.dumps({"tools": [item.as_mcp() for item in tools]}, allow_nan=False), encoding="utf-8")

    def function(_ctx: Any, /, **_arguments: Any) -> None: ...

    return [bind(specification, function) for specification in read_specification(path).values()]
