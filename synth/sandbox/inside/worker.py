"""Serves what the outside asks for: the description of a service, its seed rows, tool calls, its tests."""

from __future__ import annotations

import faulthandler
import importlib
import json
import sys
import traceback
from collections.abc import Callable
from datetime import datetime
from typing import IO, Any

from sqlalchemy import create_engine, event

from engine.calls import CallResult, Calls
from engine.database import Database, settle, sqlalchemy_url
from engine.kit import Person, Seed, Service, jsonable
from synth.sandbox.inside.describe import described
from synth.sandbox.inside.names import DOORS, PACKAGE

DATABASE = "postgresql://sandbox@/sandbox?host=/box/db&sslmode=disable&gssencmode=disable"

_FOR_EVER = 1e6
"""Seconds: the outside keeps the time."""


_FOLDER = f"/box/code/{PACKAGE}/"


class _SandboxDatabase(Database):
    """The database as the sandbox reaches it: nothing is migrated, nothing looked up."""

    def __init__(self) -> None:
        super().__init__(DATABASE, pool_size=1)
        self.engine = create_engine(
            sqlalchemy_url(self.url), pool_size=1, max_overflow=0, use_native_hstore=False, pool_reset_on_return=None
        )
        event.listen(self.engine, "connect", lambda connection, _record: settle(connection))


class Worker:
    """Answers requests, one after another.

    Args:
        requests: where they come from.
        answers: where answers go.
        limits: of the sandbox.
    """

    def __init__(self, requests: IO[bytes], answers: IO[bytes], limits: dict[str, float]) -> None:
        self._requests, self._answers, self._limits = requests, answers, limits
        self._calls = Calls(_SandboxDatabase(), _FOR_EVER, lambda: None, doors=DOORS)
        self._service: Service | None = None

    def serve(self) -> None:
        """Until the other side is gone."""
        operations: dict[str, Callable[..., Any]] = {
            "load": self.load,
            "seed": self.seed,
            "call": self.call,
            "test": self.test,
        }
        while (request := self.receive()) is not None:
            operation = operations[request.pop("do")]
            faulthandler.dump_traceback_later(max(1.0, request.pop("seconds") - 1), exit=False)
            try:
                answer = {"value": operation(**request)}
            except BaseException as error:
                answer = {"problem": _told(error)}
            finally:
                faulthandler.cancel_dump_traceback_later()
            self.send(answer)

    def receive(self) -> dict[str, Any] | None:
        """The next message; ``None`` at the end."""
        line = self._requests.readline()
        return json.loads(line) if line else None

    def send(self, message: dict[str, Any]) -> None:
        """One line."""
        self._answers.write(json.dumps(message, allow_nan=False).encode() + b"\n")
        self._answers.flush()

    def ask(self, message: dict[str, Any]) -> Any:
        """Ask the outside for something in the middle of a request.

        Raises:
            RuntimeError: it says no.
        """
        self.send({"ask": message})
        answer = self.receive() or {"problem": "the other side is gone"}
        if "problem" in answer:
            raise RuntimeError(answer["problem"])
        return answer["value"]

    def load(self, service: str) -> Any:
        """Import the generated package and describe what it holds."""
        module = importlib.import_module(f"{PACKAGE}.{service}")
        found = getattr(module, "service", None)
        if not isinstance(found, Service) or found.name != service:
            raise ValueError(f"__init__.py does not define `service`, a Service named {service!r}")
        self._service = found
        return described(found)

    def seed(self, number: int, start: str, person: dict[str, Any]) -> Any:
        """The rows of the initial state."""
        given = Seed(self.service.name, number, datetime.fromisoformat(start), Person(**person))
        rows: list[Any] = []
        for row in self.service.seed(given):
            if len(rows) >= self._limits["rows"]:
                raise ValueError(f"the seed makes more than {self._limits['rows']:.0f} rows")
            row.check()
            rows.append({"entity": type(row).__name__, "values": jsonable(row.values())})
        return rows

    def call(self, branch: int, tool: str, arguments: dict[str, Any], person: dict[str, Any]) -> Any:
        """Make the call that was ordered; its event is what counts."""
        return {"outcome": self.make_call(branch, tool, arguments, person).outcome}

    def make_call(self, branch: int, tool: str, arguments: dict[str, Any], person: dict[str, Any]) -> CallResult:
        """Make the call that was ordered, and say what it gave."""
        name = self.service.name
        return self._calls.call(branch, {name: self.service}, Person(**person), name, tool, arguments)

    def test(self, only: list[str]) -> Any:
        """Run the generated tests."""
        from synth.sandbox.inside.testing import run_tests

        return run_tests(self, self.service.name, only)

    @property
    def service(self) -> Service:
        """The service that was loaded."""
        if self._service is None:
            raise RuntimeError("no service is loaded")
        return self._service


def _told(error: BaseException) -> str:
    """What went wrong, with the lines of generated code that led there."""
    lines = traceback.format_exception_only(error)
    frames = [
        f"  {frame.filename}, line {frame.lineno}: {frame.line}\n"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(_FOLDER) and not isinstance(error, SyntaxError)
    ]
    return ("".join(lines) + "".join(frames[-8:])).replace(_FOLDER, "").strip()[-4000:]


if sys.platform != "linux":
    raise ImportError("the sandbox is for Linux")
