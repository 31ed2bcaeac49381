"""What a tool does to its entity's rows, as the expression that does it."""

from __future__ import annotations

from collections.abc import Callable

from synth.compiler import roles
from synth.compiler.entities import Entities, add_column, several_rows
from synth.compiler.keys import own_key, several_key
from synth.compiler.parameters import Parameter, groups_of, headers
from synth.compiler.plan import Column, EntityPlan, ToolPlan, python_name
from synth.compiler.shapes import items_name, wrapped
from synth.compiler.words import STATES, is_plural, split

_UNKNOWN = "its name does not say what it does to the state"


def decide_all(tools: list[ToolPlan], entities: Entities) -> None:
    """Set each tool's call, or the reason why it is left to the world model."""
    # What is put into lists shows which lists there are.
    for tool in sorted(tools, key=lambda item: item.reading.kind not in ("add", "remove")):
        decide(tool, entities)


def decide(tool: ToolPlan, entities: Entities) -> None:
    """Set one tool's call, or the reason."""
    kind = tool.reading.kind
    rule = _RULES.get(kind)
    if rule is None or not tool.reading.noun:
        tool.reason = _UNKNOWN
        return
    if kind in ("list", "get") and tool.entity is None and entities.collected(entities.resolve(tool.reading.noun)[0]):
        rule = _elements
    elif kind not in ("act", "add", "remove") and tool.entity is None:
        tool.reason = f"a {' '.join(tool.reading.noun)} is worked out from other things, not kept"
        return
    call = rule(tool, entities)
    if call is None:
        tool.reason = tool.reason or _UNKNOWN
        return
    tool.call = wrapped(tool, call)


def _arguments(tool: ToolPlan) -> str:
    groups = groups_of(tool.parameters)
    return f"flat(arguments, {', '.join(map(repr, groups))})" if groups else "arguments"


def _call(tool: ToolPlan, entity: EntityPlan, method: str, *more: str) -> str:
    tool.entity = entity
    return f"{entity.records}.{method}({', '.join(['ctx', _arguments(tool), *more])})"


def _key(tool: ToolPlan, entity: EntityPlan, key: Parameter, *, narrow: bool) -> str:
    """Which argument is the value of which column; with the rows that it belongs to, where those are kept."""
    pairs: dict[str, str] = {}
    if narrow:
        for item in tool.parameters:
            column = entity.of(item.name)
            if item is key or not item.required or column is None:
                continue
            if column.target is not None and column.target is not entity:
                pairs[item.name] = column.name
    own = entity.of(key.name)
    pairs[key.name] = own.name if own is not None and own.unique else "id"
    return f"key={{{', '.join(f'{name!r}: {column!r}' for name, column in pairs.items())}}}"


def _natural(entity: EntityPlan, key: Parameter) -> bool:
    """Whether callers choose the value themselves by which they name the row; it is unique then."""
    column = entity.of(key.name)
    if column is None:
        return False
    if column.target is None and column.annotation == "str" and column.name != "id":
        column.unique = True
        return True
    return False


def _create(tool: ToolPlan, entities: Entities) -> str | None:
    assert tool.entity is not None
    rows = several_rows(tool) if tool.reading.many or tool.reading.plural else None
    if rows is not None and rows[0].required:
        for item in rows[1]:
            add_column(tool.entity, item)
        return _call(tool, tool.entity, "create_many", repr(rows[0].name), *map(repr, groups_of(rows[1])))
    if not any(entity_column(tool, item) for item in tool.parameters):
        tool.reason = f"nothing says what a {' '.join(tool.entity.words)} holds"
        return None
    return _call(tool, tool.entity, "create")


def entity_column(tool: ToolPlan, item: Parameter) -> Column | None:
    """The column that holds a parameter's values."""
    return tool.entity.of(item.name) if tool.entity is not None else None


