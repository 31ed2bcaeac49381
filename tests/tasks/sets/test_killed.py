"""A program that makes a set is killed, or interrupted at its terminal; the set goes on all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from compoworld.retention import Named, survey, sweep
from engine.errors import Refused
from engine.retention import drafts_left
from engine.world import World
from tasks.sets.document import TaskSet
from tasks.sets.drafts import drafts
from tasks.sets.making import make
from tests.processes import eventually
from tests.tasks.sets.fake import FakeWorkshop

ROOT = Path(__file__).parents[3]


def begun(world: World, workshop: FakeWorkshop, *more: str) -> subprocess.Popen[str]:
    """A program that makes the only set of this database."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.tasks.sets.run_slowly", world.database.url, str(workshop.diary), *more],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def again(world: World, number: int, workshop: FakeWorkshop) -> TaskSet:
    """Go on with the set: the server learns of the end of a program a moment later."""
    made: list[TaskSet] = []

    def tried() -> bool:
        with suppress(Refused):
            made.append(make(world, number, name="set", seed=5, workshop=workshop))
        return bool(made)

    eventually(tried, "the set is free")
    return made[0]


@pytest.mark.acceptance
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_set_goes_on_after_its_program_was_ended(world: World, workshop: FakeWorkshop, how: signal.Signals) -> None:
    program = begun(world, workshop)
    eventually(lambda: len(drafts(world, 1)) >= 5, "five are decided on", process=program)
    if how is signal.SIGINT:
        os.killpg(program.pid, how)  # as a terminal does
    else:
        program.kill()
    _, said = program.communicate(timeout=30)
    assert program.returncode != 0
    if how is signal.SIGINT:
        assert said.count("Traceback") == 1, said  # of the program, none of its processes
    before = drafts(world, 1)
    assert 5 <= len(before) < 40
    made = again(world, 40, workshop)
    assert {ordinal: row.seconds for ordinal, row in drafts(world, 1).items()}.items() >= {
        ordinal: row.seconds for ordinal, row in before.items()
    }.items()
    whole = make(world, 40, name="whole", seed=5, workshop=replace(workshop, diary=workshop.diary.with_name("other")))
    assert made.checksum == whole.checksum


def labels(world: World) -> list[str]:
    with world.database.transaction() as connection:
        return list(connection.execute(text("SELECT label FROM compoworld.branch")).scalars())


@pytest.mark.acceptance
@pytest.mark.parametrize("cleared_by", ["making", "gc"])
def test_a_killed_gate_leaves_no_branches(world: World, workshop: FakeWorkshop, cleared_by: str) -> None:
    program = begun(world, workshop, "gated")
    eventually(lambda: "task admission" in labels(world), "one is played", process=program)
    assert drafts_left(world.database) == []  # somebody works on them
    program.kill()
    program.communicate(timeout=30)
    assert "task admission" in labels(world)
    eventually(lambda: drafts_left(world.database), "its branches are nobody's")
    if cleared_by == "making":
        again(world, 1, replace(workshop, stored=True))
    else:
        eventually(lambda: not sweep(world, survey(world, Named())).counts(), "they are swept")
    assert labels(world) == []


def test_a_program_without_a_main_guard_is_told(world: World, workshop: FakeWorkshop, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    source = (ROOT / "tests/tasks/sets/run_slowly.py").read_text()
    script.write_text(source.replace('if __name__ == "__main__":', "if True:"))
    said = subprocess.run(
        [sys.executable, str(script), world.database.url, str(workshop.diary)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert said.returncode != 0
    assert said.stderr.count("Traceback") == 1  # of the program, none of its processes
    assert 'put what it does under: if __name__ == "__main__":' in said.stderr.splitlines()[-1]
