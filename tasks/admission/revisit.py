"""Is coming back needed? What was seen at the first visit, used at the later one, must spoil the result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tasks.admission.evidence import Evidence, concluded
from tasks.admission.ground import Ground, failed
from tasks.document import ReferenceCall
from tasks.errors import UnresolvedReference
from tasks.templates import at_path


def examine(ground: Ground) -> Evidence:
    """Check 5: somewhere the same is read again, and with what was read first the task fails."""
    pairs = [_pair(ground, first, again) for first, again in _read_again(ground)]
    needed = [pair for pair in pairs if pair["failed"]]
    findings = []
    if not pairs:
        findings.append(
            "nothing is read again: no visit keeps an observation of the same read as an earlier visit to that service "
            "and uses it; read it before and after it becomes stale, and use the later one"
        )
    elif not needed:
        findings += [
            f"coming back to {pair['service']} is not needed: with what {pair['tool']} gave at visit {pair['first']} "
            f"in place of visit {pair['again']}, every criterion still holds"
            + ("" if pair["stale"] else "; nothing that is used has changed in between")
            for pair in pairs
        ]
    stale = next((item for pair in needed for item in pair["stale"]), None)
    shown_by = f"{len(needed)} of {len(pairs)} reads must be made again"
    if stale:
        shown_by += f": {stale['path']} is {json.dumps(stale['before'])} first, then {json.dumps(stale['after'])}"
    return concluded("revisit", shown_by, findings, {"pairs": pairs})


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
    before = ground.saved[earlier.save]
    played = ground.play(ground.rest(again + 1), after=again + 1, saved={later.save: before}, stand_in=False)
    checks = ground.conclude(played, stand_in=False)
    visits = [next(v for v, numbers in enumerate(ground.visits, 1) if number in numbers) for number in (first, again)]
    return {
        "service": later.service,
        "tool": later.tool,
        "first": visits[0],
        "again": visits[1],
        "stale": list(_stale(ground, later, before)),
        "failed": failed(checks),
    }


def _stale(ground: Ground, later: ReferenceCall, before: Any) -> Iterator[dict[str, Any]]:
    """The values used of the later observation that the earlier one has otherwise, or not at all."""
    assert later.save is not None
    for path in dict.fromkeys(_uses(ground, later.save)):
        now = at_path(ground.saved[later.save], path)
        try:
            then = at_path(before, path)
        except UnresolvedReference:
            then = None
        if then != now:
            yield {"path": path, "before": then, "after": now}


def _uses(ground: Ground, name: str) -> Iterator[str]:
    """The paths of an observation that later arguments and the answer use."""
    for template in [*(call.arguments for call in ground.calls), ground.task.task.reference.answer]:
        yield from _paths(template, name)


def _paths(template: Any, name: str) -> Iterator[str]:
    if isinstance(template, Mapping):
        if template.get("$from") == name and "path" in template:
            yield template["path"]
        for item in template.values():
            yield from _paths(item, name)
    elif isinstance(template, list):
        for item in template:
            yield from _paths(item, name)
