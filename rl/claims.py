"""Who runs which rollout: no two processes run the same one, and a dead process's rollouts are free again.

The claim on a rollout is a session-level advisory lock (class 7205) on a connection that a group's run keeps open:
the server frees it when the process dies. Each claim counts ``rollout.attempts`` up, and everything that an attempt
writes asks for its own count: an attempt that lost its claim (the server was restarted) can write nothing.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import psycopg

from engine.branches import Branch
from engine.database import translated
from engine.errors import DatabaseUnavailable
from engine.locks import SOON_MISSED
from rl.errors import Interrupted
from tasks.store import StoredTask

LOCK_CLASS = 7205

_CANDIDATES = """
SELECT id FROM compoworld.rollout
WHERE group_id = %s AND status IN ('pending', 'running') AND id <> ALL (%s) ORDER BY ordinal
"""
_TAKE = """
SELECT ordinal, branch_id FROM compoworld.rollout
WHERE id = %s AND status IN ('pending', 'running') FOR UPDATE SKIP LOCKED
"""
_BEGIN = """
UPDATE compoworld.rollout
SET status = 'running', attempts = attempts + 1, branch_id = compoworld.fork_snapshot(%s, %s), stop_reason = NULL,
    error = NULL, steps = 0, input_tokens = 0, output_tokens = 0, cached_tokens = 0, model = NULL,
    started_at = clock_timestamp(), finished_at = NULL
WHERE id = %s RETURNING attempts, branch_id
"""


@dataclass(frozen=True)
class Claim:
    """The right to run one attempt at a rollout, on a fresh fork.

    Attributes:
        attempt: how often the rollout was begun, this time included.
    """

    rollout: int
    ordinal: int
    attempt: int
    branch: Branch


class Claims:
    """The claims of one run of a group. Used by several threads.

    While it is open, the task's composition is leased: it is not parked.
    """

    def __init__(self, task: StoredTask, group: int) -> None:
        self._task = task
        self._group = group
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._connection: psycopg.Connection[Any] | None = None
        self._mine: set[int] = set()
        self._over = False

    def __enter__(self) -> Claims:
        with self._lock:
            self._open()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over = True
            self._close()

    def next(self) -> Claim | None:
        """A rollout that nobody runs and that has not ended, on a fresh fork; ``None`` where there is none left.

        Raises:
            DatabaseUnavailable: the database was lost.
        """
        with self._lock, self._session() as connection:
            for (rollout,) in connection.execute(_CANDIDATES, (self._group, sorted(self._mine))).fetchall():
                claim = self._take(connection, rollout)
                if claim is not None:
                    self._mine.add(rollout)
                    return claim
            return None

    def again(self, claim: Claim) -> Claim | None:
        """Another attempt at a rollout that the infrastructure failed; ``None`` if another process took it over.

        Raises:
            DatabaseUnavailable: the database was lost.
        """
        with self._lock, self._session() as connection:
            return self._take(connection, claim.rollout)

    def release(self, claim: Claim) -> None:
        """Give a claim back: the rollout has ended, or shall be resumed later."""
        with self._lock, contextlib.suppress(DatabaseUnavailable, Interrupted), self._session() as connection:
            self._mine.discard(claim.rollout)
            connection.execute("SELECT pg_advisory_unlock(%s, %s)", (LOCK_CLASS, claim.rollout))

    def elsewhere(self) -> int:
        """How many rollouts of the group other processes are running.

        Raises:
            DatabaseUnavailable: the database was lost.
        """
        with self._lock, self._session() as connection:
            return len(connection.execute(_CANDIDATES, (self._group, sorted(self._mine))).fetchall())

    def _take(self, connection: psycopg.Connection[Any], rollout: int) -> Claim | None:
        held = rollout in self._mine
        got = held or _scalar(connection, "SELECT pg_try_advisory_lock(%s, %s)", (LOCK_CLASS, rollout))
        if not got:
            return None
        with connection.transaction():
            row = connection.execute(_TAKE, (rollout,)).fetchone()
            if row is None:
                # Ended in the meantime, or somebody is just taking it.
                if not held:
                    connection.execute("SELECT pg_advisory_unlock(%s, %s)", (LOCK_CLASS, rollout))
                return None
            ordinal, old_branch = row
            label = f"rollout {rollout}"
            begun = connection.execute(_BEGIN, (self._task.snapshot.id, label, rollout)).fetchone()
            if old_branch is not None:
                connection.execute("DELETE FROM compoworld.message WHERE rollout_id = %s", (rollout,))
                connection.execute("DELETE FROM compoworld.criterion_check WHERE rollout_id = %s", (rollout,))
                connection.execute("DELETE FROM compoworld.trajectory WHERE rollout_id = %s", (rollout,))
                connection.execute("SELECT compoworld.delete_branches(ARRAY[%s]::bigint[])", (old_branch,))
        assert begun is not None
        return Claim(rollout, ordinal, begun[0], Branch(self._task.snapshot, begun[1]))

    @contextlib.contextmanager
    def _session(self) -> Iterator[psycopg.Connection[Any]]:
        """The connection that holds the locks; opened again, with the locks, after it was lost."""
        if self._over:
            # A thread that was left behind: its claims went with the connection.
            raise Interrupted("the run of the group is over")
        if self._connection is None:
            self._open()
        assert self._connection is not None
        try:
            with translated():
                yield self._connection
        except DatabaseUnavailable:
            self._close()
            raise

    def _open(self) -> None:
        world = self._task.composition.world
        with ExitStack() as stack:
            stack.enter_context(world.lease(self._task.composition))
            connection = stack.enter_context(world.database.raw())
            connection.autocommit = True
            connection.execute(SOON_MISSED)
            lost = set()
            for rollout in self._mine:
                if not _scalar(connection, "SELECT pg_try_advisory_lock(%s, %s)", (LOCK_CLASS, rollout)):
                    lost.add(rollout)
            self._mine -= lost
            self._stack, self._connection = stack.pop_all(), connection

    def _close(self) -> None:
        self._connection = None
        with contextlib.suppress(DatabaseUnavailable):
            self._stack.close()


def _scalar(connection: psycopg.Connection[Any], statement: str, values: tuple[object, ...]) -> Any:
    row = connection.execute(statement, values).fetchone()
    return row[0] if row else None
