"""Builds in the database: which there are, and which one a composition gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from psycopg.types.json import Jsonb
from sqlalchemy import text

from engine.database import Database
from engine.errors import NotFound

_CURRENT = text("""
SELECT b.id, s.name, b.spec_digest, b.builder, b.builder_version, b.files, b.spec_digest = s.digest AS fresh
FROM compoworld.build b JOIN compoworld.spec s ON s.id = b.spec_id
WHERE b.current AND (CAST(:name AS text) IS NULL OR s.name = :name) ORDER BY s.name
""")
_NAMES = text("""
SELECT s.name FROM compoworld.build b JOIN compoworld.spec s ON s.id = b.spec_id WHERE b.current ORDER BY s.name
""")
_LAST = text("""
SELECT b.id, b.status, b.spec_digest, b.builder, b.builder_version, b.detail
FROM compoworld.build b JOIN compoworld.spec s ON s.id = b.spec_id WHERE s.name = :name ORDER BY b.id DESC LIMIT 1
""")
_KEEP = text("""
INSERT INTO compoworld.build (spec_id, spec_digest, builder, builder_version, status, detail, files, entities, seconds,
    ended_at)
VALUES (:spec_id, :spec_digest, :builder, :version, :status, :detail, :files, :entities, :seconds, now()) RETURNING id
""")
_SAME = text("SELECT id FROM compoworld.build WHERE spec_id = :spec_id AND current AND files = CAST(:files AS jsonb)")
_AGAIN = text("""
UPDATE compoworld.build SET spec_digest = :spec_digest, builder_version = :version, seconds = :seconds, ended_at = now()
WHERE id = :id
""")
_KEEP_TOOL = text("INSERT INTO compoworld.build_tool VALUES (:build_id, :name, :made_as, :reason)")
_SERVICE = text("SELECT s.name FROM compoworld.build b JOIN compoworld.spec s ON s.id = b.spec_id WHERE b.id = :id")
_UNSET = text("""
UPDATE compoworld.build SET current = false
WHERE current AND spec_id = (SELECT spec_id FROM compoworld.build WHERE id = :id)
""")
_SET = text("UPDATE compoworld.build SET current = true WHERE id = :id")
_CLEAR = text("""
DELETE FROM compoworld.build WHERE builder = :builder AND NOT current
    AND spec_id = (SELECT spec_id FROM compoworld.build WHERE id = :id) AND id <> :id
""")


@dataclass(frozen=True)
class Build:
    """A build that compositions get.

    Attributes:
        name: of the service.
        fresh: whether the specification is still the one that it was made of.
    """

    id: int
    name: str
    spec_digest: str
    builder: str
    builder_version: str
    files: dict[str, str]
    fresh: bool


@dataclass(frozen=True)
class LastBuild:
    """The last attempt to build a service."""

    id: int
    status: str
    spec_digest: str
    builder: str
    builder_version: str
    detail: str | None


def built_names(database: Database) -> list[str]:
    """Names of the services that were built, sorted."""
    with database.transaction() as connection:
        return list(connection.execute(_NAMES).scalars())


def current_build(database: Database, name: str) -> Build | None:
    """The build that compositions get of a service, or ``None``."""
    with database.transaction() as connection:
        row = connection.execute(_CURRENT, {"name": name}).first()
    return None if row is None else Build(*row)


def last_build(database: Database, name: str) -> LastBuild | None:
    """The last attempt to build a service, or ``None``."""
    with database.transaction() as connection:
        row = connection.execute(_LAST, {"name": name}).first()
    return None if row is None else LastBuild(*row)


def keep_build(
    database: Database,
    *,
    spec_id: int,
    spec_digest: str,
    builder: str,
    version: str,
    files: Mapping[str, str] | None,
    tools: Mapping[str, tuple[str, str]],
    entities: int,
    seconds: float,
    detail: str | None = None,
) -> int:
    """Record a build that has ended; one with files becomes the current one, unless that has the same files.

    Args:
        tools: by name, ``code`` or ``world_model``, and why.
        detail: why it failed, where there are no files.

    Returns:
        Its number.
    """
    with database.transaction() as connection:
        same = connection.execute(
            _SAME, {"spec_id": spec_id, "files": None if files is None else Jsonb(dict(files))}
        ).scalar()
        if same is not None:
            # What was said of it holds on.
            connection.execute(_AGAIN, {"id": same, "spec_digest": spec_digest, "version": version, "seconds": seconds})
            connection.execute(_CLEAR, {"id": same, "builder": builder})
            return int(same)
        number = int(
            connection.execute(
                _KEEP,
                {
                    "spec_id": spec_id,
                    "spec_digest": spec_digest,
                    "builder": builder,
                    "version": version,
                    "status": "built" if files is not None else "failed",
                    "detail": detail,
                    "files": None if files is None else Jsonb(dict(files)),
                    "entities": entities,
                    "seconds": seconds,
                },
            ).scalar_one()
        )
        if tools:
            rows = [
                {"build_id": number, "name": name, "made_as": made_as, "reason": reason}
                for name, (made_as, reason) in tools.items()
            ]
            connection.execute(_KEEP_TOOL, rows)
        if files is not None:
            connection.execute(_UNSET, {"id": number})
            connection.execute(_SET, {"id": number})
        connection.execute(_CLEAR, {"id": number, "builder": builder})
    return number


def service_of(database: Database, build: int) -> str:
    """The name of the service that a build is of.

    Raises:
        NotFound: there is no such build.
    """
    with database.transaction() as connection:
        name = connection.execute(_SERVICE, {"id": build}).scalar()
    if name is None:
        raise NotFound(f"there is no build {build}")
    return str(name)


def make_current(database: Database, build: int) -> None:
    """Let compositions get this build from now on."""
    with database.transaction() as connection:
        connection.execute(_UNSET, {"id": build})
        connection.execute(_SET, {"id": build})
