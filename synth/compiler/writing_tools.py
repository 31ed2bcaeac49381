"""Tools that write rows: make, change, put, delete, copy, and set a state."""

from __future__ import annotations

from synth.compiler import roles
from synth.compiler.calls import call, hold_something, key_of, name_by_value, only_one, owner_column
from synth.compiler.entities import Entities, add_column, several_rows
from synth.compiler.keys import own_key, several_key
from synth.compiler.parameters import Parameter, groups_of
from synth.compiler.plan import Column, EntityPlan, ToolPlan, python_name
from synth.compiler.words import STATES


def create(tool: ToolPlan, entities: Entities) -> str | None:
    assert tool.entity is not None
    rows = several_rows(tool) if tool.reading.many or tool.reading.plural else None
    if rows is not None and rows[0].required:
        for item in rows[1]:
            add_column(tool.entity, item)
        return call(tool, tool.entity, "create_many", repr(rows[0].name), *map(repr, groups_of(rows[1])))
    if not any(tool.entity.of(item.name) for item in tool.parameters):
        tool.reason = f"nothing says what a {' '.join(tool.entity.words)} holds"
        return None
    return call(tool, tool.entity, "create")


def update(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    rows, several = several_rows(tool), several_key(tool, entity)
    if rows is not None and several is not None and several[1] and several[0] is rows[0]:
        for item in rows[1]:
            if item.name != several[1]:
                add_column(entity, item)
        return call(tool, entity, "update_many", repr(rows[0].name), repr(several[1]), *map(repr, groups_of(rows[1])))
    key = own_key(tool, entity, entities)
    if key is None:
        return only_one(tool, entity, "update")
    if not _changes_something(tool, key):
        tool.reason = "it does not say what is changed"
        return None
    owner = owner_column(entity, key)
    if owner is not None and owner.target is not entity:
        return call(tool, entity, "update", f"key={{{key.name!r}: {owner.name!r}}}", "make=True")
    if not key.identifies:
        name_by_value(entity, key)
    hold_something(entity)
    moves = tool.reading.verb in ("move", "transfer", "reorder", "reschedule")
    whole = ["merge=False"] if tool.reading.verb in ("replace", "put", "set", "save") else []
    return call(tool, entity, "update", key_of(tool, entity, key, narrow=not moves), *whole)


def _changes_something(tool: ToolPlan, key: Parameter) -> bool:
    return any(item is not key and not roles.shows(item) for item in tool.parameters)


def put(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    key = own_key(tool, entity, entities)
    if tool.reading.of:
        return None
    if key is None:
        return only_one(tool, entity, "update") if not entity.lists else create(tool, entities)
    if not _changes_something(tool, key):
        tool.reason = "it does not say what is set"
        return None
    column = entity.of(key.name)
    if column is None and not entity.creates:
        return call(tool, entity, "update", f"key={{{key.name!r}: 'id'}}", "make=True")
    if column is None or (key.identifies and key.words and entity.creates):
        return call(tool, entity, "update", key_of(tool, entity, key, narrow=True))
    if column.target is None:
        column.unique = True
    return call(tool, entity, "update", f"key={{{key.name!r}: {column.name!r}}}", "make=True")


def delete(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    several = several_key(tool, entity)
    key = own_key(tool, entity, entities)
    if key is not None:
        if not key.identifies:
            name_by_value(entity, key)
        hold_something(entity)
        return call(tool, entity, "delete", key_of(tool, entity, key, narrow=True))
    if several is not None:
        return call(tool, entity, "delete_many", repr(several[0].name), *([repr(several[1])] if several[1] else []))
    owners = [item for item in tool.parameters if item.required and owner_column(entity, item) is not None]
    if owners and len(owners) == len([item for item in tool.parameters if item.required]) and not entity.lists:
        pairs = ", ".join(f"{item.name!r}: {entity.of(item.name).name!r}" for item in owners)  # type: ignore[union-attr]
        return call(tool, entity, "delete", f"key={{{pairs}}}")
    tool.reason = f"it does not say which {' '.join(entity.words)} is meant"
    return None


def copy(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    key = own_key(tool, entity, entities)
    if key is None:
        tool.reason = f"it does not say which {' '.join(entity.words)} is meant"
        return None
    return call(tool, entity, "copy", key_of(tool, entity, key, narrow=False))


def act(tool: ToolPlan, entities: Entities) -> str | None:
    """``archive_task``, ``mark_task_done``: values of the row are set."""
    found = entities.within(tool.reading.noun)
    if found is None or found[0] not in entities.all:
        return None
    entity, left = entities.all[found[0]], found[1]
    tool.entity = entity
    key, several = own_key(tool, entity, entities), several_key(tool, entity)
    if key is None and several is None:
        tool.reason = f"it does not say which {' '.join(entity.words)} is meant"
        return None
    name, value = STATES[tool.reading.verb]
    if value == "":
        if not left:
            return None
        value = "_".join(left)
    elif left:
        # ``approve_task_completion`` and ``enable_file_sharing`` speak of a part of the row.
        name = "_".join([*left, name])
    column = _state_column(entity, name, value)
    if key is None and several is not None:
        more = [repr(several[0].name), *([repr(several[1])] if several[1] else [])]
        return call(tool, entity, "act_many", *more, f"{column[0]}={column[1]!r}")
    assert key is not None
    for item in tool.parameters:
        if item is not key and not roles.shows(item) and entity.of(item.name) is None:
            add_column(entity, item)
    return call(tool, entity, "update", key_of(tool, entity, key, narrow=True), f"{column[0]}={column[1]!r}")


def _state_column(entity: EntityPlan, name: str, value: bool | str) -> tuple[str, bool | str]:
    """The column that an action sets, and what to; it is added where the entity has none for it."""
    for column in entity.columns.values():
        bare = roles.bare(column.shown)
        if isinstance(value, bool) and column.annotation == "bool" and bare in (name, f"is{name}", f"{name}status"):
            return column.name, value
        choices = column.parameter.schema.get("enum") if column.parameter else None
        if isinstance(value, str) and column.annotation == "str" and isinstance(choices, list):
            for choice in choices:
                if isinstance(choice, str) and choice.lower() == value:
                    return column.name, choice
    safe = python_name(name.split("_"))
    if isinstance(value, bool):
        if safe in entity.columns and entity.columns[safe].annotation != "bool":
            safe = f"{safe}_flag"
        entity.columns.setdefault(safe, Column(safe, safe, "flag", "bool"))
    else:
        if safe in entity.columns and (entity.columns[safe].annotation != "str"):
            safe = f"{safe}_now"
        entity.columns.setdefault(safe, Column(safe, safe, "status", "str"))
    return safe, value
