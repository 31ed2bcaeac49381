"""CompoWorld: training data and training environments for agents that work across applications.

    world = compoworld.open()

gives the verbs: compose services, take a snapshot, fork it, call tools, read events, state and differences, replay,
verify, run rollouts. Nothing is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compoworld.world import World
    from compoworld.world import open_world as open  # noqa: A004
    from engine.branches import Branch
    from engine.calls import CallResult
    from engine.compositions import Composition
    from engine.errors import CompoWorldError, DatabaseUnavailable, InfrastructureError, InputError, NotFound, Refused
    from engine.events import Event, RowChange
    from engine.replay import ReplayReport
    from engine.snapshots import Snapshot
    from engine.states import Change
    from engine.verifiers import Check, Criterion
    from tasks import StoredTask, Task

__version__ = "0.1.0"

_PLACES = {
    "open": ("compoworld.world", "open_world"),
    "World": ("compoworld.world", "World"),
    "Branch": ("engine.branches", "Branch"),
    "CallResult": ("engine.calls", "CallResult"),
    "Composition": ("engine.compositions", "Composition"),
    "CompoWorldError": ("engine.errors", "CompoWorldError"),
    "DatabaseUnavailable": ("engine.errors", "DatabaseUnavailable"),
    "InfrastructureError": ("engine.errors", "InfrastructureError"),
    "InputError": ("engine.errors", "InputError"),
    "NotFound": ("engine.errors", "NotFound"),
    "Refused": ("engine.errors", "Refused"),
    "Event": ("engine.events", "Event"),
    "RowChange": ("engine.events", "RowChange"),
    "ReplayReport": ("engine.replay", "ReplayReport"),
    "Snapshot": ("engine.snapshots", "Snapshot"),
    "Change": ("engine.states", "Change"),
    "Check": ("engine.verifiers", "Check"),
    "Criterion": ("engine.verifiers", "Criterion"),
    "StoredTask": ("tasks", "StoredTask"),
    "Task": ("tasks", "Task"),
}

__all__ = sorted(_PLACES)  # noqa: PLE0605 - the names stand above


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _PLACES[name]
    return globals().setdefault(name, getattr(import_module(module), attribute))


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
