"""What one service tells and what it asks for, as semantic types, by its entities' fields and its tools' parameters.

A parameter's type is found through its schema's format and through the service's own fields, since tools name their
parameters after what they write and look for: ``due_from`` is a ``due_date``, ``reviewer_emails`` is an ``email``.
Descriptions are not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.kit import Entity, Service, Tool, entity_name

INFORMATIVE = frozenset(
    {
        *("person", "email", "phone", "company", "address", "place", "url", "name", "title", "code"),
        *("money", "quantity", "percent", "ratio", "date", "datetime", "minutes"),
    }
)
"""Types whose values nobody can guess and that mean the same in another service.

Left out are closed sets (status, category, flag, currency, tags), a service's own identifiers (id, reference), and
``text`` and ``json``: what they say that matters has one of these types.
"""

SEARCHED = frozenset({"person", "email", "company", "name", "title", "code"})
"""What people type into a search field."""

_FREE = frozenset({"text", "json"})
_NUMERIC = frozenset({"money", "quantity", "percent", "ratio", "minutes"})
_PAGING = frozenset({"limit", "cursor", "sort", "sort_by", "order", "group_by"})
_SEARCH = frozenset({"query", "text"})
_FREE_WORDS = frozenset({"body", "comment", "content", "description", "message", "note", "reason", "summary", "text"})
_FORMATS = {"email": "email", "date": "date", "date-time": "datetime", "uri": "url"}
_BOUNDS = frozenset(
    {
        *("min", "max", "new", "old", "add", "remove"),
        *("from", "to", "until", "after", "before", "since", "at", "on", "day", "date", "time", "id"),
    }
)
"""Words of a name that say which end of a range, or which form, and not what is meant."""


@dataclass(frozen=True)
class Meanings:
    """What a service tells and asks for: each informative type with the places where it does, all sorted.

    Attributes:
        gives: type to fields that hold it, such as ``invoice.due_date``.
        takes: type to parameters that need it, such as ``list_invoices.due_from``.
        tells: fields of free form, where a value of any type can be said.
        hears: parameters of free form.
    """

    gives: Mapping[str, tuple[str, ...]]
    takes: Mapping[str, tuple[str, ...]]
    tells: tuple[str, ...]
    hears: tuple[str, ...]


@dataclass(frozen=True)
class _Field:
    entity: str
    name: str
    semantic: str
    closed: bool


def meanings(service: Service) -> Meanings:
    """Read a service's fields and the parameters of its tools that have code.

    What a service holds is taken to be told: every entity has a tool that reads it, which the attack on the library
    holds it to. A service without any tool that reads tells nothing.
    """
    fields = list(_fields(service))
    tools = service.offered(False).values()
    gives: dict[str, set[str]] = {}
    if any(_reads(tool) for tool in tools):
        for field in fields:
            for semantic in () if field.closed else _held(field.semantic):
                gives.setdefault(semantic, set()).add(f"{field.entity}.{field.name}")
    takes: dict[str, set[str]] = {}
    for tool in tools:
        own = _nouns(tool, fields)
        for parameter, schema in _parameters(tool.specification.input_schema):
            for semantic in _taken(tool, own, parameter, schema, fields):
                takes.setdefault(semantic, set()).add(f"{tool.name}.{parameter}")
    return Meanings(_informative(gives), _informative(takes), _free(gives), _free(takes))


def _fields(service: Service) -> Iterator[_Field]:
    by_table = {entity.table().name: entity for entity in service.entities}
    for entity in service.entities:
        for column in entity.table().columns:
            semantic = _resolved(column.info, by_table)
            yield _Field(entity_name(entity), column.name, semantic, bool(column.info.get("choices")))


def _resolved(info: Mapping[str, Any], by_table: Mapping[str, type[Entity]]) -> str:
    """The semantic type, where a key that the application gives (an order number) is a code that people quote."""
    if info["semantic"] == "reference" and "target" in info:
        table, _, column = info["target"].partition(".")
        info = by_table[table].table().columns[column].info
    if info["semantic"] == "id" and not info.get("prefix"):
        return "code"
    return str(info["semantic"])


def _held(semantic: str) -> tuple[str, ...]:
    return (semantic, "date") if semantic == "datetime" else (semantic,)


def _parameters(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The parameters that hold single values, those inside of lists and objects among them."""
    for name, part in schema.get("properties", {}).items():
        inner = part
        while isinstance(inner.get("items"), dict):
            inner = inner["items"]
        if inner.get("properties"):
            yield from _parameters(inner)
        else:
            yield name, inner


def _taken(
    tool: Tool, own: frozenset[str], parameter: str, schema: Mapping[str, Any], fields: list[_Field]
) -> frozenset[str]:
    """The semantic types that a parameter needs; none where it chooses from a closed set or steers the answer.

    Args:
        own: the entities that the tool is about; where they have the field, other entities' fields do not count.
    """
    kinds = schema.get("type", "string")
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    if parameter in _PAGING or "enum" in schema or "const" in schema or kinds <= {"boolean", "null"}:
        return frozenset()
    if schema.get("format") in _FORMATS:
        return frozenset({_FORMATS[schema["format"]]})
    if "@" in schema.get("pattern", ""):
        return frozenset({"email"})
    if "object" in kinds:
        return frozenset({"json"})
    numeric = bool(kinds & {"number", "integer"})
    if parameter in _SEARCH and _reads(tool):
        return _searched(own, fields)
    stem = _stem(parameter)
    fitting = [field for field in fields if "type" not in schema or (field.semantic in _NUMERIC) == numeric]
    for found in (
        [field for field in fitting if field.name == parameter],
        [field for field in fitting if _stem(field.name) == stem],
    ):
        if found:
            nearest = [field for field in found if field.entity in own] or found
            return frozenset(field.semantic for field in nearest if not field.closed)
    return frozenset({"text"}) if parameter in _FREE_WORDS and not numeric else frozenset()


def _searched(own: frozenset[str], fields: list[_Field]) -> frozenset[str]:
    """What can be looked for among the tool's rows; anything where they are nothing but text, such as messages."""
    held = {field.semantic for field in fields if not own or field.entity in own}
    return frozenset(held & SEARCHED) or SEARCHED


def _nouns(tool: Tool, fields: list[_Field]) -> frozenset[str]:
    """The entities that a tool is about by its name: ``list_credit_notes`` is about ``credit_note``."""
    spoken = _spoken(tool.name)
    named = {entity for entity in {field.entity for field in fields} if _spoken(entity) in spoken}
    return frozenset(each for each in named if not any(each != other and each in other for other in named))


def _spoken(name: str) -> str:
    """The words in the singular, so that one name can be sought in another: ``_list_credit_note_``."""
    return f"_{'_'.join(map(_singular, name.split('_')))}_"


@cache
def _stem(name: str) -> str:
    words = [_singular(word) for word in name.split("_")]
    return "_".join(word for word in words if word not in _BOUNDS) or name


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word


def _reads(tool: Tool) -> bool:
    return bool(tool.specification.annotations.get("readOnlyHint"))


def _informative(found: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    return {semantic: tuple(sorted(found[semantic])) for semantic in sorted(found.keys() & INFORMATIVE)}


def _free(found: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    return tuple(sorted(place for semantic in _FREE for place in found.get(semantic, ())))
