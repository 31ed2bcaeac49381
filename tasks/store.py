"""Tasks in the catalog: put there with their snapshot and criteria, found, listed, deleted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from engine.compositions import Composition
from engine.errors import InputError, NotFound
from engine.kit import Entity, jsonable
from engine.kit.values import canonical_json
from engine.snapshots import Snapshot
from engine.verifiers import Criterion, inspect_criterion
from engine.world import World
from tasks.document import Task
from tasks.errors import TaskError
from tasks.initial import initial_rows


@dataclass(frozen=True)
class StoredTask:
    """A task in the catalog.

    Attributes:
        id: its number.
        snapshot: its initial state, s0.
        checksum: of the task, its services and its initial rows.
    """

    id: int
    task: Task
    snapshot: Snapshot
    checksum: str

    @property
    def composition(self) -> Composition:
        """The composition of its services and distractors."""
        return self.snapshot.composition

    @property
    def services(self) -> list[str]:
        """What an agent can discover: services and distractors."""
        return sorted([*self.task.services, *self.task.distractors])

    @property
    def criteria(self) -> list[Criterion]:
        """Its rubric; a criterion's place in it, from 1, is its ordinal in the catalog."""
        return self.task.rubric()


@dataclass(frozen=True)
class TaskSummary:
    """One line of a listing of tasks."""

    id: int
    name: str
    title: str
    services: list[str]
    distractors: list[str]
    visits: int
    criteria: int
    groups: int
    created_at: datetime


def put(world: World, task: Task) -> StoredTask:
    """Store a task with its snapshot and criteria; the same task is stored once.

    Raises:
        TaskError: its services, tools, tables or criteria do not fit the library; a ``TaskFileError`` that names file
            and line where the task was read from one.
        EntityInvalid: the rows of s0 break a rule together (a reference that leads nowhere, ...).
    """
    try:
        return _put(world, task)
    except TaskError as error:
        raise task.source.located(error) from error.__cause__


def _put(world: World, task: Task) -> StoredTask:
    composition = _compose(world, task)
    rows = initial_rows(composition, task)
    checksum = _checksum(world, composition, task, rows)
    with world.database.transaction() as connection:
        found = _by_checksum(connection, checksum)
    if found is not None:
        return StoredTask(found[0], task, Snapshot.load(composition, found[1]), checksum)
    for number, criterion in enumerate(task.criteria):
        try:
            inspect_criterion(composition, criterion.sql)
        except InputError as error:
            place = f"criteria.{number}.sql"
            raise TaskError(error.message, error.hint, place=place, of=criterion.name) from error
    snapshot = composition.snapshot(rows, name=f"task {task.name}", start=task.start, person=task.user())
    with world.database.transaction() as connection:
        number = _insert(connection, task, checksum, snapshot.id)
    return StoredTask(number, task, snapshot, checksum)


def load(world: World, which: int | str) -> StoredTask:
    """A stored task by its number, or the newest of that name.

    Raises:
        NotFound: there is none.
        Refused: a service has changed since it was stored.
    """
    column = "name" if isinstance(which, str) else "id"
    if isinstance(which, bool) or not isinstance(which, int | str):
        raise InputError(f"a task is named by its number or its name, not by {which!r}")
    if (isinstance(which, int) and not 0 <= which < 2**63) or (isinstance(which, str) and "\x00" in which):
        raise NotFound(f"there is no task {which!r} in this database")
    with world.database.transaction() as connection:
        row = connection.execute(
            text(
                f"SELECT id, document, snapshot_id, checksum FROM compoworld.task WHERE {column} = :which"
                " ORDER BY id DESC LIMIT 1"
            ),
            {"which": which},
        ).first()
    if row is None:
        raise NotFound(f"there is no task {which!r} in this database", hint="list the tasks, or store it first")
    task = Task.model_validate_json(canonical_json(row.document), strict=True)
    return StoredTask(row.id, task, world.snapshot(row.snapshot_id), row.checksum)


def stored(world: World) -> list[TaskSummary]:
    """The tasks in the catalog, oldest first."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT t.id, t.name, t.title, t.services, t.distractors, cardinality(t.walk) AS visits,"
                " (SELECT count(*) FROM compoworld.criterion c WHERE c.task_id = t.id) AS criteria,"
                " (SELECT count(*) FROM compoworld.rollout_group g WHERE g.task_id = t.id) AS groups, t.created_at"
                " FROM compoworld.task t ORDER BY t.id"
            )
        ).all()
    return [TaskSummary(*row) for row in rows]


def _compose(world: World, task: Task) -> Composition:
    try:
        composition = world.compose(*task.services, *task.distractors)
    except NotFound as error:
        wrong = "services" if set(task.services) - set(world.library.names()) else "distractors"
        raise TaskError(error.message, error.hint, place=wrong) from error
    for number, call in enumerate(task.reference.calls):
        tools = composition.services[call.service].offered(True)
        if call.tool not in tools:
            raise TaskError(
                f"service {call.service!r} has no tool {call.tool!r}",
                hint=f"its tools are {', '.join(tools)}",
                place=f"reference.calls.{number}.tool",
            )
    return composition


def _checksum(world: World, composition: Composition, task: Task, rows: list[Entity]) -> str:
    versions = [f"{name}@{world.library.version(service)[0]}" for name, service in composition.services.items()]
    digest = hashlib.sha256(f"{task.fingerprint()}\n{' '.join(versions)}\n".encode())
    for row in rows:
        digest.update(f"{row.table().name} {canonical_json(jsonable(row))}\n".encode())
    return digest.hexdigest()


def _by_checksum(connection: Connection, checksum: str) -> tuple[int, int] | None:
    row = connection.execute(
        text("SELECT id, snapshot_id FROM compoworld.task WHERE checksum = :checksum"), {"checksum": checksum}
    ).first()
    return (row[0], row[1]) if row else None


def _insert(connection: Connection, task: Task, checksum: str, snapshot: int) -> int:
    document: dict[str, Any] = task.document()
    number = connection.execute(
        text(
            "INSERT INTO compoworld.task (name, checksum, title, instruction, services, distractors, walk,"
            " reference, document, snapshot_id) VALUES (:name, :checksum, :title, :instruction, :services,"
            " :distractors, :walk, :reference, :document, :snapshot) ON CONFLICT (checksum) DO NOTHING RETURNING id"
        ),
        {
            "name": task.name,
            "checksum": checksum,
            "title": task.title,
            "instruction": task.instruction,
            "services": task.services,
            "distractors": task.distractors,
            "walk": task.walk,
            "reference": Jsonb(document["reference"]),
            "document": Jsonb(document),
            "snapshot": snapshot,
        },
    ).scalar()
    if number is None:
        # Another process stored it a moment ago.
        found = _by_checksum(connection, checksum)
        assert found is not None
        return found[0]
    connection.execute(
        text(
            "INSERT INTO compoworld.criterion (task_id, ordinal, name, kind, description, sql)"
            " VALUES (:task, :ordinal, :name, :kind, :description, :sql)"
        ),
        [
            {
                "task": number,
                "ordinal": ordinal,
                "name": item.name,
                "kind": item.kind,
                "description": item.description,
                "sql": item.sql,
            }
            for ordinal, item in enumerate(task.criteria, 1)
        ],
    )
    return int(number)
