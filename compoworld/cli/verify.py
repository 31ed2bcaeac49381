"""``compoworld verify``: judge a branch by a task's criteria."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.inputs import BranchNumber, Json, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, clean, emit, name, say, shown, table, titled, verdict
from compoworld.cli.program import DOES_NOT_HOLD

if TYPE_CHECKING:
    from compoworld.world import World
    from tasks import StoredTask


def verify(
    branch: BranchNumber,
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            metavar="TASK",
            parser=words("a task", 4_000),
            help="By this task's criteria: a name or a file. Else those of the task that the branch was made for.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Judge a branch as it stands by a task's criteria (exit code 1 unless all hold).

    Example: compoworld verify 42
    """
    with opened() as world:
        found = _task_of(world, branch, task)
        checks = world.verify(branch, found)
    if json:
        emit({"branch": branch, "task": found.task.name, "checks": [_flat(item) for item in checks]})
    else:
        say_checks([_flat(item) for item in checks])
        say(f"{sum(item.passed for item in checks)} of {len(checks)} criteria of {found.task.name} hold")
    if not all(item.passed for item in checks):
        raise typer.Exit(DOES_NOT_HOLD)


def say_checks(checks: Sequence[dict[str, Any]]) -> None:
    """Print how criteria were judged."""
    table(
        [Column("criterion, with what was expected and seen", whole=True), name("result")],
        [(titled(item["criterion"], _seen(item)), verdict(item["passed"])) for item in checks],
    )


def _seen(check: dict[str, Any]) -> str:
    if check["error"]:
        return f"error: {clean(check['error'])}"
    if check["passed"]:
        return shown(check["actual"])
    sides = [(side, check[side]) for side in ("expected", "actual") if check[side] is not None]
    return "\n".join(f"{side:8} {shown(value)}" for side, value in sides)


def _flat(check: Any) -> dict[str, Any]:
    return {
        "criterion": check.criterion.name,
        "kind": check.criterion.kind,
        "passed": check.passed,
        "expected": check.expected,
        "actual": check.actual,
        "error": check.error,
        "description": check.criterion.description,
        "sql": check.criterion.sql,
        "duration_ms": check.duration_ms,
    }


def _task_of(world: World, branch: int, given: str | None) -> StoredTask:
    from compoworld import catalog
    from engine.errors import InputError

    about = catalog.branch(world.database, branch)
    if given is None and about["task"] is None:
        raise InputError(f"branch {branch} belongs to no task", hint="name one with --task")
    found = world.task(about["task"] if given is None else given)
    missing = sorted(set(found.task.services) - set(about["services"]))
    if missing:
        raise InputError(f"task {found.task.name} needs {', '.join(missing)}, which branch {branch} does not have")
    return found
