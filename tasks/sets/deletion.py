"""Deletion of sets of tasks."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, text

from engine.errors import NotFound, Refused
from engine.near import did_you_mean
from engine.retention import first_held, hold
from engine.world import World
from tasks.sets.store import LOCK_CLASS

_NUMBER = "SELECT id FROM compoworld.task_set WHERE name = :name"

_TASKS = """
SELECT d.task_id FROM compoworld.task_draft d JOIN compoworld.task_set s ON s.id = d.set_id
WHERE d.task_id IS NOT NULL GROUP BY d.task_id HAVING bool_and(s.name = ANY (:names)) ORDER BY 1
"""
_SNAPSHOTS = """
SELECT snapshot_id FROM compoworld.task GROUP BY snapshot_id HAVING bool_and(id = ANY (:tasks)) ORDER BY 1
"""


def see_unmade(world: World, name: str) -> None:
    """See that no process makes a set.

    Raises:
        NotFound: there is none of that name.
        Refused: one does.
    """
    with world.database.transaction() as connection:
        number = connection.execute(text(_NUMBER), {"name": name}).scalar()
        if number is None:
            names = list(connection.execute(text("SELECT name FROM compoworld.task_set ORDER BY id")).scalars())
            hint = did_you_mean(name, names, "compoworld tasks sets")
            raise NotFound(f"there is no set of tasks {name!r} in this database", hint=hint)
        if first_held(connection, LOCK_CLASS, [number]) is not None:
            raise _made(name)


def only_in(connection: Connection, names: Sequence[str]) -> tuple[list[int], list[int]]:
    """The stored tasks that only these sets have, and the initial states that only these tasks have."""
    tasks = list(connection.execute(text(_TASKS), {"names": list(names)}).scalars())
    return tasks, list(connection.execute(text(_SNAPSHOTS), {"tasks": tasks}).scalars())


def delete_set(world: World, name: str) -> None:
    """Delete a set with its candidates, if it is there; the tasks that were stored of it stay.

    Raises:
        Refused: a process makes it.
    """
    with world.database.transaction() as connection:
        number = connection.execute(text(_NUMBER), {"name": name}).scalar()
        if number is None:
            return
        if not hold(connection, LOCK_CLASS, number):
            raise _made(name)
        connection.execute(text("DELETE FROM compoworld.task_set WHERE id = :set"), {"set": number})


def _made(name: str) -> Refused:
    return Refused(f"a process makes the set {name!r} now", hint="interrupt it first, or wait for its end")
