"""The gate as an author meets it: admitted, or findings that it can act on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.world import World
from tasks.admission import Earlier, admit, save_verdict
from tasks.document import Task
from tasks.modelled.store import admitted


@dataclass(frozen=True)
class Ruling:
    """What the gate says.

    Attributes:
        task: number of the task in the catalog; ``None`` where it could not be stored.
        stage: the check that failed.
        findings: what is wrong, one sentence each.
    """

    admitted: bool
    task: int | None
    stage: str | None = None
    findings: tuple[str, ...] = ()


Gate = Callable[[World, Task], Ruling]


def admission(world: World, task: Task) -> Ruling:
    """What the gate of all tasks says; the evidence is kept with the task.

    Earlier ones are those that a model wrote in this database and that were admitted.

    Raises:
        DatabaseUnavailable, InfrastructureError: the checks could not be made; that says nothing of the task.
    """
    verdict = admit(world, task, earlier=Earlier.of(admitted(world.database)))
    save_verdict(world, verdict)
    number = verdict.stored.id if verdict.stored is not None else None
    return Ruling(verdict.admitted, number, verdict.stage, tuple(verdict.findings))
