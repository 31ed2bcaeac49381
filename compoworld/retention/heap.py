"""What is to be deleted: as it is named, and with all that goes with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """What the user named, by number; tasks by name or number, a name standing for every task of that name.

    Attributes:
        sets: of tasks, by name; with those of their tasks that no other set has, and the initial states of these.
        collections: by name, with their groups.
        evaluations: by name, with those of their groups that no other evaluation has.
        runs: of training, by name, with the groups that they sampled, their policies and their files.
        experiments: by name, with the sets, collections, evaluations and runs that they made.
    """

    sets: Sequence[str] = ()
    rollouts: Sequence[int] = ()
    groups: Sequence[int] = ()
    tasks: Sequence[str | int] = ()
    branches: Sequence[int] = ()
    snapshots: Sequence[int] = ()
    compositions: Sequence[int] = ()
    collections: Sequence[str] = ()
    evaluations: Sequence[str] = ()
    runs: Sequence[str] = ()
    experiments: Sequence[str] = ()


@dataclass
class Heap:
    """What is to be deleted, or was: names or numbers by kind.

    Attributes:
        policies: of the runs, ``name@version``.
        files: and folders that the runs wrote, on this machine.
        scratch: of the branches, those made in passing.
        broken_groups: groups that lose some but not all of their rollouts: their rewards are then computed over the
            rest.
    """

    experiments: list[str] = field(default_factory=list)
    collections: list[str] = field(default_factory=list)
    evaluations: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    policies: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)
    rollouts: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    tasks: list[int] = field(default_factory=list)
    branches: list[int] = field(default_factory=list)
    snapshots: list[int] = field(default_factory=list)
    compositions: list[int] = field(default_factory=list)
    scratch: list[int] = field(default_factory=list)
    broken_groups: list[int] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """How many of each kind there are; kinds without any are left out."""
        return {kind: len(found) for kind in _KINDS if (found := getattr(self, kind))}


_KINDS = (
    *("experiments", "collections", "evaluations", "runs", "policies", "files"),
    *("sets", "compositions", "snapshots", "tasks", "groups", "rollouts", "branches"),
)
