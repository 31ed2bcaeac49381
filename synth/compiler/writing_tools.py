"""Tools that write rows: make, change, put, delete, copy, and set a state."""

from __future__ import annotations

from dataclasses import replace

from synth.compiler import roles
from synth.compiler.calls import call, hold_something, key_of, name_by_value, only_one, owner_column
from synth.compiler.entities import Entities, add_column, several_rows
from synth.compiler.keys import own_key, renaming, several_key
from synth.compiler.parameters import Parameter, groups_of
from synth.compiler.plan import Column, EntityPlan, ToolPlan, python_name
from synth.compiler.words import STATES, split


def create(tool: ToolPlan, entities: Entities) -> str | None:
    assert tool.entity is not None
    rows = several_rows(tool) if tool.reading.many or tool.reading.plural else None
    if rows is not None and rows[0].required:
        for item in rows[1]:
            _write(tool.entity, item)
        return call(tool, tool.entity, "create_many", repr(rows[0].name), *map(repr, groups_of(rows[1])))
    if not any(tool.entity.of(item.name) for item in tool.parameters):
        tool.reason = f"nothing says what a {' '.join(tool.entity.words)} holds"
        return None
    return call(tool, tool.entity, "create")


def _write(entity: EntityPlan, item: Parameter) -> None:
    column = add_column(entity, item)
    if column is not None:
        column.written = True


