"""Names: what servers and tools are called, as identifiers that are unique and lead back."""

from __future__ import annotations

import builtins
import hashlib
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable

from synth.specs import ServerSpec

MAX_SERVER = 31
MAX_TOOL = 64

_BUILTIN = frozenset(dir(builtins)) - {"copyright", "credits", "exit", "license", "quit"}
"""Without those that only an interactive interpreter has."""

_HIDDEN = {"schema", "json", "copy", "self", "ctx", "dict", "validate", "construct", "model_config"}
"""Names that mean something on a model or in a tool function."""

_NOISE = {"mcp", "server", "mcpserver"}
_MARK = 8
"""Hexadecimal digits of the original's digest in a name that had to be cut."""


def server_name(original: str, taken: Collection[str]) -> str:
    """The name of the service that is made of a server: ``[a-z][a-z0-9_]{0,30}``, none of those taken.

    ``mcp`` and ``server`` are left out where something else remains: every server is one.
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", _ascii(original))
    words = [word for word in re.split(r"[^a-z0-9]+", spaced.lower()) if word]
    telling = [word for word in words if word not in _NOISE] or words
    name = "_".join(telling)
    if not name:
        name = f"server_{_digest(original)}"
    elif not name[0].isalpha():
        name = f"s{name}"
    return _first_free(name, taken, MAX_SERVER)


def tool_names(originals: Iterable[str]) -> list[str]:
    """Identifiers of at most 64 ASCII characters for the tools of one server, in the same order, all different.

    A name that is one already stays as it is, whatever the others are.
    """
    listed = list(originals)
    wanted = [_tool_name(original) for original in listed]
    named = [original if want == original else None for original, want in zip(listed, wanted, strict=True)]
    taken: set[str] = set()
    for place, name in enumerate(named):
        if name in taken:
            named[place] = None
        elif name is not None:
            taken.add(name)
    names: list[str] = []
    for want, name in zip(wanted, named, strict=True):
        final = name if name is not None else _first_free(want, taken, MAX_TOOL)
        taken.add(final)
        names.append(final)
    return names


def original_names(server: ServerSpec) -> dict[str, str]:
    """The way back: what the server itself calls each tool, by the tool's name here."""
    return {tool.name: tool.original_name for tool in server.tools}


def is_awkward(name: str) -> bool:
    """Whether a property cannot be a parameter of a Python function by its own name, or hides something there."""
    return not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_") or name in _HIDDEN


def _tool_name(original: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_]+", "_", _ascii(original)).strip("_")
    if not name:
        return f"tool_{_digest(original)}"
    if not name[0].isalpha():
        name = f"tool_{name}"
    # A function of that name would hide what generated code needs.
    if keyword.iskeyword(name) or name in _BUILTIN:
        name = f"{name}_tool"
    if len(name) > MAX_TOOL:
        name = f"{name[: MAX_TOOL - _MARK - 1].rstrip('_')}_{_digest(original)}"
    return name


def _first_free(name: str, taken: Collection[str], longest: int) -> str:
    name = name[:longest].rstrip("_")
    found, number = name, 1
    while found in taken:
        number += 1
        suffix = f"_{number}"
        found = name[: longest - len(suffix)].rstrip("_") + suffix
    return found


def _ascii(text: str) -> str:
    """The ASCII letters of a text, accents taken off; a letter of another script stands as a gap."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(char if char.isascii() else " " for char in apart if not unicodedata.combining(char))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
