"""Specifications in the database: put there once, found by name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, text

from engine.database import Database
from engine.errors import NotFound
from engine.kit.values import canonical_json
from synth.ingest.names import server_name
from synth.ingest.servers import library_names
from synth.specs import ServerSpec

Change: TypeAlias = Literal["new", "changed", "judged", "unchanged"]
"""``judged``: what a service is made of is the same; what is said about the server or its tools is not."""

# Writers wait for each other, so that names are given out once; readers do not.
_LOCK = text("LOCK TABLE compoworld.spec IN SHARE ROW EXCLUSIVE MODE")

_ALL = text("SELECT id, name, original_name, source, digest, document FROM compoworld.spec ORDER BY id")

_BY_NAME = text("SELECT id, digest, document FROM compoworld.spec WHERE name = :name")

_DOCUMENTS = text(
    "SELECT id, digest, document FROM compoworld.spec WHERE application OR NOT :applications ORDER BY name"
)

_INSERT = text("""
INSERT INTO compoworld.spec (name, original_name, title, source, digest, application, reason, domain, near, document)
VALUES (:name, :original_name, :title, :source, :digest, :application, :reason, :domain, :near,
        CAST(:document AS json))
RETURNING id
""")

_UPDATE = text("""
UPDATE compoworld.spec
SET title = :title, source = :source, digest = :digest, application = :application, reason = :reason,
    domain = :domain, near = :near, document = CAST(:document AS json), ingested_at = now()
WHERE id = :id
""")

_DELETE_TOOLS = text("DELETE FROM compoworld.spec_tool WHERE spec_id = :spec_id")

_INSERT_TOOL = text("""
INSERT INTO compoworld.spec_tool (spec_id, ordinal, name, original_name, refused, notes)
VALUES (:spec_id, :ordinal, :name, :original_name, :refused, CAST(:notes AS jsonb))
""")

_MADE_OF: Any = {
    **dict.fromkeys(("original_name", "title", "description", "domain"), True),
    "tools": {"__all__": {"name", "original_name", "description", "input_schema", "output_schema", "annotations"}},
}


@dataclass(frozen=True)
class StoredSpec:
    """A specification in the database.

    Attributes:
        id: its number.
        digest: of all that a service is made of: equal digests need no new build.
        change: what putting it there changed.
        spec: with the name that it has in the database.
    """

    id: int
    digest: str
    change: Change
    spec: ServerSpec


@dataclass(frozen=True)
class _Known:
    id: int
    name: str
    digest: str
    document: dict[str, Any]


def digest(spec: ServerSpec) -> str:
    """Of all that a service is made of; not of its name, its source, notes, or whether it is worth building."""
    return hashlib.sha256(canonical_json(spec.model_dump(mode="json", include=_MADE_OF)).encode()).hexdigest()


def put(database: Database, servers: Iterable[ServerSpec]) -> list[StoredSpec]:
    """Store specifications, all or none; what is there already is not written again.

    A server is known again by what it is called and holds, else by what it is called in the same source; it keeps its
    name. A new one gets another name than it has where the database holds a different server of that name.
    """
    listed = list(servers)
    digests = [digest(server) for server in listed]
    with database.transaction() as connection:
        connection.execute(_LOCK)
        known = _recognised(connection, listed, digests)
        names = _names(connection, listed, known)
        renamed = dict(zip((server.name for server in listed), names, strict=True))
        stored = []
        for place, (server, name) in enumerate(zip(listed, names, strict=True)):
            near = tuple(sorted(renamed.get(other, other) for other in server.near))
            final = server.model_copy(update={"name": name, "near": near})
            stored.append(_put(connection, final, digests[place], known.get(place)))
    return stored


def get(database: Database, name: str) -> ServerSpec:
    """The specification of that name.

    Raises:
        NotFound: there is none.
    """
    row = None
    if "\x00" not in name:
        with database.transaction() as connection:
            row = connection.execute(_BY_NAME, {"name": name}).one_or_none()
    if row is None:
        raise NotFound(f"there is no specification {name!r} in this database", hint="compoworld synth ingest FILE")
    return ServerSpec.model_validate(row.document)


def stored(database: Database, *, applications: bool = False) -> list[StoredSpec]:
    """All specifications, by name.

    Args:
        applications: only those that are worth building.
    """
    with database.transaction() as connection:
        rows = connection.execute(_DOCUMENTS, {"applications": applications}).all()
    return [StoredSpec(row.id, row.digest, "unchanged", ServerSpec.model_validate(row.document)) for row in rows]


def _recognised(connection: Connection, servers: Sequence[ServerSpec], digests: Sequence[str]) -> dict[int, _Known]:
    """The row of each server that has one, by the server's place."""
    same: dict[tuple[str, str], list[_Known]] = {}
    called: dict[tuple[str, str], list[_Known]] = {}
    for row in connection.execute(_ALL):
        known = _Known(row.id, row.name, row.digest, row.document)
        same.setdefault((row.original_name, row.digest), []).append(known)
        called.setdefault((row.original_name, row.source), []).append(known)
    found: dict[int, _Known] = {}
    used: set[int] = set()
    for keys, rows in ((digests, same), ([server.source for server in servers], called)):
        for place, (server, key) in enumerate(zip(servers, keys, strict=True)):
            free = [item for item in rows.get((server.original_name, key), ()) if item.id not in used]
            if place not in found and free:
                found[place] = free[0]
                used.add(free[0].id)
    return found


def _names(connection: Connection, servers: Sequence[ServerSpec], known: Mapping[int, _Known]) -> list[str]:
    in_use = set(connection.execute(text("SELECT name FROM compoworld.spec")).scalars())
    taken = in_use | library_names()
    names = []
    for place, server in enumerate(servers):
        if place in known:
            name = known[place].name
        else:
            name = server.name if server.name not in taken else server_name(server.original_name, taken)
            taken.add(name)
        names.append(name)
    return names


def _put(connection: Connection, spec: ServerSpec, digest_: str, known: _Known | None) -> StoredSpec:
    document = spec.model_dump(mode="json")
    # The source may be another copy of the same file: that alone is no change.
    if known is not None and canonical_json({**document, "source": known.document["source"]}) == canonical_json(
        known.document
    ):
        return StoredSpec(known.id, known.digest, "unchanged", ServerSpec.model_validate(known.document))
    values = {
        **{key: document[key] for key in ("name", "original_name", "title", "source", "application", "reason")},
        "domain": spec.domain,
        "near": list(spec.near),
        "digest": digest_,
        "document": json.dumps(document, ensure_ascii=False),
    }
    if known is None:
        number = connection.execute(_INSERT, values).scalar_one()
    else:
        number = known.id
        connection.execute(_UPDATE, {**values, "id": number})
    connection.execute(_DELETE_TOOLS, {"spec_id": number})
    rows = _tool_rows(spec, number)
    if rows:
        connection.execute(_INSERT_TOOL, rows)
    change: Change = "new" if known is None else "judged" if known.digest == digest_ else "changed"
    return StoredSpec(number, digest_, change, spec)


def _tool_rows(spec: ServerSpec, number: int) -> list[dict[str, Any]]:
    usable = [
        {
            "name": tool.name,
            "original_name": tool.original_name,
            "refused": None,
            "notes": json.dumps([note.model_dump() for note in tool.notes], ensure_ascii=False),
        }
        for tool in spec.tools
    ]
    refused = [
        {"name": None, "original_name": item.original_name, "refused": item.reason, "notes": "[]"}
        for item in spec.refused
    ]
    return [{"spec_id": number, "ordinal": place, **row} for place, row in enumerate([*usable, *refused], 1)]
