"""What a person types while playing a task, and what that asks for."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compoworld.cli.inputs import parse_json
from engine.errors import InputError

if TYPE_CHECKING:
    from engine.kit import Service

HELP = """\
services                         which applications there are            (ls)
tools SERVICE [WORD]             what one can do, of tools with a word   (t)
describe SERVICE TOOL            how a tool is called                    (d)
call SERVICE TOOL [ARGUMENTS]    call it: name=value ..., or {"name": value}   (c)
SERVICE.TOOL [ARGUMENTS]         the same
task                             what you are asked for
answer [TEXT]                    you are done, and say this; without a text,
                                 the lines up to one with a dot only
quit                             leave; the game can be resumed"""

_WORDS = {
    "ls": "list_services",
    "services": "list_services",
    "list_services": "list_services",
    "t": "list_tools",
    "tools": "list_tools",
    "list_tools": "list_tools",
    "d": "describe_tool",
    "describe": "describe_tool",
    "describe_tool": "describe_tool",
    "c": "call_tool",
    "call": "call_tool",
    "call_tool": "call_tool",
    "task": "task",
    "answer": "answer",
    "help": "help",
    "?": "help",
    "quit": "quit",
    "exit": "quit",
    "q": "quit",
}

_TOOL = re.compile(r"[A-Za-z]\w*\.\w*")

_LISTED = re.compile(r"(?<!\S)(\w+)=(?=[\[{])")

COMMANDS = sorted(word for word in _WORDS if len(word) > 2 and "_" not in word)


@dataclass(frozen=True)
class Line:
    """What a line asks for.

    Attributes:
        what: a meta-tool, or ``task``, ``answer``, ``help``, ``quit``.
        arguments: of the meta-tool.
        words: the text of an answer; the word that tools are to have.
    """

    what: str
    arguments: dict[str, Any]
    words: str = ""


def read_line(text: str, services: Mapping[str, Service]) -> Line:
    """What a line that is not empty asks for.

    Args:
        services: whose tools say of what types arguments are.

    Raises:
        InputError: it cannot be understood.
    """
    first, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if _TOOL.fullmatch(first):  # of a service that there is not, too: the meta-tool says so
        service, _, tool = first.partition(".")
        return Line("call_tool", _call(service, tool, rest, services))
    what = _WORDS.get(first.lower())
    match what:
        case None:
            raise InputError(f"there is no command {first!r}", hint="help lists them")
        case "list_tools":
            service, _, word = rest.partition(" ")
            return Line(what, {"service": _needed(service, "tools SERVICE")}, word.strip())
        case "describe_tool" | "call_tool":
            service, _, more = rest.replace(".", " ", 1).partition(" ") if _dotted(rest) else rest.partition(" ")
            tool, _, given = more.strip().partition(" ")
            usage = f"{first} SERVICE TOOL"
            _needed(service, usage)
            _needed(tool, usage)
            if what == "describe_tool":
                return Line(what, {"service": service, "tool": tool})
            return Line(what, _call(service, tool, given.strip(), services))
    return Line(what, {}, rest)


def _dotted(rest: str) -> bool:
    return "." in rest.partition(" ")[0]


def _needed(word: str, usage: str) -> str:
    if not word:
        raise InputError(f"write: {usage}")
    return word


def _call(service: str, tool: str, given: str, services: Mapping[str, Service]) -> dict[str, Any]:
    return {"service": service, "tool": tool, "arguments": _arguments(given, _properties(service, tool, services))}


def _properties(service: str, tool: str, services: Mapping[str, Service]) -> Mapping[str, Any]:
    found = services[service].tools.get(tool) if service in services else None
    return {} if found is None else found.specification.input_schema.get("properties", {})


def _arguments(given: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    if given.startswith("{"):
        value = parse_json(given, "the arguments")
        if not isinstance(value, dict):
            raise InputError("the arguments are one JSON object")
        return value
    rest, arguments = _without_json(given)
    try:
        parts = shlex.split(rest)
    except ValueError as error:
        raise InputError(f"the arguments: {error}", hint="text with spaces stands in quotes") from None
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or not name:
            raise InputError(f"{part!r} is no argument", hint="write name=value, or a JSON object")
        arguments[name] = _value(value, properties.get(name, {}))
    return arguments


def _without_json(given: str) -> tuple[str, dict[str, Any]]:
    """The arguments without those whose values are lists or objects, and these: their quotes are JSON's own."""
    found: dict[str, Any] = {}
    rest, place = "", 0
    for match in _LISTED.finditer(given):
        if match.start() < place:
            continue
        try:
            value, end = json.JSONDecoder().raw_decode(given, match.end())
        except ValueError:
            continue  # quotes around it, or none in it: a text for the shell's rules
        found[match[1]] = value
        rest, place = rest + given[place : match.start()] + " ", end
    return rest + given[place:], found


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    """A value of the type that the tool asks for, as far as the text allows; else as it stands."""
    types = _types(schema)
    if "string" in types and not (text == "null" and "null" in types):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text.split(",") if "array" in types else text


def _types(schema: Mapping[str, Any]) -> set[str]:
    own = schema.get("type", ())
    found = {own} if isinstance(own, str) else set(own)
    for word in ("anyOf", "oneOf"):
        for part in schema.get(word, ()):
            found |= _types(part)
    return found or ({"string"} if "enum" in schema else set())