def update(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    rows, several = several_rows(tool), several_key(tool, entity)
    if rows is not None and several is not None and several[1] and several[0] is rows[0]:
        for item in rows[1]:
            if item.name != several[1]:
                _write(entity, item)
        return call(tool, entity, "update_many", repr(rows[0].name), repr(several[1]), *map(repr, groups_of(rows[1])))
    key = own_key(tool, entity, entities)
    old, new, column_name = renaming(tool)
    if old is not None and old is not key and new is not None:
        return _rename(tool, entity, old, new, column_name)
    if not _one_row(tool, entity, key, several or rows):
        return None
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
    if new is not None and new is not key:
        whole.append(f"sets={{{new.name!r}: {_renamed(entity, new, column_name).name!r}}}")
    return call(tool, entity, "update", key_of(tool, entity, key, narrow=not moves), *whole)


def _one_row(
    tool: ToolPlan, entity: EntityPlan, key: Parameter | None, several: tuple[Parameter, object] | None
) -> bool:
    """Whether a tool changes the one row that its key names, or the only one."""
    if several is not None and several[0].required and (key is None or not key.required):
        tool.reason = f"it changes several rows of {' '.join(entity.words)}"
    elif tool.reading.only and (key is None or not key.identifies):
        tool.reason = f"it does not say which is the {' '.join(tool.reading.only)} one"
    return not tool.reason


def _rename(tool: ToolPlan, entity: EntityPlan, old: Parameter, new: Parameter, name: str) -> str | None:
    """``rename_shelf(old_name, new_name)``: the row is the one of the old value."""
    column = _renamed(entity, new, name)
    if column.target is not None or column.annotation != "str":
        tool.reason = f"{old.name!r} does not say which {' '.join(entity.words)} is meant"
        return None
    column.unique = True
    pairs = {
        item.name: owner.name for item in tool.parameters if item.required and (owner := owner_column(entity, item))
    }
    key = {**pairs, old.name: column.name}
    return call(tool, entity, "update", f"key={key!r}", f"sets={ {new.name: column.name}!r}")


def _renamed(entity: EntityPlan, new: Parameter, name: str) -> Column:
    column = entity.of(name) or add_column(entity, replace(new, name=name, required=False))
    assert column is not None
    column.written = True
    return column


def _changes_something(tool: ToolPlan, key: Parameter) -> bool:
    return any(item is not key and not roles.shows(item) for item in tool.parameters)


def put(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    key = own_key(tool, entity, entities)
    if tool.reading.of:
        return None
    switch = _switch(tool, *tool.reading.only, *_ON) if tool.reading.only else None
    if switch is not None and switch.required and key is not None and key.identifies:
        state = _state_column(entity, tool.reading.only[0], True)[0]
        sets = f"sets={ {switch.name: state}!r}"
        return call(tool, entity, "update", key_of(tool, entity, key, narrow=True), sets)
    if tool.reading.only:
        tool.reason = f"it decides which is the {' '.join(tool.reading.only)} one"
        return None
    if not _one_row(tool, entity, key, several_key(tool, entity)):
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
    if tool.reading.only and several is None and (key is None or not key.identifies):
        tool.reason = f"it does not say which is the {' '.join(tool.reading.only)} one"
        return None
    if key is not None and (several is None or key.required or not several[0].required):
        if not key.identifies:
            name_by_value(entity, key)
        hold_something(entity)
        return call(tool, entity, "delete", key_of(tool, entity, key, narrow=True))
    if several is not None:
        return call(tool, entity, "delete_many", repr(several[0].name), *([repr(several[1])] if several[1] else []))
    owners = [item for item in tool.parameters if item.required and owner_column(entity, item) is not None]
    if (
        owners
        and len(owners) == len([item for item in tool.parameters if item.required])
        and not (entity.lists or entity.creates or entity.keyed)
    ):
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
    if tool.reading.verb == "merge" and _others(tool, entity, key, entities):
        tool.reason = "it makes one row of several"
        return None
    switch = _switch(tool, name, str(value), tool.reading.verb, *left, *_ON)
    if switch is not None and isinstance(value, str) and value:
        tool.reason = f"{switch.name!r} decides what it does"  # of a status nothing says what the other one is
        return None
    if switch is not None:
        return _switched(tool, entity, key, switch, "_".join([*left, name] if value != "" else left))
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
            _write(entity, item)
    return call(tool, entity, "update", key_of(tool, entity, key, narrow=True), f"{column[0]}={column[1]!r}")


_ON = ("enabled", "enable", "value", "on", "active", "state", "subscribed", "flag")
_OFF = ("un", "dis", "de")


def _switch(tool: ToolPlan, *names: str) -> Parameter | None:
    """The flag that says whether an action is done or undone: ``muted`` of ``mute``."""
    meant = {form for name in names for form in (name, f"is{name}")}
    return next((item for item in tool.parameters if item.type == "boolean" and roles.bare(item.name) in meant), None)


def _switched(tool: ToolPlan, entity: EntityPlan, key: Parameter | None, switch: Parameter, name: str) -> str | None:
    if key is None or not switch.required or tool.reading.verb.startswith(_OFF):
        tool.reason = f"{switch.name!r} decides what it does"
        return None
    column, _ = _state_column(entity, name, True)
    sets = f"sets={ {switch.name: column}!r}"
    return call(tool, entity, "update", key_of(tool, entity, key, narrow=True), sets)


def _others(tool: ToolPlan, entity: EntityPlan, key: Parameter | None, entities: Entities) -> bool:
    """Whether arguments beside the key name rows of the entity too."""
    return any(
        item is not key
        and (
            item.several
            or entities.named_by(item) is entity
            or set(split(item.name)) & {"old", "new", "source", "target", "from", "to", "into", "primary", "secondary"}
        )
        for item in tool.parameters
    )


def _state_column(entity: EntityPlan, name: str, value: bool | str) -> tuple[str, bool | str]:
    """The column that an action sets, and what to; it is added where the entity has none for it."""
    for column in entity.columns.values():
        bare = roles.bare(column.shown)
        if isinstance(value, bool) and column.annotation == "bool" and bare in (name, f"is{name}", f"{name}status"):
            column.written = True
            return column.name, value
        choices = column.parameter.schema.get("enum") if column.parameter else None
        if isinstance(value, str) and column.annotation == "str" and isinstance(choices, list):
            for choice in choices:
                if isinstance(choice, str) and choice.lower() == value:
                    column.written = True
                    return column.name, choice
    safe = python_name(name.split("_"))
    if isinstance(value, bool):
        if safe in entity.columns and entity.columns[safe].annotation != "bool":
            safe = f"{safe}_flag"
        entity.columns.setdefault(safe, Column(safe, safe, "flag", "bool")).written = True
    else:
        if safe in entity.columns and (entity.columns[safe].annotation != "str"):
            safe = f"{safe}_now"
        held = entity.columns.setdefault(safe, Column(safe, safe, "status", "str"))
        held.written = True
        held.states.append(value)
    return safe, value
