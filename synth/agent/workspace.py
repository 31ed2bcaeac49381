"""What the model works with: the files of one service, and the tools that act on them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field

from engine.errors import ServiceDefinitionError
from engine.world import World
from synth.dialogue.tools import Arguments, Result, bounded, definitions, understood
from synth.errors import GeneratedCodeInvalid, SandboxStopped
from synth.sandbox.box import Box
from synth.sandbox.files import MAX_FILE, MAX_FILES, SPECIFICATION, check_path
from synth.sandbox.limits import Limits
from synth.sandbox.testing import TestReport, run_tests
from synth.specs import ServerSpec

MAX_RESULT = 12_000
"""Characters of a tool's result that the model is shown."""

_REFUSALS = ("error", "invalid")

MadeAs = tuple[Literal["code", "world_model"], str]
"""How a tool was made, and why."""


class WriteFile(Arguments):
    """Write a file of the service; what was there is replaced."""

    path: str
    content: str


class ReadFile(Arguments):
    """Read a file of the service."""

    path: str


class ListFiles(Arguments):
    """List the files of the service with their sizes."""


class RunTests(Arguments):
    """Load the service in the sandbox and run its tests. `files`: only these test files."""

    files: list[str] = Field(default_factory=list)


class LeftOut(Arguments):
    """A tool that is left to the world model, and why it cannot be code."""

    tool: str
    reason: str


class Finish(Arguments):
    """Hand the service in. It is accepted when its tests pass and have called every tool with success and in error."""

    world_model: list[LeftOut] = Field(default_factory=list)


_TOOLS: dict[str, type[Arguments]] = {
    "write_file": WriteFile,
    "read_file": ReadFile,
    "list_files": ListFiles,
    "run_tests": RunTests,
    "finish": Finish,
}


def tools() -> list[dict[str, Any]]:
    """The tools in the form of the Messages API."""
    return definitions(_TOOLS)


@dataclass
class Workspace:
    """The files of a service that is being written.

    Attributes:
        files: path to text.
        finished: whether the service was handed in and accepted.
        reasons: tool to why it is left to the world model.
    """

    world: World
    spec: ServerSpec
    limits: Limits = field(default_factory=Limits)
    files: dict[str, str] = field(default_factory=dict)
    finished: bool = False
    reasons: dict[str, str] = field(default_factory=dict)
    entities: int = 0
    _report: TestReport | None = None
    _simulated: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        tools = [tool.as_mcp() for tool in self.spec.tools]
        self.files[SPECIFICATION] = json.dumps({"tools": tools}, ensure_ascii=False, indent=1)

    def use(self, name: str, given: Any) -> Result:
        """Use a tool; anything wrong with the request is said in the result."""
        arguments = understood(_TOOLS, name, given)
        if isinstance(arguments, Result):
            return arguments
        try:
            match arguments:
                case WriteFile(path=path, content=content):
                    return self._write(path, content)
                case ReadFile(path=path):
                    return self._read(path)
                case ListFiles():
                    return Result("\n".join(f"{path}  {len(text)}" for path, text in sorted(self.files.items())))
                case RunTests(files=files):
                    return self._test(files)
                case Finish(world_model=left):
                    return self._finish({item.tool: item.reason for item in left})
        except GeneratedCodeInvalid as error:
            return Result(str(error)[:MAX_RESULT], error=True)
        raise AssertionError(name)

    def replay(self, name: str, given: Any, failed: bool) -> None:
        """Do again what a tool did to the files, without running anything."""
        arguments = understood(_TOOLS, name, given)
        if isinstance(arguments, WriteFile) and not failed:
            self._write(arguments.path, arguments.content)

    def doing(self, name: str, given: Any) -> str:
        """The tool, and the file that it is about."""
        about = given.get("path", "") if isinstance(given, dict) else ""
        return f"{name} {about}".strip()

    def complete(self) -> list[str]:
        """What is missing before the service can be handed in; empty: nothing."""
        report = self._report
        if report is None:
            return ["the tests have not been run since the last change"]
        if not report.ok:
            return ["the tests do not pass"]
        missing = []
        for tool in self.spec.tools:
            if tool.name in self._simulated:
                continue
            made: Mapping[str, int] = report.calls.get(tool.name, {})
            if not made.get("ok"):
                missing.append(f"no test calls {tool.name} with success")
            if not any(made.get(outcome) for outcome in _REFUSALS):
                missing.append(f"no test calls {tool.name} so that it is refused")
        return missing

    def made_as(self) -> dict[str, MadeAs]:
        """How each tool was made, and why."""
        return {
            tool.name: ("world_model", self.reasons.get(tool.name, "no reason was given"))
            if tool.name in self._simulated
            else ("code", "written by the model; its own tests pass")
            for tool in self.spec.tools
        }

    def _write(self, path: str, content: str) -> Result:
        check_path(path)
        if path == SPECIFICATION:
            raise GeneratedCodeInvalid(f"{SPECIFICATION} is given and cannot be changed")
        if len(content) > MAX_FILE or (path not in self.files and len(self.files) >= MAX_FILES):
            raise GeneratedCodeInvalid(f"at most {MAX_FILES} files of {MAX_FILE} characters")
        self.files[path] = content
        self._report = None
        return Result(f"{path}: {len(content.splitlines())} lines")

    def _read(self, path: str) -> Result:
        if path not in self.files:
            return Result(f"there is no file {path[:100]!r}", error=True)
        return Result(_shown(self.files[path]))

    def _test(self, only: list[str]) -> Result:
        unknown = [path for path in only if path not in self.files]
        if unknown:
            return Result(f"there is no file {unknown[0][:100]!r}", error=True)
        self._report = None
        try:
            with Box(self.world.database, self.spec.name, self.files, self.limits) as box:
                report = run_tests(box, only)
                self._simulated = box.description.simulated
                self.entities = len(box.description.entities)
                if (wrong := box.description.domain) != self.spec.domain:
                    return Result(f"the domain is {wrong!r} instead of {self.spec.domain!r}", error=True)
        except (GeneratedCodeInvalid, SandboxStopped, ServiceDefinitionError) as error:
            return Result(_shown(str(error)), error=True)
        if not only:
            self._report = report
        return Result(_shown(_told(report, self.complete() if not only else [])), error=not report.ok)

    def _finish(self, reasons: dict[str, str]) -> Result:
        missing = self.complete()
        if not missing:
            different = sorted(set(reasons) ^ set(self._simulated))
            if different:
                missing = [f"{name} stands only in `simulated` or only in `world_model`" for name in different]
        if missing:
            return Result("not accepted: " + "; ".join(missing[:40]), error=True)
        self.reasons = {name: reason[:500] for name, reason in reasons.items()}
        self.finished = True
        return Result("accepted")


def _shown(text: str) -> str:
    return bounded(text, MAX_RESULT)


def _told(report: TestReport, missing: list[str]) -> str:
    parts = [f"{len(report.passed)} passed, {len(report.failed)} failed"]
    if report.stopped is not None:
        parts.append(f"stopped: {report.stopped}")
    parts += [f"--- {name}\n{text}" for name, text in report.failed]
    if not report.passed and not report.failed and report.stopped is None:
        parts.append("there are no tests (test_*.py)")
    if (report.failed or report.stopped) and report.printed.strip():
        parts.append(f"--- printed\n{report.printed[-2_000:]}")
    if report.ok and missing:
        parts.append("still missing: " + "; ".join(missing))
    return "\n".join(parts)
