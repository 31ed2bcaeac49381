"""Runs of the author in the database."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import RowMapping, text

from engine.database import Database
from engine.errors import NotFound
from engine.kit.values import canonical_json
from synth.dialogue.log import RunLog, Turn, alone
from tasks.document import Task
from tasks.modelled.commission import Commission

RUN = "task_authoring"
LOCK = 7211
"""Class of the advisory lock that whoever works on a run holds."""

Status = Literal["running", "stopped", "admitted", "failed"]

_NEW = text("""
INSERT INTO compoworld.task_authoring (composition_id, services, distractors, walk, seed, model, author_version)
VALUES (:composition, :services, :distractors, :walk, :seed, :model, :version) RETURNING id
""")
_FIND = text("SELECT * FROM compoworld.task_authoring WHERE id = :id")
_ADMITTED = text("""
SELECT t.document FROM compoworld.task t WHERE t.id IN (
    SELECT task_id FROM compoworld.task_authoring WHERE status = 'admitted') ORDER BY t.id
""")
_BEGIN = text("UPDATE compoworld.task_authoring SET status = 'running', ended_at = NULL WHERE id = :id")
_END = text("""
UPDATE compoworld.task_authoring SET status = :status, detail = :detail, task_id = :task, ended_at = now()
WHERE id = :id
""")


@dataclass(frozen=True)
class StoredRun:
    """A run in the database.

    Attributes:
        composition: number of the composition that it was begun on.
        phase: where it stands.
        status: ``stopped``: its budget ended, and it can be gone on with.
        attempts: how often a task was submitted.
        cost_usd: ``None`` where the model's prices are not known.
    """

    id: int
    composition: int
    commission: Commission
    model: str
    phase: str
    status: Status
    detail: str | None
    attempts: int
    turns: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    seconds: float
    task_id: int | None


def new_run(database: Database, composition: int, commission: Commission, model: str, version: str) -> int:
    """Begin a run; its number."""
    values = {
        "composition": composition,
        "services": list(commission.services),
        "distractors": list(commission.distractors),
        "walk": list(commission.walk),
        "seed": commission.seed,
        "model": model,
        "version": version,
    }
    with database.transaction() as connection:
        return int(connection.execute(_NEW, values).scalar_one())


def find_run(database: Database, number: int) -> StoredRun:
    """A run by its number.

    Raises:
        NotFound: there is none.
    """
    with database.transaction() as connection:
        row = connection.execute(_FIND, {"id": number}).mappings().first()
    if row is None:
        raise NotFound(f"there is no run {number} of the author")
    return _stored(row)


def turns_of(database: Database, number: int) -> tuple[Turn, ...]:
    """What was said in a run."""
    return RunLog(database, RUN, number).turns()


def admitted(database: Database) -> list[Task]:
    """The tasks of models that were admitted, oldest first."""
    with database.transaction() as connection:
        documents = connection.execute(_ADMITTED).scalars().all()
    return [Task.model_validate_json(canonical_json(document), strict=True) for document in documents]


def begin_again(database: Database, number: int) -> None:
    """Record that a run which stopped goes on."""
    with database.transaction() as connection:
        connection.execute(_BEGIN, {"id": number})


def end_run(database: Database, number: int, status: Status, detail: str, task: int | None) -> None:
    """Record how a run ended."""
    with database.transaction() as connection:
        connection.execute(_END, {"id": number, "status": status, "detail": detail, "task": task})


def working_on(database: Database, number: int) -> AbstractContextManager[None]:
    """Keep others from working on the same run while the block lasts.

    Raises:
        Refused: somebody does.
    """
    return alone(database, LOCK, number, f"run {number} of the author")


def _stored(item: RowMapping) -> StoredRun:
    return StoredRun(
        id=item["id"],
        composition=item["composition_id"],
        commission=Commission(
            tuple(item["services"]), tuple(item["walk"]), tuple(item["distractors"]), seed=item["seed"]
        ),
        model=item["model"],
        phase=item["phase"],
        status=item["status"],
        detail=item["detail"],
        attempts=item["attempts"],
        turns=item["turns"],
        input_tokens=item["input_tokens"],
        output_tokens=item["output_tokens"],
        cost_usd=None if item["cost_usd"] is None else float(item["cost_usd"]),
        seconds=item["seconds"],
        task_id=item["task_id"],
    )
