"""What the gate found: evidence for each check, kept in the catalog."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import text

from engine.kit.values import shown
from engine.world import World
from tasks.store import StoredTask

CHECKS = (
    "document",
    "instruction",
    "reference",
    "untouched",
    "sources",
    "crossing",
    "revisit",
    "broken",
    "equivalent",
    "novelty",
)
"""The checks in the order in which they are made: a later one is not made after one that failed."""


@dataclass(frozen=True)
class Evidence:
    """What one check found.

    Attributes:
        check: its name, one of ``CHECKS``.
        summary: one sentence: what was shown, or what is wrong.
        detail: JSON values; ``findings`` are the sentences that an author can act on, empty where it passed.
    """

    check: str
    passed: bool
    summary: str
    detail: dict[str, Any]

    @property
    def findings(self) -> list[str]:
        """What is wrong, one sentence each."""
        return list(self.detail.get("findings", ()))


def counted(number: int, one: str, more: str | None = None) -> str:
    """A number of things: "1 edge", "2 edges".

    Args:
        more: the word for several, where it is not the word for one with an s.
    """
    return f"{number} {one if number == 1 else more or one + 's'}"


def concluded(check: str, shown_by: str, findings: list[str], detail: dict[str, Any] | None = None) -> Evidence:
    """Evidence of a check: passed where there are no findings.

    Args:
        shown_by: the summary for a check that passed.
    """
    if not findings:
        return Evidence(check, True, shown_by, detail or {})
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return Evidence(check, False, f"{findings[0]}{more}", {**(detail or {}), "findings": findings})


@dataclass(frozen=True)
class Verdict:
    """What the gate says of a task.

    Attributes:
        stored: the task in the catalog; ``None`` where it does not fit the library, so that it could not be stored.
        evidence: of the checks that were made, in order; only the last may have failed.
    """

    stored: StoredTask | None
    evidence: list[Evidence]

    @property
    def admitted(self) -> bool:
        """Whether every check was made and passed."""
        return [item.check for item in self.evidence if item.passed] == list(CHECKS)

    @property
    def stage(self) -> str | None:
        """The check that failed."""
        return next((item.check for item in self.evidence if not item.passed), None)

    @property
    def reason(self) -> str | None:
        """What that check says in one sentence."""
        return next((item.summary for item in self.evidence if not item.passed), None)

    @property
    def findings(self) -> list[str]:
        """All that is wrong, one sentence each: what an author is told."""
        return [finding for item in self.evidence for finding in item.findings]


def save_verdict(world: World, verdict: Verdict) -> None:
    """Keep the evidence with the task, in place of what was kept before.

    Of a task that could not be stored nothing is kept: there is nothing that it could hang on.
    """
    if verdict.stored is None:
        return
    with world.database.transaction() as connection:
        connection.execute(
            text("DELETE FROM compoworld.task_evidence WHERE task_id = :task"), {"task": verdict.stored.id}
        )
        connection.execute(
            text(
                'INSERT INTO compoworld.task_evidence (task_id, ordinal, "check", passed, summary, detail)'
                " VALUES (:task, :ordinal, :check, :passed, :summary, :detail)"
            ),
            [
                {
                    "task": verdict.stored.id,
                    "ordinal": ordinal,
                    "check": item.check,
                    "passed": item.passed,
                    "summary": shown(item.summary),
                    "detail": Jsonb(shown(item.detail)),
                }
                for ordinal, item in enumerate(verdict.evidence, 1)
            ],
        )


def evidence_of(world: World, task_id: int) -> list[Evidence]:
    """The evidence kept with a task, in order; empty where the gate has not seen it."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                'SELECT "check", passed, summary, detail FROM compoworld.task_evidence'
                " WHERE task_id = :task ORDER BY ordinal"
            ),
            {"task": task_id},
        ).all()
    return [Evidence(*row) for row in rows]
