"""The forms in which servers and tools are written down, told apart by what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from synth.ingest.document import plain_text
from synth.ingest.tools import looks_like_tool

MAX_TITLE = 300
MAX_DESCRIPTION = 20_000
MOST_TOOLS = 5_000


@dataclass(frozen=True)
class GivenServer:
    """A server as it was given.

    Attributes:
        name: as its source calls it.
        source: file, command or URL.
        place: where in the source, for people.
        tools: in any of the known forms, not looked at yet.
        decision: what a person decided about it (``app`` or another word), where the source says so.
    """

    name: str
    source: str
    place: str
    tools: list[Any] = field(repr=False)
    title: str = ""
    description: str = ""
    decision: str | None = None


@dataclass(frozen=True)
class Rejected:
    """A part of a source that holds no server.

    Attributes:
        place: file and line, for people.
        reason: what is wrong with it.
    """

    place: str
    reason: str


Found: TypeAlias = GivenServer | Rejected

FORMS = "an MCP tools/list result, a list of tools or functions, or JSON Lines with a server or a tool on each line"


def servers_in(value: Any, name: str, source: str, place: str) -> Iterator[Found]:
    """The servers that a JSON value holds.

    Args:
        name: for a list of tools that does not say whose they are.
    """
    match value:
        case {"servers": list() as servers}:
            for number, item in enumerate(servers, 1):
                yield _server(item, f"{name}_{number}", source, f"{place}: server {number}")
        case list() if value and any(isinstance(item, Mapping) and "tools" in item for item in value):
            for number, item in enumerate(value, 1):
                yield _server(item, f"{name}_{number}", source, f"{place}: server {number}")
        case list():
            yield _checked(GivenServer(name, source, place, value))
        case {"function_declarations": list() as tools} | {"functionDeclarations": list() as tools}:
            yield _checked(GivenServer(name, source, place, tools))
        case {"functions": list() as tools} if "tools" not in value:
            yield _checked(GivenServer(name, source, place, tools))
        case Mapping() if looks_like_tool(value):
            yield _checked(GivenServer(name, source, place, [value]))
        case _:
            yield _server(value, name, source, place)


def _server(value: Any, name: str, source: str, place: str) -> Found:
    if not isinstance(value, Mapping):
        return Rejected(place, f"it is neither an object nor a list; {FORMS} is needed")
    if isinstance(value.get("result"), Mapping) and "tools" not in value:
        value = value["result"]
    if "tools" not in value:
        return Rejected(place, f"it holds no tools; {FORMS} is needed")
    tools = value["tools"]
    if isinstance(tools, Mapping):  # by their names
        tools = [{"name": key, **item} if isinstance(item, Mapping) else item for key, item in tools.items()]
    if not isinstance(tools, list):
        return Rejected(place, "its tools are no list")
    info = value.get("serverInfo")
    about: Mapping[str, Any] = {**(info if isinstance(info, Mapping) else {}), **value}
    given = _text(about.get("server"), MAX_TITLE) or _text(about.get("name"), MAX_TITLE)
    decision = value.get("class")
    return _checked(
        GivenServer(
            name=given or name,
            source=source,
            place=place,
            tools=tools,
            title=_text(about.get("title"), MAX_TITLE),
            description=_text(about.get("description"), MAX_DESCRIPTION)
            or _text(about.get("instructions"), MAX_DESCRIPTION),
            decision=_text(decision, 100) or None,
        )
    )


def _text(value: Any, longest: int) -> str:
    return plain_text(value, longest) if isinstance(value, str) else ""


def _checked(server: GivenServer) -> Found:
    if not server.tools:
        return Rejected(server.place, "it lists no tools")
    if len(server.tools) > MOST_TOOLS:
        return Rejected(server.place, f"it lists {len(server.tools)} tools; at most {MOST_TOOLS} are read")
    return server


def together(found: list[Found], name: str, source: str) -> list[Found]:
    """Lines that each hold one tool, made one server; lines that hold servers stay as they are."""
    single = [item for item in found if isinstance(item, GivenServer) and item.name == name and len(item.tools) == 1]
    if len(single) < 2:
        return found
    rest = [item for item in found if item not in single]
    first = replace(single[0], place=source, tools=[tool for item in single for tool in item.tools])
    return [first, *rest]
