"""By which parameters a tool names the row that it works with."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import jsonschema_rs

from synth.compiler import roles
from synth.compiler.entities import Entities
from synth.compiler.parameters import Parameter
from synth.compiler.plan import EntityPlan, ToolPlan
from synth.compiler.words import split
from synth.runtime.patterns import text_of

_PLACES = {"index", "position", "row", "line", "order", "count", "level", "column", "size", "width", "height", "depth"}
"""Where something stands rather than which one it is."""


def own_key(tool: ToolPlan, entity: EntityPlan, entities: Entities) -> Parameter | None:
    """The parameter whose value is the identifier of the entity's row, or another value that only one row has."""
    scalars = [
        item
        for item in tool.parameters
        if (item.scalar or not item.type) and "enum" not in item.schema and roles.bare(item.name) not in _PLACES
    ]
    for candidates in ([item for item in scalars if item.required], [item for item in scalars if not item.required]):
        for test in (_is_its_id, _is_plain_id, _is_its_name):
            found = [item for item in candidates if test(item, entity)]
            if found:
                return found[0]
        if candidates and candidates[0].required:
            others = [item for item in candidates if entities.named_by(item, entity) is None]
            pointing = [item for item in others if item.identifies or item.named]
            if len(pointing) == 1 and not roles.searches(pointing[0]):
                return pointing[0]
            if len(candidates) == 1 and len(others) == 1 and tool.reading.kind in ("get", "delete", "act", "remove"):
                return others[0]
    return None


def _is_its_id(item: Parameter, entity: EntityPlan) -> bool:
    words = tuple(word for word in item.words if word != "id")
    if not words or not item.identifies:
        return False
    return (
        words == entity.words
        or entity.words[-len(words) :] == words
        or words[-len(entity.words) :] == entity.words
        or (len(words) == 1 and len(words[0]) > 2 and entity.words[-1].startswith(words[0]))
    )


def _is_plain_id(item: Parameter, _entity: EntityPlan) -> bool:
    return item.identifies and not [
        word for word in item.words if word not in ("object", "resource", "record", "item", "entity")
    ]


def _is_its_name(item: Parameter, entity: EntityPlan) -> bool:
    """``usergroup`` of usergroups, ``file`` of files, ``name`` of whatever."""
    words = item.words
    if words and (
        words == entity.words or entity.words[-len(words) :] == words or words[: len(entity.words)] == entity.words
    ):
        return item.named or len(words) <= len(entity.words)
    return (
        item.named
        and len(words) == 1
        and words[0] in ("name", "email", "login", "path", "hostname", "identifier", "username")
    )


_OLD, _NEW = ("old", "current", "existing", "from", "previous"), ("new", "to", "updated")


def renaming(tool: ToolPlan) -> tuple[Parameter | None, Parameter | None, str]:
    """The arguments that say a column's old and its new value, and the column: ``old_name``, ``new_name``."""
    if tool.reading.verb != "rename":
        return None, None, ""
    texts = [(item, split(item.name)) for item in tool.parameters if item.type == "string"]
    old = next((item for item, words in texts if words[:1] and words[0] in _OLD and not item.identifies), None)
    new = next((item for item, words in texts if words[:1] and words[0] in _NEW and not item.identifies), None)
    column = "_".join(split(new.name)[1:]) if new is not None else ""
    return old, new, column or "name"


def several_key(tool: ToolPlan, entity: EntityPlan) -> tuple[Parameter, str] | None:
    """The list of identifiers, or of objects that hold one each (with that one's name), that a tool works on."""
    for item in tool.parameters:
        if not item.several:
            continue
        inner = item.schema.get("items")
        if isinstance(inner, Mapping) and isinstance(inner.get("properties"), Mapping):
            for name in inner["properties"]:
                if roles.bare(name) in ("id", "gid", f"{''.join(entity.words)}id", f"{entity.words[-1]}id", "key"):
                    return item, name
        elif (item.identifies and item.name.lower().endswith("s")) or (
            item.required and item.words[-1:] == entity.words[-1:]
        ):
            return item, ""
    return None


def id_form(item: Parameter) -> str:
    """The form of the identifiers that a parameter takes."""
    if item.type in ("integer", "number"):
        return "number"
    if item.schema.get("format") == "uuid":
        return "uuid"
    pattern = item.schema.get("pattern")
    if isinstance(pattern, str) and usable_pattern(pattern, item.schema):
        return pattern
    return "text"


def usable_pattern(pattern: str, schema: Mapping[str, Any]) -> bool:
    """Whether values can be made of a pattern: one of texts without lookarounds and not only of special names."""
    if len(pattern) > 200 or "(?" in pattern.replace("(?:", ""):
        return False
    made = text_of(pattern, random.Random(0))
    if not made or len(made) > 200:
        return False
    sizes = {word: schema[word] for word in ("minLength", "maxLength") if word in schema}
    try:
        # Not by Python's expressions: they may search for ever.
        return jsonschema_rs.validator_for({"type": "string", "pattern": pattern, **sizes}).is_valid(made)
    except (jsonschema_rs.ValidationError, ValueError):
        return False
