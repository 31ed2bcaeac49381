"""``compoworld tasks check``: is a task sound?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from compoworld.cli.inputs import Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, many, plain, say
from compoworld.cli.program import DOES_NOT_HOLD
from compoworld.cli.tasks.naming import number_or_name
from compoworld.cli.tasks.showing import say_evidence


def check(
    task: Annotated[
        str,
        typer.Argument(
            metavar="TASK",
            parser=words("a task", 4_000),
            help="A name in the library or in a set, a number in the database, a file, or: all.",
        ),
    ] = "all",
    gate: Annotated[bool, typer.Option("--gate", help="Hold it against all that admits a made task.")] = False,
    json: Json = False,
) -> None:
    """Check that a task is sound (else exit code 1).

    Its reference solution is played twice, with the same end, and solves it; doing nothing does not. With --gate also:
    nothing in the instruction gives an answer away, every visit is needed, no criterion is idle, other right ways pass.

    Example: compoworld tasks check all

    Example: compoworld tasks check TASK --gate
    """
    from tasks import library
    from tasks.sets.finding import find, in_a_file

    name = number_or_name(task)
    ready = in_a_file(name) if isinstance(name, str) and name != "all" else None
    held = True
    reports = []
    with opened() as world:
        chosen = list(library()) if name == "all" else [(ready or find(world, name)).task]
        for item in chosen:
            ok, report = _admitted(world, item, json) if gate else _sound(world, item, json)
            held = held and ok
            reports.append(report)
    if json:
        emit(reports)
    if not held:
        raise typer.Exit(DOES_NOT_HOLD)


def _sound(world: Any, task: Any, json: bool) -> tuple[bool, dict[str, Any]]:
    from tasks import check as examine

    report = examine(world, task)
    if not json:
        _say_report(report)
    return report.ok, _report(report)


def _admitted(world: Any, task: Any, json: bool) -> tuple[bool, dict[str, Any]]:
    from tasks.admission import admit, save_verdict

    verdict = admit(world, task)
    save_verdict(world, verdict)
    if not json:
        say(f"{task.name}: {'admitted' if verdict.stage is None else f'refused at {verdict.stage}'}", style="bold")
        say_evidence([vars(item) for item in verdict.evidence])
        for finding in verdict.findings:
            say(f"  {finding}", fold=True)
    return verdict.stage is None, {
        "task": task.name,
        "id": None if verdict.stored is None else verdict.stored.id,
        "ok": verdict.stage is None,
        "stage": verdict.stage,
        "problems": verdict.findings,
        "evidence": plain(verdict.evidence),
    }


def _say_report(report: Any) -> None:
    task = report.task.task
    if report.ok:
        calls, criteria = many(len(task.reference.calls), "call"), many(len(task.criteria), "criterion", "criteria")
        say(
            f"{task.name}: sound ({calls}, {criteria}; snapshot {report.task.snapshot.id})",
            style="green",
        )
        return
    say(f"{task.name}: {many(len(report.problems), 'problem')}", style="red")
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
