"""CompoWorld: training data and training environments for agents that work across applications.

``world = compoworld.open()`` gives the verbs: compose services, take a snapshot, fork it, call tools, read events,
state and differences, replay, verify, run rollouts. Nothing is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compoworld.world import World
    from compoworld.world import open_world as open
    from engine.branches import Branch
    from engine.calls import CallResult
    from engine.compositions import Composition
    from engine.errors import (
        CompoWorldError,
        DatabaseUnavailable,
        InfrastructureError,
        InputError,
        NotFound,
        Refused,
    )
    from engine.events import Event, RowChange
    from engine.replay import ReplayReport
    from engine.snapshots import Snapshot
    from engine.states import Change
    from engine.verifiers import Check, Criterion
    from rl import GroupReport, Limits
    from tasks import StoredTask, Task
    from tasks.sets import TaskSet

__all__ = [
    "Branch",
    "CallResult",
    "Change",
    "Check",
    "CompoWorldError",
    "Composition",
    "Criterion",
    "DatabaseUnavailable",
    "Event",
    "GroupReport",
    "InfrastructureError",
    "InputError",
    "Limits",
    "NotFound",
    "Refused",
    "ReplayReport",
    "RowChange",
    "Snapshot",
    "StoredTask",
    "Task",
    "TaskSet",
    "World",
    "open",
]

__version__ = "0.1.0"

_MODULES = {
    "World": "compoworld.world",
    "Branch": "engine.branches",
    "CallResult": "engine.calls",
    "Composition": "engine.compositions",
    "CompoWorldError": "engine.errors",
    "DatabaseUnavailable": "engine.errors",
    "InfrastructureError": "engine.errors",
    "InputError": "engine.errors",
    "NotFound": "engine.errors",
    "Refused": "engine.errors",
    "Event": "engine.events",
    "RowChange": "engine.events",
    "ReplayReport": "engine.replay",
    "Snapshot": "engine.snapshots",
    "Change": "engine.states",
    "Check": "engine.verifiers",
    "Criterion": "engine.verifiers",
    "GroupReport": "rl",
    "Limits": "rl",
    "StoredTask": "tasks",
    "Task": "tasks",
    "TaskSet": "tasks.sets",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "open":
        return import_module("compoworld.world").open_world
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
