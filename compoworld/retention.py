"""What ``compoworld gc`` deletes: named things with all that stands on them, old rollouts, branches made in passing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, text

from engine.database import Database
from engine.errors import NotFound, Refused
from engine.retention import (
    batches,
    delete_batch,
    delete_branches,
    delete_composition,
    delete_snapshot,
    idle_branches,
    park_for_deletion,
    scratch_branches,
)
from rl.claims import LOCK_CLASS
from tasks.sets.store import delete_set


@dataclass(frozen=True)
class Named:
    """What the user named, by number; tasks by name or number, a name standing for every task of that name.

    Attributes:
        sets: of tasks, by name; with those of their tasks that no other set has, and the initial states of these.
    """

    sets: Sequence[str] = ()
    rollouts: Sequence[int] = ()
    groups: Sequence[int] = ()
    tasks: Sequence[str | int] = ()
    branches: Sequence[int] = ()
    snapshots: Sequence[int] = ()
    compositions: Sequence[int] = ()


@dataclass
class Heap:
    """What is to be deleted, or was: numbers by kind.

    Attributes:
        scratch: of the branches, those made in passing.
        broken_groups: groups that lose some but not all of their rollouts: their rewards are then computed over the
            rest.
    """

    sets: list[int] = field(default_factory=list)
    rollouts: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    tasks: list[int] = field(default_factory=list)
    branches: list[int] = field(default_factory=list)
    snapshots: list[int] = field(default_factory=list)
    compositions: list[int] = field(default_factory=list)
    scratch: list[int] = field(default_factory=list)
    broken_groups: list[int] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """How many of each kind there are; kinds without any are left out."""
        kinds = ("sets", "compositions", "snapshots", "tasks", "groups", "rollouts", "branches")
        return {kind: len(found) for kind in kinds if (found := getattr(self, kind))}


_EXISTING = {
    "rollouts": "rollout",
    "groups": "rollout_group",
    "tasks": "task",
    "branches": "branch",
    "snapshots": "snapshot",
    "compositions": "composition",
}

# From the top down: whatever stands on something that goes, goes with it.
_STANDING = """
WITH snapshots AS (
    SELECT id FROM compoworld.snapshot WHERE id = ANY (:snapshots) OR composition_id = ANY (:compositions)
), tasks AS (
    SELECT id FROM compoworld.task WHERE id = ANY (:tasks) OR snapshot_id IN (SELECT id FROM snapshots)
), groups AS (
    SELECT id FROM compoworld.rollout_group g
    WHERE id = ANY (:groups) OR task_id IN (SELECT id FROM tasks)
       OR coalesce(g.finished_at, g.created_at) < now() - CAST(:age AS interval)
          AND NOT EXISTS (SELECT 1 FROM compoworld.rollout r WHERE r.group_id = g.id
                          AND coalesce(r.finished_at, r.started_at) >= now() - CAST(:age AS interval))
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


def survey(database: Database, named: Named, older_than: timedelta | None = None) -> Heap:
    """What would be deleted; changes nothing.

    Args:
        older_than: also groups of rollouts, and branches of no rollout, on which nothing happened for so long.

    Raises:
        NotFound: something named does not exist.
        Refused: a rollout among them is running, or a branch that is named is that of a rollout which stays.
    """
    values: dict[str, Any] = {kind: list(getattr(named, kind)) for kind in _EXISTING}
    values["tasks"] = _task_numbers(database, named.tasks)
    for kind, relation in _EXISTING.items():
        _require(database, relation, values[kind])
    sets = _set_numbers(database, named.sets)
    tasks, snapshots = _only_in(database, sets)
    values["tasks"] += tasks
    values["snapshots"] += snapshots
    heap = Heap(compositions=sorted(set(values["compositions"])), sets=sets)
    with database.transaction() as connection:
        for kind, numbers in connection.execute(text(_STANDING), {**values, "age": older_than}):
            setattr(heap, kind, list(numbers or []))
        _refuse_running(connection, heap)
        _refuse_branches_of_rollouts(connection, values["branches"], heap)
    heap.scratch = sorted(set(scratch_branches(database)) - set(heap.branches))
    idle = idle_branches(database, older_than) if older_than is not None else []
    heap.branches = sorted({*heap.branches, *heap.scratch, *idle})
    return heap


def sweep(database: Database, heap: Heap, progress: Callable[[str], None] = lambda _: None) -> Heap:
    """Delete what was surveyed, in batches; interrupted, it leaves nothing half deleted, and may be run again.

    Returns:
        What was deleted: less than surveyed where a branch was in use.

    Raises:
        Refused: a composition is in use (nothing was deleted then), or got a new branch in the meantime.
    """
    gone = Heap(broken_groups=heap.broken_groups)
    for number in heap.sets:
        delete_set(database, number)
        gone.sets.append(number)
    for number in heap.compositions:
        with database.transaction() as connection:
            park_for_deletion(connection, number)
    for batch in batches(heap.rollouts):
        progress(f"rollouts {len(gone.rollouts)} of {len(heap.rollouts)}")
        with database.transaction() as connection:
            rows = connection.execute(
                text("DELETE FROM compoworld.rollout WHERE id = ANY (:ids) RETURNING id, branch_id"),
                {"ids": batch},
            ).all()
            gone.rollouts += [row.id for row in rows]
            gone.branches += delete_batch(connection, [row.branch_id for row in rows if row.branch_id is not None])
    for kind, relation in (("groups", "rollout_group"), ("tasks", "task")):
        for batch in batches(getattr(heap, kind)):
            with database.transaction() as connection:
                found = connection.execute(
                    text(f"DELETE FROM compoworld.{relation} WHERE id = ANY (:ids) RETURNING id"),
                    {"ids": batch},
                ).scalars()
                getattr(gone, kind).extend(found)
    rest = sorted(set(heap.branches) - set(gone.branches))
    for batch in batches(rest):
        progress(f"branches {len(gone.branches)} of {len(heap.branches)}")
        gone.branches += delete_branches(database, batch)
    gone.rollouts.sort()
    gone.branches.sort()
    gone.scratch = sorted(set(gone.branches) & set(heap.scratch))
    for number in heap.snapshots:
        progress(f"snapshot {number}")
        delete_snapshot(database, number)
        gone.snapshots.append(number)
    for number in heap.compositions:
        progress(f"composition {number}")
        delete_composition(database, number)
        gone.compositions.append(number)
    return gone


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


def _set_numbers(database: Database, names: Sequence[str]) -> list[int]:
    find = text("SELECT id FROM compoworld.task_set WHERE name = :name")
    numbers = []
    with database.transaction() as connection:
        for name in dict.fromkeys(names):
            number = connection.execute(find, {"name": name}).scalar()
            if number is None:
                raise NotFound(f"there is no set of tasks {name!r} in this database", hint="compoworld tasks sets")
            numbers.append(int(number))
    return sorted(numbers)


def _only_in(database: Database, sets: Sequence[int]) -> tuple[list[int], list[int]]:
    """The stored tasks that only these sets have, and the initial states that only these tasks have."""
    with database.transaction() as connection:
        tasks = connection.execute(
            text(
                "SELECT task_id FROM compoworld.task_draft WHERE task_id IS NOT NULL GROUP BY task_id"
                " HAVING bool_and(set_id = ANY (:sets)) ORDER BY 1"
            ),
            {"sets": list(sets)},
        ).scalars()
        found = list(tasks)
        snapshots = connection.execute(
            text(
                "SELECT snapshot_id FROM compoworld.task GROUP BY snapshot_id HAVING bool_and(id = ANY (:tasks))"
                " ORDER BY 1"
            ),
            {"tasks": found},
        ).scalars()
        return found, list(snapshots)


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
    running = connection.execute(
        text(
            "SELECT min(objid::bigint) FROM pg_locks WHERE locktype = 'advisory' AND classid = :kind AND granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND objid::bigint = ANY (:ids)"
        ),
        {"kind": LOCK_CLASS, "ids": heap.rollouts},
    ).scalar()
    if running is not None:
        raise Refused(f"rollout {running} is running now", hint="interrupt it first, or wait for its end")
