"""From a specification to a plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.ddl import LONGEST_TABLE
from synth.compiler import roles
from synth.compiler.entities import Entities, add_column, add_output, several_rows
from synth.compiler.keys import id_form, own_key, renaming
from synth.compiler.operations import decide_all
from synth.compiler.parameters import Parameter, flat, read_name
from synth.compiler.plan import Column, EntityPlan, ServicePlan, ToolPlan
from synth.compiler.reachable import leave_out_unreachable
from synth.compiler.words import Kind, Reading, read_words, without_prefix
from synth.specs import ServerSpec

_WRITERS: set[Kind] = {"create", "update", "put", "copy"}


def plan_service(server: ServerSpec) -> ServicePlan:
    """What the service of a specification will hold and do."""
    readings = [read_words(words) for words in without_prefix([tool.original_name for tool in server.tools])]
    tools = [
        ToolPlan(spec, _settled(reading, spec.annotations), flat(spec.input_schema, reading.noun))
        for spec, reading in zip(server.tools, readings, strict=True)
    ]
    _leave_out_scopes(tools)
    for tool in tools:
        tool.reading = _listing(tool)
    entities = Entities(tools, LONGEST_TABLE - len(server.name) - 1)
    for tool in tools:
        _attach(tool, entities)
    for tool in tools:
        if tool.entity is not None:
            _mark_identifier(tool, tool.entity, entities)
    for tool in tools:
        if tool.entity is not None:
            _fill(tool, tool.entity, entities)
    _find_references(entities)
    for entity in entities.all.values():
        _settle_single(entity, [tool for tool in tools if tool.entity is entity], entities)
    decide_all(tools, entities)
    leave_out_unreachable(tools)
    for entity in entities.all.values():
        _settle_required(entity, tools)
    used = [item for item in entities.all.values() if any(tool.call and tool.entity is item for tool in tools)]
    kept = _with_targets(used)
    return ServicePlan(
        name=server.name,
        title=server.title or server.name,
        domain=server.domain,
        summary=_summary(server),
        entities=_ordered(kept),
        tools=tools,
    )


def _listing(tool: ToolPlan) -> Reading:
    """``get_projects_list`` lists projects, where it does not ask for the list that is meant."""
    reading = tool.reading
    *head, last = reading.noun or ("",)
    own = [item for item in tool.parameters if item.identifies and (not item.words or item.words[-1] in (last, *head))]
    if reading.kind != "get" or last != "list" or not head or own:
        return reading
    return replace(reading, kind="list", noun=tuple(head), plural=True)


def _leave_out_scopes(tools: list[ToolPlan]) -> None:
    """What nearly every call must name and no tool speaks of (an account, a tenant) is where one works, not a value."""
    nouns = {word for tool in tools for word in tool.reading.noun[-1:]}
    needed = Counter(item.name for tool in tools for item in tool.parameters if item.required and item.type == "string")
    for name, times in needed.items():
        words, _, named = read_name(name)
        # ``name`` alone is that of the thing itself.
        its_own = not words or words[-1] in nouns or (named and len(words) == 1)
        if times >= 4 and times >= 0.4 * len(tools) and not its_own:
            for tool in tools:
                tool.parameters = [item for item in tool.parameters if item.name != name]
                tool.scopes.append(name)


def _settled(reading: Reading, annotations: dict[str, object]) -> Reading:
    """A tool that promises to change nothing does not create: ``postSearch`` only looks. ``add_member`` creates."""
    if annotations.get("readOnlyHint") is True and reading.kind not in ("get", "list", "count", "unknown"):
        kind: Kind = "list" if reading.plural else "unknown"
        return Reading(reading.verb, kind, reading.noun, reading.plural, reading.of, reading.by, reading.about_me)
    if reading.verb == "add" and len(reading.noun) == 1 and not reading.of:
        return replace(reading, kind="create")
    return reading


def _attach(tool: ToolPlan, entities: Entities) -> None:
    reading = tool.reading
    if not reading.noun or reading.kind in ("unknown", "act", "add", "remove"):
        return
    words, _ = entities.resolve(reading.noun)
    if reading.kind in ("get", "list", "count") and entities.derived(reading.noun, words):
        return
    if reading.kind in ("update", "put") and entities.only(reading.noun, {"update", "put"}):
        words = _part_of(tool, entities) or words
    if reading.kind in ("list", "get") and entities.collected(words):
        return
    tool.entity = entities.get(words)


def _part_of(tool: ToolPlan, entities: Entities) -> tuple[str, ...] | None:
    """``set_task_parent`` changes the task, where nothing else speaks of task parents and the task is named."""
    for end in range(len(tool.reading.noun) - 1, 0, -1):
        words = tool.reading.noun[:end]
        if entities.strong(words):
            named = [item for item in tool.parameters if item.required and item.identifies and item.words == words]
            return words if named else None
    return None


def _mark_identifier(tool: ToolPlan, entity: EntityPlan, entities: Entities) -> None:
    if tool.reading.kind in ("get", "update", "delete", "copy"):
        key = own_key(tool, entity, entities)
        entity.keyed |= key is not None and key.identifies
        if key is not None and (key.identifies or not key.named) and key.scalar:
            form = id_form(key)
            if form != "text" and entity.id_form == "text":
                entity.id_form = form
            ending = key.name if not [w for w in key.words if w != "id"] and key.name != "id" else None
            if ending and entity.shown_id is None:
                entity.shown_id = ending
    entity.known |= tool.reading.kind in ("list", "create", "get", "put", "copy")
    entity.lists |= tool.reading.kind == "list"
    entity.creates |= tool.reading.kind == "create"
    entity.pointed_at |= tool.reading.kind in ("get", "update", "delete")


def _fill(tool: ToolPlan, entity: EntityPlan, entities: Entities) -> None:
    kind = tool.reading.kind
    if kind in _WRITERS:
        key = own_key(tool, entity, entities) if kind in ("update", "copy") else None
        renamed = renaming(tool)[:2]
        for item in _values(tool):
            if item is key or item in renamed or roles.only_shows(item):
                continue
            column = add_column(entity, item)
            if column is not None:
                column.written = True
        if kind == "put" and (put := own_key(tool, entity, entities)) is not None:
            column = entity.of(put.name)
            if column is not None and put.scalar:
                column.unique = True
    elif kind in ("list", "count"):
        for item in tool.parameters:
            plain = item.scalar or item.type == "boolean"
            control = roles.paging(item) or roles.searches(item) or roles.shows(item) or roles.sorts(item)
            if plain and not control and not roles.ranges(item) and not roles.compound(item):
                add_column(entity, item)
    add_output(entity, tool)


def _values(tool: ToolPlan) -> list[Parameter]:
    """The parameters that hold values of a row; those of the items where a list of rows is given."""
    if not tool.reading.many:
        return tool.parameters
    found = several_rows(tool)
    return found[1] if found else tool.parameters


def _find_references(entities: Entities) -> None:
    for entity in entities.all.values():
        for column in entity.columns.values():
            if column.parameter is not None and column.semantic == "json":
                listed = entities.listed_by(column.parameter)
                column.elements = listed if listed is not None and listed.known and not listed.single else None
            elif column.parameter is not None:
                target = entities.named_by(column.parameter)
                if target is not None and target.known and not target.single and _holds(target, column):
                    column.target = target
                    target.pointed_at = True
                    column.semantic, column.annotation = "reference", "str"
                    column.unique = False
        _join_spellings(entity)


def _join_spellings(entity: EntityPlan) -> None:
    """A condition ``project_gid`` and a value ``project`` are the same column."""
    for name, column in list(entity.columns.items()):
        if column.written or column.target is None:
            continue
        for other in entity.columns.values():
            same = other.target is column.target and other.target is not entity
            if other.written and (same or other.elements is column.target):
                del entity.columns[name]
                entity.aliases[column.shown] = other.name
                break


def _holds(target: EntityPlan, column: Column) -> bool:
    """Whether the values of a column can be identifiers of the target's rows."""
    assert column.parameter is not None
    form = id_form(column.parameter)
    return form == target.id_form or (form == "text" and "enum" not in column.parameter.schema)


