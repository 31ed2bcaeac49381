"""Homes for embedded servers, and client processes that use them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.postgres import URL_VARIABLE, EmbeddedServer

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 60.0

# Says the URL once it has one, then runs the code in the lines of its standard input.
CLIENT = """
import json, sys
from engine.postgres import database_url
print(database_url().url, flush=True)
for line in sys.stdin:
    exec(json.loads(line))
    print("done", flush=True)
"""


class Client:
    """Another process that uses the server of a home."""

    def __init__(self, home: Path, prefix: tuple[str, ...] = ()) -> None:
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-c", CLIENT],
            env=client_environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
        )

    def url(self) -> str:
        """Wait until it has the server."""
        return self._line()

    def do(self, code: str) -> None:
        """Let it run some Python."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(code) + "\n")
        self.process.stdin.flush()
        assert self._line() == "done"

    def finish(self) -> int:
        """Let it end by itself."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            return self.process.wait(DEADLINE)
        finally:
            self._close()

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self.process.kill()
        self.process.wait()
        self._close()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def client_environment(home: Path) -> dict[str, str]:
    """The environment of a client of that home."""
    inherited = {name: value for name, value in os.environ.items() if name != URL_VARIABLE}
    return inherited | {
        "COMPOWORLD_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": "/nonexistent",
    }


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder that only we can enter, with a short path."""
    folder = Path(tempfile.mkdtemp(prefix="cw-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def home(place: Path) -> Iterator[Path]:
    """A home that does not exist yet; its server, if any, is stopped at the end."""
    chosen = place / "home"
    yield chosen
    if chosen.is_dir():
        EmbeddedServer(chosen).stop()


@pytest.fixture
def clients(home: Path) -> Iterator[Callable[[], Client]]:
    """Makes clients of the home; those still there at the end are killed."""
    made: list[Client] = []

    def make() -> Client:
        made.append(Client(home))
        return made[-1]

    yield make
    for client in made:
        client.kill()


@pytest.fixture(autouse=True)
def no_url(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about the embedded server, whatever the others run on."""
    monkeypatch.delenv(URL_VARIABLE, raising=False)


def kill_hard(pid: int) -> None:
    """kill -9."""
    os.kill(pid, signal.SIGKILL)
