"""Tools that put into a list of a row, take out of it and show it: followers of a task, labels of an issue."""

from __future__ import annotations

from synth.compiler import roles
from synth.compiler.calls import call, key_of
from synth.compiler.entities import Entities, add_column
from synth.compiler.keys import own_key
from synth.compiler.parameters import Parameter
from synth.compiler.plan import Column, EntityPlan, ToolPlan, python_name
from synth.compiler.words import is_plural, split
from synth.compiler.writing_tools import create, delete

_CHOOSES = {"assign", "associate", "link", "grant"}
"""What is there already is put into a list; nothing is made."""


def add(tool: ToolPlan, entities: Entities) -> str | None:
    """``add_comment`` makes a row; ``add_task_followers`` puts values into a list of the task."""
    words, _ = entities.resolve(tool.reading.noun)
    part = _owner_and_values(tool, entities)
    known = entities.all.get(words)
    if part is not None:
        owner, key, values = part
        chosen = tool.reading.verb in _CHOOSES or (values.several and entities.listed_by(values) is known)
        if known is None or entities.collected(words) or (chosen and not _own_key_named(tool, known, entities)):
            return _list_call(tool, owner, key, values, "append", entities)
        if _own_key_named(tool, known, entities):
            place = next((item for item in known.columns.values() if item.target is owner and item.written), None)
            if place is not None:
                sets = f"sets={{{key.name!r}: {place.name!r}}}"
                return call(tool, known, "update", f"key={{{values.name!r}: 'id'}}", sets)
            return _list_call(tool, owner, key, values, "append", entities)
    if not any(item.scalar or item.type in ("object", "array") for item in tool.parameters):
        return None
    tool.entity = entities.get(words)
    for item in tool.parameters:
        column = add_column(tool.entity, item)
        if column is not None:
            column.written = True
    _refer(tool.entity, entities)
    return create(tool, entities)


def elements(tool: ToolPlan, entities: Entities) -> str | None:
    """What is in a list of a row."""
    noun = tool.reading.noun
    for end in range(len(noun) - 1, 0, -1):
        found = entities.within(noun[:end])
        if found is None or found[0] not in entities.all:
            continue
        owner = entities.all[found[0]]
        key = own_key(tool, owner, entities)
        column = owner.columns.get(owner.lists_of.get(noun[-1], ""))
        if key is not None and column is not None:
            return call(tool, owner, "elements", key_of(tool, owner, key, narrow=False), f"column={column.name!r}")
    tool.reason = f"it does not say whose {' '.join(noun)} are meant"
    return None


def _own_key_named(tool: ToolPlan, entity: EntityPlan, entities: Entities) -> bool:
    """Whether the tool names a row of the entity that there is already."""
    key = own_key(tool, entity, entities)
    return key is not None and (key.identifies or key.words == entity.words)


def _refer(entity: EntityPlan, entities: Entities) -> None:
    for column in entity.columns.values():
        if column.parameter is not None and column.target is None and column.semantic != "json":
            target = entities.named_by(column.parameter, but=entity)
            if target is not None and target.known and not target.single and target.id_form == "text":
                column.target, column.semantic, column.annotation = target, "reference", "str"


def remove(tool: ToolPlan, entities: Entities) -> str | None:
    reading = tool.reading
    words, _ = entities.resolve(reading.noun)
    part = _owner_and_values(tool, entities)
    entity = entities.all.get(words)
    if part is not None and (entity is None or reading.of or not _names_only(tool, entity, entities)):
        owner, key, values = part
        return _list_call(tool, owner, key, values, "take_away", entities)
    if entity is None:
        tool.reason = f"there is no {' '.join(words)} to remove"
        return None
    tool.entity = entity
    return delete(tool, entities)


def _names_only(tool: ToolPlan, entity: EntityPlan, entities: Entities) -> bool:
    key = own_key(tool, entity, entities)
    return key is not None and key.identifies


def _owner_and_values(tool: ToolPlan, entities: Entities) -> tuple[EntityPlan, Parameter, Parameter] | None:
    """The row whose list is changed, the parameter that names it, and the one that holds the values."""
    reading = tool.reading
    places = [reading.of] if reading.of else [reading.noun[:end] for end in range(len(reading.noun) - 1, 0, -1)]
    for words in places:
        found = entities.within(words)
        if found is None or found[0] not in entities.all:
            continue
        owner = entities.all[found[0]]
        key = own_key(tool, owner, entities)
        if key is None or not owner.known:
            continue
        rest = [item for item in tool.parameters if item is not key and item.required]
        last = reading.noun[-1]
        rest = rest or [
            item
            for item in tool.parameters
            if item is not key and (item.several or item.identifies or last in item.words)
        ]
        fitting = [item for item in rest if last in item.words or (item.words and item.words[-1].startswith(last[:4]))]
        chosen = fitting or (rest if len(rest) == 1 else [])
        if (
            len(chosen) == 1
            and (chosen[0].several or chosen[0].scalar or not chosen[0].type)
            and not _content(chosen[0])
        ):
            return owner, key, chosen[0]
    return None


def _content(item: Parameter) -> bool:
    """Whether it is something that is written rather than something that is chosen."""
    return roles.bare(item.name) in ("text", "body", "content", "message", "description", "comment", "note", "title")


def _list_call(
    tool: ToolPlan, owner: EntityPlan, key: Parameter, values: Parameter, method: str, entities: Entities
) -> str:
    name = values.name if is_plural(split(values.name)[-1] if split(values.name) else "") else f"{values.name}s"
    column = owner.of(name) or owner.of(values.name)
    if column is None or column.semantic != "json":
        safe = base = python_name(split(name))
        number = 2
        while safe in owner.columns and owner.columns[safe].semantic != "json":
            safe = f"{base}_{number}"
            number += 1
        owner.columns.setdefault(safe, Column(safe, name if owner.of(name) is None else safe, "json", "Any"))
        column = owner.columns[safe]
    elements = entities.listed_by(values) if values.several else entities.named_by(values, but=owner)
    if column.elements is None and elements is not None and elements.known and not elements.single:
        column.elements = elements
    owner.lists_of[tool.reading.noun[-1]] = column.name
    return call(
        tool,
        owner,
        method,
        key_of(tool, owner, key, narrow=False),
        f"values={values.name!r}",
        f"column={column.name!r}",
    )
