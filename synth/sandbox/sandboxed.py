"""Generated services in compositions: the engine's own calls, made in a sandbox for each composition."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Self

from sqlalchemy import text

from engine.calls import CallResult
from engine.database import Database
from engine.errors import NotFound
from engine.kit import Person, Service
from synth.errors import GeneratedCodeInvalid, SandboxStopped
from synth.sandbox.box import Box
from synth.sandbox.limits import Limits

_COMPOSITION = text("SELECT composition_id FROM compoworld.branch WHERE id = :id")


class Sandboxed:
    """A generated service for a library: composed, seeded and called like any other, its code in a sandbox.

    ``World(database, Library([sandboxed.service]))`` has it beside all services of the library.

    Args:
        database: of the worlds that it is used in.
        name: of the service.
        files: path to text, with ``tools.json``.
        limits: of each sandbox.

    Attributes:
        service: to put into a library.

    Raises:
        SandboxUnavailable: generated code cannot be run here.
        GeneratedCodeInvalid, SandboxStopped: the files make no service.
    """

    def __init__(self, database: Database, name: str, files: Mapping[str, str], limits: Limits | None = None) -> None:
        self._database, self._name, self._files, self._limits = database, name, dict(files), limits
        self._lock = threading.Lock()
        self._boxes: dict[int, Box] = {}
        self._branches: dict[int, int] = {}
        self._first = Box(database, name, files, limits)
        self.service: Service = self._first.service
        self.service.runner = self

    def call(self, branch: int, person: Person, tool: str, arguments: dict[str, Any]) -> CallResult | str:
        """Make a call in the sandbox of the branch's composition. For ``engine.kit.service.Runner``.

        Raises:
            NotFound: the branch is gone.
            SandboxUnavailable: the database does not let us protect it.
        """
        try:
            box = self._box(branch)
        except (GeneratedCodeInvalid, SandboxStopped) as error:
            return error.message
        return box.call(branch, person, tool, arguments)

    def close(self) -> None:
        """Close every sandbox; what was made in compositions stays."""
        with self._lock:
            for box in (*self._boxes.values(), self._first):
                box.close()
            self._boxes.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _box(self, branch: int) -> Box:
        with self._lock:
            if branch not in self._branches:
                with self._database.transaction() as connection:
                    found = connection.execute(_COMPOSITION, {"id": branch}).scalar()
                if found is None:
                    raise NotFound(f"there is no branch {branch}")
                self._branches[branch] = found
            composition = self._branches[branch]
            if composition not in self._boxes:
                box = Box(self._database, self._name, self._files, self._limits)
                try:
                    box.attach(composition)
                except BaseException:
                    box.close()
                    raise
                self._boxes[composition] = box
            return self._boxes[composition]
