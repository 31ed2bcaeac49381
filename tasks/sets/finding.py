"""Tasks by whatever names them: the library, a file, a set, the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import text

from engine.errors import InputError, NotFound
from engine.near import did_you_mean
from engine.world import World
from tasks.admission import evidence_of
from tasks.authoring import all_families
from tasks.document import Task
from tasks.errors import TaskFileError
from tasks.files import LIBRARY, named
from tasks.sets.document import TaskSet
from tasks.sets.drafts import read_document
from tasks.sets.files import packaged, packaged_set, packaged_tasks, packaged_with
from tasks.sets.store import load_set, stored_sets
from tasks.store import StoredTask, load, put


@dataclass(frozen=True)
class Membership:
    """A set that holds a task, and in which part."""

    task_set: str
    split: str | None


@dataclass(frozen=True)
class Found:
    """A task that was found.

    Attributes:
        id: its number in the database, where it was found there as a stored task.
        evidence: what the gate found, where it has seen it: ``{"check", "passed", "summary", "detail"}`` each.
        task_set: the set in which it was found, and ``split`` the part of it.
    """

    task: Task
    id: int | None = None
    evidence: tuple[Mapping[str, Any], ...] = ()
    task_set: str | None = None
    split: str | None = None


def at_hand(name: str) -> Found | None:
    """A task that is found without a database: of the library, of a file, of a set that comes with CompoWorld.

    Raises:
        TaskFileError: the file is wrong, or there is none.
        TaskSetError: a set that comes with CompoWorld was altered.
    """
    return in_a_file(name) or _packaged(name)


def in_a_file(name: str) -> Found | None:
    """A task of the library or of a file of one's own: what no database can say otherwise.

    Raises:
        TaskFileError: the file is wrong, or there is none.
    """
    if name.endswith((".yaml", ".yml")) or (LIBRARY / f"{name}.yaml") in LIBRARY.glob("*.yaml"):
        return Found(named(name))
    return None


def find(world: World, which: int | str) -> Found:
    """A task by its number in the database or by name.

    A name is looked for in the library and in files, in the sets of the database (the newest that has it), in those
    that come with CompoWorld, and among the stored tasks, in this order.

    Raises:
        InputError: there is none (``NotFound`` for a number).
    """
    if isinstance(which, int):
        return _with_evidence(world, Found(load(world, which).task, which))
    found = in_a_file(which) or _member(world, which) or _packaged(which)
    if found is not None:
        return _with_evidence(world, found)
    try:
        stored = load(world, which)
    except NotFound:
        problem = "there is no such task in the library, in a set or in the database"
        raise TaskFileError(which, problem, hint=_meant(world, which)) from None
    return _with_evidence(world, Found(stored.task, stored.id))


def find_stored(world: World, which: int | str) -> StoredTask:
    """As ``find``, ready to run: stored if it was not yet."""
    if isinstance(which, int):
        return load(world, which)
    found = find(world, which)
    return put(world, found.task) if found.id is None or found.task_set is not None else load(world, found.id)


def find_set(world: World | None, name: str) -> TaskSet:
    """A set by name: of the database, else of those that come with CompoWorld.

    Args:
        world: ``None`` for the latter only.

    Raises:
        InputError: there is none.
        TaskSetError: one that comes with CompoWorld was altered.
    """
    missing: InputError
    if world is None:
        there = f"there are {', '.join(packaged())}"
        missing = InputError(f"no set of tasks {name!r} comes with CompoWorld", hint=there)
    else:
        try:
            return load_set(world, name)
        except NotFound as error:
            known = {*packaged(), *(item.name for item in stored_sets(world))}
            missing = NotFound(error.message, hint=did_you_mean(name, sorted(known), error.hint))
    found = packaged_set(name)
    if found is None:
        raise missing
    return found


def sets_with(world: World, name: str) -> list[Membership]:
    """All sets that hold a task of that name: those of the database, the newest first, then what comes with CompoWorld.

    A set of the database hides one of its name that comes with CompoWorld.
    """
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT s.name, m.split FROM compoworld.task_member m"
                " JOIN compoworld.task_draft d USING (set_id, ordinal) JOIN compoworld.task_set s ON s.id = m.set_id"
                " WHERE d.document ->> 'name' = :name ORDER BY m.set_id DESC, m.ordinal DESC"
            ),
            {"name": name.replace("\x00", "")},
        ).all()
        hidden = set(connection.execute(text("SELECT name FROM compoworld.task_set")).scalars())
    found = [Membership(*row) for row in rows]
    packed = _packaged(name)
    if packed is not None and packed.task_set is not None and packed.task_set not in hidden:
        found.append(Membership(packed.task_set, packed.split))
    return found


def _packaged(name: str) -> Found | None:
    task_set = packaged_with(name)
    if task_set is None:
        return None
    member = next(item for item in task_set.members if item.task.name == name)
    return Found(member.task, None, member.evidence, task_set.name, member.split)


def _meant(world: World, which: str) -> str:
    """What a name is that is none of a task, or which task was meant."""
    if which in all_families():
        return f"that is a scenario family: compoworld tasks draft {which} tells it"
    if which in {*packaged(), *(item.name for item in stored_sets(world))}:
        return f"that is a set: compoworld tasks list --set {which} shows its tasks"
    ours = sorted(path.stem for path in LIBRARY.glob("*.yaml"))
    with world.database.transaction() as connection:
        named_here = connection.execute(
            text(
                "SELECT name FROM compoworld.task UNION SELECT d.document ->> 'name' FROM compoworld.task_member m"
                " JOIN compoworld.task_draft d USING (set_id, ordinal) ORDER BY 1"
            )
        ).scalars()
        known = [*ours, *packaged_tasks(), *named_here]
    otherwise = f"give a file, or a name such as {', '.join(ours)}"
    return did_you_mean(which, dict.fromkeys(known), otherwise) or otherwise


def _member(world: World, name: str) -> Found | None:
    with world.database.transaction() as connection:
        row = connection.execute(
            text(
                "SELECT d.document, d.evidence, m.task_id, m.split, s.name FROM compoworld.task_member m"
                " JOIN compoworld.task_draft d USING (set_id, ordinal) JOIN compoworld.task_set s ON s.id = m.set_id"
                " WHERE d.document ->> 'name' = :name ORDER BY m.set_id DESC, m.ordinal DESC LIMIT 1"
            ),
            {"name": name.replace("\x00", "")},
        ).first()
    if row is None:
        return None
    return Found(read_document(row.document), row.task_id, tuple(row.evidence), row.name, row.split)


def _with_evidence(world: World, found: Found) -> Found:
    """With the evidence that the database has of it, if it comes with none."""
    if found.evidence or found.id is None:
        return found
    return replace(found, evidence=tuple(vars(item) for item in evidence_of(world, found.id)))
