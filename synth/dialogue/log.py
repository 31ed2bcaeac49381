"""Conversations in the database: a table of runs, and a table of their turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Json
from sqlalchemy import text

from engine.database import Database
from engine.errors import Refused
from synth.dialogue.budget import Spent
from synth.models import Tokens

_TURNS = """
SELECT role, content, stop_reason, input_tokens, output_tokens, cached_tokens, cache_write_tokens
FROM compoworld.{run}_turn WHERE {run}_id = :id ORDER BY ordinal
"""
_TURN = """
INSERT INTO compoworld.{run}_turn ({run}_id, ordinal, role, content, stop_reason, input_tokens, output_tokens,
    cached_tokens, cache_write_tokens, cost_usd)
SELECT :id, coalesce(max(ordinal), 0) + 1, :role, :content, :stop_reason, :input, :output, :cached, :written, :cost
FROM compoworld.{run}_turn WHERE {run}_id = :id
"""
_PROGRESS = """
UPDATE compoworld.{run} SET turns = :turns, input_tokens = :input, output_tokens = :output, cost_usd = :cost,
    seconds = :seconds, detail = :detail {more} WHERE id = :id
"""


@dataclass(frozen=True)
class Turn:
    """One message, as it was recorded."""

    role: str
    content: Any
    stop_reason: str | None
    tokens: Tokens


@dataclass(frozen=True)
class RunLog:
    """The log of one run.

    Attributes:
        run: the table of runs in the schema ``compoworld``; ``<run>_turn`` is that of its turns.
        number: of the run.
        more: further columns of the run that are kept as it goes on.
    """

    database: Database
    run: str
    number: int
    more: Callable[[], Mapping[str, Any]] = dict

    def turn(
        self,
        role: str,
        content: Any,
        *,
        stop_reason: str | None = None,
        tokens: Tokens | None = None,
        cost: float | None = None,
    ) -> None:
        """Record one message, at once."""
        values = {
            "id": self.number,
            "role": role,
            "content": Json(content),
            "stop_reason": stop_reason,
            "input": tokens.input if tokens else None,
            "output": tokens.output if tokens else None,
            "cached": tokens.cached if tokens else None,
            "written": tokens.written if tokens else None,
            "cost": cost,
        }
        with self.database.transaction() as connection:
            connection.execute(text(_TURN.format(run=self.run)), values)

    def progress(self, spent: Spent, detail: str | None) -> None:
        """Record where the run stands."""
        more = dict(self.more())
        values = {
            "id": self.number,
            "turns": spent.turns,
            "input": spent.input,
            "output": spent.output,
            "cost": spent.cost_usd,
            "seconds": spent.seconds,
            "detail": detail,
            **more,
        }
        statement = _PROGRESS.format(run=self.run, more="".join(f", {name} = :{name}" for name in more))
        with self.database.transaction() as connection:
            connection.execute(text(statement), values)

    def turns(self) -> tuple[Turn, ...]:
        """Every message, in order."""
        with self.database.transaction() as connection:
            rows = connection.execute(text(_TURNS.format(run=self.run)), {"id": self.number}).all()
        return tuple(Turn(row[0], row[1], row[2], Tokens(*(value or 0 for value in row[3:]))) for row in rows)


@contextmanager
def alone(database: Database, lock: int, number: int, what: str) -> Iterator[None]:
    """Keep others from working on the same run while the block lasts.

    Args:
        lock: class of the advisory lock.
        what: the run, for people: ``build 7``.

    Raises:
        Refused: somebody does.
    """
    with database.alone(lock, number) as held:
        if not held:
            raise Refused(f"another process works on {what}", hint="wait until it has ended")
        yield
