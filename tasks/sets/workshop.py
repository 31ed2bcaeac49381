"""Where the candidates of a set come from, and who judges them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from engine.world import World
from tasks.document import Task


class Candidate(Protocol):
    """What is to be drafted; see ``tasks.authoring.plans.Plan``. It is sent to other processes."""

    @property
    def ordinal(self) -> int: ...

    @property
    def family(self) -> str: ...

    @property
    def area(self) -> str: ...

    @property
    def services(self) -> tuple[str, ...]: ...

    @property
    def distractors(self) -> tuple[str, ...]: ...

    @property
    def walk(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Judgement:
    """What the gate said of a draft, as a set keeps it.

    Attributes:
        stage, reason: the first failure; ``None`` where there was none.
        evidence: ``{"check", "passed", "summary", "detail"}`` for each check.
        task_id: the number under which the task was stored, if it came so far.
    """

    stage: str | None = None
    reason: str | None = None
    evidence: list[dict[str, Any]] = field(default_factory=list)
    task_id: int | None = None


class Memory(Protocol):
    """The tasks that were admitted so far, against which a new one is held."""

    def judge(self, task: Task) -> dict[str, Any]:
        """Whether a task is far enough from those that are known: evidence as a judgement has it."""

    def add(self, task: Task) -> None:
        """Know one more."""


class Workshop(Protocol):
    """Makes and judges candidates, each a function of the seed, the settings and its ordinal alone.

    It is sent to other processes, so it is pickled.
    """

    def settings(self, dials: Mapping[str, Any], families: Sequence[str] | None) -> dict[str, Any]:
        """Everything but seed and ordinal that decides a candidate, as JSON values.

        Raises:
            TaskError: there is no such dial or family.
        """

    def plans(self, seed: int, dials: Mapping[str, Any], families: Sequence[str] | None) -> Iterator[Candidate]:
        """The candidates 0, 1, 2, ..."""

    def write(self, world: World, plan: Any) -> Task:
        """The draft of a candidate.

        Raises:
            DraftError: it cannot be told.
        """

    def judge(self, world: World, task: Task) -> Judgement:
        """What the gate says of a draft, other tasks left out of account."""

    def memory(self) -> Memory:
        """An empty memory."""
