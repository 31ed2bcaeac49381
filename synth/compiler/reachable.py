"""Which rows callers can come to know: those that a tool lists or makes, and those that such rows name."""

from __future__ import annotations

from collections.abc import Iterable

from synth.compiler.calls import described
from synth.compiler.plan import EntityPlan, ToolPlan

_SHOW = {"create", "create_many", "find", "me"}


def leave_out_unreachable(tools: Iterable[ToolPlan]) -> None:
    """Leave tools to the world model that work on a row which nobody could name."""
    coded = [tool for tool in tools if tool.call is not None and tool.entity is not None]
    known = _known(coded)
    for tool in coded:
        assert tool.entity is not None
        missing = next((item for item in _needed(tool) if id(item) not in known), None)
        if missing is not None:
            tool.call, tool.reason = None, f"no tool lists or makes a {' '.join(missing.words)}: nobody could name one"


def _known(tools: list[ToolPlan]) -> set[int]:
    waiting = [tool.entity for tool in tools if tool.entity is not None and _shows(tool)]
    known: set[int] = set()
    while waiting:
        entity = waiting.pop()
        if id(entity) not in known:
            known.add(id(entity))
            pointed = (target for item in entity.columns.values() for target in (item.target, item.elements))
            waiting.extend(target for target in pointed if target is not None)
    return known


def _shows(tool: ToolPlan) -> bool:
    method, key, _ = described(tool)
    return method in _SHOW or "make=True" in (tool.call or "") or (method in ("get", "update") and not key)


def _needed(tool: ToolPlan) -> list[EntityPlan]:
    """The entities of which a call must name a row."""
    assert tool.entity is not None
    if _shows(tool) or described(tool)[0] == "count":
        return []
    columns = [tool.entity.columns.get(name) for name in described(tool)[1].values()]
    targets = [item.target for item in columns if item is not None and item.target is not None]
    own = not columns or len(targets) < len(columns)
    return [*([tool.entity] if own else []), *targets]
