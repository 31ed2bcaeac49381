"""A generated service in its sandbox: one process, one role, one composition."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from engine.calls import CallResult
from engine.compositions import Composition
from engine.database import Database
from engine.errors import CompoWorldError, InputError
from engine.kit import Entity, Person, Seed, Service, jsonable
from engine.kit.specification import ToolSpecification, read_specification
from engine.library import Library
from engine.snapshots import Snapshot
from engine.world import World
from synth.errors import GeneratedCodeInvalid, SandboxStopped
from synth.sandbox import bubblewrap
from synth.sandbox.description import ServiceDescription, make_rows, make_service, read_description
from synth.sandbox.files import SPECIFICATION, write_files
from synth.sandbox.inside.names import PACKAGE
from synth.sandbox.limits import Limits
from synth.sandbox.process import Process
from synth.sandbox.proxy import Proxy
from synth.sandbox.role import Role, open_role
from synth.scratch import ScratchLibrary, delete_scratch, sweep


@dataclass
class _State:
    """What a box has open."""

    process: Process | None = None
    composition: Composition | None = None
    role: Role | None = None


class Box:
    """A generated service in a sandbox of its own.

    Args:
        database: that it works on.
        name: of the service.
        files: path in the service's folder to text; ``tools.json`` is its specification.
        limits: what it may use.

    Attributes:
        description: what it says of itself.
        service: the service as the outside knows it: entities and specification here, code and seed in the sandbox.
        version: digest of its entities and its specification.
        last_printed: the end of what was printed before its code was stopped.

    Raises:
        SandboxUnavailable: generated code cannot be run here.
        GeneratedCodeInvalid: the files make no service.
        SandboxStopped: its import was stopped.
    """

    def __init__(self, database: Database, name: str, files: Mapping[str, str], limits: Limits | None = None) -> None:
        bubblewrap.check()
        self.limits = limits or Limits()
        self.name = name
        self.database = database
        self.last_printed = ""
        self.mutex = threading.RLock()
        self._state = _State()
        self._folder = Path(tempfile.mkdtemp(prefix="compoworld-box-"))
        try:
            code, sockets = self._folder / "code", self._folder / "db"
            sockets.mkdir()
            write_files(code / PACKAGE / name, files)
            (code / PACKAGE / "__init__.py").touch()
            specification = code / PACKAGE / name / SPECIFICATION
            self.specifications: dict[str, ToolSpecification] = read_specification(specification)
            self._command = bubblewrap.command(code, sockets, self.limits)
            self.proxy = Proxy(sockets, self._login, self.limits.connections)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        try:
            self.description = self._load()
            self.service: Service = make_service(self.description, specification, self.specifications, self.seed_rows)
            self.service.runner = self
            self.version = Library([self.service]).version(self.service)[0]
        except BaseException:
            self.close()
            raise

    @property
    def role(self) -> Role:
        """Its role in the database.

        Raises:
            InputError: it has no composition yet.
        """
        if self._state.role is None:
            raise InputError(f"the sandbox of {self.name} has no composition", hint="compose or attach it first")
        return self._state.role

    def compose(self) -> Composition:
        """A composition of the service alone, which is deleted with the sandbox."""
        if self._state.composition is None:
            sweep(self.database)
            composition = World(self.database, ScratchLibrary(self.service)).compose(self.name)
            self._state.composition = composition
            self.attach(composition.id)
        return self._state.composition

    def attach(self, composition: int) -> None:
        """Open a composition, which the service is part of, for its code; by its number.

        Raises:
            SandboxUnavailable: the database does not let us protect it.
        """
        with self.mutex:
            if self._state.role is not None:
                raise InputError("a sandbox works in one composition")
            self._state.role = open_role(self.database, composition, self.service, self.limits)

    def snapshot(self, seed: int = 0) -> Snapshot:
        """The initial state of the service alone.

        Raises:
            GeneratedCodeInvalid: its rows break rules, alone or together.
            SandboxStopped: the seed was stopped.
        """
        composition = self.compose()
        try:
            return composition.snapshot(seed=seed)
        except (GeneratedCodeInvalid, SandboxStopped):
            raise
        except CompoWorldError as error:
            raise GeneratedCodeInvalid(f"the seed: {error.message}", error.hint) from error

    def seed_rows(self, seed: Seed) -> list[Entity]:
        """The rows of the service's initial state, made inside and checked outside.

        Raises:
            GeneratedCodeInvalid: the seed fails, or makes something else than rows.
            SandboxStopped: it was stopped.
        """
        given = {"number": seed.number, "start": seed.start.isoformat(), "person": asdict(seed.user)}
        return make_rows(self.ask({"do": "seed", **given}, "its seed"), self.service.entities, self.limits.rows)

    def call(self, branch: int, person: Person, tool: str, arguments: dict[str, Any]) -> CallResult | str:
        """Make a call on a branch of its composition; a text: why it was not made. For ``engine.kit.service.Runner``.

        Raises:
            NotFound: the branch is none of its composition.
        """
        with self.mutex:
            self.role.order(branch, tool, arguments, self.specifications[tool].read_only)
            given = {"branch": branch, "tool": tool, "arguments": arguments, "person": asdict(person)}
            try:
                self.ask({"do": "call", **given}, f"{self.name}.{tool}")
                problem = f"{self.name}.{tool}: it answered without making the call"
            except (SandboxStopped, GeneratedCodeInvalid) as error:
                problem = error.message
            made = self.role.made()
            if made is not None:
                return CallResult(*made)
            # It may still be at it, or be out of step.
            self._stop()
            with contextlib.suppress(CompoWorldError):
                self.role.cancel()
            return problem

    def ask(
        self,
        request: dict[str, Any],
        doing: str | Callable[[], str],
        seconds: float | None = None,
        answer: Callable[[dict[str, Any]], Any] | None = None,
    ) -> Any:
        """Ask the process for something.

        Args:
            doing: what that is, for errors.
            seconds: that it may take; by default those of a call.
            answer: what the process may ask for meanwhile.

        Raises:
            GeneratedCodeInvalid: the code failed.
            SandboxStopped: it was stopped.
        """
        with self.mutex:
            if self._state.process is None:
                self._load()
            process = self._state.process
            assert process is not None
            limit = seconds or self.limits.call_seconds
            # The process itself prints where it is a second before.
            deadline = time.monotonic() + limit + (1 if seconds is None else 0)
            told = doing if callable(doing) else lambda: str(doing)
            process.send({**request, "seconds": limit})
            try:
                while True:
                    said = process.receive(deadline, told)
                    if "ask" not in said or answer is None:
                        break
                    try:
                        process.send({"value": jsonable(answer(said["ask"]))})
                    except CompoWorldError as error:
                        process.send({"problem": str(error)})
            except SandboxStopped:
                self._stop()
                raise
            if "problem" in said or "value" not in said:
                raise GeneratedCodeInvalid(f"{told()}: {str(said.get('problem', 'no answer'))[:4_000]}")
            return said["value"]

    def printed(self) -> str:
        """The end of what its code has printed."""
        return self._state.process.printed() if self._state.process is not None else ""

    def close(self) -> None:
        """Stop the process, drop its role and its own composition."""
        with self.mutex:
            self._stop()
            state, self._state = self._state, _State()
            self.proxy.close()
            try:
                if state.role is not None:
                    state.role.close()
                if state.composition is not None:
                    delete_scratch(self.database, state.composition.id)
            finally:
                shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _login(self) -> Any:
        role = self._state.role
        if role is None:
            raise RuntimeError("there is no composition yet")
        return role.login()

    def _load(self) -> ServiceDescription:
        self._state.process = Process(self._command, self.limits)
        said = self.ask({"do": "load", "service": self.name}, "its import", self.limits.start_seconds)
        return read_description(said, self.name, self.specifications)

    def _stop(self) -> None:
        """End the process; the next request starts another."""
        process, self._state.process = self._state.process, None
        if process is not None:
            process.stop("stopped")
            self.last_printed = process.printed()
        self.proxy.drop()
