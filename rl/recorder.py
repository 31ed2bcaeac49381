"""Writes a rollout's messages to the catalog as they come, several in one transaction where they come quickly."""

from __future__ import annotations

import time
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from engine.database import Database
from rl.errors import Superseded
from rl.messages import Message, storable

HELD_BACK_SECONDS = 0.5

_INSERT = """
INSERT INTO compoworld.message (rollout_id, ordinal, role, content, seq, input_tokens, output_tokens,
    cached_tokens, cache_write_tokens, stop_reason, created_at)
SELECT r.id, m.ordinal, m.role, m.content, m.seq, m.input_tokens, m.output_tokens,
    m.cached_tokens, m.cache_write_tokens, m.stop_reason, m.created_at
FROM compoworld.rollout r, jsonb_to_recordset(%s) AS m (ordinal int, role text, content jsonb, seq int,
    input_tokens int, output_tokens int, cached_tokens int, cache_write_tokens int, stop_reason text,
    created_at timestamptz)
WHERE r.id = %s AND r.attempts = %s AND r.status = 'running'
FOR SHARE OF r
"""


class Recorder:
    """The messages of one attempt at a rollout. Writes of an attempt that was taken over are refused.

    Args:
        attempt: the number that fences this attempt off from later ones.
    """

    def __init__(self, database: Database, rollout: int, attempt: int) -> None:
        self._database = database
        self._rollout = rollout
        self._attempt = attempt
        self._held: list[dict[str, Any]] = []
        self._count = 0
        self._written_at = time.monotonic()

    def keep(self, message: Message) -> None:
        """Take a message; write it now, or soon with the next ones."""
        self._count += 1
        usage = message.usage
        self._held.append(
            {
                "ordinal": self._count,
                "role": message.role,
                "content": storable(message.content),
                "seq": message.event,
                "input_tokens": usage and usage.input,
                "output_tokens": usage and usage.output,
                "cached_tokens": usage and usage.cached,
                "cache_write_tokens": usage and usage.written,
                "stop_reason": storable(message.stop_reason),
                "created_at": message.created_at.isoformat(),
            }
        )
        if time.monotonic() - self._written_at > HELD_BACK_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what is held back.

        Raises:
            Superseded: another attempt at the rollout has begun.
            DatabaseUnavailable: the database was lost; the messages are still held.
        """
        if self._held:
            with self._database.transaction() as connection:
                self.write(connection)
            self.written()

    def write(self, connection: Connection) -> None:
        """Write what is held back in a transaction of the caller's, who calls ``written`` when it is committed."""
        if self._held:
            values = (Jsonb(self._held), self._rollout, self._attempt)
            if connection.exec_driver_sql(_INSERT, values).rowcount == 0:
                raise Superseded(f"rollout {self._rollout} was taken over")

    def written(self) -> None:
        """Forget what was written."""
        self._held.clear()
        self._written_at = time.monotonic()
