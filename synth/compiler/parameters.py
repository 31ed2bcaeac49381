"""A tool's parameters, laid flat, with what each is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.compiler.words import singular, split

GROUPS = {
    "body",
    "path",
    "query",
    "data",
    "input",
    "params",
    "payload",
    "request",
    "requestbody",
    "attributes",
    "fields",
}
"""Parameters that only hold others together; what is in them is laid flat."""

_HEADERS = {"header", "headers", "cookies"}
_ID_WORDS = {
    "id",
    "ids",
    "gid",
    "gids",
    "uuid",
    "uuids",
    "sid",
    "key",
    "keys",
    "slug",
    "guid",
    "ref",
    "number",
    "uid",
    "ts",
}
_NAME_WORDS = {
    "name",
    "email",
    "login",
    "handle",
    "username",
    "identifier",
    "code",
    "hostname",
    "path",
    "title",
    "address",
}


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes:
        name: as the specification spells it.
        groups: names of the parameters that it stands in.
        schema: with its reference followed and a choice of null taken away.
        required: whether a call must give it.
        words: of its name without the word that says that it is an identifier.
        identifies: whether its name says that it is an identifier: ``id``, ``task_gid``.
        named: whether its name ends like a name that can be a key: ``email``, ``hostname``.
        type: JSON type; empty where it may be several.
        nullable: whether null may be given.
    """

    name: str
    groups: tuple[str, ...]
    schema: Mapping[str, Any]
    required: bool
    words: tuple[str, ...]
    identifies: bool
    named: bool
    type: str
    nullable: bool = False

    @property
    def scalar(self) -> bool:
        """Whether it is a text or a number."""
        return self.type in ("string", "integer", "number")

    @property
    def several(self) -> bool:
        """Whether it is a list."""
        return self.type == "array"


def flat(schema: Mapping[str, Any], noun: Sequence[str] = ()) -> list[Parameter]:
    """The parameters of a tool, those in groups too; headers are left out.

    Args:
        noun: words of the thing that the tool works with: an object of that name is a group as well.
    """
    return list(_walk(schema, schema, (), True, tuple(noun)))


def headers(schema: Mapping[str, Any]) -> list[str]:
    """Names of the parameters that are headers of a request."""
    return [name for name in schema.get("properties") or {} if _bare(name) in _HEADERS]


def _bare(name: str) -> str:
    return name.lower().replace("_", "")


def groups_of(parameters: Sequence[Parameter]) -> list[str]:
    """Names of the groups, outermost first."""
    return list(dict.fromkeys(name for item in parameters for name in item.groups))


def _walk(
    root: Mapping[str, Any], schema: Mapping[str, Any], groups: tuple[str, ...], needed: bool, noun: tuple[str, ...]
) -> list[Parameter]:
    found: list[Parameter] = []
    required = schema.get("required") or []
    for name, given in (schema.get("properties") or {}).items():
        inner = simple(root, given)
        kind = type_of(inner)
        must = needed and name in required
        bare = _bare(name)
        if bare in _HEADERS:
            continue
        words, identifies, named = read_name(name)
        if (bare in GROUPS or words == noun) and kind == "object" and inner.get("properties") and len(groups) < 2:
            found.extend(_walk(root, inner, (*groups, name), must, noun))
            continue
        found.append(Parameter(name, groups, inner, must, words, identifies, named, kind, takes_null(given)))
    taken: set[str] = set()
    return [item for item in found if not (item.name in taken or taken.add(item.name))]  # type: ignore[func-returns-value]


def read_name(name: str) -> tuple[tuple[str, ...], bool, bool]:
    """The words of a parameter's name without its identifying word, whether it had one, and whether it is a name."""
    words = split(name)
    identifies = bool(words) and words[-1] in _ID_WORDS
    named = bool(words) and words[-1] in _NAME_WORDS
    if identifies:
        words = words[:-1]
    words = [word for word in words if word not in ("public", "the")]
    return tuple(singular(word) for word in words), identifies, named


def simple(root: Mapping[str, Any], schema: Any, depth: int = 0) -> Mapping[str, Any]:
    """A schema with its local reference followed, and with null taken from its choices."""
    if not isinstance(schema, Mapping) or depth > 8:
        return {}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Any = root
        for part in reference[2:].split("/"):
            target = target.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(target, Mapping) else {}
        return simple(root, target, depth + 1)
    for word in ("anyOf", "oneOf"):
        choices = schema.get(word)
        if isinstance(choices, list):
            real = [item for item in choices if not (isinstance(item, Mapping) and item.get("type") == "null")]
            if len(real) == 1:
                rest = {key: value for key, value in schema.items() if key != word}
                return {**rest, **simple(root, real[0], depth + 1)}
    whole = schema.get("allOf")
    if isinstance(whole, list) and len(whole) == 1:
        return {**{key: value for key, value in schema.items() if key != "allOf"}, **simple(root, whole[0], depth + 1)}
    return schema


def takes_null(schema: Any) -> bool:
    """Whether a schema allows null, or does not say."""
    if not isinstance(schema, Mapping):
        return True
    given = schema.get("type")
    if isinstance(given, list):
        return "null" in given
    if isinstance(given, str):
        return given == "null" or schema.get("nullable") is True
    return "enum" not in schema or None in schema["enum"]


def type_of(schema: Mapping[str, Any]) -> str:
    """The one JSON type of a schema beside null; empty where there are several or none."""
    given = schema.get("type")
    if isinstance(given, list):
        real = [item for item in given if item != "null"]
        return str(real[0]) if len(real) == 1 else ""
    if isinstance(given, str):
        return given
    if isinstance(schema.get("properties"), Mapping):
        return "object"
    choices = schema.get("enum")
    if isinstance(choices, list) and choices and all(isinstance(item, str) for item in choices):
        return "string"
    return ""
