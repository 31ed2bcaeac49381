"""``compoworld tasks``: what there is to do, and whether it is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, compact, emit, heading, name, plain, prose, say, table, titled
from compoworld.cli.output import number as numbers
from compoworld.cli.program import DOES_NOT_HOLD

if TYPE_CHECKING:
    from tasks import Task

app = typer.Typer(no_args_is_help=True, help="Tasks: list, read, check.")

_Which = Annotated[
    str,
    typer.Argument(
        metavar="TASK",
        parser=words("a task", 4_000),
        help="A name in the library, or a file.",
        show_default=False,
    ),
]


@app.command("list")
def list_(
    stored: Annotated[bool, typer.Option("--stored", help="Those in the database, in place of the library's.")] = False,
    json: Json = False,
) -> None:
    """List the tasks of the library.

    Example: compoworld tasks list
    """
    if stored:
        _list_stored(json)
        return
    from tasks import library

    found = list(library())
    if json:
        emit([_summary(task) for task in found])
        return
    table(
        [Column("task", share=2), Column("services"), numbers("visits"), numbers("criteria")],
        [
            (titled(task.name, task.title), ", ".join(task.services), len(task.walk), len(task.criteria))
            for task in found
        ],
    )


@app.command()
def show(
    task: _Which,
    sql: Annotated[bool, typer.Option("--sql", help="With the SQL of the criteria.")] = False,
    json: Json = False,
) -> None:
    """Show a task: instruction, walk, reference solution and criteria.

    Example: compoworld tasks show TASK --sql
    """
    from tasks import named

    found = named(task)
    if json:
        emit(found.document())
        return
    say(f"{found.title} ({found.name})", style="bold")
    say(f"services     {', '.join(found.services)}")
    say(f"distractors  {', '.join(found.distractors) or 'none'}")
    say(f"walk         {' → '.join(found.walk)}")
    heading("instruction")
    prose(found.instruction)
    heading("reference solution")
    table(
        [numbers("#"), name("call"), Column("arguments")],
        [
            (number, f"{call.service}.{call.tool}", compact(call.arguments))
            for number, call in enumerate(found.reference.calls, 1)
        ],
    )
    answer = found.reference.answer
    if answer is not None:
        say()
        say(f"answer: {answer if isinstance(answer, str) else compact(answer)}")
    heading("criteria")
    table(
        [name("criterion"), name("kind"), Column("what must hold")],
        [(item.name, item.kind, item.description) for item in found.criteria],
    )
    if sql:
        for item in found.criteria:
            heading(item.name)
            say(item.sql)


@app.command()
def check(
    task: Annotated[
        str,
        typer.Argument(metavar="TASK", parser=words("a task", 4_000), help="A name in the library, a file, or: all."),
    ] = "all",
    json: Json = False,
) -> None:
    """Check that a task is sound (else exit code 1).

    Its reference solution is played twice, with the same end, and solves it; doing nothing does not.

    Example: compoworld tasks check all
    """
    from tasks import check as examine
    from tasks import library, named

    chosen = list(library()) if task == "all" else [named(task)]
    found = []
    with opened() as world:
        for item in chosen:
            report = examine(world, item)
            found.append(report)
            if not json:
                _say_report(report)
    if json:
        emit([_report(report) for report in found])
    if not all(report.ok for report in found):
        raise typer.Exit(DOES_NOT_HOLD)


def _list_stored(json: bool) -> None:
    from tasks import stored as summaries

    with opened() as world:
        found = summaries(world)
    if json:
        emit(found)
        return
    table(
        [
            numbers("id"),
            name("task"),
            Column("title"),
            numbers("criteria"),
            numbers("groups"),
            name("stored"),
        ],
        [(item.id, item.name, item.title, item.criteria, item.groups, f"{item.created_at:%Y-%m-%d}") for item in found],
        empty="no task is stored yet",
    )


def _say_report(report: Any) -> None:
    task = report.task.task
    if report.ok:
        calls, criteria = len(task.reference.calls), len(task.criteria)
        say(
            f"{task.name}: sound ({calls} calls, {criteria} criteria; snapshot {report.task.snapshot.id})",
            style="green",
        )
        return
    say(f"{task.name}: {len(report.problems)} problem{'' if len(report.problems) == 1 else 's'}", style="red")
    for problem in report.problems:
        say(f"  {problem}")


def _report(report: Any) -> dict[str, Any]:
    return {
        "task": report.task.task.name,
        "id": report.task.id,
        "snapshot": report.task.snapshot.id,
        "ok": report.ok,
        "problems": report.problems,
        "runs": plain([{"digest": run.digest, "answer": run.answer, "checks": run.checks} for run in report.runs]),
        "untouched": plain(report.untouched),
    }


def _summary(task: Task) -> dict[str, Any]:
    return {
        "task": task.name,
        "title": task.title,
        "services": task.services,
        "distractors": task.distractors,
        "visits": len(task.walk),
        "calls": len(task.reference.calls),
        "criteria": len(task.criteria),
    }
