"""One candidate of a set: written, judged, written down; in the process that makes the set or in another."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import text

from engine.errors import CompoWorldError, DatabaseUnavailable, NotFound, Refused
from engine.processes import interruptible
from engine.retention import delete_branches, delete_composition, delete_snapshot, drafts_left
from engine.world import World
from synth.shelf import world_with_shelf
from tasks.errors import DraftError, MakingFailed, ToolBroke
from tasks.sets.drafts import DraftRow, keep_draft
from tasks.sets.rules import WRITE
from tasks.sets.workshop import Candidate, Judgement, Workshop

TRIES = 3
"""How often a candidate is begun before a failing tool ends the making."""

MATERIALISED = 4
"""Compositions that one process keeps: hardly one candidate has the composition of another."""


def draft(world: World, workshop: Workshop, number: int, plan: Candidate) -> DraftRow:
    """Write a candidate, let the gate judge it, and keep what came of it.

    Args:
        number: of the set.

    Raises:
        MakingFailed: it could not be judged for a reason of ours.
        DatabaseUnavailable: the database was lost.
    """
    begun = time.perf_counter()
    try:
        composition = world.compose(*plan.services, *plan.distractors)
        for tries in range(1, TRIES + 1):
            try:
                document, judgement = _judged(world, workshop, plan)
                break
            except ToolBroke:
                # Such as a tool that does not return in time on a busy machine: the candidate is not to blame.
                if tries == TRIES:
                    raise
    except DatabaseUnavailable:
        raise
    except Exception as error:
        raise MakingFailed(
            f"candidate {plan.ordinal} (family {plan.family}, over {', '.join(plan.services)}) could not be judged:"
            f" {_told(error)}"
        ) from error
    rejected = judgement.stage is not None
    row = DraftRow(
        plan.ordinal,
        plan.family,
        plan.area,
        tuple(plan.services),
        tuple(plan.distractors),
        tuple(plan.walk),
        "rejected" if rejected else "sound",
        judgement.stage,
        judgement.reason,
        round(time.perf_counter() - begun, 3),
        None if rejected else judgement.task_id,
        composition.id,
    )
    keep_draft(world, number, row, document, judgement.evidence)
    if rejected and judgement.task_id is not None:
        forget_task(world, judgement.task_id)
    # Its schema is some hundred relations that nobody needs soon.
    composition.park()
    return row


def _judged(world: World, workshop: Workshop, plan: Candidate) -> tuple[dict[str, Any] | None, Judgement]:
    """The document of a candidate, if it can be told, and what is said of it."""
    try:
        task = workshop.write(world, plan)
    except DraftError as error:
        return None, Judgement(WRITE, str(error))
    return task.document(), workshop.judge(world, task)


def _told(error: Exception) -> str:
    """What went wrong; of what is not one of our own errors, also where."""
    if isinstance(error, CompoWorldError):
        return str(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = "/".join(Path(frame.filename).parts[-3:])
    return f"{type(error).__name__}: {error} ({place}, line {frame.lineno})"


def forget_task(world: World, task: int) -> None:
    """Delete a stored task with its initial state, unless a set, a rollout or a branch needs them."""
    with world.database.transaction() as connection:
        snapshot = connection.execute(
            text(
                "DELETE FROM compoworld.task t WHERE id = :id"
                " AND NOT EXISTS (SELECT FROM compoworld.task_draft d WHERE d.task_id = t.id)"
                " AND NOT EXISTS (SELECT FROM compoworld.task_member m WHERE m.task_id = t.id)"
                " AND NOT EXISTS (SELECT FROM compoworld.rollout_group g WHERE g.task_id = t.id)"
                " RETURNING snapshot_id"
            ),
            {"id": task},
        ).scalar()
    if snapshot is not None:
        with suppress(Refused, NotFound):  # something else stands on it
            delete_snapshot(world.database, snapshot)


def clear_left(world: World) -> set[int]:
    """Delete the branches of candidates whose process was killed; the compositions on which these were."""
    left = drafts_left(world.database)
    with world.database.transaction() as connection:
        compositions = connection.execute(
            text("SELECT DISTINCT composition_id FROM compoworld.branch WHERE id = ANY (:left)"), {"left": left}
        ).scalars()
        found = set(compositions)
    delete_branches(world.database, left)
    return found


def sweep(world: World, compositions: Iterable[int]) -> None:
    """Delete what rejected candidates leave on compositions: snapshots of drafts; and compositions without one.

    Nobody may be drafting on them meanwhile.
    """
    compositions = sorted(compositions)
    with world.database.transaction() as connection:
        snapshots = connection.execute(
            text(
                "SELECT s.id FROM compoworld.snapshot s WHERE s.composition_id = ANY (:compositions)"
                " AND (s.name LIKE 'draft %' OR s.name LIKE 'task %')"
                " AND NOT EXISTS (SELECT FROM compoworld.task t WHERE t.snapshot_id = s.id)"
                " AND NOT EXISTS (SELECT FROM compoworld.branch b WHERE b.snapshot_id = s.id) ORDER BY 1"
            ),
            {"compositions": compositions},
        ).scalars()
        left = list(snapshots)
    for number in left:
        with suppress(Refused, NotFound):
            delete_snapshot(world.database, number)
    for number in compositions:
        with suppress(Refused, NotFound):  # it holds something, or somebody uses it
            delete_composition(world.database, number)


_open = ExitStack()
"""Closes with the process."""

_here: dict[str, Any] = {}
"""What a process of a pool works with."""


def settle_down(url: str, workshop: Workshop, number: int) -> None:
    """Make this process one that drafts candidates of a set."""
    _here.update(url=url, workshop=workshop, number=number)


def draft_here(plan: Candidate) -> DraftRow:
    """Draft a candidate in this process; see ``draft``."""
    if "world" not in _here:
        # Not in ``settle_down``: a database that is lost there would look like the death of the process.
        _here["world"] = _open.enter_context(world_with_shelf(_here["url"], limit=MATERIALISED))
    return interruptible(draft, _here["world"], _here["workshop"], _here["number"], plan)
