"""Deletion of training runs, with their policies and the files of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from sqlalchemy import Connection, text

from engine.errors import Refused
from engine.retention import first_held, hold
from engine.world import World
from rl.local.files import adapter_base
from rl.training.folders import delete, written
from rl.training.runs import LOCK_CLASS

_UNFINISHED = """
SELECT r.name AS run, coalesce(p.policy, r.weights) AS began, coalesce(p.path, r.weights) AS weights,
    coalesce(p.made_by = ANY (:names), false) AS theirs
FROM compoworld.training_run r LEFT JOIN compoworld.policies p ON p.policy_id = r.policy_from
WHERE r.name <> ALL (:names) AND r.status <> 'finished' ORDER BY r.id
"""

UNFINISHED_USES = """
SELECT u.rollout_id, r.name AS run FROM compoworld.training_run r JOIN (
    SELECT run_id, rollout_id FROM compoworld.grpo_rollout
    UNION ALL SELECT run_id, rollout_id FROM compoworld.training_example
) u ON u.run_id = r.id WHERE r.status <> 'finished'
"""
"""The rollouts that runs of training still need; which of them, a caller adds."""


def see_unused(connection: Connection, rollouts: Sequence[int], names: Sequence[str]) -> None:
    """See that no run of training needs these rollouts, other than runs of these names, which go with them.

    Raises:
        Refused: one that is not finished does. What a finished one was trained on stays written down without them.
    """
    used = connection.execute(
        text(f"{UNFINISHED_USES} AND u.rollout_id = ANY (:rollouts) AND r.name <> ALL (:names) ORDER BY 1, 2 LIMIT 1"),
        {"rollouts": list(rollouts), "names": list(names)},
    ).first()
    if used is not None:
        raise Refused(
            f"rollout {used.rollout_id} is one of those that the run {used.run!r} trains on, which is not finished",
            hint=f"finish it first, or delete it, too: --run {used.run}",
        )


def see_deletable(connection: Connection, names: Sequence[str]) -> None:
    """See that nobody needs these runs. Finished policies need none: each has whole weights of its own.

    Raises:
        Refused: one is being trained, or another run that is not finished began with its policy, or with weights that
            lie in its folder.
    """
    rows = connection.execute(
        text("SELECT id, name FROM compoworld.training_run WHERE name = ANY (:names)"), {"names": list(names)}
    ).all()
    running = first_held(connection, LOCK_CLASS, [row.id for row in rows])
    if running is not None:
        raise _trained(next(row.name for row in rows if row.id == running))
    doomed = {path.resolve() for path in files_of(connection, names)}
    for other in connection.execute(text(_UNFINISHED), {"names": list(names)}):
        if other.theirs or any(_lies_in(weights, doomed) for weights in _with_base(other.weights)):
            raise Refused(
                f"the run {other.run!r} is not finished, and begins with {other.began}",
                hint=f"finish it first, or delete it, too: --run {other.run}",
            )


def groups_of(connection: Connection, names: Sequence[str]) -> list[int]:
    """The groups that runs of GRPO sampled."""
    statement = (
        "SELECT g.group_id FROM compoworld.grpo_group g JOIN compoworld.training_run r ON r.id = g.run_id"
        " WHERE r.name = ANY (:names) AND g.group_id IS NOT NULL ORDER BY 1"
    )
    return list(connection.execute(text(statement), {"names": list(names)}).scalars())


def policies_of(connection: Connection, names: Sequence[str]) -> list[str]:
    """The policies that runs made, ``name@version``."""
    statement = "SELECT policy FROM compoworld.policies WHERE made_by = ANY (:names) ORDER BY policy_id"
    return list(connection.execute(text(statement), {"names": list(names)}).scalars())


def files_of(connection: Connection, names: Sequence[str]) -> list[Path]:
    """What runs wrote on this machine, without weights that a policy of no such run needs."""
    others = "SELECT path FROM compoworld.policies WHERE made_by IS NULL OR made_by <> ALL (:names)"
    paths = connection.execute(text(others), {"names": list(names)}).scalars().all()
    needed = [weights for path in paths for weights in _with_base(path)]
    runs = connection.execute(
        text("SELECT folder, mark FROM compoworld.training_run WHERE name = ANY (:names) ORDER BY folder"),
        {"names": list(names)},
    )
    return [
        path
        for folder, mark in runs
        for path in written(Path(folder), str(mark))
        if not any(_lies_in(weights, {path.resolve()}) for weights in needed)
    ]


def delete_run(world: World, name: str) -> tuple[list[str], list[Path]]:
    """Delete a run with its policies, if it is there; its files first, so that an interrupted deletion can be repeated.

    Returns:
        The policies, and the files and folders that were deleted.

    Raises:
        Refused: it is being trained, or a file cannot be deleted.
    """
    with world.database.transaction() as connection:
        number = connection.execute(
            # Locked: whoever begins it or claims its folder meanwhile waits, and finds it gone.
            text("SELECT id FROM compoworld.training_run WHERE name = :name FOR UPDATE"),
            {"name": name},
        ).scalar()
        if number is None:
            return [], []
        if not hold(connection, LOCK_CLASS, number):
            raise _trained(name)
        policies, files = policies_of(connection, [name]), files_of(connection, [name])
        for path in files:
            delete(path)
        connection.execute(text("DELETE FROM compoworld.policy WHERE made_by = :run"), {"run": number})
        connection.execute(text("DELETE FROM compoworld.training_run WHERE id = :run"), {"run": number})
    return policies, files


def _with_base(weights: str) -> Iterator[Path]:
    """Where weights are; of an adapter, those under it, too."""
    yield Path(weights).resolve()
    base = adapter_base(Path(weights))
    if base is not None:
        yield Path(base).resolve()


def _lies_in(weights: Path, places: Set[Path]) -> bool:
    """Whether weights are in one of these files and folders."""
    return not places.isdisjoint((weights, *weights.parents))


def _trained(name: str) -> Refused:
    return Refused(f"the run {name!r} is being trained", hint="interrupt it first, or wait for its end")
