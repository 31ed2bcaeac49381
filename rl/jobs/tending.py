"""What every worker does for the queue: jobs of workers that are gone, deadlines, room at the endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text

from engine.database import retried
from engine.world import World

_BUSY = """
SELECT EXISTS (SELECT FROM compoworld_jobs.procrastinate_jobs
               WHERE status IN ('todo', 'doing') AND (CAST(:queues AS text[]) IS NULL OR queue_name = ANY (:queues)))
"""


@dataclass(frozen=True)
class Found:
    """What was done for the queue.

    Attributes:
        taken_over: groups whose jobs are free again.
        late: groups that were given up.
        busy: whether anything is waiting or running, here or elsewhere.
    """

    taken_over: list[int]
    late: list[int]
    busy: bool


def look_after(world: World, gone: float, endpoints: Sequence[str] | None) -> Found:
    """Look after the queue once; any number of workers may do so at once.

    Args:
        gone: seconds without a sign of life after which a worker's jobs are taken over.
        endpoints: those that ``busy`` is about; ``None`` for all.

    Raises:
        DatabaseUnavailable: the database was lost.
    """
    taken_over = _groups(world, "SELECT compoworld.take_over_jobs(:seconds)", seconds=gone)
    late = _groups(world, "SELECT compoworld.give_up_late_groups()")
    with world.database.transaction() as connection:
        names = list(connection.execute(text("SELECT name FROM compoworld.endpoint ORDER BY 1")).scalars())
    for name in names:
        _groups(world, "SELECT compoworld.let_jobs_in(:name)", name=name)
    with world.database.transaction() as connection:
        busy = connection.execute(text(_BUSY), {"queues": None if endpoints is None else list(endpoints)}).scalar()
    return Found(taken_over, late, bool(busy))


@retried
def _groups(world: World, statement: str, **values: object) -> list[int]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(statement), values).scalars())
