"""Is coming back needed? What was seen at the first visit, used at the later one, must spoil the result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from tasks.admission.evidence import Evidence, concluded, counted
from tasks.admission.ground import Ground, failed
from tasks.admission.occurrences import leaves, plain
from tasks.document import ReferenceCall
from tasks.errors import UnresolvedReference
from tasks.templates import at_path, resolve


def examine(ground: Ground) -> Evidence:
    """Check 5: somewhere the same is read again, and with what was read first the task fails."""
    pairs = [_pair(ground, first, again) for first, again in _read_again(ground)]
    needed = [pair for pair in pairs if pair["failed"]]
    findings: list[str] = []
    if not pairs and ground.task.task.short:
        return concluded("revisit", "a short task that comes back to nothing", findings)
    if not pairs:
        findings.append(
            "nothing is read again: no visit keeps an observation of the same read as an earlier visit to that service "
            "and uses it; read it before and after it becomes stale, and use the later one"
        )
    elif not needed:
        findings += [
            f"coming back to {pair['service']} is not needed: with what {pair['tool']} gave at visit {pair['first']} "
            f"in place of visit {pair['again']}, every criterion still holds" + _why(pair)
            for pair in pairs
        ]
    stale = next((item for pair in needed for item in pair["stale"]), None)
    shown_by = f"{len(needed)} of {counted(len(pairs), 'read')} must be made again"
    if stale:
        shown_by += f": {stale['path']} is {json.dumps(stale['before'])} first, then {json.dumps(stale['after'])}"
    return concluded("revisit", shown_by, findings, {"pairs": pairs})


def _why(pair: dict[str, Any]) -> str:
    if pair["written"]:
        told = ", ".join(json.dumps(item["after"], ensure_ascii=False) for item in pair["written"])
        return f"; {told} it has just written itself: let the service work out or show what the agent does not know"
    return "" if pair["stale"] else "; nothing that is used has changed in between"


def _read_again(ground: Ground) -> Iterator[tuple[int, int]]:
    """Pairs of calls that read the same in two visits, where the later observation is used."""
    visit_of = {number: visit for visit, numbers in enumerate(ground.visits) for number in numbers}
    for again, later in enumerate(ground.calls):
        if again in ground.writes or not later.save or not list(_uses(ground, later.save)):
            continue
        for first, earlier in enumerate(ground.calls[:again]):
            same_tool = (earlier.service, earlier.tool) == (later.service, later.tool)
            if same_tool and earlier.save and visit_of[first] < visit_of[again] and _same(ground, first, again):
                yield first, again


def _same(ground: Ground, first: int, again: int) -> bool:
    one, other = ground.events[first], ground.events[again]
    return one.arguments == other.arguments or _which(one.observation) == _which(other.observation) is not None


def _which(observation: Mapping[str, Any]) -> Any:
    data = observation.get("data")
    return data.get("id") if isinstance(data, Mapping) else None


def _pair(ground: Ground, first: int, again: int) -> dict[str, Any]:
    earlier, later = ground.calls[first], ground.calls[again]
    assert earlier.save is not None and later.save is not None
    stale = list(_stale(ground, later, ground.saved[earlier.save]))
    written = _written_between(ground, first, again)
    known = [item for item in stale if item.pop("taken") <= written]
    before = _remembered(ground, first, again, [item for item in stale if item not in known])
    played = ground.play(ground.rest(again + 1), after=again + 1, saved={later.save: before}, stand_in=False)
    checks = ground.conclude(played, stand_in=False)
    visits = [next(v for v, numbers in enumerate(ground.visits, 1) if number in numbers) for number in (first, again)]
    return {
        "service": later.service,
        "tool": later.tool,
        "first": visits[0],
        "again": visits[1],
        "stale": [item for item in stale if item not in known],
        "written": known,
        "failed": failed(checks),
    }


def _written_between(ground: Ground, first: int, again: int) -> set[str]:
    """What the reference itself gave the service between two reads: of that nobody has to be told by it."""
    service = ground.calls[again].service
    return {
        plain(leaf)
        for number in ground.writes
        if first < number < again and ground.calls[number].service == service
        for part in ground.parts[number]
        for leaf in leaves(part.value)
    }


def _remembered(ground: Ground, first: int, again: int, stale: list[dict[str, Any]]) -> Any:
    """What an agent that does not come back has: the first observation, and with it what it wrote itself."""
    saved = {number: ground.saved[str(ground.calls[number].save)] for number in (first, again)}
    uses = [item["path"] for item in _uses(ground, str(ground.calls[again].save))]
    others = [path for path in dict.fromkeys(uses) if path not in {item["path"] for item in stale}]
    remembered = deepcopy(saved[first])
    if all(_put(remembered, path, at_path(saved[again], path)) for path in others):
        return remembered
    # The first read has no place for what was written since: the later one, with what was stale put back.
    remembered = deepcopy(saved[again])
    for item in stale:
        _put(remembered, item["path"], item["before"])
    return remembered


def _put(observation: Any, path: str, value: Any) -> bool:
    """Put a value at a path, in place; ``False`` where there is no such path, or it ends with a choice of an item."""
    above, _, last = path.rpartition(".")
    try:
        at_path(observation, path)
        holder = at_path(observation, above) if above else observation
    except UnresolvedReference:
        return False
    if last.endswith("]"):
        return False
    holder[int(last) if isinstance(holder, list) else last] = value
    return True


def _stale(ground: Ground, later: ReferenceCall, before: Any) -> Iterator[dict[str, Any]]:
    """The values used of the later observation that the earlier one has otherwise, or not at all.

    ``taken`` is what is taken of each, as texts: with a ``match`` only a part of it.
    """
    assert later.save is not None
    uses = list(_uses(ground, later.save))
    for path in dict.fromkeys(item["path"] for item in uses):
        now = at_path(ground.saved[later.save], path)
        try:
            then = at_path(before, path)
        except UnresolvedReference:
            then = None
        if then != now:
            values = [resolve(item, ground.saved) for item in uses if item["path"] == path]
            yield {
                "path": path,
                "before": then,
                "after": now,
                "taken": {plain(leaf) for value in values for leaf in leaves(value)},
            }


def _uses(ground: Ground, name: str) -> Iterator[Mapping[str, Any]]:
    """Each ``$from`` of an observation in later arguments and the answer."""
    for template in [*(call.arguments for call in ground.calls), ground.task.task.reference.answer]:
        yield from _references(template, name)


def _references(template: Any, name: str) -> Iterator[Mapping[str, Any]]:
    if isinstance(template, Mapping):
        if template.get("$from") == name and "path" in template:
            yield template
        for item in template.values():
            yield from _references(item, name)
    elif isinstance(template, list):
        for item in template:
            yield from _references(item, name)
