"""The deletion of what was surveyed."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import text

from compoworld.retention import records
from compoworld.retention.heap import Heap
from engine.retention import (
    batches,
    delete_batch,
    delete_branches,
    delete_composition,
    delete_snapshot,
    park_for_deletion,
)
from engine.world import World


def sweep(world: World, heap: Heap, progress: Callable[[str], None] = lambda _: None) -> Heap:
    """Delete what was surveyed, in batches; interrupted, it leaves nothing half deleted, and may be run again.

    Returns:
        What was deleted: less than surveyed where a branch was in use.

    Raises:
        Refused: a worker is on a collection or a composition is in use (nothing was deleted then), or something of
            what is to be deleted was taken up in the meantime: then the rest is gone, and the same again goes on.
    """
    gone = Heap(broken_groups=heap.broken_groups)
    database = world.database
    records.call_off(world, heap)
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
    records.sweep(world, heap, gone)
    return gone
