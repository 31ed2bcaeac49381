"""Deletion: branches, snapshots, compositions, everything. In batches, so that no transaction holds thousands of locks.

What a rollout stands on is deleted with the rollout, not here: such branches are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import islice

from sqlalchemy import Connection, text

from engine.database import MIGRATION_LOCK, Database
from engine.errors import NotFound, Refused

BATCH = 200
"""Branches deleted in one transaction."""

SCRATCH = ("as of", "scratch")
"""Labels of branches that were made to look at something, and can be made again."""

DRAFTING = ("task check", "task draft", "task admission", "task author")
"""Labels of branches on which tasks are written and judged. Whoever does that leases the composition meanwhile."""

IN_PASSING = timedelta(minutes=10)
"""How long the branch of a replay may be idle before it counts as left behind."""

_IDLE = """
SELECT b.id FROM compoworld.branch b
WHERE NOT EXISTS (SELECT 1 FROM compoworld.rollout r WHERE r.branch_id = b.id)
  AND {which}
ORDER BY b.id
"""
_LEFT = """
b.label = ANY (:drafting) AND NOT EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = 7203
    AND l.objid::bigint = b.composition_id
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
_LAST_USED = """
greatest(b.created_at, (SELECT max(e.started_at) FROM compoworld.event e WHERE e.branch_id = b.id AND NOT e.inherited))
"""


def scratch_branches(database: Database) -> list[int]:
    """Branches that were made in passing: the state after an event, scratch calls, replays and drafts left behind."""
    which = (
        f"(b.label = ANY (:labels) OR {_LEFT}"
        f" OR b.label LIKE 'replay of %' AND {_LAST_USED} < now() - CAST(:idle AS interval))"
    )
    given = {"labels": list(SCRATCH), "drafting": list(DRAFTING), "idle": IN_PASSING}
    with database.transaction() as connection:
        return list(connection.execute(text(_IDLE.format(which=which)), given).scalars())


def drafts_left(database: Database) -> list[int]:
    """Branches of tasks that were being written or judged by a process that is no more."""
    with database.transaction() as connection:
        return list(connection.execute(text(_IDLE.format(which=_LEFT)), {"drafting": list(DRAFTING)}).scalars())


def idle_branches(database: Database, age: timedelta) -> list[int]:
    """Branches of no rollout on which nothing was called for so long."""
    with database.transaction() as connection:
        found = connection.execute(
            text(_IDLE.format(which=f"{_LAST_USED} < now() - CAST(:age AS interval)")), {"age": age}
        ).scalars()
        return list(found)


def delete_branches(database: Database, branches: Sequence[int]) -> list[int]:
    """Delete branches with their logs, in batches.

    Those of a rollout stay, and those in a call at this moment or looked at at a SQL prompt.

    Returns:
        The numbers that were deleted.
    """
    deleted: list[int] = []
    for batch in batches(sorted(branches)):
        with database.transaction() as connection:
            deleted += delete_batch(connection, batch)
    return deleted


def delete_batch(connection: Connection, branches: Sequence[int]) -> list[int]:
    """Delete a few branches in a transaction of the caller's; see ``delete_branches``."""
    # Composition before branch, as every call locks them; a locked branch cannot be written to meanwhile.
    connection.execute(
        text(
            "SELECT compoworld.lock_composition(c.id, true) FROM (SELECT DISTINCT composition_id AS id"
            " FROM compoworld.branch WHERE id = ANY (:ids) ORDER BY 1) c"
        ),
        {"ids": list(branches)},
    )
    free = list(
        connection.execute(
            text(
                # First those, then their locks: in one condition, a scan may lock branches that are not meant.
                "WITH meant AS MATERIALIZED (SELECT b.id FROM compoworld.branch b WHERE b.id = ANY (:ids)"
                " AND NOT EXISTS (SELECT 1 FROM compoworld.rollout r WHERE r.branch_id = b.id)"
                " ORDER BY b.id FOR UPDATE OF b SKIP LOCKED)"
                " SELECT id FROM meant WHERE pg_try_advisory_xact_lock(7206, compoworld.lock_number(id)) ORDER BY id"
            ),
            {"ids": list(branches)},
        ).scalars()
    )
    connection.execute(text("SELECT compoworld.delete_branches(CAST(:ids AS bigint[]))"), {"ids": free})
    return free


def delete_snapshot(database: Database, number: int) -> None:
    """Delete a snapshot that nothing stands on.

    Raises:
        NotFound: there is none.
        Refused: a branch or a task stands on it.
    """
    with database.transaction() as connection:
        found = connection.execute(
            text(
                "SELECT s.composition_id, (SELECT min(b.id) FROM compoworld.branch b WHERE b.snapshot_id = s.id),"
                " (SELECT min(t.id) FROM compoworld.task t WHERE t.snapshot_id = s.id)"
                " FROM compoworld.snapshot s WHERE s.id = :id"
            ),
            {"id": number},
        ).first()
        if found is None:
            raise NotFound(f"there is no snapshot {number}")
        composition, branch, task = found
        for what, other in (("branch", branch), ("task", task)):
            if other is not None:
                raise Refused(f"{what} {other} stands on snapshot {number}", hint=f"delete the {what} first")
        connection.execute(text("SELECT compoworld.lock_composition(:id, true)"), {"id": composition})
        # Its rows in the composition's tables are those of "branch" <number>; there is no such branch to delete.
        placed = connection.execute(
            text(
                "SELECT c.schema_name, e.table_name FROM compoworld.composition c"
                " JOIN compoworld.composition_service cs ON cs.composition_id = c.id"
                " JOIN compoworld.entity e ON e.service_id = cs.service_id"
                " WHERE c.id = :id AND c.materialised_at IS NOT NULL ORDER BY e.table_name"
            ),
            {"id": composition},
        ).all()
        for schema, table in placed:
            connection.execute(text(f'DELETE FROM "{schema}"."{table}__rows" WHERE _branch = :id'), {"id": number})
        connection.execute(text("DELETE FROM compoworld.snapshot WHERE id = :id"), {"id": number})


