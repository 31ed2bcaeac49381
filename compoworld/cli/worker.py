"""``compoworld worker``: takes groups from the queue and runs them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Annotated

import typer

from compoworld.cli.inputs import Json, WorldModel, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, many, note, short

if TYPE_CHECKING:
    from rl.jobs import Told


def worker(
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency", metavar="NUMBER", parser=number("a number of groups", 1, 200), help="Groups at once."
        ),
    ] = 1,
    rollouts: Annotated[
        int | None,
        typer.Option(
            "--rollouts",
            metavar="NUMBER",
            parser=number("a number of rollouts", 1, 1000),
            help="Rollouts of a group at once; by default all, at most 16.",
        ),
    ] = None,
    endpoint: Annotated[
        list[str] | None,
        typer.Option(
            "--endpoint",
            metavar="NAME",
            parser=words("an endpoint", 100),
            help="Take only groups that lean on this; may be given several times.",
        ),
    ] = None,
    until_idle: Annotated[
        bool, typer.Option("--until-idle", help="End when nothing is waiting or running any more.")
    ] = False,
    world_model: WorldModel = None,
    json: Json = False,
) -> None:
    """Run groups that were collected, until it is stopped. Any number of workers, on any machines.

    Ctrl-C and SIGTERM stop it within seconds: what is under way goes back into the queue.

    Example: compoworld worker --concurrency 2 --until-idle
    """
    from rl.jobs import Worker

    watch = _Watch()
    with opened(world_model) as world:
        note("at work; Ctrl-C stops")
        Worker(
            world,
            groups=concurrency,
            rollouts=rollouts,
            endpoints=endpoint or None,
            until_idle=until_idle,
            watch=watch,
        ).run()
    if json:
        emit({"groups_finished": watch.finished})
    else:
        note(f"ended: {many(watch.finished, 'group')} finished here")


class _Watch:
    """A line for what happens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.finished = 0

    def __call__(self, told: Told) -> None:
        with self._lock:
            self.finished += told.kind == "finished"
            if told.kind == "waiting":
                note(f"waiting for the database: {short(told.detail, 300)}")
            elif told.kind == "back":
                note("the database is back")
            elif told.kind != "started":
                note(f"group {told.group} {told.kind}: {short(told.detail or 'by request', 300)}")
