"""What world models were asked and answered, kept beside the events that came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.types.json import Json, Jsonb
from sqlalchemy import text

from engine.database import Database
from engine.kit.values import shown
from engine.simulation import Exchange

_INSERT = """
INSERT INTO compoworld.world_model_call (branch_id, seq, attempt, model, request, response, problems, input_tokens,
    output_tokens, cached_tokens, cost_usd, seconds)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
_READ = text("SELECT * FROM compoworld.asked_of_world_model(:branch, :event)")


@dataclass(frozen=True)
class Asked:
    """One answer of a world model.

    Attributes:
        problems: why it was not taken; empty for the one that was.
    """

    exchange: Exchange
    problems: tuple[str, ...]


def write_exchanges(cursor: psycopg.Cursor[Any], branch: int, event: int, asked: Sequence[Asked]) -> None:
    """Keep what came before an event, in its transaction."""
    rows = [
        (
            branch, event, number, item.exchange.model, Json(shown(item.exchange.request)),
            Json(shown(item.exchange.response)), Jsonb(shown(item.problems)), item.exchange.input_tokens,
            item.exchange.output_tokens, item.exchange.cached_tokens, item.exchange.cost_usd, item.exchange.seconds,
        )
        for number, item in enumerate(asked, 1)
    ]  # fmt: skip
    cursor.executemany(_INSERT, rows)


def read_exchanges(database: Database, branch: int, event: int) -> list[dict[str, Any]]:
    """What a world model was asked for an event, and each of its answers, in order.

    For an event that a fork has inherited, those of the branch on which it was made, as long as that is there.
    """
    with database.transaction() as connection:
        return [dict(row) for row in connection.execute(_READ, {"branch": branch, "event": event}).mappings()]
