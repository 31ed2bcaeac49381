"""``compoworld demo``: everything once, from an empty database to rewards."""

from __future__ import annotations

import os
import time

import typer

from compoworld.cli.inputs import Json, Seed
from compoworld.cli.opening import opened
from compoworld.cli.output import emit, heading, note, plain, prose, say
from compoworld.cli.reporting import say_group
from compoworld.cli.rollout import check_scored, resumable
from compoworld.cli.watching import Watch

SIZE = 8


def demo(seed: Seed = 0, json: Json = False) -> None:
    """Show it all: start the database, compose services, run a group of 8 rollouts of a real task, judge, reward.

    Needs no key: the agent is the reference solution with seeded mistakes.

    Example: compoworld demo
    """
    began = time.perf_counter()
    from tasks import library

    task = next(library(), None)
    if task is None:
        from engine.errors import ServiceDefinitionError

        raise ServiceDefinitionError("the library of tasks is empty")
    note("opening the database (the embedded one unless COMPOWORLD_DATABASE_URL is set)")
    with opened() as world:
        note(f"PostgreSQL {_where(world.database.safe_url)}, {time.perf_counter() - began:.1f} s")
        stored = world.task(task)
        composition = stored.composition
        if not json:
            say(task.title, style="bold")
            prose(task.instruction)
            say()
            prose(f"composition {composition.id}: {', '.join(composition.services)}", hanging="  ")
            say(f"snapshot {stored.snapshot.id}: {stored.snapshot.rows} rows")
            prose(f"walk: {' → '.join(task.walk)}", hanging="  ")
            say()
        with Watch(SIZE) as watch:
            try:
                report = world.rollout(stored, "noisy", SIZE, seed=seed, progress=watch)
            except KeyboardInterrupt:
                raise resumable(watch) from None
    seconds = time.perf_counter() - began
    if json:
        emit(
            {
                "seconds": round(seconds, 3),
                "composition": composition.id,
                "snapshot": stored.snapshot.id,
                **plain(report),
            }
        )
        check_scored(report)
        return
    say_group(report)
    heading("to try next")
    worst = min(report.rollouts, key=lambda item: item.reward.completion_focused if item.reward else 2.0)
    for command, what in (
        (f"rollout show {worst.id}", "the worst rollout, and how it was judged"),
        (f"events {worst.branch} --full", "its calls, and the rows that each changed"),
        (f"replay {worst.branch}", "make its calls again: is it all the same?"),
        ("tasks list --set starter", "24 more tasks, to show, play and run"),
    ):
        say(f"  compoworld {command:25} {what}")
    say()
    note(f"{seconds:.1f} s in all")
    if not report.finished:
        raise typer.Exit(1)
    check_scored(report)


def _where(url: str) -> str:
    from engine.postgres import URL_VARIABLE, EmbeddedServer

    return f"at {url}" if os.environ.get(URL_VARIABLE, "").strip() else f"in {EmbeddedServer().layout.data}"
