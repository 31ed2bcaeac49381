"""Which tasks a collection is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.errors import InputError, NotFound
from engine.world import World
from tasks.document import Task
from tasks.sets.document import SPLITS
from tasks.sets.finding import find, find_set
from tasks.store import StoredTask


def found_tasks(
    world: World, tasks: str | Sequence[str | int | Task | StoredTask], split: str | None
) -> tuple[str, list[Task]]:
    """What to call the tasks, and the tasks.

    Args:
        tasks: sets by name, tasks by whatever names them.
        split: of the sets only this part.

    Raises:
        InputError: one of them is not there, there is no such split, or no task is left.
    """
    if split is not None and split not in SPLITS:
        raise InputError(f"there is no split {split!r}", hint=f"there are {', '.join(SPLITS)}")
    given = [tasks] if isinstance(tasks, str) else list(tasks)
    found = [task for item in given for task in _named(world, item, split)]
    if not found:
        if split is None:
            raise InputError("no task is named")
        names = " and ".join(str(item) for item in given)
        raise InputError(
            f"no task of {names} is in the split {split}", hint=f"compoworld tasks split {given[0]} divides a set"
        )
    first = given[0] if isinstance(given[0], str) else found[0].name
    label = [Path(first).stem, *([split] if split else []), *([f"and-{len(given) - 1}-more"] if given[1:] else [])]
    return "-".join(label), found


def _named(world: World, item: str | int | Task | StoredTask, split: str | None) -> list[Task]:
    match item:
        case Task():
            return [item]
        case StoredTask():
            return [item.task]
        case int():
            return [find(world, item).task]
    try:
        members = find_set(world, item).members
    except NotFound as error:
        no_set = error
    else:
        return [member.task for member in members if split is None or member.split == split]
    try:
        return [find(world, item).task]
    except InputError:
        raise InputError(f"there is no set and no task {item!r}", hint=no_set.hint) from None
