"""The library with what was built: every service at hand, less the tools that failed an attack."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

from sqlalchemy import text

from engine.database import Database
from engine.errors import NotFound
from engine.kit import Service
from engine.library import Library
from engine.near import did_you_mean
from engine.world import MATERIALISED_LIMIT, World
from synth.builds import Build, built_names, current_build
from synth.built import files_digest, load_service
from synth.sandbox.sandboxed import Sandboxed

_VERDICTS = text("""
SELECT a.id, a.version, t.tool, t.reason,
    EXISTS (SELECT FROM compoworld.attack_case c WHERE c.attack_id = a.id AND c.tool = t.tool) AS broken
FROM compoworld.attack a LEFT JOIN compoworld.attack_tool t ON t.attack_id = a.id AND t.verdict = 'quarantined'
WHERE a.id = (
    SELECT max(id) FROM compoworld.attack
    WHERE service = :service AND build_id IS NOT DISTINCT FROM CAST(:build AS bigint)
)
ORDER BY t.tool
""")


_FEW = 40
"""Services that an error names one by one."""


class Shelf(Library):
    """The services of the folder and those that were built in a database.

    A tool that broke a law in the last attack on the present version of its service is withheld; of a built service,
    also one for which no valid call was found. A built service is offered once its build has been attacked. Code of a
    model runs in a sandbox, here as everywhere.

    Args:
        database: where builds and attacks are.
        extra: services that stand in no folder.
    """

    def __init__(self, database: Database, extra: Iterable[Service] = ()) -> None:
        super().__init__(extra)
        self._database = database
        self._seen: set[str] = set(self._loaded)
        self._sandboxes: list[Sandboxed] = []
        self._made_by_hand = frozenset(super().names())

    def names(self) -> list[str]:
        """Names of all services, sorted; of those that were built, also such as have not been attacked yet."""
        return sorted(self._made_by_hand | set(built_names(self._database)))

    def get(self, name: str) -> Service:
        """The service of that name, without the tools that are in quarantine.

        Raises:
            NotFound: there is none, or it was built and not attacked yet.
            ServiceDefinitionError: its folder is wrong.
            GeneratedCodeInvalid, SandboxStopped: its build cannot be loaded.
            SandboxUnavailable: a model built it, and its code cannot be run here.
        """
        if name in self._seen:
            return self._loaded[name]
        if name in self._made_by_hand:
            service = super().get(name)
            # Its own tests have shown that it works, though the attack may not have found out how.
            withheld = quarantined(self._database, service.name, code_version(service), broken_only=True)
        else:
            build = current_build(self._database, name)
            if build is None:
                raise NotFound(f"there is no service {name!r}", hint=_like(name, self.names()))
            withheld = quarantined(self._database, name, files_digest(build.files), build)
            if withheld is None:
                raise NotFound(
                    f"service {name!r} is built but not attacked yet", hint=f"compoworld synth attack {name}"
                )
            service = self._opened(build)
        if withheld:
            service = service.without(withheld)
        self._loaded[name] = service
        self._seen.add(name)
        return service

    def close(self) -> None:
        """Stop the sandboxes; what was made in compositions stays."""
        for sandbox in self._sandboxes:
            sandbox.close()
        self._sandboxes.clear()

    def _opened(self, build: Build) -> Service:
        if build.builder != "model":
            return load_service(build.files)
        sandbox = Sandboxed(self._database, build.name, build.files)
        self._sandboxes.append(sandbox)
        return sandbox.service


def _like(name: str, known: list[str]) -> str:
    """The services that may have been meant; all of them where they are few."""
    listed = f"known are {', '.join(known)}" if len(known) <= _FEW else "compoworld services list shows them"
    return did_you_mean(name, known, listed, alike=0.5) or listed


def quarantined(
    database: Database, service: str, version: str, build: Build | None = None, *, broken_only: bool = False
) -> dict[str, str] | None:
    """The tools that the last attack on this version of a service put into quarantine, with the reason.

    Args:
        broken_only: those that broke a law, not those for which the attack found no valid call.

    Returns:
        ``None`` where this version has not been attacked.
    """
    with database.transaction() as connection:
        rows = connection.execute(_VERDICTS, {"service": service, "build": build.id if build else None}).all()
    if not rows or rows[0].version != version:
        return None
    return {row.tool: row.reason for row in rows if row.tool is not None and (row.broken or not broken_only)}


def code_version(service: Service) -> str:
    """Digest of the files that make up a service of the library: another code is another version."""
    folder = service.folder
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".py", ".json"):
            digest.update(f"{path.relative_to(folder)}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def world_with_shelf(url: str, *, limit: int = MATERIALISED_LIMIT) -> Iterator[World]:
    """A world on a database with every service at hand, closed at the end.

    Args:
        limit: how many compositions may be materialised at once.

    Raises:
        DatabaseUnavailable: the server cannot be reached.
    """
    database = Database(url).open()
    shelf = Shelf(database)
    with World(database, shelf, limit=limit) as world, closing(shelf):
        yield world
