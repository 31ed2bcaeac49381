"""Yield: at which stage drafts are rejected, and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from engine.errors import NotFound
from engine.world import World
from tasks.admission import CHECKS
from tasks.sets.document import TaskSet
from tasks.sets.rules import BALANCE, WRITE

STAGES = (BALANCE, WRITE, *CHECKS)
"""What a draft goes through, in order; as ``compoworld.task_stages()`` has it."""

LONGEST_REASON = 90

_PARTICULARS = (
    (re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`"), "…"),
    (re.compile(r" \([^()]*\)"), ""),
    (re.compile(r"\b[a-z_]+\.[a-z_]+\b"), "…"),  # a tool, a column
    (re.compile(r"\b(criterion|family) [a-z0-9_-]+"), r"\1 …"),
    (re.compile(r"(?<!\w)[-+]?\d[\d.,:_/-]*"), "#"),
    (re.compile(r"(…|#)(?:(?:, | and )(?:…|#))+"), r"\1"),
)
"""What differs from draft to draft, and what stands in its place."""

_FEWEST_WORDS = 4
"""What stands before a colon says enough if it has so many words."""


@dataclass(frozen=True)
class Example:
    """A draft that was rejected."""

    ordinal: int
    family: str
    reason: str


@dataclass(frozen=True)
class Reason:
    """A reason for which drafts were rejected, their particulars left out."""

    reason: str
    drafts: int
    examples: list[Example]


@dataclass(frozen=True)
class Stage:
    """What became of drafts at one stage.

    Attributes:
        drafts: how many came to it.
        share: of these, how many were rejected.
        reasons: the most frequent first.
    """

    stage: str
    drafts: int
    rejected: int
    share: float
    reasons: list[Reason]


def yield_of(world: World, name: str, *, examples: int = 2) -> list[Stage]:
    """What became of a set's drafts, stage by stage.

    Raises:
        NotFound: there is no such set.
    """
    with world.database.transaction() as connection:
        stages = connection.execute(
            text('SELECT stage, drafts, rejected, share FROM compoworld.task_yield WHERE "set" = :name ORDER BY place'),
            {"name": name},
        ).all()
        if not stages:
            raise NotFound(f"there is no set of tasks {name!r} in this database", hint="compoworld tasks sets")
        rejected = connection.execute(
            text(
                "SELECT d.stage, d.ordinal, d.family, d.reason FROM compoworld.task_draft d"
                " JOIN compoworld.task_set s ON s.id = d.set_id"
                " WHERE s.name = :name AND d.status = 'rejected' ORDER BY d.ordinal"
            ),
            {"name": name},
        ).all()
    found: dict[str, dict[str, list[Example]]] = {}
    for row in rejected:
        reasons = found.setdefault(row.stage, {})
        reasons.setdefault(short_reason(row.reason), []).append(Example(row.ordinal, row.family, row.reason))
    return [
        Stage(
            row.stage,
            row.drafts,
            row.rejected,
            row.share,
            [
                Reason(reason, len(drafts), drafts[:examples])
                for reason, drafts in sorted(
                    found.get(row.stage, {}).items(), key=lambda item: (-len(item[1]), item[0])
                )
            ],
        )
        for row in stages
    ]


def yield_written(found: TaskSet) -> list[Stage]:
    """The same of a set that was read from files: these keep the reasons, not the drafts."""
    coming = found.drafts
    stages = []
    for stage in STAGES:
        reasons: Counter[str] = Counter()
        for reason, times in found.rejected.get(stage, {}).items():
            reasons[short_reason(reason)] += times
        rejected = reasons.total()
        ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        share = rejected / coming if coming else 0.0
        stages.append(Stage(stage, coming, rejected, share, [Reason(reason, many, []) for reason, many in ordered]))
        coming -= rejected
    return stages


def short_reason(reason: str) -> str:
    """A reason without what differs from draft to draft: quoted words, names, numbers, and what comes after a colon."""
    bare = " ".join(reason.split())
    for pattern, instead in _PARTICULARS:
        bare = pattern.sub(instead, bare)
    head, colon, _ = bare.partition(": ")
    if colon and len(head.split()) >= _FEWEST_WORDS:
        bare = head
    return bare if len(bare) <= LONGEST_REASON else bare[: LONGEST_REASON - 1] + "…"


def rejections(found: TaskSet) -> dict[str, int]:
    """How many drafts were rejected for each reason, as ``stage: reason``; the most frequent first."""
    counts: Counter[str] = Counter()
    for stage, reasons in found.rejected.items():
        for reason, times in reasons.items():
            # Which composition is full says nothing to a reader of counts.
            counts[stage if stage == "balance" else f"{stage}: {short_reason(reason)}"] += times
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def rejected_by_stage(found: TaskSet) -> Mapping[str, Any]:
    """How many drafts were rejected at each stage, in the order of the stages."""
    return {stage: sum(reasons.values()) for stage, reasons in found.rejected.items()}