def park_for_deletion(connection: Connection, composition: int) -> None:
    """Drop a composition's schema and keep others out of it until the end of the transaction.

    Raises:
        NotFound: there is none.
        Refused: it is in use.
    """
    connection.execute(text("SELECT compoworld.park(:id)"), {"id": composition})
    row = connection.execute(
        text("SELECT materialised_at IS NOT NULL FROM compoworld.composition WHERE id = :id FOR UPDATE"),
        {"id": composition},
    ).first()
    if row is None:
        raise NotFound(f"there is no composition {composition}")
    if row[0]:
        raise Refused(f"composition {composition} is in use", hint="wait until what runs on it has ended")


def delete_composition(database: Database, number: int) -> None:
    """Delete a composition on which no snapshot stands any more.

    Raises:
        NotFound: there is none.
        Refused: it is in use, or a snapshot of it is left.
    """
    with database.transaction() as connection:
        park_for_deletion(connection, number)
        left = connection.execute(
            text("SELECT min(id) FROM compoworld.snapshot WHERE composition_id = :id"), {"id": number}
        ).scalar()
        if left is not None:
            raise Refused(f"snapshot {left} belongs to composition {number}", hint="delete the snapshot first")
        connection.execute(text("DELETE FROM compoworld.composition WHERE id = :id"), {"id": number})


def reset(database: Database) -> int:
    """Delete everything that CompoWorld keeps in the database and lay the catalog anew.

    Works on a catalog of any version. What others keep in the database stays.

    Returns:
        How many schemas of compositions were dropped.

    Raises:
        Refused: a composition is in use.
    """
    with database.transaction() as connection:
        schemas = list(
            connection.execute(text("SELECT nspname FROM pg_namespace WHERE nspname ~ '^comp_[0-9]+$'")).scalars()
        )
    for schema in schemas:
        with database.transaction() as connection:
            number = int(schema.removeprefix("comp_"))
            free = "SELECT pg_try_advisory_xact_lock(7203, :id) AND pg_try_advisory_xact_lock(7202, :id)"
            if not connection.execute(text(free), {"id": number}).scalar():
                raise Refused(f"composition {number} is in use", hint="wait until what runs on it has ended")
            connection.execute(text("SET LOCAL client_min_messages = warning"))
            connection.execute(text(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE'))
            if connection.execute(text("SELECT to_regclass('compoworld.composition')")).scalar() is not None:
                connection.execute(
                    text("UPDATE compoworld.composition SET materialised_at = NULL WHERE id = :id"),
                    {"id": number},
                )
    with database.transaction() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
        connection.execute(text("SET LOCAL client_min_messages = warning"))
        if connection.execute(text("SELECT to_regclass('compoworld.sandbox')")).scalar() is not None:
            # Their roles belong to the whole server.
            connection.execute(text("SELECT compoworld.close_sandbox(role) FROM compoworld.sandbox")).all()
        connection.execute(text("DROP SCHEMA IF EXISTS compoworld_door CASCADE"))
        connection.execute(text("DROP SCHEMA IF EXISTS compoworld_here CASCADE"))
        connection.execute(text("DROP SCHEMA IF EXISTS compoworld_jobs CASCADE"))
        connection.execute(text("DROP SCHEMA IF EXISTS compoworld CASCADE"))
    database.close()
    Database(database.url).open().close()
    return len(schemas)


def first_held(connection: Connection, kind: int, numbers: Sequence[int]) -> int | None:
    """The first of these numbers on which somebody holds an advisory lock of that class."""
    return connection.execute(
        text(
            "SELECT min(objid::bigint) FROM pg_locks WHERE locktype = 'advisory' AND classid = :kind AND granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND objid::bigint = ANY (:ids)"
        ),
        {"kind": kind, "ids": list(numbers)},
    ).scalar()


def hold(connection: Connection, kind: int, number: int) -> bool:
    """Take such a lock until the end of the transaction; whether nobody else holds it."""
    statement = text("SELECT pg_try_advisory_xact_lock(:kind, :number)")
    return bool(connection.execute(statement, {"kind": kind, "number": number}).scalar())


def batches(numbers: Sequence[int], length: int = BATCH) -> Iterator[list[int]]:
    """The numbers in pieces of a bounded length."""
    rest = iter(numbers)
    while piece := list(islice(rest, length)):
        yield piece