def _settle_single(entity: EntityPlan, tools: list[ToolPlan], entities: Entities) -> None:
    """``get_settings`` and ``update_settings`` that name no row speak of one thing, whatever its name's plural says."""
    kinds = {tool.reading.kind for tool in tools}
    reads = [tool for tool in tools if tool.reading.kind == "list"]
    if not kinds <= {"list", "get", "update", "put"} or not kinds & {"update", "put"}:
        return
    if any(own_key(tool, entity, entities) for tool in tools):
        return
    if any(tool.parameters or tool.reading.verb == "list" for tool in reads):
        return
    for tool in reads:
        tool.reading = replace(tool.reading, kind="get")
    entity.lists = False


def _settle_required(entity: EntityPlan, tools: list[ToolPlan]) -> None:
    """A column is required where every tool that makes a row needs its value, and none may take it away."""
    mine = [tool for tool in tools if tool.entity is entity and tool.call]
    makers = [tool for tool in mine if ".create(" in (tool.call or "") or "make=True" in (tool.call or "")]
    alone = bool(makers) and not any(".create_many(" in (tool.call or "") for tool in mine)
    for column in entity.columns.values():
        needed = alone and all((item := tool.given(column.shown)) is not None and item.required for tool in makers)
        given = [item for tool in mine if (item := tool.given(column.shown)) is not None]
        column.required = needed and not any(item.nullable for item in given)


def _with_targets(used: list[EntityPlan]) -> list[EntityPlan]:
    kept = list(used)
    for entity in kept:
        for column in entity.columns.values():
            if column.elements is not None and column.elements not in kept:
                column.elements = None
            if column.target is not None and column.target not in kept:
                column.target = None
                column.semantic = "code"
    return kept


def _ordered(entities: list[EntityPlan]) -> list[EntityPlan]:
    """Referenced entities first; where references go in a circle, the database does not hold them."""
    done: list[EntityPlan] = []
    waiting = list(entities)
    while waiting:
        ready = next(
            (
                item
                for item in waiting
                if all(c.target in (None, item) or c.target in done for c in item.columns.values())
            ),
            waiting[0],
        )
        for column in ready.columns.values():
            column.enforced = column.target is not None and (column.target in done)
        done.append(ready)
        waiting.remove(ready)
    return done


def _summary(server: ServerSpec) -> str:
    text = " ".join(server.description.split())
    first = text.split(". ")[0][:200].rstrip(".")
    return f"{first}." if first else f"{server.title or server.name}."
