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
    with pytest.raises(RuntimeError), process_pool(1) as pool:
        work = [pool.submit(interruptible, note, path, number) for number in range(4)]
        while not path.exists():
            time.sleep(0.02)
        raise RuntimeError
    wait([item for item in work if not item.cancelled()], timeout=20)
    assert path.read_text() == "0\n"
    assert work[0].exception() is None


def idle(path: Path) -> None:
    """Clears away, unless it is interrupted in that too."""
    path.touch()
    try:
        time.sleep(60)
    finally:
        time.sleep(0.3)
        path.with_name("cleared").touch()


def test_an_interrupt_of_the_program_alone_ends_what_is_under_way(tmp_path: Path) -> None:
    path = tmp_path / "begun"
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), process_pool(1) as pool:
        work = pool.submit(interruptible, idle, path)
        while not path.exists():
            time.sleep(0.02)
        raise KeyboardInterrupt
    assert isinstance(work.exception(), KeyboardInterrupt)
    assert (tmp_path / "cleared").exists() and time.monotonic() - begun < 30
