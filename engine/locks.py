"""Advisory locks of a session: they go with its connection, and can be taken again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import Any

import psycopg

SOON_MISSED = "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
"""For connections that hold locks. A machine that is cut off closes nothing: the server would keep them for hours."""


class Lock:
    """A session-level advisory lock. True while it is held, as far as this process knows (``renew``).

    Args:
        connect: opens a connection outside the pool; errors of the server are translated there.
        kind: class of the lock.
    """

    def __init__(
        self, connect: Callable[[], AbstractContextManager[psycopg.Connection[Any]]], kind: int, number: int
    ) -> None:
        self._connect = connect
        self._key = (kind, number % 2147483647)
        self._connection: psycopg.Connection[Any] | None = None
        self._opened = ExitStack()

    def __bool__(self) -> bool:
        return self._connection is not None

    def renew(self) -> bool:
        """Whether it is held: where it is not, or its connection was lost, it is taken if nobody else has it.

        Raises:
            DatabaseUnavailable: the server does not answer.
        """
        if self._connection is not None:
            with suppress(psycopg.OperationalError):
                self._connection.execute("SELECT 1")
                return True
            self.release()
        with ExitStack() as opened:
            connection = opened.enter_context(self._connect())
            connection.autocommit = True
            connection.execute(SOON_MISSED)
            row = connection.execute("SELECT pg_try_advisory_lock(%s, %s::int)", self._key).fetchone()
            if row is not None and row[0]:
                self._connection, self._opened = connection, opened.pop_all()
        return bool(self)

    def release(self) -> None:
        """Give it back, if it is held."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # The end of a connection frees it, too, but a moment after whoever waits for that end goes on.
            with suppress(psycopg.OperationalError):  # lost: so is the lock
                connection.execute("SELECT pg_advisory_unlock(%s, %s::int)", self._key)
        self._opened.close()
