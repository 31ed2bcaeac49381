"""Builds in the database: what was said, turn by turn, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Json, Jsonb
from sqlalchemy import text

from engine.database import Database
from engine.errors import NotFound, Refused
from synth.models import Tokens
from synth.specs import ServerSpec

LOCK = 7209
"""Class of the advisory lock that whoever works on a build holds."""

_NEW = text("""
INSERT INTO compoworld.build (spec_id, spec_digest, builder, builder_version, model, status)
VALUES (:spec_id, :spec_digest, 'model', :version, :model, 'running') RETURNING id
""")
_FIND = text("""
SELECT b.id, b.status, b.model, b.detail, b.files, b.seconds, s.document, b.spec_digest = s.digest AS same
FROM compoworld.build b JOIN compoworld.spec s ON s.id = b.spec_id WHERE b.id = :id AND b.builder = 'model'
""")
_TURNS = text("""
SELECT role, content, stop_reason, input_tokens, output_tokens, cached_tokens, cache_write_tokens
FROM compoworld.build_turn WHERE build_id = :id ORDER BY ordinal
""")
_TOOLS = text("SELECT name, made_as, reason FROM compoworld.build_tool WHERE build_id = :id ORDER BY name")
_TURN = text("""
INSERT INTO compoworld.build_turn (build_id, ordinal, role, content, stop_reason, input_tokens, output_tokens,
    cached_tokens, cache_write_tokens, cost_usd)
SELECT :id, coalesce(max(ordinal), 0) + 1, :role, :content, :stop_reason, :input, :output, :cached, :written, :cost
FROM compoworld.build_turn WHERE build_id = :id
""")
_PROGRESS = text("""
UPDATE compoworld.build SET turns = :turns, input_tokens = :input, output_tokens = :output, cost_usd = :cost,
    seconds = :seconds, files = :files, detail = :detail WHERE id = :id
""")
_END = text("""
UPDATE compoworld.build SET status = :status, detail = :detail, entities = :entities, ended_at = now() WHERE id = :id
""")
_FORGET_TOOLS = text("DELETE FROM compoworld.build_tool WHERE build_id = :id")
_TOOL = text("INSERT INTO compoworld.build_tool VALUES (:id, :name, :made_as, :reason)")


@dataclass(frozen=True)
class Turn:
    """One message of a build, as it was recorded."""

    role: str
    content: Any
    stop_reason: str | None
    tokens: Tokens


@dataclass(frozen=True)
class StoredBuild:
    """A build in the database.

    Attributes:
        current: whether its specification is still what it was.
    """

    id: int
    status: str
    model: str
    detail: str | None
    files: dict[str, str]
    seconds: float
    spec: ServerSpec
    current: bool
    turns: tuple[Turn, ...]
    tools: dict[str, Any]


def new_build(database: Database, spec_id: int, digest: str, version: str, model: str) -> int:
    """Begin a build; its number."""
    with database.transaction() as connection:
        values = {"spec_id": spec_id, "spec_digest": digest, "version": version, "model": model}
        return int(connection.execute(_NEW, values).scalar_one())


def find_build(database: Database, number: int) -> StoredBuild:
    """A build with a model by its number.

    Raises:
        NotFound: there is none.
    """
    with database.transaction() as connection:
        row = connection.execute(_FIND, {"id": number}).first()
        if row is None:
            raise NotFound(f"there is no build {number} with a model")
        turns = [
            Turn(item[0], item[1], item[2], Tokens(*(value or 0 for value in item[3:])))
            for item in connection.execute(_TURNS, {"id": number})
        ]
        tools = {item.name: (item.made_as, item.reason) for item in connection.execute(_TOOLS, {"id": number})}
    spec = ServerSpec.model_validate(row.document)
    return StoredBuild(
        row.id, row.status, row.model, row.detail, row.files or {}, row.seconds, spec, row.same, tuple(turns), tools
    )


@contextmanager
def working_on(database: Database, number: int) -> Iterator[None]:
    """Keep others from working on the same build while the block lasts.

    Raises:
        Refused: somebody does.
    """
    with database.raw() as connection:
        connection.autocommit = True
        key = (LOCK, number % 2147483647)
        row = connection.execute("SELECT pg_try_advisory_lock(%s, %s::int)", key).fetchone()
        if row is None or not row[0]:
            raise Refused(f"another process works on build {number}", hint="wait until it has ended")
        try:
            yield
        finally:
            if not connection.closed:
                connection.execute("SELECT pg_advisory_unlock(%s, %s::int)", key)


def record_turn(
    database: Database,
    number: int,
    role: str,
    content: Any,
    *,
    stop_reason: str | None = None,
    tokens: Tokens | None = None,
    cost: float | None = None,
) -> None:
    """Record one message, at once."""
    values = {
        "id": number,
        "role": role,
        "content": Json(content),
        "stop_reason": stop_reason,
        "input": tokens.input if tokens else None,
        "output": tokens.output if tokens else None,
        "cached": tokens.cached if tokens else None,
        "written": tokens.written if tokens else None,
        "cost": cost,
    }
    with database.transaction() as connection:
        connection.execute(_TURN, values)


def record_progress(
    database: Database, number: int, files: Mapping[str, str], detail: str | None, **spent: Any
) -> None:
    """Record where a build stands."""
    with database.transaction() as connection:
        connection.execute(_PROGRESS, {"id": number, "files": Jsonb(dict(files)), "detail": detail, **spent})


def end_build(
    database: Database, number: int, status: str, detail: str, entities: int, tools: Mapping[str, tuple[str, str]]
) -> None:
    """Record how a build ended."""
    with database.transaction() as connection:
        connection.execute(_END, {"id": number, "status": status, "detail": detail, "entities": entities})
        connection.execute(_FORGET_TOOLS, {"id": number})
        if tools:
            connection.execute(
                _TOOL,
                [{"id": number, "name": name, "made_as": made, "reason": why} for name, (made, why) in tools.items()],
            )
