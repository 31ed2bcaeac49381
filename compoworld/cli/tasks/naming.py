"""How commands name tasks and sets of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from compoworld.cli.inputs import MAX_ID, words
from compoworld.cli.opening import opened

if TYPE_CHECKING:
    from tasks.sets import TaskSet
    from tasks.sets.finding import Found

TaskName = Annotated[
    str,
    typer.Argument(
        metavar="TASK",
        parser=words("a task", 4_000),
        help="A name in the library or in a set, a number in the database, or a file.",
        show_default=False,
    ),
]

SetName = Annotated[
    str,
    typer.Argument(
        metavar="SET",
        parser=words("a set"),
        help="The name of a set: in the database, or one that comes with CompoWorld.",
        show_default=False,
    ),
]

Level = Annotated[
    str | None,
    typer.Option(
        "--level",
        metavar="LEVEL",
        parser=words("a level"),
        help="easy, medium or hard, by default all of these; or short, for small models.",
    ),
]
"""How hard tasks are."""


def number_or_name(which: str) -> int | str:
    """A number in the database, or a name: no task is called by digits only."""
    return int(which) if which.isascii() and which.isdigit() and int(which) <= MAX_ID else which


def found_task(which: str) -> Found:
    """The task that is named; the database is opened only where it is not at hand.

    Raises:
        InputError: there is none.
    """
    from tasks.sets.finding import at_hand, find

    name = number_or_name(which)
    if isinstance(name, str) and (found := at_hand(name)) is not None:
        return found
    with opened() as world:
        return find(world, name)


def found_set(name: str) -> TaskSet:
    """The set that is named; the database is opened only where it does not come with CompoWorld.

    Raises:
        InputError: there is none.
    """
    from tasks.sets import packaged
    from tasks.sets.finding import find_set

    if name in packaged():
        return find_set(None, name)
    with opened() as world:
        return find_set(world, name)
