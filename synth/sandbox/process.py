"""The process of generated code, seen from outside: messages with a deadline, what it prints, and its end."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from synth.errors import SandboxStopped
from synth.sandbox.limits import Limits

_CHUNK = 64 * 1024

_spawners: dict[int, ThreadPoolExecutor] = {}


def _spawn(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process from a thread that lives as long as ours: bubblewrap dies with the thread that started it."""
    spawner = _spawners.setdefault(os.getpid(), ThreadPoolExecutor(1, "compoworld-sandbox"))
    return spawner.submit(
        subprocess.Popen,
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
    ).result()


class Process:
    """One process in the sandbox.

    Args:
        command: that starts it.
        limits: beyond which it is stopped.

    Raises:
        SandboxStopped: it cannot be started.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._limits = limits
        try:
            self._process = _spawn(command)
        except OSError as error:
            raise SandboxStopped(f"the sandbox cannot be started: {error}") from error
        self._printed: deque[bytes] = deque()
        self._kept = self._total = 0
        self._reason: str | None = None
        self._waiting = b""
        self._drain = threading.Thread(target=self._read_printed, name="compoworld-sandbox-output", daemon=True)
        self._drain.start()

    @property
    def alive(self) -> bool:
        """Whether it can still be asked."""
        return self._reason is None and self._process.poll() is None

    def printed(self) -> str:
        """The end of what it has printed."""
        return b"".join(list(self._printed)).decode("utf-8", "replace")

    def send(self, message: dict[str, Any]) -> None:
        """Send one message; a process that is gone shows when the answer is awaited."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, allow_nan=False).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass

    def receive(self, deadline: float, doing: Callable[[], str]) -> dict[str, Any]:
        """The next message.

        Args:
            deadline: by ``time.monotonic``.
            doing: what it does at the moment, for the error.

        Raises:
            SandboxStopped: it said nothing in time, ended, or broke a limit.
        """
        line = self._line(deadline, doing)
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise self.stop(f"{doing()}: it answered with something that is no message")
        return message

    def _line(self, deadline: float, doing: Callable[[], str]) -> bytes:
        pipe = self._process.stdout
        assert pipe is not None
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._waiting:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise self.stop(f"{doing()}: it did not come to an end in time")
                if not selector.select(min(left, 1.0)):
                    continue
                chunk = os.read(pipe.fileno(), _CHUNK)
                if not chunk:
                    raise self.stop(f"{doing()}: {self._ending()}")
                self._waiting += chunk
                if len(self._waiting) > self._limits.message:
                    raise self.stop(f"{doing()}: its answer has more than {self._limits.message} bytes")
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line

    def stop(self, reason: str) -> SandboxStopped:
        """Kill it; the exception to raise."""
        self._reason = self._reason or reason
        self._process.kill()
        self._process.wait()
        self._drain.join(5)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        return SandboxStopped(self._reason)

    def _ending(self) -> str:
        """Why it has ended by itself."""
        try:
            status = self._process.wait(5)
        except subprocess.TimeoutExpired:
            return "it closed its side"
        # bubblewrap tells the end of what it ran as a shell does.
        number = status - 128 if status > 128 else -status
        if number == signal.SIGXCPU or (number == signal.SIGKILL and self._reason is None):
            return f"it was killed by the system (signal {number}): out of processor time or memory"
        if number > 0 and number in {item.value for item in signal.Signals}:
            return f"it crashed ({signal.Signals(number).name})"
        said = self.printed().strip().splitlines()
        return f"it ended with status {status}" + (f": {said[-1][:300]}" if said else "")

    def _read_printed(self) -> None:
        pipe = self._process.stderr
        assert pipe is not None
        while chunk := os.read(pipe.fileno(), _CHUNK):
            self._total += len(chunk)
            self._printed.append(chunk)
            self._kept += len(chunk)
            while self._kept - len(self._printed[0]) >= self._limits.kept:
                self._kept -= len(self._printed.popleft())
            if self._total > self._limits.output and self._reason is None:
                self._reason = f"it printed more than {self._limits.output} bytes"
                self._process.kill()
        pipe.close()
