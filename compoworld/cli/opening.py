"""The world that a command works on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compoworld.world import World
    from engine.branches import Branch
    from engine.snapshots import Snapshot

from engine.errors import NotFound


@contextmanager
def opened(world_model: str | None = None) -> Iterator[World]:
    """Open the world for one command; the first start of the embedded server is announced on a terminal.

    Args:
        world_model: the model that answers tools without code.
    """
    if sys.stderr.isatty() and not os.environ.get("COMPOWORLD_DATABASE_URL", "").strip():
        from compoworld.cli.output import console

        with console(stderr=True).status("opening the database"):
            world = _open(world_model)
    else:
        world = _open(world_model)
    with world:
        yield world


def _open(world_model: str | None) -> World:
    import compoworld

    return compoworld.open(world_model=world_model)


def fork_source(world: World, number: int) -> Branch | Snapshot:
    """The branch or snapshot of that number: they share one line of numbers.

    Raises:
        NotFound: there is neither.
    """
    try:
        return world.snapshot(number)
    except NotFound as error:
        if not error.message.startswith("there is no snapshot"):
            raise
        return world.branch(number)


def fork_of(world: World, number: int, at: int | None = None, label: str | None = None) -> Branch:
    """A fork of the branch or snapshot of that number.

    Raises:
        NotFound: there is neither, or it has no such event.
    """
    from engine.branches import Branch

    source = fork_source(world, number)
    if isinstance(source, Branch):
        return source.fork(at, label)
    if at:
        raise NotFound(f"snapshot {number} has no event {at}", hint="a snapshot never changes")
    return source.fork(label)
