"""``compoworld tasks play``: a person takes a task, through the meta-tools, and is judged."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

import typer

from compoworld.cli.inputs import Json, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import complain, emit, heading, many, plain, prose, say
from compoworld.cli.tasks.game import Game, Left
from compoworld.cli.tasks.naming import number_or_name
from compoworld.cli.verify import say_checks
from engine.errors import InputError

if TYPE_CHECKING:
    from engine.world import World
    from rl import GroupReport
    from rl.agents.person import Use
    from tasks import StoredTask


def play(
    task: Annotated[
        str | None,
        typer.Argument(
            metavar="TASK",
            parser=words("a task", 4_000),
            help="A name in the library or in a set, a number in the database, or a file.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        int | None,
        typer.Option("--resume", metavar="GROUP", parser=number("a group"), help="Go on with a game that was left."),
    ] = None,
    json: Json = False,
) -> None:
    """Take a task yourself: find out and do what is asked for with the four meta-tools, answer, and be judged.

    It is recorded as a rollout like any other; left before a tool was called, it is forgotten. Commands may come from
    a file: standard input need not be a terminal.

    Example: compoworld tasks play TASK
    """
    from tasks.sets.finding import find_stored

    if (task is None) == (resume is None):
        raise InputError("name a task, or a game to go on with by --resume")
    with opened() as world:
        if resume is not None:
            game = Game(world, *_left(world, resume), group=resume)
        else:
            game = Game(world, find_stored(world, number_or_name(task or "")))
        try:
            with redirect_stdout(sys.stderr if json else sys.stdout):
                report = game.play()
        except Left as left:
            _say_left(left, game.task, json)
            return
    if json:
        rollout = report.rollouts[0]
        emit({"group": report.id, "task": report.task, **plain(rollout)})
    else:
        _say_end(report)


def _left(world: World, group: int) -> tuple[StoredTask, list[Use]]:
    """The task of a game that was left, and the calls that were made in it.

    Raises:
        InputError: there is no such game, or it has ended.
    """
    from rl import group_report
    from rl.agents.person import NAME, Use
    from tasks import load

    report = group_report(world, group)
    if report.agent != NAME:
        raise InputError(f"group {group} is played by {report.agent}", hint=f"compoworld rollout resume {group}")
    rollout = report.rollouts[0]
    if rollout.status == "finished":
        raise InputError(f"the game of group {group} has ended", hint=f"compoworld rollout show {rollout.id}")
    events = [] if rollout.branch is None else world.branch(rollout.branch).events()
    uses = [
        Use("call_tool", {"service": item.service, "tool": item.tool, "arguments": item.arguments}) for item in events
    ]
    return load(world, _task_of(world, group)), uses


def _task_of(world: World, group: int) -> int:
    from sqlalchemy import text

    with world.database.transaction() as connection:
        find = text("SELECT task_id FROM compoworld.rollout_group WHERE id = :id")
        return int(connection.execute(find, {"id": group}).scalar_one())


def _say_left(left: Left, task: str, json: bool) -> None:
    if json:
        emit({"group": left.group, "task": task, "status": "left"})
    elif left.group is None:
        say("You leave before you have called a tool: the game is not kept.")
    else:
        say(f"The game is kept, as group {left.group}; go on with: {left.again}")


def _say_end(report: GroupReport) -> None:
    rollout = report.rollouts[0]
    if rollout.status != "finished":
        complain(f"the game could not be judged: {rollout.error or rollout.status}")
        raise typer.Exit(3)
    described = {item.name: item.description for item in report.criteria}
    heading("how you were judged")
    say_checks([{**vars(item), "criterion": item.criterion} for item in rollout.checks])
    missed = [item for item in rollout.checks if not item.passed]
    if missed:
        heading("what was to hold")
        for item in missed:
            prose(f"{item.criterion}: {described[item.criterion]}", hanging="    ")
    say()
    passed = len(rollout.checks) - len(missed)
    say(
        f"{passed} of {len(rollout.checks)} criteria hold after {many(rollout.calls or 0, 'call')}"
        f" (rollout {rollout.id}, branch {rollout.branch})",
        style="bold",
        fold=True,
    )
