"""Cancel a collection, try again what failed of it, change an endpoint's limit."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from engine.database import retried
from engine.errors import InputError, NotFound
from engine.near import did_you_mean
from engine.world import World
from rl.jobs.queue import defer
from rl.runner import revive

# What is held back first: a job that leaves lets the next one in, which would be cancelled just the same.
_WAITING = """
SELECT count(compoworld_jobs.procrastinate_cancel_job_v1(job_id, false, false)) FROM (
    SELECT k.job_id FROM compoworld.collection_group k JOIN compoworld_jobs.procrastinate_jobs j ON j.id = k.job_id
    WHERE k.collection_id = :id AND j.status = 'todo' ORDER BY j.scheduled_at DESC NULLS LAST OFFSET 0) waiting
"""
_RUNNING = """
SELECT k.job_id FROM compoworld.collection_group k JOIN compoworld_jobs.procrastinate_jobs j ON j.id = k.job_id
WHERE k.collection_id = :id AND j.status IN ('todo', 'doing') ORDER BY 1
"""
_TO_RETRY = """
SELECT k.group_id, k.job_id FROM compoworld.collection_group k
JOIN compoworld.collection_groups s ON s.collection_id = k.collection_id AND s.ordinal = k.ordinal
WHERE k.collection_id = :id AND (s.state IN ('failed', 'cancelled') OR s.state = 'finished' AND EXISTS (
    SELECT FROM compoworld.rollout r WHERE r.group_id = k.group_id AND r.status = 'failed'))
ORDER BY k.ordinal
"""


def cancel(world: World, name: str) -> int:
    """Cancel the groups of a collection that have not ended; how many. Those under way stop within seconds.

    Raises:
        NotFound: there is no such collection.
    """
    number = collection_number(world, name)
    cancelled = _cancel_waiting(world, number)
    with world.database.transaction() as connection:
        jobs = list(connection.execute(text(_RUNNING), {"id": number}).scalars())
    for job in jobs:
        # One at a time: a job that ends meanwhile wants the endpoint's lock, and must not wait for us to get it.
        with world.database.transaction() as connection:
            statement = text("SELECT compoworld_jobs.procrastinate_cancel_job_v1(:job, true, false)")
            cancelled += connection.execute(statement, {"job": job}).scalar() is not None
    return cancelled


@retried
def _cancel_waiting(world: World, number: int) -> int:
    with world.database.transaction() as connection:
        return cancel_waiting(connection, number)


def cancel_waiting(connection: Connection, number: int) -> int:
    """Cancel the groups of a collection on which no worker is, in a transaction of the caller's; how many."""
    return int(connection.execute(text(_WAITING), {"id": number}).scalar_one())


@retried
def retry(world: World, name: str) -> int:
    """Put back into the queue what failed or was cancelled, and groups with failed rollouts; how many groups.

    A deadline that has passed is dropped.

    Raises:
        NotFound: there is no such collection.
    """
    number = collection_number(world, name)
    with world.database.transaction() as connection:
        head = connection.execute(
            text(
                "UPDATE compoworld.collection SET deadline = CASE WHEN deadline > now() THEN deadline END"
                " WHERE id = :id RETURNING endpoint, priority"
            ),
            {"id": number},
        ).one()
        found = connection.execute(text(_TO_RETRY), {"id": number}).all()
        if not found:
            return 0
        groups = [row.group_id for row in found]
        revive(connection, groups)
        jobs = defer(connection, groups, endpoint=head.endpoint, priority=head.priority)
        connection.execute(
            text(
                "UPDATE compoworld.collection_group SET job_id = :job, started_at = NULL, failures = 0, error = NULL"
                " WHERE group_id = :group"
            ),
            [{"group": group, "job": job} for group, job in zip(groups, jobs, strict=True)],
        )
        connection.execute(
            text("DELETE FROM compoworld_jobs.procrastinate_jobs WHERE id = ANY (:jobs)"),
            {"jobs": [row.job_id for row in found]},
        )
    return len(found)


@retried
def set_limit(world: World, endpoint: str, at_once: int | None) -> None:
    """Set how many groups may run at a time against an endpoint, over all workers; groups under way go on.

    Args:
        at_once: ``None``: as many as the workers take.

    Raises:
        InputError: it is no number from 1.
        NotFound: no collection leans on such an endpoint.
    """
    if at_once is not None and (isinstance(at_once, bool) or not isinstance(at_once, int) or at_once < 1):
        raise InputError(f"a limit is a number from 1, not {at_once!r}")
    with world.database.transaction() as connection:
        changed = connection.execute(
            text("UPDATE compoworld.endpoint SET at_once = :at_once WHERE name = :name"),
            {"name": endpoint, "at_once": at_once},
        ).rowcount
        if not changed:
            raise NotFound(
                f"there is no endpoint {endpoint!r}",
                hint=_meant(connection, "SELECT name FROM compoworld.endpoint ORDER BY 1", endpoint),
            )
        connection.execute(text("SELECT compoworld.let_jobs_in(:name)"), {"name": endpoint})


def collection_number(world: World, name: str) -> int:
    """The number of a collection.

    Raises:
        NotFound: there is none of that name.
    """
    with world.database.transaction() as connection:
        found = connection.execute(
            text("SELECT id FROM compoworld.collection WHERE name = :name"), {"name": name}
        ).scalar()
        if found is None:
            raise NotFound(
                f"there is no collection {name!r}",
                hint=_meant(connection, "SELECT name FROM compoworld.collection ORDER BY id DESC", name),
            )
    return int(found)


def _meant(connection: Connection, statement: str, name: str) -> str | None:
    known: list[Any] = list(connection.execute(text(statement)).scalars())
    return did_you_mean(name, known, f"there are {', '.join(known[:10])}" if known else "there are none")
