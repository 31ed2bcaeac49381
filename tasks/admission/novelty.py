"""Is the task more than an earlier one with other names?"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from engine.kit.values import canonical_json
from tasks.admission.evidence import Evidence, concluded
from tasks.document import Task

LIMIT = 2
"""How many tasks of the same services, walk and family there may be, and how many that do the same by any family."""

ALIKE = 0.85
"""How much of the calls and of the instruction, names aside, is the same in tasks that do the same."""

Signature = tuple[tuple[str, ...], tuple[str, ...], str]
"""Services (sorted), walk and family."""

_ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+\w")
_IDENTIFIER = re.compile(r"\b\w*_\w*\b")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w’'-]*")
_NUMBER = re.compile(r"\d[\d.,:/-]*")


@dataclass
class Earlier:
    """What was admitted before.

    Attributes:
        limit: how many tasks of the same services, walk and family are let in, and how many that do the same.
        counts: how many there are of the same services, walk and family.
    """

    limit: int = LIMIT
    counts: Counter[Signature] = field(default_factory=Counter)
    _instructions: dict[str, list[tuple[str, list[str]]]] = field(default_factory=dict)
    _deeds: dict[tuple[str, ...], list[_Deed]] = field(default_factory=dict)
    _documents: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, tasks: Iterable[Task], limit: int = LIMIT) -> Earlier:
        """Tasks that were admitted."""
        earlier = cls(limit)
        for task in tasks:
            earlier.add(task)
        return earlier

    def add(self, task: Task) -> None:
        """Take in a task that was admitted."""
        self.counts[signature(task)] += 1
        self._instructions.setdefault(_family(task), []).append((task.name, _masked_words(task.instruction)))
        self._deeds.setdefault(tuple(task.walk), []).append(_Deed.of(task))
        self._documents.setdefault(_nameless(task), task.name)

    def twin(self, task: Task) -> str | None:
        """The name of an earlier task that differs from this one in names only."""
        return self._documents.get(_nameless(task))

    def alike(self, task: Task) -> list[str]:
        """The names of earlier tasks that do the same, whatever their family and their distractors are."""
        deed = _Deed.of(task)
        return [item.name for item in self._deeds.get(tuple(task.walk), ()) if item.is_like(deed)]

    def nearest(self, task: Task) -> tuple[str, float] | None:
        """The earlier task of the same family with the most similar instruction, names, numbers and dates aside."""
        matcher = SequenceMatcher(b=_masked_words(task.instruction), autojunk=False)
        best: tuple[str, float] | None = None
        for name, words in self._instructions.get(_family(task), ()):
            matcher.set_seq1(words)
            if best is not None and matcher.real_quick_ratio() <= best[1]:
                continue
            ratio = matcher.ratio()
            if best is None or ratio > best[1]:
                best = name, ratio
        return best


@dataclass(frozen=True)
class _Deed:
    """What is done in a task.

    Attributes:
        tools: that are called, in order, with their services.
        words: of the instruction, names, numbers and dates aside.
    """

    name: str
    tools: list[str]
    words: list[str]

    @classmethod
    def of(cls, task: Task) -> _Deed:
        tools = [f"{call.service}.{call.tool}" for call in task.reference.calls]
        return cls(task.name, tools, _masked_words(task.instruction))

    def is_like(self, other: _Deed) -> bool:
        return all(
            SequenceMatcher(None, mine, theirs, autojunk=False).ratio() >= ALIKE
            for mine, theirs in ((self.tools, other.tools), (self.words, other.words))
        )


def examine(task: Task, earlier: Earlier | None = None) -> Evidence:
    """Check 7: not one of too many with the same services, walk and family, or that do the same, nor an earlier one.

    What is done, by whom it was written and what else is offered beside it are told apart: another word for the family
    or one more distractor makes no other task.
    """
    earlier = earlier or Earlier()
    services, walk, family = signature(task)
    count = earlier.counts[services, walk, family]
    findings = []
    if twin := earlier.twin(task):
        findings.append(f"it is {twin} with other names: change what happens in it")
    if count >= earlier.limit:
        findings.append(
            f"there are {count} tasks of the family {family} with these services and this walk already, the limit is "
            f"{earlier.limit}: take other services or another walk"
        )
    alike = earlier.alike(task)
    if len(alike) >= earlier.limit and count < earlier.limit:
        findings.append(
            f"{' and '.join(alike[: earlier.limit])} do the same already: this walk, these calls, and instructions that"
            f" differ in names; the limit is {earlier.limit}, whatever the family is called: let something else happen"
        )
    nearest = earlier.nearest(task)
    detail: dict[str, Any] = {
        "same_services_walk_family": count,
        "limit": earlier.limit,
        "family": family,
        "alike": len(alike),
    }
    if nearest is not None:
        detail["nearest"] = {"task": nearest[0], "similarity": round(nearest[1], 3)}
    shown_by = f"{count} earlier of these services, walk and family"
    if nearest is not None:
        shown_by += f"; the most similar instruction of the family, names aside, is {nearest[1]:.0%} the same"
    return concluded("novelty", shown_by, findings, detail)


def signature(task: Task) -> Signature:
    """What makes tasks near to each other: services, walk and family."""
    return tuple(sorted(task.services)), tuple(task.walk), _family(task)


def _family(task: Task) -> str:
    return task.origin.family if task.origin is not None else ""


def _masked_words(instruction: str) -> list[str]:
    return _NUMBER.sub("0", _NAME.sub("N", _ADDRESS.sub("@", instruction))).split()


def _nameless(task: Task) -> str:
    """A digest of the task with all names of people, companies, things and records the same."""
    document = task.document()
    for aside in ("name", "title", "origin", "distractors"):
        document.pop(aside)
    told = _ADDRESS.sub("@", canonical_json(document))
    return hashlib.sha256(_NAME.sub("N", _IDENTIFIER.sub("i", told)).encode()).hexdigest()
