"""What would be deleted: what is named, with all that stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, text

from compoworld.retention import records
from compoworld.retention.heap import Heap, Named
from engine.database import Database
from engine.errors import NotFound, Refused
from engine.retention import first_held, idle_branches, scratch_branches
from engine.world import World
from rl.claims import LOCK_CLASS
from rl.training.deletion import UNFINISHED_USES, see_unused
from tasks.sets.deletion import only_in

_EXISTING = {
    "rollouts": "rollout",
    "groups": "rollout_group",
    "tasks": "task",
    "branches": "branch",
    "snapshots": "snapshot",
    "compositions": "composition",
}

# From the top down: whatever stands on something that goes, goes with it.
_STANDING = f"""
WITH used AS (
    {UNFINISHED_USES}
), snapshots AS (
    SELECT id FROM compoworld.snapshot WHERE id = ANY (:snapshots) OR composition_id = ANY (:compositions)
), tasks AS (
    SELECT id FROM compoworld.task WHERE id = ANY (:tasks) OR snapshot_id IN (SELECT id FROM snapshots)
), groups AS (
    SELECT id FROM compoworld.rollout_group g
    WHERE id = ANY (:groups) OR task_id IN (SELECT id FROM tasks)
       OR coalesce(g.finished_at, g.created_at) < now() - CAST(:age AS interval)
          AND NOT EXISTS (SELECT 1 FROM compoworld.rollout r WHERE r.group_id = g.id
                          AND (coalesce(r.finished_at, r.started_at) >= now() - CAST(:age AS interval)
                               OR r.id IN (SELECT rollout_id FROM used)))
), rollouts AS (
    SELECT id, branch_id FROM compoworld.rollout WHERE id = ANY (:rollouts) OR group_id IN (SELECT id FROM groups)
), branches AS (
    SELECT b.id FROM compoworld.branch b
    WHERE (b.id = ANY (:branches) OR b.snapshot_id IN (SELECT id FROM snapshots)
           OR b.id IN (SELECT branch_id FROM rollouts))
), broken AS (
    SELECT DISTINCT group_id AS id FROM compoworld.rollout
    WHERE id = ANY (:rollouts) AND group_id NOT IN (SELECT id FROM groups)
)
SELECT 'snapshots', array_agg(id ORDER BY id) FROM snapshots
UNION ALL SELECT 'tasks', array_agg(id ORDER BY id) FROM tasks
UNION ALL SELECT 'groups', array_agg(id ORDER BY id) FROM groups
UNION ALL SELECT 'rollouts', array_agg(id ORDER BY id) FROM rollouts
UNION ALL SELECT 'branches', array_agg(id ORDER BY id) FROM branches
UNION ALL SELECT 'broken_groups', array_agg(id ORDER BY id) FROM broken
"""


def survey(world: World, named: Named, older_than: timedelta | None = None) -> Heap:
    """What would be deleted; changes nothing.

    Args:
        older_than: also groups of rollouts, and branches of no rollout, on which nothing happened for so long; without
            what a run of training that is not finished needs.

    Raises:
        NotFound: something named does not exist.
        Refused: a rollout among them is running or is needed by a run of training that is not finished, something is
            being made or trained, or a branch that is named is that of a rollout which stays.
    """
    database = world.database
    values: dict[str, Any] = {kind: list(getattr(named, kind)) for kind in _EXISTING}
    values["tasks"] = _task_numbers(database, named.tasks)
    for kind, relation in _EXISTING.items():
        _require(database, relation, values[kind])
    heap = Heap(compositions=sorted(set(values["compositions"])))
    values["groups"] += records.survey(world, named, heap)
    with database.transaction() as connection:
        tasks, snapshots = only_in(connection, heap.sets)
        values["tasks"] += tasks
        values["snapshots"] += snapshots
        for kind, numbers in connection.execute(text(_STANDING), {**values, "age": older_than}):
            setattr(heap, kind, list(numbers or []))
        _refuse_running(connection, heap)
        see_unused(connection, heap.rollouts, heap.runs)
        _refuse_branches_of_rollouts(connection, values["branches"], heap)
    heap.scratch = sorted(set(scratch_branches(database)) - set(heap.branches))
    idle = idle_branches(database, older_than) if older_than is not None else []
    heap.branches = sorted({*heap.branches, *heap.scratch, *idle})
    return heap


def _task_numbers(database: Database, named: Sequence[str | int]) -> list[int]:
    numbers: list[int] = []
    with database.transaction() as connection:
        for which in named:
            if isinstance(which, int):
                numbers.append(which)
                continue
            found = list(
                connection.execute(text("SELECT id FROM compoworld.task WHERE name = :name"), {"name": which}).scalars()
            )
            if not found:
                raise NotFound(f"there is no task {which!r} in this database")
            numbers += found
    return numbers


def _require(database: Database, relation: str, numbers: Sequence[int]) -> None:
    with database.transaction() as connection:
        found = connection.execute(
            text(f"SELECT id FROM compoworld.{relation} WHERE id = ANY (:ids)"), {"ids": list(numbers)}
        ).scalars()
        missing = sorted(set(numbers) - set(found))
    if missing:
        raise NotFound(f"there is no {relation.removeprefix('rollout_')} {missing[0]}")


def _refuse_branches_of_rollouts(connection: Connection, named: Sequence[int], heap: Heap) -> None:
    row = connection.execute(
        text("SELECT branch_id, id FROM compoworld.rollout WHERE branch_id = ANY (:ids) AND id <> ALL (:gone)"),
        {"ids": list(named), "gone": heap.rollouts},
    ).first()
    if row is not None:
        raise Refused(f"branch {row[0]} is that of rollout {row[1]}", hint="delete the rollout instead")


def _refuse_running(connection: Connection, heap: Heap) -> None:
    running = first_held(connection, LOCK_CLASS, heap.rollouts)
    if running is not None:
        raise Refused(f"rollout {running} is running now", hint="interrupt it first, or wait for its end")