def _get(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    several = several_key(tool, entity)
    key = own_key(tool, entity, entities)
    if several is not None and (key is None or several[0].required):
        return _call(tool, entity, "get_many", repr(several[0].name), *([repr(several[1])] if several[1] else []))
    if tool.reading.about_me and key is None:
        return _call_me(tool, entity)
    looked = _looked_up(tool, entity)
    if looked is not None:
        return _call(tool, entity, "get", f"key={{{looked[0]!r}: {looked[1]!r}}}")
    if key is not None:
        _natural(entity, key)
        _hold_something(entity)
        return _call(tool, entity, "get", _key(tool, entity, key, narrow=True))
    return _only(tool, entity, "get")


def _call_me(tool: ToolPlan, entity: EntityPlan) -> str:
    _hold_something(entity)
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


def _hold_something(entity: EntityPlan) -> None:
    """A name, where nothing says what the entity holds: rows that others refer to are known by one."""
    if not any(column.target is None for column in entity.columns.values()):
        entity.columns["name"] = Column("name", "name", "name", "str")


def _only(tool: ToolPlan, entity: EntityPlan, method: str) -> str | None:
    """A thing that there is once, or once for each row that it belongs to: settings."""
    owners = [item for item in tool.parameters if item.required and entities_column(entity, item) is not None]
    if owners and len(owners) == len([item for item in tool.parameters if item.required and item.scalar]):
        pairs = ", ".join(f"{item.name!r}: {entity.of(item.name).name!r}" for item in owners)  # type: ignore[union-attr]
        _hold_something(entity)
        make = ["make=True"] if method == "update" else []
        return _call(tool, entity, method, f"key={{{pairs}}}", *make)
    if entity.known and not entity.single and entity.lists:
        tool.reason = f"it does not say which {' '.join(entity.words)} is meant"
        return None
    if any(item.required and item.scalar for item in tool.parameters) and method == "get":
        tool.reason = "its answer is worked out from its arguments"
        return None
    if not entity.columns:
        tool.reason = f"nothing says what a {' '.join(entity.words)} holds"
        return None
    entity.single = True
    return _call(tool, entity, method, "key={}")


def entities_column(entity: EntityPlan, item: Parameter) -> Column | None:
    """The column of a parameter where it names the row that the entity belongs to."""
    column = entity.of(item.name)
    return column if column is not None and column.target is not None else None


def _list(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    several = several_key(tool, entity)
    if several is not None and several[0].required:
        return _call(tool, entity, "get_many", repr(several[0].name), *([repr(several[1])] if several[1] else []))
    key = own_key(tool, entity, entities)
    if key is not None and key.required and key.identifies and entities.named_by(key) in (entity, None):
        return _get(tool, entities)  # ``notes_get`` of a ``noteId``
    if not entity.columns and not entity.pointed_at:
        tool.reason = f"nothing says what a {' '.join(entity.words)} holds"
        return None
    _hold_something(entity)
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
            if paging == "limit" and isinstance(item.schema.get("default"), int) and 0 < item.schema["default"] <= 1000:
                options.append(f"size={item.schema['default']}")
        elif roles.searches(item):
            search.append(item.name)
        elif column is not None and not roles.ranges(item) and not roles.compound(item):
            equal[item.name] = column.name
        elif roles.shows(item) and not item.required:
            ignore.append(item.name)
        elif several_ids(item):
            options.append(f"ids={item.name!r}")
        elif item.required:
            tool.reason = f"the condition {item.name!r} cannot be decided"
            return None
    name = items_name(tool)
    if equal:
        options.append(f"equal={{{', '.join(f'{key!r}: {value!r}' for key, value in equal.items())}}}")
    if search:
        options.append(f"search={search!r}")
    if ignore:
        options.append(f"ignore={ignore!r}")
    if name != "items":
        options.append(f"items={name!r}")
    return _call(tool, entity, "find", *options)


def several_ids(item: Parameter) -> bool:
    """Whether it is a list of identifiers of what is listed."""
    return item.several and roles.bare(item.name) in ("ids", "gids", "uuids", "sids")


def _count(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    equal = {item.name: column.name for item in tool.parameters if (column := entity.of(item.name)) is not None}
    if any(item.required and item.name not in equal for item in tool.parameters):
        tool.reason = "it has conditions that cannot be decided"
        return None
    return _call(tool, entity, "count", f"equal={equal!r}")


def _update(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    rows, several = several_rows(tool), several_key(tool, entity)
    if rows is not None and several is not None and several[1] and several[0] is rows[0]:
        for item in rows[1]:
            if item.name != several[1]:
                add_column(entity, item)
        return _call(tool, entity, "update_many", repr(rows[0].name), repr(several[1]), *map(repr, groups_of(rows[1])))
    key = own_key(tool, entity, entities)
    if key is None:
        return _only(tool, entity, "update")
    if not _changes_something(tool, key):
        tool.reason = "it does not say what is changed"
        return None
    owner = entities_column(entity, key)
    if owner is not None and owner.target is not entity:
        return _call(tool, entity, "update", f"key={{{key.name!r}: {owner.name!r}}}", "make=True")
    if not key.identifies:
        _natural(entity, key)
    _hold_something(entity)
    moves = tool.reading.verb in ("move", "transfer", "reorder", "reschedule")
    whole = ["merge=False"] if tool.reading.verb in ("replace", "put", "set", "save") else []
    return _call(tool, entity, "update", _key(tool, entity, key, narrow=not moves), *whole)


def _changes_something(tool: ToolPlan, key: Parameter) -> bool:
    return any(item is not key and not roles.shows(item) for item in tool.parameters)


def _put(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    key = own_key(tool, entity, entities)
    if tool.reading.of:
        return None
    if key is None:
        return _only(tool, entity, "update") if not entity.lists else _create(tool, entities)
    if not _changes_something(tool, key):
        tool.reason = "it does not say what is set"
        return None
    column = entity.of(key.name)
    if column is None or (key.identifies and key.words and entity.creates):
        return _call(tool, entity, "update", _key(tool, entity, key, narrow=True))
    if column.target is None:
        column.unique = True
    return _call(tool, entity, "update", f"key={{{key.name!r}: {column.name!r}}}", "make=True")


def _delete(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    several = several_key(tool, entity)
    key = own_key(tool, entity, entities)
    if key is not None:
        if not key.identifies:
            _natural(entity, key)
        _hold_something(entity)
        return _call(tool, entity, "delete", _key(tool, entity, key, narrow=True))
    if several is not None:
        return _call(tool, entity, "delete_many", repr(several[0].name), *([repr(several[1])] if several[1] else []))
    owners = [item for item in tool.parameters if item.required and entities_column(entity, item) is not None]
    if owners and len(owners) == len([item for item in tool.parameters if item.required]) and not entity.lists:
        pairs = ", ".join(f"{item.name!r}: {entity.of(item.name).name!r}" for item in owners)  # type: ignore[union-attr]
        return _call(tool, entity, "delete", f"key={{{pairs}}}")
    tool.reason = f"it does not say which {' '.join(entity.words)} is meant"
    return None


def _copy(tool: ToolPlan, entities: Entities) -> str | None:
    entity = tool.entity
    assert entity is not None
    key = own_key(tool, entity, entities)
    if key is None:
        tool.reason = f"it does not say which {' '.join(entity.words)} is meant"
        return None
    return _call(tool, entity, "copy", _key(tool, entity, key, narrow=False))


def _act(tool: ToolPlan, entities: Entities) -> str | None:
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
        name, value = "_".join([*left, name]), value
    column = _state_column(entity, name, value)
    if key is None and several is not None:
        more = [repr(several[0].name), *([repr(several[1])] if several[1] else [])]
        return _call(tool, entity, "act_many", *more, f"{column[0]}={column[1]!r}")
    assert key is not None
    for item in tool.parameters:
        if item is not key and not roles.shows(item) and entity.of(item.name) is None:
            add_column(entity, item)
    return _call(tool, entity, "update", _key(tool, entity, key, narrow=True), f"{column[0]}={column[1]!r}")


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
        if safe in entity.columns and (entity.columns[safe].annotation != "str" or entity.columns[safe].choices):
            safe = f"{safe}_now"
        entity.columns.setdefault(safe, Column(safe, safe, "status", "str"))
    return safe, value


def _add(tool: ToolPlan, entities: Entities) -> str | None:
    """``add_comment`` makes a row; ``add_task_followers`` puts values into a list of the task."""
    words, _ = entities.resolve(tool.reading.noun)
    part = _owner_and_values(tool, entities)
    known = entities.all.get(words)
    if part is not None:
        owner, key, values = part
        if known is None or entities.collected(words):
            return _list_call(tool, owner, key, values, "append", entities)
        if own_key_named(tool, known, entities):
            place = next((item for item in known.columns.values() if item.target is owner and item.written), None)
            if place is not None:
                sets = f"sets={{{key.name!r}: {place.name!r}}}"
                return _call(tool, known, "update", f"key={{{values.name!r}: 'id'}}", sets)
            return _list_call(tool, owner, key, values, "append", entities)
    if not any(item.scalar or item.type in ("object", "array") for item in tool.parameters):
        return None
    tool.entity = entities.get(words)
    for item in tool.parameters:
        add_column(tool.entity, item)
    _refer(tool.entity, entities)
    return _create(tool, entities)


def _elements(tool: ToolPlan, entities: Entities) -> str | None:
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
            return _call(tool, owner, "elements", _key(tool, owner, key, narrow=False), f"column={column.name!r}")
    tool.reason = f"it does not say whose {' '.join(noun)} are meant"
    return None


def own_key_named(tool: ToolPlan, entity: EntityPlan, entities: Entities) -> bool:
    """Whether the tool names a row of the entity that there is already."""
    key = own_key(tool, entity, entities)
    return key is not None and (key.identifies or key.words == entity.words)


def _refer(entity: EntityPlan, entities: Entities) -> None:
    for column in entity.columns.values():
        if column.parameter is not None and column.target is None and column.semantic != "json":
            target = entities.named_by(column.parameter, but=entity)
            if target is not None and target.known and not target.single and target.id_form == "text":
                column.target, column.semantic, column.annotation = target, "reference", "str"


def _remove(tool: ToolPlan, entities: Entities) -> str | None:
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
    return _delete(tool, entities)


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
    return _call(
        tool, owner, method, _key(tool, owner, key, narrow=False), f"values={values.name!r}", f"column={column.name!r}"
    )


_RULES: dict[str, Callable[[ToolPlan, Entities], str | None]] = {
    "create": _create,
    "get": _get,
    "list": _list,
    "count": _count,
    "update": _update,
    "put": _put,
    "delete": _delete,
    "copy": _copy,
    "act": _act,
    "add": _add,
    "remove": _remove,
}
