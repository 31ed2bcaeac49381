"""A program that makes a set is killed, or interrupted at its terminal; the set goes on all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import Refused
from engine.world import World
from tasks.sets.drafts import drafts
from tasks.sets.making import make
from tests.tasks.sets.fake import FakeWorkshop

ROOT = Path(__file__).parents[3]


@pytest.mark.acceptance
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_set_goes_on_after_its_program_was_ended(world: World, workshop: FakeWorkshop, how: signal.Signals) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.tasks.sets.run_slowly", world.database.url, str(workshop.diary)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while len(drafts(world, 1)) < 5:  # the only set of this database
        assert program.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
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
    while True:  # the server learns of the end of a program a moment later
        try:
            made = make(world, 40, name="set", seed=5, workshop=workshop)
            break
        except Refused:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    assert {ordinal: row.seconds for ordinal, row in drafts(world, 1).items()}.items() >= {
        ordinal: row.seconds for ordinal, row in before.items()
    }.items()
    whole = make(world, 40, name="whole", seed=5, workshop=replace(workshop, diary=workshop.diary.with_name("other")))
    assert made.checksum == whole.checksum
