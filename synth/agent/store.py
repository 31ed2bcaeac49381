"""Builds in the database: what was said, turn by turn, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from engine.database import Database
from engine.errors import NotFound
from synth.dialogue.log import RunLog, Turn, alone
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
_TOOLS = text("SELECT name, made_as, reason FROM compoworld.build_tool WHERE build_id = :id ORDER BY name")
_END = text("""
UPDATE compoworld.build SET status = :status, detail = :detail, entities = :entities, ended_at = now() WHERE id = :id
""")
_FORGET_TOOLS = text("DELETE FROM compoworld.build_tool WHERE build_id = :id")
_TOOL = text("INSERT INTO compoworld.build_tool VALUES (:id, :name, :made_as, :reason)")


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
        tools = {item.name: (item.made_as, item.reason) for item in connection.execute(_TOOLS, {"id": number})}
    spec = ServerSpec.model_validate(row.document)
    log = RunLog(database, "build", row.id)
    return StoredBuild(
        row.id, row.status, row.model, row.detail, row.files or {}, row.seconds, spec, row.same, log.turns(), tools
    )


def working_on(database: Database, number: int) -> AbstractContextManager[None]:
    """Keep others from working on the same build while the block lasts.

    Raises:
        Refused: somebody does.
    """
    return alone(database, LOCK, number, f"build {number}")


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
