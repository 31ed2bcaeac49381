"""What a tool does to its entity's rows, as the expression that does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from synth.compiler.entities import Entities
from synth.compiler.list_tools import add, elements, remove
from synth.compiler.plan import ToolPlan
from synth.compiler.reading_tools import count, find, get
from synth.compiler.shapes import wrapped
from synth.compiler.words import Kind
from synth.compiler.writing_tools import act, copy, create, delete, put, update

Rule: TypeAlias = Callable[[ToolPlan, Entities], str | None]

_RULES: dict[Kind, Rule] = {
    "create": create,
    "get": get,
    "list": find,
    "count": count,
    "update": update,
    "put": put,
    "delete": delete,
    "copy": copy,
    "act": act,
    "add": add,
    "remove": remove,
}

_UNKNOWN = "its name does not say what it does to the state"
_ORDER: dict[Kind, int] = {"add": 0, "remove": 0, "list": 2, "count": 2}
_HIDES = {"tool", "fitted", "flat", "within"}
"""Names that the module of tools needs for something else, after the tool of that name."""


def decide_all(tools: list[ToolPlan], entities: Entities) -> None:
    """Set each tool's call, or the reason why it is left to the world model."""
    # What is put into lists shows which lists there are, and actions show which conditions can be decided.
    for tool in sorted(tools, key=lambda item: _ORDER.get(item.reading.kind, 1)):
        decide(tool, entities)


def decide(tool: ToolPlan, entities: Entities) -> None:
    """Set one tool's call, or the reason."""
    kind = tool.reading.kind
    if tool.spec.name in _HIDES:
        tool.reason = "a function of its name would hide what the code of other tools needs"
        return
    rule = _RULES.get(kind)
    if rule is None or not tool.reading.noun:
        tool.reason = _UNKNOWN
        return
    if kind in ("list", "get") and tool.entity is None and entities.collected(entities.resolve(tool.reading.noun)[0]):
        rule = elements
    elif kind not in ("act", "add", "remove") and tool.entity is None:
        tool.reason = f"a {' '.join(tool.reading.noun)} is worked out from other things, not kept"
        return
    made = rule(tool, entities)
    if made is None:
        tool.reason = tool.reason or _UNKNOWN
        return
    tool.call = wrapped(tool, made)
