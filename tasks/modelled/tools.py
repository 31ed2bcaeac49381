"""The tools of the author, beside the four meta-tools of an agent: forms that are checked before anything is done."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from engine.metatools import MetaTools
from engine.verifiers import Kind
from synth.dialogue.tools import Arguments, definitions
from tasks.document import Area

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$", max_length=80)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Json = dict[str, Any]

META = tuple(item["name"] for item in MetaTools.definitions())


class Tables(Arguments):
    """Explore: the tables of a service as criteria and s0 see them, with fields, meanings, allowed values and keys."""

    service: str


class Rows(Arguments):
    """Explore: rows of a table in the present initial state. What scratch calls did does not show up here."""

    table: str
    where: Annotated[Json, Field(description="Field to value: only rows that are equal there.")] = Field(
        default_factory=dict
    )
    containing: Annotated[str | None, Field(description="Only rows with this text in some field.")] = None
    fields: Annotated[list[str] | None, Field(description="Only these fields; all where nothing is said.")] = None
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class Changes(Arguments):
    """Changes of rows."""

    delete: Annotated[dict[str, list[str]], Field(description="Table to keys.")] = Field(default_factory=dict)
    update: Annotated[dict[str, dict[str, Json]], Field(description="Table to key to field to new value.")] = Field(
        default_factory=dict
    )
    insert: Annotated[dict[str, list[Json]], Field(description="Table to rows.")] = Field(default_factory=dict)


class Point(Arguments):
    """A point of the draft rubric, in words."""

    kind: Kind
    holds: Line


class Design(Arguments):
    """Design: the scenario. What is left out stays as it was designed; `s0` replaces all earlier changes of rows.

    Calls that were probed already are made again in the new state.
    """

    name: Annotated[Name | None, Field(description="Of the task: lower case with dashes.")] = None
    title: Annotated[Line | None, Field(description="One line for people.")] = None
    family: Annotated[Name | None, Field(description="Your own word for the kind of scenario.")] = None
    area: Area | None = None
    scenario: Annotated[
        str | None, Field(max_length=4_000, description="What happens, where each fact stands, what goes stale when.")
    ] = None
    instruction: Annotated[str | None, Field(min_length=40, max_length=4_000)] = None
    s0: Annotated[Changes | None, Field(description="How the initial state differs from the seed data.")] = None
    rubric: Annotated[list[Point] | None, Field(min_length=4, max_length=12)] = None


class Probe(Arguments):
    """Probe: make the next call of the reference solution, on a fork of the designed state.

    Arguments may hold templates that take values from earlier observations. A call that fails is not kept.
    """

    service: str
    tool: str
    arguments: Json = Field(default_factory=dict)
    save: Annotated[Name | None, Field(description="The name under which later templates find the observation.")] = None


class ProbeBack(Arguments):
    """Probe: keep the first `keep` calls of the reference solution and take the others back."""

    keep: Annotated[int, Field(ge=0, le=100)]


class ProbeEnd(Arguments):
    """Probe: the walk is done. Gives what the answer becomes, and every row that the calls have changed."""

    answer: Annotated[
        Json | str, Field(description='What the agent says at the end: {"$text": "... {x} ...", "x": template}.')
    ]


class Criterion(Arguments):
    """A criterion: one SELECT that gives one row with `passed` (boolean), and `expected` and `actual` if you like."""

    name: Name
    kind: Kind
    description: Annotated[str, Field(min_length=1, max_length=1_000)]
    sql: Annotated[str, Field(min_length=1, max_length=8_000)]


class Criteria(Arguments):
    """Submit: add criteria, or replace those of the same name.

    Every criterion is judged at once, on the untouched state and after the probe.
    """

    criteria: Annotated[list[Criterion], Field(max_length=12)] = Field(default_factory=list)
    drop: list[Name] = Field(default_factory=list)


class Goal(Arguments):
    """What must hold after some calls of the reference solution."""

    holds: Annotated[str, Field(min_length=1, max_length=1_000, description="A sentence for people.")]
    kind: Annotated[Kind, Field(description="state, or output for what was written to somebody.")]
    calls: Annotated[
        list[Annotated[int, Field(ge=0)]],
        Field(min_length=1, description="Numbers of the calls that write it, from 0."),
    ]


class DeriveRubric(Arguments):
    """Submit: criteria derived from the probe: for each goal, for the answer, and one that nothing else changes.

    They replace all criteria that there are. Read them; improve or drop them with `criteria`.
    """

    goals: Annotated[list[Goal], Field(min_length=1, max_length=10)]
    in_order: Annotated[
        list[list[str]], Field(description="Pairs of goals' sentences where the instruction asks for the first first.")
    ] = Field(default_factory=list)


class TrySql(Arguments):
    """Submit: what a SELECT gives on the untouched state and after the probe (first rows only); for trying criteria."""

    sql: Annotated[str, Field(min_length=1, max_length=8_000)]


class Counterfactual(Arguments):
    """Submit: the same scenario with one fact otherwise. Tells which arguments of the reference solution follow it.

    Replaces an earlier one of the same fact; without `change` that one is dropped.
    """

    fact: Name
    change: Changes | None = None


class Submit(Arguments):
    """Submit: hand the task in. The gate admits it, or says what is wrong with it."""


class GiveUp(Arguments):
    """End without a task, when no natural task can be made of this walk."""

    reason: Line


OWN: dict[str, type[Arguments]] = {
    "tables": Tables,
    "rows": Rows,
    "design": Design,
    "probe": Probe,
    "probe_back": ProbeBack,
    "probe_end": ProbeEnd,
    "criteria": Criteria,
    "derive_rubric": DeriveRubric,
    "try_sql": TrySql,
    "counterfactual": Counterfactual,
    "submit": Submit,
    "give_up": GiveUp,
}


def tools() -> list[dict[str, Any]]:
    """All tools, in the form of the Messages API; always the same."""
    meta = [
        {**item, "description": f"Explore: {item['description']} Calls go to a scratch branch."}
        if item["name"] == "call_tool"
        else {**item, "description": f"Explore: {item['description']}"}
        for item in MetaTools.definitions()
    ]
    return [*meta, *definitions(OWN)]
