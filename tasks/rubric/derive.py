"""The rubric of a task, derived from what its reference solution changed and said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.events import RowChange
from engine.verifiers import Kind
from tasks.document import CriterionText
from tasks.errors import TaskError
from tasks.parts import single_parts
from tasks.rubric.answers import answer_criterion
from tasks.rubric.asked import Asked, criterion_sql
from tasks.rubric.conditions import inserted, parents, updated
from tasks.rubric.names import name_of
from tasks.rubric.reference import ReferenceRun
from tasks.rubric.says import is_moment, quoted
from tasks.rubric.values import said


@dataclass(frozen=True)
class Goal:
    """What must hold after some calls of the reference solution.

    Attributes:
        sentence: for people.
        calls: their numbers, from 0.
    """

    sentence: str
    kind: Kind
    calls: tuple[int, ...]


def derive(
    run: ReferenceRun,
    goals: Sequence[Goal],
    *,
    orders: Sequence[tuple[str, str]] = (),
    reply: Any = None,
    saved: dict[str, Any] | None = None,
) -> list[CriterionText]:
    """One criterion for each goal, each order and the answer; ``guard`` makes the one that nothing else changes.

    Args:
        orders: pairs of goals' sentences of which the first comes before the second.
        reply: the reference's answer, a template.
        saved: observations by name, for the answer.

    Raises:
        TaskError: a goal's calls changed nothing that can be asked for.
    """
    names: set[str] = set()
    criteria = []
    for goal in goals:
        parts = _parts(run, goal)
        if not parts:
            raise TaskError(
                f"{goal.sentence!r}: its calls changed nothing that can be asked for",
                "give what matters as arguments, or leave the call out",
                place="reference",
            )
        name = name_of(goal.sentence, names)
        description = _without_list(goal.sentence) if any(part.bounded for part in parts) else goal.sentence
        criteria.append(CriterionText(name=name, kind=goal.kind, description=description, sql=criterion_sql(parts)))
    by_sentence = {goal.sentence: goal for goal in goals}
    for first, later in orders:
        criteria.append(_order(run, by_sentence[first], by_sentence[later], names))
    if reply is not None:
        criteria.append(_answer(run, reply, saved or {}))
    for criterion in criteria:
        if value := next((item for item in run.made if item in criterion.sql), None):
            raise TaskError(
                f"{criterion.description!r}: it rests on {value!r}, which another run makes anew",
                "say the identifier as a value of its own",
                place="reference",
            )
    return criteria


def _parts(run: ReferenceRun, goal: Goal) -> list[Asked]:
    """What a goal's calls left; what later calls overwrote is asked for as it ended."""
    found: list[Asked] = []
    for number in goal.calls:
        covered = parents(run, number)
        for change in run.events[number].changes:
            if (change.table, change.key) not in covered and (asked := _asked(run, number, change)):
                found.append(asked)
    return list(dict.fromkeys(found))


def _asked(run: ReferenceRun, number: int, change: RowChange) -> Asked | None:
    if run.was_there(change):
        return updated(run, number, change)
    # A record that the run made: by this call, or by an earlier one to which this one added something.
    return inserted(run, number, change) if (change.table, change.key) in run.inserted else None


def _order(run: ReferenceRun, first: Goal, later: Goal, names: set[str]) -> CriterionText:
    sql = (
        f"SELECT coalesce((SELECT max(c.event) FROM row_changes c WHERE {_main(run, first)})\n"
        f"     < (SELECT min(c.event) FROM row_changes c WHERE {_main(run, later)}), false) AS passed"
    )
    return CriterionText(
        name=name_of(f"order {first.sentence}", names),
        kind="output",
        description=f"In this order: {first.sentence} Then: {later.sentence}",
        sql=sql,
    )


def _main(run: ReferenceRun, goal: Goal) -> str:
    found = []
    for number in goal.calls:
        change = next(item for item in run.events[number].changes if _asked(run, number, item))
        where = f"c.table_name = {quoted(change.table)} AND c.op = {quoted(change.op)}"
        if run.was_there(change):
            where += f" AND c.key = {quoted(change.key)}"
        found.append(where)
    return "(" + " OR ".join(dict.fromkeys(found)) + ")"


def _answer(run: ReferenceRun, reply: Any, saved: dict[str, Any]) -> CriterionText:
    values = [part.value for part in single_parts({"answer": reply}, saved)]
    known = [value for value in values if not (isinstance(value, str) and value in run.made)]
    made = [condition for value in values if value not in known and (condition := said(run, "text", value))]
    shown = [str(value)[:16].replace("T", ", ") if is_moment(value) else str(value) for value in known]
    shown += ["the number of what was made"] if made else []
    words = " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
    return answer_criterion(known, made, _without_list(f"The answer gives {words}."))


def _without_list(sentence: str) -> str:
    """A sentence about what is said, with what else it asks for."""
    return f"{sentence.removesuffix('.')}, without a list of others."
