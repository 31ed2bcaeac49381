"""The candidates of a set in the catalog: judged, decided on, forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from engine.errors import NotFound
from engine.kit.values import canonical_json
from engine.world import World
from tasks.document import Task
from tasks.sets.rules import NOVELTY, Refusal


@dataclass(frozen=True)
class DraftRow:
    """A candidate as the catalog has it, without its document.

    Attributes:
        status: ``sound`` (not yet decided), ``admitted`` or ``rejected``.
    """

    ordinal: int
    family: str
    area: str
    services: tuple[str, ...]
    distractors: tuple[str, ...]
    walk: tuple[str, ...]
    status: str
    stage: str | None = None
    reason: str | None = None
    seconds: float | None = None
    task_id: int | None = None
    composition_id: int | None = None

    @property
    def refusal(self) -> Refusal | None:
        """Why it was rejected."""
        return Refusal(self.stage, self.reason or "") if self.stage is not None else None


def keep_draft(
    world: World,
    number: int,
    draft: DraftRow,
    document: Mapping[str, Any] | None = None,
    evidence: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write a judged candidate down; the same one again takes the place of the first."""
    with world.database.transaction() as connection:
        insert_draft(connection, number, draft, document, evidence)


def insert_draft(
    connection: Connection,
    number: int,
    draft: DraftRow,
    document: Mapping[str, Any] | None,
    evidence: Sequence[Mapping[str, Any]],
) -> None:
    """As ``keep_draft``, in a transaction of the caller's."""
    connection.execute(
        text(
            "INSERT INTO compoworld.task_draft (set_id, ordinal, family, area, services, distractors, walk, status,"
            " stage, reason, seconds, task_id, composition_id, document, evidence) VALUES (:set, :ordinal, :family,"
            " :area, :services, :distractors, :walk, :status, :stage, :reason, :seconds, :task_id, :composition_id,"
            " :document, :evidence) ON CONFLICT (set_id, ordinal) DO UPDATE SET status = excluded.status,"
            " stage = excluded.stage, reason = excluded.reason, seconds = excluded.seconds,"
            " task_id = excluded.task_id, composition_id = excluded.composition_id, document = excluded.document,"
            " evidence = excluded.evidence"
        ),
        {
            **vars(draft),
            "set": number,
            "services": list(draft.services),
            "distractors": list(draft.distractors),
            "walk": list(draft.walk),
            "document": None if document is None else Jsonb(dict(document)),
            "evidence": Jsonb([dict(item) for item in evidence]),
        },
    )


def drafts(world: World, number: int) -> dict[int, DraftRow]:
    """The candidates of a set that were judged, by ordinal."""
    with world.database.transaction() as connection:
        rows = connection.execute(
            text(
                "SELECT ordinal, family, area, services, distractors, walk, status, stage, reason, seconds, task_id,"
                " composition_id FROM compoworld.task_draft WHERE set_id = :set ORDER BY ordinal"
            ),
            {"set": number},
        ).all()
    return {
        row.ordinal: DraftRow(
            **{**row._mapping, **{key: tuple(getattr(row, key)) for key in ("services", "distractors", "walk")}}
        )
        for row in rows
    }


def draft_task(world: World, number: int, ordinal: int) -> Task:
    """The task of a candidate that came to one.

    Raises:
        NotFound: there is none.
    """
    with world.database.transaction() as connection:
        document = connection.execute(
            text("SELECT document FROM compoworld.task_draft WHERE set_id = :set AND ordinal = :ordinal"),
            {"set": number, "ordinal": ordinal},
        ).scalar()
    if document is None:
        raise NotFound(f"set {number} has no draft {ordinal}")
    return read_document(document)


def read_document(document: Mapping[str, Any]) -> Task:
    """A task from its document."""
    return Task.model_validate_json(canonical_json(document), strict=True)


def decide_draft(
    world: World, number: int, draft: DraftRow, refusal: Refusal | None, novelty: Mapping[str, Any] | None
) -> None:
    """Make a draft a task of its set, or reject it.

    Args:
        novelty: the evidence of the look for near-duplicates, which takes the place of the gate's own.
    """
    values = {
        "set": number,
        "ordinal": draft.ordinal,
        "status": "admitted" if refusal is None else "rejected",
        "stage": refusal and refusal.stage,
        "reason": refusal and refusal.reason,
        "task": draft.task_id if refusal is None else None,
        "novelty": None if novelty is None else Jsonb([dict(novelty)]),
    }
    with world.database.transaction() as connection:
        connection.execute(
            text(
                "UPDATE compoworld.task_draft SET status = :status, stage = :stage, reason = :reason, task_id = :task,"
                " evidence = CASE WHEN CAST(:novelty AS jsonb) IS NULL THEN evidence ELSE (SELECT"
                " coalesce(jsonb_agg(e ORDER BY place), '[]') FROM jsonb_array_elements(evidence) WITH ORDINALITY"
                " AS x(e, place) WHERE e ->> 'check' <> :novelty_check) || CAST(:novelty AS jsonb) END"
                " WHERE set_id = :set AND ordinal = :ordinal"
            ),
            {**values, "novelty_check": NOVELTY},
        )
        if refusal is not None:
            return
        connection.execute(
            text(
                "INSERT INTO compoworld.task_member (set_id, ordinal, task_id) VALUES (:set, :ordinal, :task)"
                " ON CONFLICT DO NOTHING"
            ),
            values,
        )
        if novelty is not None and draft.task_id is not None:
            connection.execute(
                text(
                    "UPDATE compoworld.task_evidence SET passed = :passed, summary = :summary, detail = :detail"
                    ' WHERE task_id = :task AND "check" = :check'
                ),
                {**novelty, "detail": Jsonb(novelty["detail"]), "task": draft.task_id},
            )


def blank_draft(world: World, number: int, draft: DraftRow, refusal: Refusal) -> None:
    """Reject a draft for which there is no room, as if it had not been made."""
    surplus = replace(draft, status="rejected", stage=refusal.stage, reason=refusal.reason, seconds=None, task_id=None)
    keep_draft(world, number, surplus)


def drop_after(world: World, number: int, ordinal: int) -> list[DraftRow]:
    """Forget the candidates after an ordinal, which were judged ahead and are not needed; those that there were."""
    ahead = [draft for place, draft in drafts(world, number).items() if place > ordinal]
    with world.database.transaction() as connection:
        connection.execute(
            text("DELETE FROM compoworld.task_draft WHERE set_id = :set AND ordinal > :ordinal"),
            {"set": number, "ordinal": ordinal},
        )
    return ahead
