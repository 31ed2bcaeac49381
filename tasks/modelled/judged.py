"""What an author learns about its criteria and counterfactuals before it submits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.branches import Branch
from engine.kit import Entity
from engine.snapshots import Snapshot
from engine.verifiers import Check, clean_sql, judge
from engine.verifiers import Criterion as Judged
from synth.dialogue.tools import bounded
from tasks.errors import TaskError
from tasks.modelled.explore import MAX_RESULT
from tasks.modelled.probe import LABEL, Playing, Probe, play
from tasks.modelled.scenario import DesignRefused
from tasks.modelled.tools import Criterion, DeriveRubric
from tasks.parts import single_parts
from tasks.rubric import Goal, ReferenceRun, derive, guard

_TRIED = """
SELECT true AS passed, (SELECT json_agg(found) FROM (SELECT * FROM (
{sql}
) AS tried LIMIT 20) AS found) AS actual
"""


@dataclass(frozen=True)
class Standing:
    """Where a criterion is judged: on the untouched state, and after the reference solution."""

    snapshot: Snapshot
    probe: Probe

    def judge(self, criteria: Sequence[Judged]) -> tuple[list[Check], list[Check]]:
        """The criteria on both."""
        untouched: Branch = self.snapshot.fork(label=LABEL)
        try:
            return judge(untouched, criteria), judge(self.probe.branch, criteria)
        finally:
            untouched.delete()


def told(standing: Standing, criteria: Sequence[Criterion]) -> tuple[str, bool]:
    """How criteria stand, a few lines each, and whether every one is as it should be."""
    judged = [Judged(item.name, item.kind, item.description, item.sql) for item in criteria]
    lines, well = [], True
    for before, after in zip(*standing.judge(judged), strict=True):
        wrong = _wrong(before, after)
        well = well and not wrong
        lines.append(f"{before.criterion.name} ({before.criterion.kind}): {wrong or 'as it should be'}")
        lines += [f"  untouched: {_shown(before)}", f"  after the probe: {_shown(after)}"]
    return bounded("\n".join(lines), MAX_RESULT), well


def tried(standing: Standing, sql: str) -> tuple[str, bool]:
    """What a SELECT gives on both, and whether it could be run."""
    (before,), (after,) = standing.judge([Judged("tried", "state", "tried", _TRIED.format(sql=clean_sql(sql)))])
    if before.error or after.error:
        return str(before.error or after.error), False
    parts = [f"{where}: {json.dumps(item.actual, ensure_ascii=False)}" for where, item in _both(before, after)]
    return "\n".join(bounded(part, MAX_RESULT // 2) for part in parts), True


def derived(standing: Standing, rows: Sequence[Entity], wanted: DeriveRubric) -> list[Criterion]:
    """The criteria that the probe's changes give.

    Raises:
        DesignRefused: a goal names calls that there are not, or that changed nothing.
    """
    probe, branch = standing.probe, standing.probe.branch
    playing = probe.playing
    assert playing is not None
    sentences = {goal.holds for goal in wanted.goals}
    for goal in wanted.goals:
        if beyond := [number for number in goal.calls if not 0 <= number < len(probe.calls)]:
            raise DesignRefused(f"{goal.holds!r}: there is no call {beyond[0]}; they are 0 to {len(probe.calls) - 1}")
    for pair in wanted.in_order:
        if len(pair) != 2 or not set(pair) <= sentences:
            raise DesignRefused("in_order holds pairs of the goals' own sentences")
    # A call resolves from what was kept before it; names are kept once, so all that was kept serves for every call.
    parts = [single_parts(call.arguments, playing.saved) for call in probe.calls]
    run = ReferenceRun.of(standing.snapshot.composition, rows, branch.events(), parts, standing.snapshot.person.email)
    goals = [Goal(goal.holds, goal.kind, tuple(goal.calls)) for goal in wanted.goals]
    try:
        found = derive(
            run,
            goals,
            orders=[(first, later) for first, later in wanted.in_order],
            reply=probe.answer if isinstance(probe.answer, dict) else None,
            saved=playing.saved,
        )
    except TaskError as error:
        raise DesignRefused(str(error)) from None
    return [
        Criterion(name=item.name, kind=item.kind, description=item.description, sql=item.sql)
        for item in (*found, guard(run))
    ]


def followed(probe: Probe, snapshot: Snapshot) -> tuple[str, bool]:
    """Which arguments of the reference solution are otherwise on another initial state, and whether any is."""
    probe.branch  # noqa: B018 - the calls are made if they are not yet
    assert probe.playing is not None
    other = play(snapshot, probe.calls, probe.answer)
    try:
        lines = _differences(probe, probe.playing, other)
        if other.failure is not None:
            lines.append(f"then the reference solution cannot go on: {other.failure}")
        return "\n".join(lines) or "nothing in the reference solution follows this change", bool(lines)
    finally:
        other.branch.delete()


def _differences(probe: Probe, base: Playing, other: Playing) -> list[str]:
    lines = []
    for number, (call, one, two) in enumerate(zip(probe.calls, base.arguments, other.arguments, strict=False)):
        for name in sorted(one.keys() | two.keys()):
            if one.get(name) != two.get(name):
                lines.append(f"call {number} {call.service}.{call.tool}, {name}: {_pair(one.get(name), two.get(name))}")
    if other.failure is None and base.answer != other.answer:
        lines.append(f"the answer: {_pair(base.answer, other.answer)}")
    return lines


def _pair(one: Any, two: Any) -> str:
    before, after = (json.dumps(item, ensure_ascii=False) for item in (one, two))
    return f"{bounded(before, 300)} → {bounded(after, 300)}"


def _both(before: Check, after: Check) -> tuple[tuple[str, Check], tuple[str, Check]]:
    return ("untouched", before), ("after the probe", after)


def _wrong(before: Check, after: Check) -> str | None:
    if error := before.error or after.error:
        return f"WRONG, the SQL errs: {error}"
    if not after.passed:
        return "WRONG, it does not hold after the probe"
    stays = before.criterion.kind == "must_not_change"
    if before.passed and not stays:
        return "WRONG, it holds already where nothing was done"
    if not before.passed and stays:
        return "WRONG, it does not hold where nothing was done"
    return None


def _shown(check: Check) -> str:
    values = [
        f"{name} {bounded(json.dumps(value, ensure_ascii=False, default=str), 400)}"
        for name, value in (("expected", check.expected), ("actual", check.actual))
        if value is not None
    ]
    return ", ".join(["holds" if check.passed else "does not hold", *values])
