"""Tools that read: one row, the rows of a list, how many there are."""

from __future__ import annotations

from synth.compiler import roles
from synth.compiler.calls import call, hold_something, key_of, name_by_value, only_one
from synth.compiler.entities import Entities, add_column
from synth.compiler.keys import own_key, several_key
from synth.compiler.parameters import Parameter, headers
from synth.compiler.plan import Column, EntityPlan, ToolPlan
from synth.compiler.shapes import items_name
from synth.compiler.words import split


def get(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    several = several_key(tool, entity)
    key = own_key(tool, entity, entities)
    if several is not None and (key is None or several[0].required):
        return call(tool, entity, "get_many", repr(several[0].name), *([repr(several[1])] if several[1] else []))
    if tool.reading.about_me and key is None:
        return _call_me(tool, entity)
    looked = _looked_up(tool, entity) if not tool.reading.only else None
    if looked is not None:
        return call(tool, entity, "get", f"key={{{looked[0]!r}: {looked[1]!r}}}")
    if tool.reading.only and (key is None or not key.identifies):
        tool.reason = f"it does not say which is the {' '.join(tool.reading.only)} one"
        return None
    if key is not None:
        name_by_value(entity, key)
        hold_something(entity)
        return call(tool, entity, "get", key_of(tool, entity, key, narrow=True))
    return only_one(tool, entity, "get")


def _call_me(tool: ToolPlan, entity: EntityPlan) -> str:
    hold_something(entity)
    tool.entity = entity
    return f"{entity.records}.me(ctx)"


def _looked_up(tool: ToolPlan, entity: EntityPlan) -> tuple[str, str] | None:
    """``get_user_by_email``: the parameter and the column."""
    for word in tool.reading.by:
        if word in ("id", "gid", "key", "uuid", "sid"):
            continue
        for item in tool.parameters:
            if word in split(item.name) and item.type == "string" and not item.identifies:
                column = add_column(entity, item)
                if column is not None and column.annotation == "str":
                    return item.name, column.name
    return None


def find(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    several = several_key(tool, entity)
    if several is not None and several[0].required:
        return call(tool, entity, "get_many", repr(several[0].name), *([repr(several[1])] if several[1] else []))
    key = own_key(tool, entity, entities)
    if key is not None and key.required and key.identifies and entities.named_by(key) in (entity, None):
        return get(tool, entities)  # ``notes_get`` of a ``noteId``
    if not entity.columns and not entity.pointed_at:
        tool.reason = f"nothing says what a {' '.join(entity.words)} holds"
        return None
    hold_something(entity)
    equal: dict[str, str] = {}
    search: list[str] = []
    ignore = [*tool.scopes, *headers(tool.spec.input_schema)]
    options: list[str] = []
    seen: set[str] = set()
    for item in tool.parameters:
        paging = roles.paging(item)
        column = entity.of(item.name)
        if (
            paging is not None
            and paging not in seen
            and not (paging != "limit" and seen & {"cursor", "offset", "page"})
        ):
            seen.add(paging)
            options.append(f"{paging}={item.name!r}")
            if paging == "page" and (item.schema.get("minimum") == 0 or item.schema.get("default") == 0):
                options.append("first_page=0")
            if paging == "limit" and type(item.schema.get("default")) is int and 0 < item.schema["default"] <= 1000:
                options.append(f"size={item.schema['default']}")
        elif roles.searches(item):
            search.append(item.name)
        elif column is not None and _decides(column, item):
            equal[item.name] = column.name
        elif roles.shows(item) and not item.required:
            ignore.append(item.name)
        elif _several_ids(item) and "ids" not in seen:
            seen.add("ids")
            options.append(f"ids={item.name!r}")
        elif item.required:
            tool.reason = f"the condition {item.name!r} cannot be decided"
            return None
    restricted = _restricted(tool, entity)
    if restricted is None:
        return None
    options += restricted
    name = items_name(tool)
    if equal:
        options.append(f"equal={{{', '.join(f'{key!r}: {value!r}' for key, value in equal.items())}}}")
    if search:
        options.append(f"search={search!r}")
    if ignore:
        options.append(f"ignore={ignore!r}")
    if name != "items":
        options.append(f"items={name!r}")
    return call(tool, entity, "find", *options)


def _decides(column: Column, item: Parameter) -> bool:
    """Whether rows can be chosen by a column's being equal to a parameter's value."""
    if roles.shows(item) and not column.written:
        return False
    return column.decidable and not roles.ranges(item) and not roles.compound(item)


def _restricted(tool: ToolPlan, entity: EntityPlan) -> list[str] | None:
    """The fixed conditions for words such as ``archived``; ``None`` where no column says which rows these are."""
    found = []
    for word in tool.reading.only:
        condition = next(
            (value for column in entity.columns.values() if (value := _says(column, word)) is not None), None
        )
        if condition is None:
            tool.reason = f"nothing says which {' '.join(entity.words)} is {word}"
            return None
        found.append(condition)
    return found


def _says(column: Column, word: str) -> str | None:
    """The condition that a column is what the word says."""
    if not column.decidable:
        return None
    bare = roles.bare(column.shown)
    if column.annotation == "bool":
        for meant, value in ((word, True), (word.removeprefix("un").removeprefix("in"), False)):
            if bare in (meant, f"is{meant}") and (value or meant != word):
                return f"{column.name}={value}"
    choices = column.parameter.schema.get("enum") if column.parameter else None
    if column.annotation == "str" and column.semantic == "status":
        known = [*(choices if isinstance(choices, list) else []), *column.states]
        same = [choice for choice in known if isinstance(choice, str) and choice.lower() == word]
        return f"{column.name}={same[0]!r}" if same else None
    return None


def _several_ids(item: Parameter) -> bool:
    """Whether it is a list of identifiers of what is listed."""
    return item.several and roles.bare(item.name) in ("ids", "gids", "uuids", "sids")


def count(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    equal = {
        item.name: column.name
        for item in tool.parameters
        if (column := entity.of(item.name)) is not None and _decides(column, item)
    }
    restricted = _restricted(tool, entity)
    if restricted is None:
        return None
    if any(item.required and item.name not in equal and not roles.searches(item) for item in tool.parameters):
        tool.reason = "it has conditions that cannot be decided"
        return None
    search = [item.name for item in tool.parameters if item.name not in equal and roles.searches(item)]
    ignore = [*tool.scopes, *headers(tool.spec.input_schema)]
    ignore += [item.name for item in tool.parameters if item.name not in equal and roles.shows(item)]
    options = [*restricted, f"equal={equal!r}"] if equal else restricted
    options += [f"search={search!r}"] if search else []
    options += [f"ignore={ignore!r}"] if ignore else []
    return call(tool, entity, "count", *options)
