"""``compoworld rollout``: run groups of rollouts, look at them, take up what was interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from compoworld.cli.agents import (
    AgentName,
    Concurrency,
    Model,
    Options,
    Policy,
    Seconds,
    Steps,
    Tokens,
    agent_of,
    limits_of,
)
from compoworld.cli.inputs import Json, Seed, WorldModel, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import Column, emit, name, note, plain, say, table, titled
from compoworld.cli.output import number as numbers
from compoworld.cli.program import FAILURE
from compoworld.cli.reporting import say_group, say_rollout
from compoworld.cli.watching import Watch
from engine.errors import InputError

if TYPE_CHECKING:
    from rl import GroupReport

app = typer.Typer(no_args_is_help=True, help="Rollouts: run a group, list, read, resume.")


@app.command()
def run(
    task: Annotated[
        str,
        typer.Argument(
            metavar="TASK",
            parser=words("a task", 4_000),
            help="A name in the library or in a set, or a file.",
            show_default=False,
        ),
    ],
    size: Annotated[
        int,
        typer.Option(
            "-n",
            "--size",
            metavar="NUMBER",
            parser=number("a group size", 1, 10_000),
            help="How many rollouts.",
        ),
    ] = 8,
    agent: AgentName = "noisy",
    model: Model = None,
    policy: Policy = None,
    option: Options = None,
    seed: Seed = 0,
    steps: Steps = None,
    tokens: Tokens = None,
    seconds: Seconds = None,
    concurrency: Concurrency = None,
    world_model: WorldModel = None,
    json: Json = False,
) -> None:
    """Run a group of rollouts of a task, each on its own fork, and judge them.

    Example: compoworld rollout run TASK -n 8 --agent noisy
    """
    made, limits = agent_of(agent, model, policy, option), limits_of(steps, tokens, seconds)
    with opened(world_model) as world, Watch(size) as watch:
        try:
            report = world.rollout(
                task,
                made,
                size,
                seed=seed,
                limits=limits,
                concurrency=concurrency,
                progress=watch,
            )
        except KeyboardInterrupt:
            raise resumable(watch) from None
    _show(report, json)
    check_scored(report)


@app.command("list")
def list_(
    group: Annotated[
        int | None,
        typer.Option("--group", metavar="GROUP", parser=number("a group"), help="The rollouts of this group."),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option("--task", metavar="TASK", parser=words("a task"), help="Only groups of this task."),
    ] = None,
    json: Json = False,
) -> None:
    """List the groups, newest first, or the rollouts of one with criteria and rewards.

    Example: compoworld rollout list --group 3
    """
    from rl import group_report, groups

    if group is not None and task is not None:
        raise InputError("--group and --task do not go together")
    with opened() as world:
        found: Any = groups(world, task) if group is None else group_report(world, group)
    if group is not None:
        _show(found, json)
        return
    if json:
        emit(found)
        return
    table(
        [
            numbers("group"),
            Column("task and agent"),
            numbers("ended"),
            numbers("solved"),
            name("begun"),
        ],
        [
            (
                item.id,
                titled(item.task, item.agent + (f" ({item.model})" if item.model else "")),
                f"{item.finished + item.failed}/{item.size}" + (f"\n{item.failed} failed" if item.failed else ""),
                item.succeeded,
                f"{item.created_at:%Y-%m-%d %H:%M}",
            )
            for item in found
        ],
        empty="no groups yet",
    )


@app.command()
def show(
    rollout: Annotated[
        int,
        typer.Argument(
            metavar="ROLLOUT", parser=number("a rollout"), help="Number of the rollout.", show_default=False
        ),
    ],
    full: Annotated[bool, typer.Option("--full", help="Tool results in full length.")] = False,
    json: Json = False,
) -> None:
    """Show a rollout: its messages, how it was judged, and its rewards.

    Example: compoworld rollout show 17
    """
    from compoworld import catalog
    from rl import group_report

    with opened() as world:
        report = group_report(world, catalog.rollout_group(world.database, rollout))
        messages = catalog.messages(world.database, rollout)
    found = next(item for item in report.rollouts if item.id == rollout)
    if json:
        about = {"group": report.id, "task": report.task, "agent": report.agent, "model": report.model}
        emit({"rollout": rollout, **about, **plain(found), "messages": messages})
    else:
        say_rollout(report, found, messages, full=full)


@app.command()
def resume(
    group: Annotated[
        int | None,
        typer.Argument(
            metavar="[GROUP]",
            parser=number("a group"),
            help="Number of the group; by default the newest unfinished.",
        ),
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Also run again what the infrastructure failed.")
    ] = False,
    concurrency: Concurrency = None,
    world_model: WorldModel = None,
    json: Json = False,
) -> None:
    """Run what is missing of an interrupted group; finished rollouts stay as they are.

    Example: compoworld rollout resume 3
    """
    from compoworld import catalog
    from rl import group_report
    from rl import resume as go_on

    with opened(world_model) as world:
        chosen = group if group is not None else catalog.unfinished_group(world.database)
        if chosen is None:
            raise InputError(
                "every group is finished",
                hint="name one to retry what failed: rollout resume 3 --retry-failed",
            )
        before = group_report(world, chosen)
        if before.agent == "person":
            raise InputError(f"a person plays group {chosen}", hint=f"compoworld tasks play --resume {chosen}")
        if before.finished and not (retry_failed and any(item.status == "failed" for item in before.rollouts)):
            note(f"every rollout of group {chosen} has ended: nothing was left to do")
        with Watch(before.size) as watch:
            try:
                report = go_on(world, chosen, concurrency=concurrency, progress=watch, retry_failed=retry_failed)
            except KeyboardInterrupt:
                raise resumable(watch) from None
    _show(report, json)
    check_scored(report)


def resumable(watch: Watch) -> KeyboardInterrupt:
    """The interrupt of a group that can be taken up again, saying how."""
    if watch.group is None:
        return KeyboardInterrupt()
    return KeyboardInterrupt(f"compoworld rollout resume {watch.group}")


def check_scored(report: GroupReport) -> None:
    """Leave with the exit code of a failure where every rollout failed: then there is no reward at all."""
    if report.finished and all(item.status == "failed" for item in report.rollouts):
        raise typer.Exit(FAILURE)


def _show(report: GroupReport, json: bool) -> None:
    if json:
        emit(report)
        return
    say_group(report)
    if not report.finished:
        note(f"go on with: compoworld rollout resume {report.id}")
    say()
