"""A server's specification after ingestion: one form, whatever it was read from."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from engine.kit.specification import ToolSpecification


class Note(BaseModel):
    """Something that was repaired or is unusual in a schema.

    Attributes:
        pointer: JSON Pointer into the tool as it was given.
        kind: a short word for the quirk, such as ``nullable``.
        text: what was done about it, for people.
    """

    model_config = ConfigDict(frozen=True)

    pointer: str
    kind: str
    text: str


class ToolSpec(BaseModel):
    """One usable tool.

    Attributes:
        name: a valid identifier of at most 64 characters, unique in its server.
        original_name: as the server calls it.
        input_schema: valid JSON Schema 2020-12 whose root is an object.
        annotations: MCP hints (``readOnlyHint`` ...), as given.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    original_name: str
    description: str = ""
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None = None
    annotations: dict[str, Any] = Field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def as_mcp(self) -> dict[str, Any]:
        """The tool in the form of MCP ``tools/list``, by its new name."""
        return ToolSpecification(
            self.name, self.description, self.input_schema, self.output_schema, self.annotations
        ).as_mcp()


class RefusedTool(BaseModel):
    """A tool that cannot be used, and why."""

    model_config = ConfigDict(frozen=True)

    original_name: str
    reason: str


class ServerSpec(BaseModel):
    """One server.

    Attributes:
        name: of the service that is made of it: lower-case identifier of at most 31 characters.
        original_name: as its source calls it.
        source: file, command or URL that it was read from.
        application: whether it is a self-contained application with state of its own, worth building.
        reason: why, or why not.
        domain: one of ``engine.kit.service.DOMAINS``.
        near: names of other servers of the same ingestion that are much the same.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    original_name: str
    title: str
    description: str = ""
    source: str = ""
    application: bool = True
    reason: str = ""
    domain: str
    near: tuple[str, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    refused: tuple[RefusedTool, ...] = ()
