"""Deletion of collections: first their jobs are called off, last of all goes the record."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, text

from engine.database import retried
from engine.errors import Refused
from engine.world import World
from rl.jobs.control import cancel_waiting, collection_number
from rl.jobs.status import ALIVE_SECONDS

_AT_WORK = """
SELECT k.group_id FROM compoworld.collection_group k JOIN compoworld_jobs.procrastinate_jobs j ON j.id = k.job_id
JOIN compoworld_jobs.procrastinate_workers w ON w.id = j.worker_id
WHERE k.collection_id = :id AND j.status = 'doing' AND w.last_heartbeat >= now() - make_interval(secs => :seconds)
ORDER BY 1 LIMIT 1
"""
_LEFT = """
SELECT count(compoworld_jobs.procrastinate_finish_job_v1(j.id, 'aborted', false))
FROM compoworld.collection_group k JOIN compoworld_jobs.procrastinate_jobs j ON j.id = k.job_id
WHERE k.collection_id = :id AND j.status = 'doing'
"""
_GROUPS = """
SELECT k.group_id FROM compoworld.collection_group k JOIN compoworld.collection c ON c.id = k.collection_id
WHERE c.name = ANY (:names) ORDER BY 1
"""


def see_idle(world: World, name: str) -> None:
    """See that no worker is on a group of a collection.

    Raises:
        NotFound: there is no such collection.
        Refused: one is.
    """
    number = collection_number(world, name)
    with world.database.transaction() as connection:
        _see_idle(connection, number, name)


@retried
def call_off(world: World, name: str) -> None:
    """Cancel the jobs of a collection that have not ended, those of workers that are gone among them.

    Raises:
        NotFound: there is no such collection.
        Refused: a worker is on one of its groups; nothing is cancelled.
    """
    number = collection_number(world, name)
    with world.database.transaction() as connection:
        cancel_waiting(connection, number)
        _see_idle(connection, number, name)
        connection.execute(text(_LEFT), {"id": number})


def groups_of(connection: Connection, names: Sequence[str]) -> list[int]:
    """The groups of collections."""
    return list(connection.execute(text(_GROUPS), {"names": list(names)}).scalars())


def delete_collection(world: World, name: str) -> None:
    """Delete the record of a collection that has no groups any more, if it is there.

    Raises:
        Refused: somebody goes on writing down groups of it.
    """
    with world.database.transaction() as connection:
        # Locked: who writes groups down does so under this lock, too.
        number = connection.execute(
            text("SELECT id FROM compoworld.collection WHERE name = :name FOR UPDATE"), {"name": name}
        ).scalar()
        if number is not None and groups_of(connection, [name]):
            raise Refused(
                f"groups are being added to the collection {name!r}",
                hint="interrupt that first; then the same command again",
            )
        connection.execute(text("DELETE FROM compoworld.collection WHERE id = :id"), {"id": number})


def _see_idle(connection: Connection, number: int, name: str) -> None:
    group = connection.execute(text(_AT_WORK), {"id": number, "seconds": ALIVE_SECONDS}).scalar()
    if group is not None:
        raise Refused(
            f"a worker is on group {group} of the collection {name!r}",
            hint=f"compoworld jobs cancel {name} stops it within seconds; then the same command again",
        )
