"""The world of the Python API: the engine's, and what tasks and rollouts add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.branches import Branch
from engine.database import Database
from engine.errors import InputError
from engine.postgres import database_url, normalise_url
from engine.simulation import WorldModel
from engine.verifiers import Check, judge
from engine.world import World as EngineWorld
from rl import Agent, GroupReport, Limits, Progress, make_agent, run_group
from synth.shelf import Shelf
from synth.world_model import make_world_model
from tasks import StoredTask, Task, put
from tasks.sets import Progress as MakeProgress
from tasks.sets import TaskSet, make
from tasks.sets.finding import find_set, find_stored


class World(EngineWorld):
    """One database and one library of services, with tasks and rollouts."""

    def close(self) -> None:
        """Close the connections, and the sandboxes of services that a model wrote."""
        close = getattr(self.library, "close", None)
        if close is not None:
            close()
        super().close()

    def task(self, which: str | int | Path | Task) -> StoredTask:
        """A task, ready to run: by its name in the library or in a set, by file, or by its number in the database.

        Raises:
            InputError: there is none, or it does not fit the services.
        """
        if isinstance(which, Task):
            return put(self, which)
        return find_stored(self, which if isinstance(which, int) else str(which))

    def make_tasks(
        self,
        n: int,
        name: str,
        *,
        seed: int = 0,
        dials: Mapping[str, Any] | None = None,
        families: Sequence[str] | None = None,
        jobs: int = 1,
        progress: Callable[[MakeProgress], None] = lambda _: None,
    ) -> TaskSet:
        """Make a set of tasks from scenario families, or go on with it; the same seed makes the same tasks.

        Args:
            dials: of difficulty, such as ``{"level": "hard", "alike": 5}``; by default each task draws its own.
            families: those to take; by default all.
            jobs: how many processes.
            progress: called after each candidate.

        Returns:
            The set; it is not ``finished`` where the candidates gave too few tasks.

        Raises:
            InputError: a number, dial or family is wrong, or there is another set of that name.
            DatabaseUnavailable: the database was lost; made again, the set goes on.
        """
        from tasks.sets.by_family import FamilyWorkshop

        return make(
            self,
            n,
            name=name,
            seed=seed,
            workshop=FamilyWorkshop(),
            dials=dials,
            families=families,
            jobs=jobs,
            progress=progress,
        )

    def task_set(self, name: str) -> TaskSet:
        """A set of tasks: of the database, or one that comes with CompoWorld.

        Raises:
            InputError: there is none.
        """
        return find_set(self, name)

    def verify(self, branch: Branch | int, task: StoredTask | Task | str | int, *, seconds: float = 5.0) -> list[Check]:
        """Judge a branch, as it stands, by the criteria of a task.

        Args:
            seconds: how long one criterion may take.

        Raises:
            NotFound: there is no such branch or task.
        """
        found = task if isinstance(task, StoredTask) else self.task(task)
        return judge(self.branch(branch) if isinstance(branch, int) else branch, found.criteria, seconds=seconds)

    def rollout(
        self,
        task: StoredTask | Task | str | int,
        agent: str | Agent = "noisy",
        n: int = 8,
        *,
        seed: int = 0,
        limits: Limits | Mapping[str, Any] | None = None,
        concurrency: int | None = None,
        progress: Callable[[Progress], None] | None = None,
        **options: Any,
    ) -> GroupReport:
        """Run a group of rollouts of a task, each on its own fork of its initial state, and judge them.

        Args:
            agent: ``noisy``, ``reference``, ``anthropic`` or ``transformers``, or an agent of your own.
            n: how many rollouts.
            limits: of each rollout; as a mapping: ``steps``, ``tokens``, ``seconds``.
            concurrency: how many at once.
            progress: called as rollouts begin, go on and end.
            options: of the agent, such as ``model="..."``.

        Raises:
            InputError: the task, the agent, a size or a limit is wrong.
            DatabaseUnavailable: the database was lost; ``rl.resume`` takes the group up again.
        """
        if not isinstance(limits, Limits):
            try:
                limits = Limits(**(limits or {}))
            except TypeError as error:
                raise InputError(f"limits: {error}", hint="they are steps, tokens and seconds") from None
        return run_group(
            self,
            task if isinstance(task, StoredTask) else self.task(task),
            make_agent(agent, **options) if isinstance(agent, str) else agent,
            size=n,
            seed=seed,
            limits=limits,
            concurrency=concurrency,
            progress=progress,
        )


def open_world(url: str | None = None, *, world_model: WorldModel | str | None = None) -> World:
    """Open a world: on this URL, on ``COMPOWORLD_DATABASE_URL``, or on the embedded server.

    Args:
        world_model: answers the tools without code: a model's name, or one of your own. Without one there are none.

    Raises:
        InputError: the URL is malformed, or there is no key for the model.
        DatabaseUnavailable: the server cannot be reached or started.
    """
    model = make_world_model(world_model) if isinstance(world_model, str) else world_model
    where = normalise_url(url) if url is not None else database_url().url
    database = Database(where)
    try:
        return World(database.open(), Shelf(database), world_model=model)
    except BaseException:
        database.close()
        raise
