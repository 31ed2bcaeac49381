"""``compoworld tasks show``: a task in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json
from compoworld.cli.output import Column, compact, emit, heading, name, prose, say, table, titled, verdict
from compoworld.cli.output import number as numbers
from compoworld.cli.tasks.naming import TaskName, found_task

if TYPE_CHECKING:
    from tasks import Task
    from tasks.sets.finding import Found, Membership


def show(
    task: TaskName,
    sql: Annotated[bool, typer.Option("--sql", help="With the SQL of the criteria.")] = False,
    json: Json = False,
) -> None:
    """Show a task: instruction, walk, reference solution, criteria, and the evidence that it is sound.

    Example: compoworld tasks show TASK --sql
    """
    found, holding = found_task(task)
    if json:
        about = {"id": found.id, "set": found.task_set, "split": found.split, "evidence": list(found.evidence)}
        emit(
            {
                **found.task.document(),
                **about,
                "sets": [{"set": item.task_set, "split": item.split} for item in holding],
            }
        )
        return
    _say_head(found, holding)
    heading("instruction")
    prose(found.task.instruction)
    say_reference(found.task)
    heading("criteria")
    table(
        [Column("what must hold", whole=True), name("kind")],
        [(titled(item.name, item.description), item.kind) for item in found.task.criteria],
    )
    if sql:
        for item in found.task.criteria:
            heading(item.name)
            say(item.sql)
    if found.evidence:
        heading("evidence")
        say_evidence(found.evidence)


def say_evidence(evidence: Any) -> None:
    """Print what the gate found, check by check."""
    table(
        [name("check"), name("result"), Column("what was found")],
        [(item["check"], verdict(item["passed"]), item["summary"]) for item in evidence],
    )


def _say_head(found: Found, holding: list[Membership]) -> None:
    task = found.task
    say(f"{task.title} ({task.name})", style="bold")
    rows = [
        ("services", ", ".join(task.services)),
        ("distractors", ", ".join(task.distractors) or "none"),
        ("walk", " → ".join(task.walk)),
    ]
    if holding:
        parts = [item.task_set + (f" ({item.split})" if item.split else "") for item in holding]
        rows.append(("set" if len(parts) == 1 else "sets", ", ".join(parts)))
    if found.id is not None:
        rows.append(("number", str(found.id)))
    if task.origin is not None:
        origin = task.origin
        by = f"the model {origin.model}" if origin.author == "model" else f"the family {origin.family}"
        rows.append(("made by", f"{by}, {origin.area}, seed {origin.seed}"))
        if origin.difficulty:
            rows.append(("dials", ", ".join(f"{key} {_dial(value)}" for key, value in origin.difficulty.items())))
    if task.counterfactuals:
        rows.append(("facts", ", ".join(item.fact for item in task.counterfactuals)))
    for title, words in rows:
        prose(words, f"{title:11}  ", hanging=" " * 13)


def _dial(value: Any) -> str:
    match value:
        case [lowest, highest]:
            return f"{lowest} to {highest}" if lowest != highest else str(lowest)
        case None:
            return "any"
    return str(value)


def say_reference(task: Task) -> None:
    """Print the reference solution, call by call, and its answer."""
    heading("reference solution")
    table(
        [numbers("#"), Column("call, with its arguments", whole=True)],
        [
            (number, titled(f"{call.service}.{call.tool}", compact(call.arguments)))
            for number, call in enumerate(task.reference.calls, 1)
        ],
    )
    answer = task.reference.answer
    if answer is not None:
        say()
        say(f"answer: {answer if isinstance(answer, str) else compact(answer)}", fold=True)
