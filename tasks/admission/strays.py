"""Does the rubric notice what no variant of the reference does: a row changed or deleted anywhere, by whatever tool?"""

from __future__ import annotations

from collections.abc import Iterator

from engine.states import Change
from engine.verifiers import judge
from tasks.admission.ground import Ground, failed

_SPOKEN = ("title", "text", "name", "person", "company")


def strays(ground: Ground) -> tuple[set[str], list[str]]:
    """A row of each service is changed, another deleted: the guards that mind, and what none of them minds.

    Rows that the reference touches are left out. One row of a table that it writes to is tried in each service, and one
    of a table that it does not; distractors are services like the others.
    """
    guards = [item for item in ground.task.criteria if item.kind == "must_not_change"]
    minding: set[str] = set()
    findings = []
    for service in ground.task.services:
        for change in _strays(ground, service):
            names = failed(judge(ground.otherwise([change]), guards))
            minding.update(names)
            if not names:
                done = "deleted" if change.op == "delete" else f"changed ({', '.join(change.fields)})"
                findings.append(
                    f"no criterion notices that row {change.key} of {change.table} is {done}, which nobody asked for:"
                    " say that nothing else may change, in every service"
                )
    return minding, findings


def _strays(ground: Ground, service: str) -> Iterator[Change]:
    touched = {(change.table, change.key) for event in ground.events for change in event.changes}
    written = {table for table, _ in touched}
    for tables in (sorted(ground.tables(service) & written), sorted(ground.tables(service) - written)):
        free = [
            (table, key) for table in tables for key in sorted(ground.s0.get(table, {})) if (table, key) not in touched
        ]
        if not free:
            continue
        draw = ground.random(f"strays {service} {tables[0]}")
        table, key = draw.choice(free)
        yield Change(table, key, "delete", ground.s0[table][key], None)
        worded = [
            (table, key, name)
            for table, key in draw.sample(free, min(40, len(free)))
            for name, value in ground.s0[table][key].items()
            if isinstance(value, str) and ground.semantic(table, name) in _SPOKEN
        ]
        if worded:
            table, key, name = worded[0]
            before = ground.s0[table][key]
            yield Change(table, key, "update", before, before | {name: f"{before[name]} (changed)"})
