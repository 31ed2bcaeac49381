"""Pools of processes: what becomes of work that was taken and not begun."""

from __future__ import annotations

import time
from concurrent.futures import wait
from pathlib import Path

import pytest

from engine.processes import interruptible, process_pool


def note(path: Path, number: int) -> None:
    with path.open("a") as file:
        file.write(f"{number}\n")
    time.sleep(0.5)


def test_what_was_taken_ahead_is_not_begun_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "begun"
    with pytest.raises(KeyboardInterrupt), process_pool(1) as pool:
        work = [pool.submit(interruptible, note, path, number) for number in range(4)]
        while not path.exists():
            time.sleep(0.02)
        raise KeyboardInterrupt
    wait([item for item in work if not item.cancelled()], timeout=20)
    assert path.read_text() == "0\n"
    assert work[0].exception() is None
