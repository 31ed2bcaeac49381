"""A workshop whose candidates cost nothing: one hand-written task, told over and over again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from engine.world import World
from tasks.admission import admit
from tasks.document import Area, Origin, Task
from tasks.errors import DraftError, TaskError, ToolBroke
from tasks.files import named
from tasks.sets.drafts import read_document
from tasks.sets.workshop import Judgement
from tasks.store import put

OTHERS = ("analytics", "banking", "billing", "boards", "clinic", "docs", "events", "expenses", "files", "hr")
PAIRS = list(combinations(OTHERS, 2))


@cache
def model() -> Task:
    return named("move-halcyon-kickoff")


@dataclass(frozen=True)
class FakePlan:
    ordinal: int
    family: str
    area: Area
    services: tuple[str, ...]
    distractors: tuple[str, ...]
    walk: tuple[str, ...]
    seed: int


@dataclass
class FakeMemory:
    titles: set[str] = field(default_factory=set)

    def judge(self, task: Task) -> dict[str, Any]:
        known = task.title in self.titles
        summary = f"there is a task {task.title!r} already" if known else f"unlike {len(self.titles)} others"
        return {"check": "novelty", "passed": not known, "summary": summary, "detail": {}}

    def add(self, task: Task) -> None:
        self.titles.add(task.title)


@dataclass(frozen=True)
class FakeWorkshop:
    """Told by its settings what goes wrong.

    Attributes:
        untold, unsound: ordinals that cannot be told, and that the gate refuses.
        alike: ordinals that have the title of the one before.
        pairs: how many compositions there are.
        fatal: the ordinal at which the process dies, as long as there are not ``deaths`` lines in ``diary``.
        broken: the ordinal at which our own code fails.
        late: the ordinal at which a tool does not return, as long as there are not ``deaths`` lines in ``diary``.
        slow: seconds that each candidate takes.
        stored: whether the tasks are stored, as the gate does.
    """

    diary: Path
    untold: frozenset[int] = frozenset()
    unsound: frozenset[int] = frozenset()
    alike: frozenset[int] = frozenset()
    pairs: int = len(PAIRS)
    fatal: int | None = None
    deaths: int = 1
    broken: int | None = None
    late: int | None = None
    slow: float = 0.0
    stored: bool = False
    last: int | None = None
    gated: bool = False

    def settings(self, dials: Mapping[str, Any], families: Sequence[str] | None) -> dict[str, Any]:
        if families is not None and "unknown" in families:
            raise TaskError("there is no family 'unknown'")
        return {"dials": dict(dials), "families": families}

    def plans(self, seed: int, dials: Mapping[str, Any], families: Sequence[str] | None) -> Iterator[FakePlan]:
        task = model()
        ordinal = 0
        while self.last is None or ordinal <= self.last:
            new = {} if self.stored else dict(zip(task.services, PAIRS[ordinal % self.pairs], strict=False))
            yield FakePlan(
                ordinal,
                f"family-{ordinal % 3}",
                ("sales", "support")[ordinal % 2],
                tuple(new.get(name, name) for name in task.services),
                () if new else tuple(task.distractors),
                tuple(new.get(name, name) for name in task.walk),
                seed,
            )
            ordinal += 1

    def write(self, world: World, plan: FakePlan) -> Task:
        with self.diary.open("a") as diary:
            diary.write(f"{plan.ordinal}\n")
        time.sleep(self.slow)
        if plan.ordinal == self.fatal and self.begun(plan.ordinal) <= self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        if plan.ordinal == self.late and self.begun(plan.ordinal) <= self.deaths:
            raise ToolBroke("mail.get_thread broke: mail.get_thread did not return within 10 s")
        if plan.ordinal == self.broken:
            raise KeyError("row")
        if plan.ordinal in self.untold:
            raise DraftError(f"there is no room for '{plan.ordinal}' here")
        number = plan.ordinal - 1 if plan.ordinal in self.alike else plan.ordinal
        document = model().document()
        new = dict(zip(model().walk, plan.walk, strict=True))
        for call in document["reference"]["calls"]:
            call["service"] = new[call["service"]]
        document |= {
            "name": f"fake-{plan.seed}-{plan.ordinal}",
            "title": f"Fake {plan.seed} {number}",
            "services": list(plan.services),
            "distractors": list(plan.distractors),
            "walk": list(plan.walk),
            "origin": Origin(author="family", family=plan.family, area=plan.area, seed=plan.seed).model_dump(),
        }
        return read_document(document)

    def judge(self, world: World, task: Task) -> Judgement:
        ordinal = int(task.name.rpartition("-")[2])
        if self.gated:
            admit(world, task)
        number = put(world, task).id if self.stored else None
        evidence: list[dict[str, Any]] = [{"check": "document", "passed": True, "summary": "fits", "detail": {}}]
        if ordinal in self.unsound:
            evidence.append({"check": "broken", "passed": False, "summary": f"criterion 'c{ordinal}' is idle"})
            return Judgement("broken", f"criterion 'c{ordinal}' is idle", evidence, number)
        return Judgement(None, None, evidence, number)

    def memory(self) -> FakeMemory:
        return FakeMemory()

    def begun(self, ordinal: int) -> int:
        """How often a candidate was begun."""
        return self.diary.read_text().split().count(str(ordinal))
