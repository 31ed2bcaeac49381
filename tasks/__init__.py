"""Tasks: what is asked for, the state it starts from, a solution that works, and the rubric that judges it."""

from __future__ import annotations

from tasks.checking import CheckReport, ReferenceRun, check
from tasks.document import CriterionText, InitialState, Reference, ReferenceCall, Task
from tasks.errors import TaskError, TaskFileError, UnresolvedReference
from tasks.files import library, named, parse_task, read_task
from tasks.player import Player
from tasks.store import StoredTask, TaskSummary, load, put, stored

__all__ = [
    "CheckReport",
    "CriterionText",
    "InitialState",
    "Player",
    "Reference",
    "ReferenceCall",
    "ReferenceRun",
    "StoredTask",
    "Task",
    "TaskError",
    "TaskFileError",
    "TaskSummary",
    "UnresolvedReference",
    "check",
    "library",
    "load",
    "named",
    "parse_task",
    "put",
    "read_task",
    "stored",
]
