"""What world models were asked and answered, kept beside the events that came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.types.json import Json, Jsonb
from sqlalchemy import text

from engine.database import Database
from engine.kit.values import deeper, no_json, shown, unstorable
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


def unkept(exchange: Any, depth: int) -> str | None:
    """Why an exchange cannot be kept; ``None`` where it can.

    Args:
        depth: how deeply its JSON may be nested.
    """
    if not isinstance(exchange, Exchange):
        return f"an exchange was to be given, not {type(exchange).__name__}"
    if not isinstance(exchange.model, str) or unstorable(exchange.model):
        return "the exchange names no model"
    for name in ("input_tokens", "output_tokens", "cached_tokens"):
        value = getattr(exchange, name)
        if value is not None and (not isinstance(value, int) or not 0 <= value < 2**31):
            return f"the exchange's {name} are no number of tokens"
    for name in ("cost_usd", "seconds"):
        value = getattr(exchange, name)
        if not (isinstance(value, int | float) and 0 <= value < 1e6) and (value is not None or name == "seconds"):
            return f"the exchange's {name} are no amount"
    for name in ("request", "response"):
        value = getattr(exchange, name)
        if deeper(value, depth):
            return f"the {name} is nested too deeply"
        if (problem := no_json(value, name)) is not None:
            return problem
    return None


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
