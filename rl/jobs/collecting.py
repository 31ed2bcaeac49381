"""A collection: groups of rollouts of many tasks, put into the queue; the same call again goes on with it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from engine.database import retried
from engine.errors import InputError
from engine.world import World
from rl.agents import AGENTS, Agent, make_agent
from rl.groups import check_size_and_seed, insert_group
from rl.jobs.naming import found_tasks
from rl.jobs.queue import defer
from rl.limits import Limits
from tasks.document import Task
from tasks.sets.document import content_checksum
from tasks.store import StoredTask, put

BATCH = 20
"""Groups that are written down in one transaction."""

LONGEST_ENDPOINT = 100

_INSERT = """
INSERT INTO compoworld.collection (name, spec, agent, model, endpoint, size, wanted, priority, deadline, group_seconds)
VALUES (:name, :spec, :agent, :model, :endpoint, :size, :wanted, coalesce(:priority, 0), :deadline, :group_seconds)
ON CONFLICT (name) DO NOTHING
"""
_SETTLE = """
UPDATE compoworld.collection
SET deadline = coalesce(:deadline, deadline), group_seconds = coalesce(:group_seconds, group_seconds),
    priority = coalesce(:priority, priority)
WHERE name = :name RETURNING id, spec
"""
_PREFER = """
UPDATE compoworld_jobs.procrastinate_jobs j SET priority = c.priority
FROM compoworld.collection c JOIN compoworld.collection_group k ON k.collection_id = c.id
WHERE c.name = :name AND j.id = k.job_id AND j.status = 'todo' AND j.priority <> c.priority
"""


@dataclass(frozen=True)
class Collection:
    """A collection that was written down.

    Attributes:
        groups: how many it has.
        added: how many of them were written down by this call; the others were there.
    """

    id: int
    name: str
    groups: int
    added: int


def collect(
    world: World,
    tasks: str | Sequence[str | int | Task | StoredTask],
    agent: str | Agent,
    *,
    n: int = 8,
    times: int = 1,
    split: str | None = None,
    seed: int = 0,
    name: str | None = None,
    priority: int | None = None,
    limits: Limits | None = None,
    endpoint: str | None = None,
    at_once: int | None = None,
    deadline: datetime | None = None,
    group_seconds: float | None = None,
    progress: Callable[[int, int], None] = lambda made, wanted: None,
    **options: Any,
) -> Collection:
    """Write down groups of rollouts and put each into the queue, where ``Worker`` finds it. Runs nothing itself.

    Interrupted, or made again with the same arguments, it goes on where it was; no group is made twice.

    Args:
        tasks: sets of tasks by name, tasks by whatever names them.
        split: of the sets only train, validation or test.
        agent: one that workers can make, by name with its ``options``.
        n: rollouts in a group.
        times: groups of each task.
        seed: each group draws its own from it.
        name: by default it is made of the tasks, the agent and the seed.
        priority: groups of a higher one are run first; by default 0, or what it was. The last word counts.
        endpoint: what its groups lean on, for the limit; by default the agent's model, or the agent.
        at_once: groups that may run at a time against the endpoint, over all workers; the last word counts.
        deadline: what is missing then is failed.
        group_seconds: the same for each group, from its first start.
        progress: told how many groups are written down, and of how many.

    Raises:
        InputError: an argument is wrong, or there is another collection of that name.
    """
    made = make_agent(agent, **options) if isinstance(agent, str) else agent
    if made.name not in AGENTS:
        raise InputError(f"workers cannot make agent {made.name!r} by name", hint=f"they make {', '.join(AGENTS)}")
    check_size_and_seed(n, seed)
    for what, value in (("times", times), ("at_once", at_once)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise InputError(f"{what} is a number from 1, not {value!r}")
    if isinstance(priority, bool) or not isinstance(priority, int | None) or not -(2**31) <= (priority or 0) < 2**31:
        raise InputError(f"a priority is a whole number of 32 bits, not {priority!r}")
    if deadline is not None and deadline.tzinfo is None:
        raise InputError("a deadline has a time zone")
    label, found = found_tasks(world, tasks, split)
    leans_on = endpoint if endpoint is not None else (made.model or made.name)[:LONGEST_ENDPOINT]
    if not 1 <= len(leans_on) <= LONGEST_ENDPOINT:
        raise InputError(f"the name of an endpoint has 1 to {LONGEST_ENDPOINT} characters")
    about = {
        "name": name or f"{label}-{made.name}-{seed}",
        "spec": {
            "tasks": [task.name for task in found],
            "checksum": content_checksum(found),
            "agent": made.name,
            "options": made.options(),
            "n": n,
            "times": times,
            "seed": seed,
            "limits": (limits or Limits()).as_json(),
            "endpoint": leans_on,
        },
        "agent": made.name,
        "model": made.model,
        "endpoint": leans_on,
        "size": n,
        "wanted": len(found) * times,
        "priority": priority,
        "deadline": deadline,
        "group_seconds": group_seconds,
    }
    maker = _Maker(world, _begun(world, about, at_once), found, made, n, times, seed, limits or Limits())
    added = maker.run(progress)
    return Collection(maker.id, str(about["name"]), len(found) * times, added)


@retried
def _begun(world: World, about: dict[str, Any], at_once: int | None) -> int:
    """The number of the collection, which is there afterwards.

    Raises:
        InputError: it is another one; nothing is changed.
    """
    with world.database.transaction() as connection:
        connection.execute(
            text("INSERT INTO compoworld.endpoint (name) VALUES (:name) ON CONFLICT DO NOTHING"),
            {"name": about["endpoint"]},
        )
        if at_once is not None:
            connection.execute(
                text("UPDATE compoworld.endpoint SET at_once = :at_once WHERE name = :name"),
                {"name": about["endpoint"], "at_once": at_once},
            )
        connection.execute(text(_INSERT), {**about, "spec": Jsonb(about["spec"])})
        row = connection.execute(text(_SETTLE), about).one()
        differing = [key for key, value in about["spec"].items() if row.spec.get(key) != value]
        if differing:
            raise InputError(
                f"there is another collection {about['name']!r}: it has other {', '.join(differing)}",
                hint="give this one another name",
            )
        connection.execute(text(_PREFER), {"name": about["name"]})
        if at_once is not None:
            connection.execute(text("SELECT compoworld.let_jobs_in(:endpoint)"), about)
    return int(row.id)


class _Maker:
    """Writes down the groups of a collection that are missing."""

    def __init__(
        self,
        world: World,
        collection: int,
        tasks: list[Task],
        agent: Agent,
        size: int,
        times: int,
        seed: int,
        limits: Limits,
    ) -> None:
        self._world = world
        self.id = collection
        self._tasks = tasks
        self._agent = agent
        self._size = size
        self._wanted = len(tasks) * times
        self._seed = seed
        self._limits = limits
        self._stored: dict[int, StoredTask] = {}

    def run(self, progress: Callable[[int, int], None]) -> int:
        """Write them down, a batch in a transaction; how many there were."""
        with self._world.database.transaction() as connection:
            there = self._there(connection)
        missing = iter([ordinal for ordinal in range(1, self._wanted + 1) if ordinal not in there])
        made, added = len(there), 0
        while batch := list(islice(missing, BATCH)):
            for ordinal in batch:
                self._task(ordinal)
            new = self._write(batch)
            added += new
            made += len(batch)
            progress(made, self._wanted)
        return added

    def _task(self, ordinal: int) -> StoredTask:
        # Every task once, then every task again: a collection that is cut short still has all of them.
        place = (ordinal - 1) % len(self._tasks)
        if place not in self._stored:
            self._stored[place] = put(self._world, self._tasks[place])
        return self._stored[place]

    @retried
    def _write(self, batch: Sequence[int]) -> int:
        with self._world.database.transaction() as connection:
            # Two that collect under one name wait for each other here.
            head = connection.execute(
                text("SELECT endpoint, priority FROM compoworld.collection WHERE id = :id FOR UPDATE"), {"id": self.id}
            ).one()
            there = self._there(connection)
            ordinals = [ordinal for ordinal in batch if ordinal not in there]
            if not ordinals:
                return 0
            groups = [
                insert_group(
                    connection,
                    self._world,
                    self._task(ordinal),
                    self._agent,
                    size=self._size,
                    seed=group_seed(self._seed, ordinal),
                    limits=self._limits,
                )
                for ordinal in ordinals
            ]
            jobs = defer(connection, groups, endpoint=head.endpoint, priority=head.priority)
            connection.execute(
                text(
                    "INSERT INTO compoworld.collection_group (collection_id, ordinal, group_id, job_id)"
                    " VALUES (:collection, :ordinal, :group, :job)"
                ),
                [
                    {"collection": self.id, "ordinal": ordinal, "group": group, "job": job}
                    for ordinal, group, job in zip(ordinals, groups, jobs, strict=True)
                ],
            )
        return len(ordinals)

    def _there(self, connection: Connection) -> set[int]:
        return set(
            connection.execute(
                text("SELECT ordinal FROM compoworld.collection_group WHERE collection_id = :id"), {"id": self.id}
            ).scalars()
        )


def group_seed(seed: int, ordinal: int) -> int:
    """The seed of a group, from its collection's seed and its place there."""
    return int.from_bytes(hashlib.sha256(f"collection/{seed}/{ordinal}".encode()).digest()[:7], "big")
