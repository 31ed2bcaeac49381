"""``compoworld tasks draft``: what a scenario family tells, for those who write one."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import Json, Seed, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, heading, name, plain, prose, say, table
from compoworld.cli.program import DOES_NOT_HOLD
from compoworld.cli.tasks.naming import Level
from compoworld.cli.tasks.showing import say_evidence, say_reference

if TYPE_CHECKING:
    from engine.world import World
    from tasks import Task
    from tasks.admission import Verdict
    from tasks.authoring import Plan


def draft(
    family: Annotated[
        str, typer.Argument(metavar="FAMILY", parser=words("a family"), help="Its name.", show_default=False)
    ],
    many: Annotated[
        int, typer.Option("-n", metavar="NUMBER", parser=number("a number of drafts", 1, 1000), help="How many drafts.")
    ] = 1,
    seed: Seed = 0,
    level: Level = None,
    calls: Annotated[bool, typer.Option("--calls", help="With the reference solution.")] = False,
    sql: Annotated[bool, typer.Option("--sql", help="With the SQL of the criteria.")] = False,
    brief: Annotated[bool, typer.Option("--brief", help="One line each.")] = False,
    json: Json = False,
) -> None:
    """Tell a scenario family and send it through the gate; nothing is kept but admitted tasks' snapshots.

    Exit code 1 where a draft is refused.

    Example: compoworld tasks draft held-stock -n 5 --seed 3
    """
    from tasks.authoring import family_named, plans
    from tasks.sets.by_family import LEVEL, dials_of, families_of

    told = families_of([family])
    if level is None and family_named(family).short:
        level = "short"
    dials = dials_of({} if level is None else {LEVEL: level})
    found = []
    with opened() as world:
        for plan in islice(plans(seed, dials, told), many):
            task, verdict, problem, seconds = _drafted(world, plan)
            found.append(_document(plan, task, verdict, problem, seconds))
            if not json:
                _say(plan, task, verdict, problem, seconds, calls=calls, sql=sql, brief=brief)
    if json:
        emit(found)
    if not all(item["admitted"] for item in found):
        raise typer.Exit(DOES_NOT_HOLD)


def _drafted(world: World, plan: Plan) -> tuple[Task | None, Verdict | None, str | None, float]:
    from tasks.admission import admit
    from tasks.authoring import write
    from tasks.errors import DraftError

    started = time.perf_counter()
    try:
        task = write(world, plan)
    except DraftError as error:
        return None, None, str(error), time.perf_counter() - started
    verdict = admit(world, task)
    return task, verdict, verdict.reason, time.perf_counter() - started


def _say(
    plan: Plan,
    task: Task | None,
    verdict: Verdict | None,
    problem: str | None,
    seconds: float,
    *,
    calls: bool,
    sql: bool,
    brief: bool,
) -> None:
    admitted = verdict is not None and verdict.admitted
    say(
        f"{plan.family}, draft {plan.ordinal}: {'admitted' if admitted else 'refused'} in {seconds:.1f} s",
        style="green" if admitted else "red",
    )
    if problem:
        say(f"{verdict.stage if verdict else 'write'}: {problem}")
    say(f"walk         {' → '.join(plan.walk)}")
    if brief or task is None:
        return
    say(f"distractors  {', '.join(task.distractors) or 'none'}")
    heading(task.title)
    prose(task.instruction)
    if calls:
        say_reference(task)
    heading("criteria")
    table([name("kind"), Column("what must hold")], [(item.kind, item.description) for item in task.criteria])
    for item in task.criteria if sql else ():
        heading(item.name)
        say(item.sql)
    if verdict is not None:
        heading("evidence")
        say_evidence([vars(item) for item in verdict.evidence])
    say()


def _document(
    plan: Plan, task: Task | None, verdict: Verdict | None, problem: str | None, seconds: float
) -> dict[str, Any]:
    return {
        "family": plan.family,
        "draft": plan.ordinal,
        "admitted": verdict is not None and verdict.admitted,
        "stage": verdict.stage if verdict else "write",
        "problem": problem,
        "walk": list(plan.walk),
        "distractors": list(plan.distractors),
        "seconds": round(seconds, 2),
        "evidence": plain(verdict.evidence) if verdict else [],
        "task": task.document() if task else None,
    }
