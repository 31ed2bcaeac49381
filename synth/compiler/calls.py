"""The expressions of calls: a method of an entity's records, and which arguments name the row."""

from __future__ import annotations

import ast

from synth.compiler.parameters import Parameter, groups_of
from synth.compiler.plan import Column, EntityPlan, ToolPlan


def _arguments(tool: ToolPlan) -> str:
    groups = groups_of(tool.parameters)
    return f"flat(arguments, {', '.join(map(repr, groups))})" if groups else "arguments"


def call(tool: ToolPlan, entity: EntityPlan, method: str, *more: str) -> str:
    """The call of a method of the entity's records, with the tool's arguments and more expressions."""
    tool.entity = entity
    return f"{entity.records}.{method}({', '.join(['ctx', _arguments(tool), *more])})"


def key_of(tool: ToolPlan, entity: EntityPlan, key: Parameter, *, narrow: bool) -> str:
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


def name_by_value(entity: EntityPlan, key: Parameter) -> bool:
    """Whether callers choose the value themselves by which they name the row; it is unique then."""
    column = entity.of(key.name)
    if column is None:
        return False
    if column.target is None and column.annotation == "str" and column.name != "id":
        column.unique = True
        return True
    return False


def hold_something(entity: EntityPlan) -> None:
    """A name, where nothing says what the entity holds: rows that others refer to are known by one."""
    if not any(column.target is None for column in entity.columns.values()):
        entity.columns["name"] = Column("name", "name", "name", "str")


def owner_column(entity: EntityPlan, item: Parameter) -> Column | None:
    """The column of a parameter where it names the row that the entity belongs to."""
    column = entity.of(item.name)
    return column if column is not None and column.target is not None else None


def only_one(tool: ToolPlan, entity: EntityPlan, method: str) -> str | None:
    """A thing that there is once, or once for each row that it belongs to: settings."""
    owners = [item for item in tool.parameters if item.required and owner_column(entity, item) is not None]
    if owners and len(owners) == len([item for item in tool.parameters if item.required and item.scalar]):
        pairs = ", ".join(f"{item.name!r}: {entity.of(item.name).name!r}" for item in owners)  # type: ignore[union-attr]
        hold_something(entity)
        make = ["make=True"] if method == "update" else []
        return call(tool, entity, method, f"key={{{pairs}}}", *make)
    if entity.lists or entity.creates or entity.keyed:
        tool.reason = f"it does not say which {' '.join(entity.words)} is meant"
        return None
    if any(item.required and item.scalar for item in tool.parameters) and method == "get":
        tool.reason = "its answer is worked out from its arguments"
        return None
    if not entity.columns:
        tool.reason = f"nothing says what a {' '.join(entity.words)} holds"
        return None
    entity.single = True
    return call(tool, entity, method, "key={}")


def described(tool: ToolPlan) -> tuple[str, dict[str, str], list[str]]:
    """What a tool's call does with the records, by which arguments it names the row, and its other names."""
    for node in ast.walk(ast.parse(tool.call or "", mode="eval")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            named = {item.arg: item.value for item in node.keywords}
            texts = [str(item.value) for item in node.args if isinstance(item, ast.Constant)]
            texts += [ast.literal_eval(named[word]) for word in ("values", "column") if word in named]
            key: dict[str, str] = ast.literal_eval(named["key"]) if "key" in named else {}
            return node.func.attr, key, texts
    return "", {}, []
