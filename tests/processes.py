"""To wait for what other processes and threads do."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest


def eventually(
    holds: Callable[[], object], what: str, seconds: float = 60, process: subprocess.Popen[Any] | None = None
) -> None:
    """Wait until something holds, or fail the test; the process, if one is given, must not end before."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {seconds:.0f} seconds: {what}")
        if process is not None and process.poll() is not None:
            pytest.fail(f"the process ended before: {what}")
        time.sleep(0.02)


def wait_for(process: subprocess.Popen[str], kind: str, times: int = 1) -> None:
    """Read what a process says until so many lines began with a word."""
    assert process.stdout is not None
    for line in process.stdout:
        times -= line.startswith(kind)
        if times == 0:
            return
    pytest.fail(f"the process ended before it said {kind}")
