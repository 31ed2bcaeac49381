"""What depends on the order of the candidates: how often a composition and a family may come, and near-duplicates.

Decided one after the other in the order of their ordinals, so that a set is the same however many processes judged
its candidates, and however often it was interrupted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tasks.document import Task
from tasks.sets.document import composition_of
from tasks.sets.workshop import Candidate, Memory

BALANCE, WRITE, NOVELTY = "balance", "write", "novelty"


@dataclass(frozen=True)
class Rules:
    """How varied a set is.

    Attributes:
        per_composition: how many of its tasks may need the same services.
        per_family: how many may be of the same family; ``None``: as many as come.
    """

    per_composition: int = 2
    per_family: int | None = None


@dataclass(frozen=True)
class Refusal:
    """Why a draft does not become a task of the set."""

    stage: str
    reason: str


class Decider:
    """Decides on drafts, in the order of their ordinals.

    Attributes:
        admitted: how many so far.
        novelty: what the last look for near-duplicates gave, as evidence; ``None`` where there was no need to look.
    """

    def __init__(self, rules: Rules, memory: Memory) -> None:
        self._rules = rules
        self._memory = memory
        self._compositions: Counter[tuple[str, ...]] = Counter()
        self._families: Counter[str] = Counter()
        self.admitted = 0
        self.novelty: dict[str, Any] | None = None

    def surplus(self, plan: Candidate) -> Refusal | None:
        """Why the set has no more room for such a candidate. Once refused, it is refused for ever."""
        services = composition_of(plan.services)
        if self._compositions[services] >= self._rules.per_composition:
            return Refusal(BALANCE, f"the set has enough tasks over: {', '.join(services)}")
        most = self._rules.per_family
        if most is not None and self._families[plan.family] >= most:
            return Refusal(BALANCE, f"the set has enough tasks of the family {plan.family}")
        return None

    def decide(self, plan: Candidate, rejected: Refusal | None, task: Callable[[], Task]) -> Refusal | None:
        """Admit a draft, or say why not.

        Args:
            rejected: what the gate said, if it refused the draft by itself.
            task: gives the draft; called only where nothing else speaks against it.
        """
        # First, whatever the gate has said: so it need not have been asked.
        self.novelty = None
        if (refusal := self.surplus(plan) or rejected) is not None:
            return refusal
        draft = task()
        self.novelty = self._memory.judge(draft)
        if not self.novelty["passed"]:
            return Refusal(NOVELTY, self.novelty["summary"])
        self._memory.add(draft)
        self._compositions[composition_of(plan.services)] += 1
        self._families[plan.family] += 1
        self.admitted += 1
        return None
