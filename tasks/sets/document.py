"""A set of tasks in memory, wherever it comes from: the catalog, files, or the package."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from engine.kit.values import canonical_json
from tasks.document import Task

Split = Literal["train", "validation", "test"]

SPLITS: tuple[Split, ...] = ("train", "validation", "test")


@dataclass(frozen=True)
class Member:
    """A task of a set.

    Attributes:
        ordinal: which candidate it was.
        task_id: its number in the database, where it is stored as a task.
        evidence: what the gate found: ``{"check", "passed", "summary", "detail"}`` for each check.
    """

    ordinal: int
    task: Task
    split: Split | None = None
    task_id: int | None = None
    evidence: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class TaskSet:
    """A set of tasks.

    Attributes:
        settings: with the seed, what decided every candidate.
        wanted: how many tasks it was to have.
        members: in the order of their ordinals.
        drafts: how many candidates it took.
        rejected: stage to reason to how many.
        finished: whether it has all the tasks that it was to have.
        seconds: how long it took to make, and ``seconds_here`` how long in the run that gave it.
        id: its number in the database, where it is there.
    """

    name: str
    seed: int
    settings: Mapping[str, Any]
    wanted: int
    members: tuple[Member, ...]
    drafts: int
    rejected: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    finished: bool = True
    seconds: float = 0.0
    id: int | None = None
    seconds_here: float = 0.0

    @property
    def tasks(self) -> list[Task]:
        """Its tasks, in order."""
        return [member.task for member in self.members]

    @cached_property
    def checksum(self) -> str:
        """Of its tasks in their order; equal for equal sets, whatever the machine."""
        return content_checksum(self.tasks)


def content_checksum(tasks: Iterable[Task]) -> str:
    """The SHA-256 of the file of these tasks: one canonical JSON document on each line."""
    digest = hashlib.sha256()
    for task in tasks:
        digest.update(f"{task_line(task)}\n".encode())
    return digest.hexdigest()


def task_line(task: Task) -> str:
    """A task as a line of JSON, equal for equal tasks."""
    return canonical_json(task.document())


def composition_of(services: Iterable[str]) -> tuple[str, ...]:
    """What tells compositions apart: the services that are needed, in the order of their names."""
    return tuple(sorted(services))


def family_of(task: Task) -> str:
    """The scenario family that told a task; its own name where none did."""
    return task.origin.family if task.origin else task.name


def tools_of(tasks: Iterable[Task]) -> Counter[str]:
    """The tools of the reference solutions, as ``service.tool``, with the number of tasks that use each."""
    return Counter(
        name for task in tasks for name in sorted({f"{call.service}.{call.tool}" for call in task.reference.calls})
    )
