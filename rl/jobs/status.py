"""How collections stand: what the views ``collections`` and ``collection_groups`` say."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import text

from engine.world import World
from rl.jobs.control import collection_number

ALIVE_SECONDS = 30.0
"""A worker that has shown no sign of life for so long counts as gone."""


@dataclass(frozen=True)
class CollectionStatus:
    """How a collection stands.

    Attributes:
        state: finished, running, waiting, failed, cancelled or unfinished (not all groups are written down).
        groups: how many groups it has; ``groups_failed`` are those that no worker could run.
        rollouts: how many rollouts; ``finished`` of them are judged, ``failed`` by the infrastructure.
        solved: rollouts that fulfil every criterion.
        per_minute: rollouts that ended in a minute, over the last ten minutes; over all where nothing goes on.
        ends_at: when it will have ended at that rate.
    """

    collection_id: int
    collection: str
    agent: str
    model: str | None
    endpoint: str
    priority: int
    state: str
    groups: int
    groups_finished: int
    groups_running: int
    groups_waiting: int
    groups_failed: int
    groups_cancelled: int
    rollouts: int
    finished: int
    running: int
    failed: int
    solved: int
    per_minute: Decimal | None
    ends_at: datetime | None
    input_tokens: int
    output_tokens: int
    deadline: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True)
class CollectionGroup:
    """How a group of a collection stands.

    Attributes:
        state: finished, running, waiting, held back (its endpoint is full), cancelled or failed.
        attempts: tries that have ended; ``failures`` of these the infrastructure failed.
        next_try_at: when it is tried again.
    """

    collection: str
    ordinal: int
    group_id: int
    task: str
    state: str
    attempts: int | None
    failures: int
    error: str | None
    next_try_at: datetime | None
    worker: int | None
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True)
class EndpointStatus:
    """What is under way against an endpoint.

    Attributes:
        at_once: the limit of groups at a time, over all workers.
        waiting: groups that are let in and wait for a worker; ``held_back`` are not let in.
    """

    endpoint: str
    at_once: int | None
    running: int
    waiting: int
    held_back: int


_ENDPOINTS = """
SELECT e.name AS endpoint, e.at_once, count(*) FILTER (WHERE j.status = 'doing') AS running,
       count(*) FILTER (WHERE j.status = 'todo' AND j.scheduled_at IS DISTINCT FROM compoworld.held_back()) AS waiting,
       count(*) FILTER (WHERE j.status = 'todo' AND j.scheduled_at = compoworld.held_back()) AS held_back
FROM compoworld.endpoint e LEFT JOIN compoworld_jobs.procrastinate_jobs j
    ON j.queue_name = e.name AND j.status IN ('todo', 'doing')
GROUP BY e.name ORDER BY e.name
"""


def collections(world: World, name: str | None = None) -> list[CollectionStatus]:
    """The collections, newest first; only one, where its name is given.

    Raises:
        NotFound: there is none of that name.
    """
    number = None if name is None else collection_number(world, name)
    which = "" if number is None else " WHERE collection_id = :number"
    columns = ", ".join(field.name for field in fields(CollectionStatus))
    statement = f"SELECT {columns} FROM compoworld.collections{which} ORDER BY collection_id DESC"
    return [CollectionStatus(*row) for row in _rows(world, statement, number=number)]


def collection_groups(world: World, name: str) -> list[CollectionGroup]:
    """The groups of a collection.

    Raises:
        NotFound: there is none of that name.
    """
    columns = ", ".join(field.name for field in fields(CollectionGroup))
    statement = f"SELECT {columns} FROM compoworld.collection_groups WHERE collection_id = :number ORDER BY ordinal"
    return [CollectionGroup(*row) for row in _rows(world, statement, number=collection_number(world, name))]


def endpoints(world: World) -> list[EndpointStatus]:
    """The endpoints that collections lean on."""
    return [EndpointStatus(*row) for row in _rows(world, _ENDPOINTS)]


def workers(world: World) -> int:
    """How many workers are alive, on whatever machines."""
    statement = (
        "SELECT count(*) FROM compoworld_jobs.procrastinate_workers"
        " WHERE last_heartbeat > now() - make_interval(secs => :seconds)"
    )
    return int(_rows(world, statement, seconds=ALIVE_SECONDS)[0][0])


def _rows(world: World, statement: str, **values: Any) -> list[Any]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(statement), values).all())
