"""Specifications become services: once, again only where something changed, by several processes, after a crash."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from engine.database import Database
from engine.errors import DatabaseUnavailable, EntityInvalid, NotFound
from synth.builds import built_names, current_build, last_build
from synth.built import load_service
from synth.errors import GeneratedCodeInvalid
from synth.pipeline import Outcome, attack_all, build_all, chosen
from tests.processes import eventually
from tests.synth.desk import LOANS, OUTSIDE, VAGUE, census, ingested
from tests.synth.making import READING_ROOM, TEXT, server, tool


def test_what_is_chosen(ready: Database) -> None:
    assert [item.spec.name for item in chosen(ready)] == ["loans", "vague", "wrong_loans"]
    assert [item.spec.name for item in chosen(ready, ["weather", "loans", "weather"])] == ["weather", "loans"]
    with pytest.raises(NotFound, match="no specification 'none'"):
        chosen(ready, ["none"])


def test_built_attacked_and_left_alone(desk: Database) -> None:
    ingested(desk, LOANS, VAGUE, OUTSIDE)
    url, before = desk.url, census(desk)
    told: list[Outcome] = []
    loans, vague = build_all(url, chosen(desk), progress=told.append)
    assert told == [loans, vague]
    assert (loans.name, loans.status, loans.tools, loans.code, loans.simulated) == ("loans", "built", 6, 5, 1)
    assert (vague.status, vague.code) == ("failed", 0) and "none of its tools" in vague.detail
    assert census(desk) == before
    assert built_names(desk) == ["loans"]
    failed = last_build(desk, "vague")
    assert failed is not None and (failed.status, failed.detail) == ("failed", vague.detail)
    assert current_build(desk, "vague") is None

    (attacked,) = attack_all(url, ["loans"])
    assert (attacked.status, attacked.tools, attacked.verified, attacked.quarantined) == ("attacked", 5, 5, 0)
    assert census(desk) == before

    # Nothing has changed: neither is done again.
    assert [item.status for item in build_all(url, chosen(desk))] == ["unchanged", "failed"]
    (same,) = attack_all(url, ["loans"])
    assert (same.status, same.tools, same.verified, same.calls) == ("unchanged", 5, 5, 0)
    assert [item.status for item in build_all(url, chosen(desk, ["loans"]), force=True)] == ["built"]
    assert [item.status for item in attack_all(url, ["loans"], force=True)] == ["attacked"]
    assert census(desk) == before


def test_a_changed_specification_is_built_and_attacked_again(copied: Database) -> None:
    new = (tool("count_loans", {}), tool("archive_loan", {"loan_id": TEXT}, ["loan_id"]))
    more = LOANS.model_copy(update={"tools": (*LOANS.tools, *new)})
    ingested(copied, more)
    build = current_build(copied, "loans")
    assert build is not None and not build.fresh
    outcomes = {item.name: item for item in build_all(copied.url, chosen(copied))}
    assert {name: item.status for name, item in outcomes.items()} == {
        "loans": "built",
        "vague": "failed",
        "wrong_loans": "unchanged",
    }
    assert outcomes["loans"].code == 7
    (attacked,) = attack_all(copied.url, ["loans"])
    assert (attacked.status, attacked.verified) == ("attacked", 7)


def test_another_compiler_builds_again(copied: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synth.compiler.VERSION", "next")
    assert [item.status for item in build_all(copied.url, chosen(copied, ["loans"]))] == ["built"]
    # The same files come out: what was said of them holds on.
    assert [item.status for item in attack_all(copied.url, ["loans"])] == ["unchanged"]
    assert [item.status for item in build_all(copied.url, chosen(copied, ["loans"]))] == ["unchanged"]


def test_interrupted_it_goes_on_where_it_stood(desk: Database) -> None:
    ingested(desk, LOANS, READING_ROOM, VAGUE)

    def stop(outcome: Outcome) -> None:
        raise KeyboardInterrupt(outcome.name)

    with pytest.raises(KeyboardInterrupt, match="loans"):
        build_all(desk.url, chosen(desk), progress=stop)
    assert built_names(desk) == ["loans"]
    again = build_all(desk.url, chosen(desk))
    assert [(item.name, item.status) for item in again] == [
        ("loans", "unchanged"),
        ("reading_room", "built"),
        ("vague", "failed"),
    ]


def test_several_processes(desk: Database) -> None:
    ingested(desk, LOANS, VAGUE)
    before, told = census(desk), []
    outcomes = build_all(desk.url, chosen(desk), jobs=2, progress=lambda outcome: told.append(outcome.name))
    assert [(item.name, item.status) for item in outcomes] == [("loans", "built"), ("vague", "failed")]
    assert sorted(told) == ["loans", "vague"]
    assert census(desk) == before


def test_a_service_that_cannot_be_attacked(copied: Database) -> None:
    (outcome,) = attack_all(copied.url, ["nothing_of_the_kind"])
    assert outcome.status == "failed" and "there is no service" in outcome.detail


def test_a_build_by_a_model_is_not_built_over(copied: Database) -> None:
    with copied.transaction() as connection:
        connection.execute(text("UPDATE compoworld.build SET builder = 'model' WHERE current"))
    assert [item.status for item in build_all(copied.url, chosen(copied, ["loans"]))] == ["unchanged"]
    # Unless somebody asks for it.
    assert [item.status for item in build_all(copied.url, chosen(copied, ["loans"]), force=True)] == ["built"]


def test_files_that_make_no_service(ready: Database) -> None:
    build = current_build(ready, "loans")
    assert build is not None
    for path, text_, said in (
        ("tools.py", "import no_such_module\n", "no_such_module"),
        ("tools.py", "def (\n", "SyntaxError"),
        ("__init__.py", "service = 5\n", "no Service"),
        ("tools.py", "", "stand only in the specification"),
    ):
        with pytest.raises(GeneratedCodeInvalid, match=said):
            load_service({**build.files, path: text_})
    # It is as good as before.
    assert set(load_service(build.files).tools) == {item.name for item in LOANS.tools}


HUGE = server(
    "huge",
    tool("create_loan", {f"field_{number}": TEXT for number in range(3_000)}, ["field_1"]),
    tool("get_loan", {"loan_id": TEXT}, ["loan_id"]),
)
LONG = server(
    "long",
    tool("create_loan", {"title": {"type": "string", "minLength": 1_000_000}}, ["title"]),
    tool("get_loan", {"loan_id": TEXT}, ["loan_id"]),
)


def test_a_specification_of_which_nothing_can_be_made_does_not_end_the_others(desk: Database) -> None:
    ingested(desk, HUGE, LOANS, LONG)
    before = census(desk)
    outcomes = {item.name: item for item in build_all(desk.url, chosen(desk, ["huge", "long", "loans"]))}
    assert {name: item.status for name, item in outcomes.items()} == {
        "huge": "failed",
        "long": "built",
        "loans": "built",
    }
    assert "columns" in outcomes["huge"].detail and len(outcomes["huge"].detail) < 300
    assert census(desk) == before
    # A text that is longer than all arguments may be cannot be given: the attack lets nothing pass.
    (attacked,) = attack_all(desk.url, ["long"])
    assert (attacked.status, attacked.verified) == ("attacked", 0)


@pytest.mark.parametrize(
    ("raised", "said"),
    [(RecursionError("too deep"), "RecursionError: too deep"), (EntityInvalid("Loan", {"due": "x"}), "Loan: due: x")],
)
def test_whatever_goes_wrong_is_said_of_its_service(
    copied: Database, monkeypatch: pytest.MonkeyPatch, raised: Exception, said: str
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr("synth.compiler.building.plan_service", failing)
    monkeypatch.setattr("synth.attack.attack.attack", failing)
    builds = build_all(copied.url, chosen(copied, ["loans", "vague"]), force=True)
    assert [(item.status, item.detail) for item in builds] == [("failed", said)] * 2
    monkeypatch.setattr("synth.pipeline.keep_build", failing)
    builds = build_all(copied.url, chosen(copied, ["vague"]), force=True)
    assert [(item.status, item.detail) for item in builds] == [("failed", said)]
    attacks = attack_all(copied.url, ["wrong_loans", "weather"], force=True)
    assert attacks[0].status == "failed" and attacks[0].detail == said


def test_a_lost_database_ends_all(copied: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> None:
        raise DatabaseUnavailable("gone")

    monkeypatch.setattr("synth.compiler.building.plan_service", lost)
    with pytest.raises(DatabaseUnavailable):
        build_all(copied.url, chosen(copied, ["loans"]), force=True)


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    program = subprocess.Popen([sys.executable, "-m", "tests.synth.lingering", str(tmp_path)])
    try:
        eventually(
            lambda: sum(1 for path in tmp_path.iterdir() if path.stat().st_size) >= 2, "two work", process=program
        )
    finally:
        program.kill()
        program.wait()
    time.sleep(3)
    written = {path: path.stat().st_size for path in tmp_path.iterdir()}
    time.sleep(1)
    assert {path: path.stat().st_size for path in tmp_path.iterdir()} == written
