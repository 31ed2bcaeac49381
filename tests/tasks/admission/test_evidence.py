"""What the gate leaves behind: evidence that is kept and found, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from engine.errors import DatabaseUnavailable
from engine.world import World
from tasks.admission import CHECKS, Verdict, admit, evidence_of, gate, save_verdict
from tests.tasks.admission.sound import called, judged_too, sound


def asked(world: World, sql: str) -> list[Any]:
    with world.database.transaction() as connection:
        return list(connection.execute(text(sql)).all())


@pytest.fixture(scope="module")
def verdict(world: World) -> Verdict:
    return admit(world, sound())


def test_evidence_is_kept_and_found_again(world: World, verdict: Verdict) -> None:
    assert verdict.stored is not None
    save_verdict(world, verdict)
    save_verdict(world, verdict)
    assert evidence_of(world, verdict.stored.id) == verdict.evidence
    assert [item.check for item in verdict.evidence] == list(CHECKS)
    assert (verdict.stage, verdict.reason, verdict.findings) == (None, None, [])
    assert evidence_of(world, 10**9) == []


def test_the_same_task_gives_the_same_evidence(world: World, verdict: Verdict) -> None:
    assert admit(world, sound()).evidence == verdict.evidence


def test_evidence_in_sql(world: World, verdict: Verdict) -> None:
    assert verdict.stored is not None
    save_verdict(world, verdict)
    task = verdict.stored.id
    checks = asked(world, f'SELECT "check", passed FROM compoworld.task_checks WHERE task_id = {task} ORDER BY ordinal')
    assert [tuple(row) for row in checks] == [(name, True) for name in CHECKS]
    crossings = asked(
        world,
        "SELECT visit, from_service, to_service, call, argument, value, proof FROM compoworld.task_crossings"
        f" WHERE task_id = {task} ORDER BY visit",
    )
    assert [row[0] for row in crossings] == [2, 3, 4, 5, 6, 7]
    assert tuple(crossings[0]) == (
        *(2, "notes", "parcels", "1 parcels.pack", "receiver", "Ulla Bok"),
        'with another receiver it is "Hugo Stern"',
    )
    assert crossings[1].proof == "made in the run"
    broken = asked(
        world, f"SELECT kind, failed FROM compoworld.task_variants WHERE task_id = {task} AND changes_outcome"
    )
    assert {row.kind for row in broken} == {"dropped", "altered", "answer", "twice", "also"}
    assert all(row.failed for row in broken)


def test_it_leaves_no_branches(world: World) -> None:
    before = asked(world, "SELECT count(*) FROM compoworld.branch")
    snapshots = asked(world, "SELECT count(*) FROM compoworld.snapshot")
    admit(world, sound())
    assert asked(world, "SELECT count(*) FROM compoworld.branch") == before
    assert asked(world, "SELECT count(*) FROM compoworld.snapshot") == snapshots


def test_a_task_that_cannot_be_stored_keeps_nothing(world: World) -> None:
    before = asked(world, "SELECT count(*) FROM compoworld.task_evidence")
    verdict = admit(world, called(5, tool="send_off"))
    save_verdict(world, verdict)
    assert asked(world, "SELECT count(*) FROM compoworld.task_evidence") == before


def test_a_refusal_tells_all_of_one_check(world: World) -> None:
    task = judged_too("idle", "state", "SELECT count(*) > 0 AS passed FROM row_changes")
    task = task.model_copy(update={"instruction": task.instruction.replace("Monday 2", "Friday 2") + " {rest}"})
    verdict = admit(world, task)
    assert [item.check for item in verdict.evidence] == ["document", "instruction"]
    assert len(verdict.findings) == 2
    assert verdict.reason is not None
    assert verdict.reason.endswith("(and 1 more)")


def test_a_lost_database_is_no_refusal(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: Any) -> Any:
        raise DatabaseUnavailable("gone")

    monkeypatch.setattr(gate, "judge_untouched", lost)
    with pytest.raises(DatabaseUnavailable):
        admit(world, sound())
