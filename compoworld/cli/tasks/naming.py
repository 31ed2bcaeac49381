"""How commands name tasks and sets of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from compoworld.cli.inputs import MAX_ID, words
from compoworld.cli.opening import opened
from engine.errors import DatabaseUnavailable

if TYPE_CHECKING:
    from tasks.sets import TaskSet
    from tasks.sets.finding import Found, Membership

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


def found_task(which: str) -> tuple[Found, list[Membership]]:
    """The task that is named, and the sets that hold it.

    The database is not opened for the library and files; without one, what comes with CompoWorld is found.

    Raises:
        InputError: there is none.
    """
    from tasks.sets.finding import Membership, at_hand, find, in_a_file, sets_with

    name = number_or_name(which)
    if isinstance(name, str) and (found := in_a_file(name)) is not None:
        return found, []
    try:
        with opened() as world:
            found = find(world, name)
            return found, sets_with(world, found.task.name)
    except DatabaseUnavailable:
        packed = at_hand(name) if isinstance(name, str) else None
        if packed is None or packed.task_set is None:
            raise
        return packed, [Membership(packed.task_set, packed.split)]


def found_set(name: str) -> TaskSet:
    """The set that is named: of the database, else one that comes with CompoWorld, for which none is needed.

    Raises:
        InputError: there is none.
    """
    from tasks.sets import packaged
    from tasks.sets.finding import find_set

    try:
        with opened() as world:
            return find_set(world, name)
    except DatabaseUnavailable:
        if name not in packaged():
            raise
        return find_set(None, name)


def how_to_divide(name: str, *, stored: bool) -> str:
    """How the tasks of a set get into parts.

    Args:
        stored: it is in the database; else it comes with CompoWorld.
    """
    if stored:
        return f"compoworld tasks split {name} divides it"
    return f"compoworld tasks import {name} --name mine, then compoworld tasks split mine"
