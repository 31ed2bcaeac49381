"""The world of the Python API: the engine's, and what tasks and rollouts add to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.branches import Branch
from engine.database import Database
from engine.postgres import database_url, normalise_url
from engine.verifiers import Check, judge
from engine.world import World as EngineWorld
from tasks import StoredTask, Task, load, named, put


class World(EngineWorld):
    """One database and one library of services, with tasks and rollouts."""

    def task(self, which: str | int | Path | Task) -> StoredTask:
        """A task, ready to run: by its name in the library, by file, or by its number in the database.

        Raises:
            InputError: there is none, or it does not fit the services.
        """
        if isinstance(which, Task):
            return put(self, which)
        if isinstance(which, int):
            return load(self, which)
        return put(self, named(str(which)))

    def verify(self, branch: Branch | int, task: StoredTask | Task | str | int, *, seconds: float = 5.0) -> list[Check]:
        """Judge a branch, as it stands, by the criteria of a task.

        Args:
            seconds: how long one criterion may take.

        Raises:
            NotFound: there is no such branch or task.
        """
        found = task if isinstance(task, StoredTask) else self.task(task)
        return judge(self.branch(branch) if isinstance(branch, int) else branch, found.criteria, seconds=seconds)


def open_world(url: str | None = None) -> World:
    """Open a world: on this URL, on ``COMPOWORLD_DATABASE_URL``, or on the embedded server.

    Raises:
        InputError: the URL is malformed.
        DatabaseUnavailable: the server cannot be reached or started.
    """
    where = normalise_url(url) if url is not None else database_url().url
    database = Database(where)
    try:
        return World(database.open())
    except BaseException:
        database.close()
        raise
