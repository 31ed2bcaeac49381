"""``compoworld compose`` and ``compoworld fork``."""

from __future__ import annotations

from typing import Annotated

import typer

from compoworld.cli.inputs import At, Json, Seed, number, words
from compoworld.cli.opening import fork_of, opened
from compoworld.cli.output import emit, note, say


def compose(
    services: Annotated[
        list[str],
        typer.Argument(metavar="SERVICE...", parser=words("a service"), help="Names of services.", show_default=False),
    ],
    seed: Seed = 0,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="TEXT", parser=words("a name"), help="Name of the snapshot."),
    ] = None,
    json: Json = False,
) -> None:
    """Compose services: a joint environment with seed data and a branch to work on.

    The same services and seed give the same composition and snapshot again, and a new branch.

    Example: compoworld compose mail calendar tickets
    """
    with opened() as world:
        composition = world.compose(*services)
        snapshot = composition.snapshot(seed=seed, name=name)
        branch = snapshot.fork()
    if json:
        emit(
            {
                "composition": composition.id,
                "schema": composition.schema,
                "services": list(composition.services),
                "snapshot": snapshot.id,
                "rows": snapshot.rows,
                "digest": snapshot.digest,
                "branch": branch.id,
            }
        )
        return
    say(f"composition {composition.id}   {', '.join(composition.services)}")
    say(
        f"snapshot    {snapshot.id}   {snapshot.name}, {snapshot.rows} rows, starts {snapshot.start:%Y-%m-%d %H:%M} UTC"
    )
    say(f"branch      {branch.id}")
    note(f"call a tool on it: compoworld services call SERVICE TOOL '{{...}}' --branch {branch.id}")


def fork(
    source: Annotated[
        int,
        typer.Argument(
            metavar="ID",
            parser=number("a branch or snapshot"),
            help="Number of a branch or snapshot.",
            show_default=False,
        ),
    ],
    at: At = None,
    label: Annotated[
        str | None,
        typer.Option("--label", metavar="TEXT", parser=words("a label"), help="A word to remember it by."),
    ] = None,
    json: Json = False,
) -> None:
    """Fork a snapshot, or a branch after any of its events: one row, whatever the size.

    Example: compoworld fork 42 --at 4
    """
    with opened() as world:
        made = fork_of(world, source, at, label)
        head = made.head()
    if json:
        emit({"branch": made.id, "from": source, "at": head, "snapshot": made.snapshot.id})
        return
    say(f"branch {made.id}, from {source} after event {head}")
