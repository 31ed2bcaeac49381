"""``compoworld jobs``: how collections stand; try again, cancel, limit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from compoworld.cli.inputs import MAX_EVENT, Json, number, words
from compoworld.cli.opening import opened
from compoworld.cli.output import (
    Column,
    console,
    emit,
    heading,
    made_table,
    many,
    name,
    note,
    plain,
    say,
    table,
    titled,
)
from compoworld.cli.output import number as numbers

if TYPE_CHECKING:
    from compoworld.world import World
    from rl.jobs import CollectionStatus

app = typer.Typer(help="Collections: how they stand, live; try again, cancel, limit.")

EVERY = 2.0
"""Seconds between two looks."""

_Collection = Annotated[
    str,
    typer.Argument(metavar="COLLECTION", parser=words("a collection"), help="Its name.", show_default=False),
]


@app.callback(invoke_without_command=True)
def jobs(
    context: typer.Context,
    watch: Annotated[bool, typer.Option("--watch", help="Show it live until Ctrl-C.")] = False,
    json: Json = False,
) -> None:
    """Show how collections stand: what is done, running and waiting, how fast, and when it ends.

    Example: compoworld jobs --watch
    """
    if context.invoked_subcommand is not None:
        return
    from rl.jobs import collections, endpoints, workers

    with opened() as world:
        if watch and not json and console().is_terminal:
            with Screen(world) as screen, suppress(KeyboardInterrupt):
                while True:
                    screen.show()
                    time.sleep(EVERY)
        found, alive, servers = collections(world), workers(world), endpoints(world)
    if json:
        emit({"workers": alive, "collections": plain(found), "endpoints": plain(servers)})
        return
    say_collections(found)
    if found:
        say()
        say(many(alive, "worker") + " at work")
    for server in servers:
        if server.at_once is not None and server.running + server.waiting + server.held_back:
            say(
                f"endpoint {server.endpoint}: at most {many(server.at_once, 'group')} at a time,"
                f" {server.running} running, {server.held_back} held back"
            )


@app.command()
def show(collection: _Collection, json: Json = False) -> None:
    """Show the groups of a collection: their state, tries and failures.

    Example: compoworld jobs show COLLECTION
    """
    from rl.jobs import collection_groups, collections

    with opened() as world:
        status, groups = collections(world, collection)[0], collection_groups(world, collection)
    if json:
        emit({**plain(status), "group_list": plain(groups)})
        return
    say_collections([status])
    heading("groups")
    table(
        [numbers("group"), Column("task", share=2), name("state"), numbers("tries"), Column("last failure", share=2)],
        [
            (
                item.group_id,
                item.task,
                item.state,
                (item.attempts or 0) + (item.state == "running"),
                item.error,
            )
            for item in groups
        ],
    )


@app.command()
def retry(collection: _Collection, json: Json = False) -> None:
    """Put back into the queue what failed or was cancelled, groups with failed rollouts too.

    Example: compoworld jobs retry COLLECTION
    """
    from rl.jobs import retry as again

    with opened() as world:
        count = again(world, collection)
    if json:
        emit({"collection": collection, "groups": count})
    else:
        say(f"{many(count, 'group')} back in the queue" if count else "nothing failed, nothing was cancelled")


@app.command()
def cancel(collection: _Collection, json: Json = False) -> None:
    """Cancel the groups of a collection that have not ended; those under way stop within seconds.

    Example: compoworld jobs cancel COLLECTION
    """
    from rl.jobs import cancel as stop

    with opened() as world:
        count = stop(world, collection)
    if json:
        emit({"collection": collection, "groups": count})
    else:
        say(f"{many(count, 'group')} cancelled" if count else "every group has ended")
    if count:
        note(f"take it up again: compoworld jobs retry {collection}")


@app.command()
def limit(
    endpoint: Annotated[
        str, typer.Argument(metavar="ENDPOINT", parser=words("an endpoint", 100), help="Its name.", show_default=False)
    ],
    at_once: Annotated[
        int,
        typer.Argument(
            metavar="NUMBER",
            parser=number("a number of groups", 0, MAX_EVENT),
            help="Groups at a time, over all workers; 0: without a limit.",
            show_default=False,
        ),
    ],
    json: Json = False,
) -> None:
    """Set how many groups may run at a time against an endpoint, over all workers; those under way go on.

    Example: compoworld jobs limit ENDPOINT 4
    """
    from rl.jobs import set_limit

    with opened() as world:
        set_limit(world, endpoint, at_once or None)
    if json:
        emit({"endpoint": endpoint, "at_once": at_once or None})
    else:
        bound = f"at most {many(at_once, 'group')} at a time" if at_once else "no limit"
        say(f"endpoint {endpoint}: {bound}")


def say_collections(found: Sequence[CollectionStatus]) -> None:
    """Print a table of collections."""
    table(_COLUMNS, [_row(item) for item in found], empty="no collections yet")


_COLUMNS = [
    Column("collection"),
    name("state"),
    numbers("groups"),
    numbers("rollouts"),
    numbers("solved"),
    numbers("per min"),
    name("time"),
]


def _row(item: CollectionStatus) -> tuple[Any, ...]:
    about = [
        item.agent,
        *([item.model] if item.model else []),
        *([f"priority {item.priority}"] if item.priority else []),
    ]
    return (
        titled(item.collection, ", ".join(about)),
        item.state,
        _parts(
            f"{item.groups_finished}/{item.groups}",
            running=item.groups_running,
            failed=item.groups_failed,
            cancelled=item.groups_cancelled,
        ),
        _parts(f"{item.finished}/{item.rollouts}", running=item.running, failed=item.failed),
        item.solved,
        "" if item.per_minute is None else f"{item.per_minute:,.0f}",
        _time(item),
    )


def _parts(first: str, **counts: int) -> str:
    """The whole, and under it what is not as one would have it."""
    return "\n".join([first, *(f"{count} {what}" for what, count in counts.items() if count)])


def _time(item: CollectionStatus) -> str:
    if item.ends_at is not None:
        return f"{_length((item.ends_at - datetime.now(UTC)).total_seconds())} to go"
    if item.finished_at is not None and item.started_at is not None:
        return f"took {_length((item.finished_at - item.started_at).total_seconds())}"
    return ""


def _length(seconds: float) -> str:
    if seconds < 90:
        return f"{max(0, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


class Screen:
    """The collections, live on stderr; nothing where that is no terminal.

    Args:
        only: the name of the one to show.
    """

    def __init__(self, world: World, only: str | None = None) -> None:
        self._world = world
        self._only = only
        self._live: Any = None

    def __enter__(self) -> Self:
        terminal = console(stderr=True)
        if terminal.is_terminal:
            from rich.live import Live

            self._live = Live(console=terminal, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self) -> None:
        """Look, and show what there is."""
        from rl.jobs import collections, workers

        if self._live is None:
            return
        made = made_table(_COLUMNS, [_row(item) for item in collections(self._world, self._only)])
        made.caption = f"{many(workers(self._world), 'worker')} at work; Ctrl-C leaves this, not them"
        self._live.update(made, refresh=True)
