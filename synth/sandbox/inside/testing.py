"""Generated tests, run by pytest inside the sandbox: each forks a branch of its own through the outside."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from synth.sandbox.inside.worker import Worker

MAX_TEXT = 3_000
"""Characters of a failure that are told."""

MAX_FAILURES = 20


@dataclass
class Play:
    """A branch of its own over the seed data: what a generated test works with."""

    _worker: Worker
    _branch: int

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool; the whole result, ``{"ok": ...}``. A fault of the service fails the test."""
        __tracebackhide__ = True
        person = self._worker.ask({"order": {"branch": self._branch, "tool": tool, "arguments": arguments}})
        result = self._worker.make_call(self._branch, tool, arguments, person)
        if result.outcome == "fault":
            pytest.fail(f"{tool} failed as a service: {result.detail}", pytrace=False)
        return result.observation

    def ok(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool that must succeed; its data."""
        __tracebackhide__ = True
        observation = self.call(tool, **arguments)
        if not observation["ok"]:
            pytest.fail(f"{tool} said no: {observation['error']}")
        return observation["data"]

    def fails(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must say no; its error (code, message, details)."""
        __tracebackhide__ = True
        observation = self.call(tool, **arguments)
        if observation["ok"]:
            pytest.fail(f"{tool} did it: {str(observation['data'])[:500]}")
        return observation["error"]  # type: ignore[no-any-return]


class _Plugin:
    """Fixtures, and a note of what becomes of each test."""

    def __init__(self, worker: Worker, folder: Path) -> None:
        self.worker, self.folder = worker, folder
        self.passed: list[str] = []
        self.failed: list[dict[str, str]] = []

    @pytest.fixture
    def play(self) -> Play:
        return Play(self.worker, self.worker.ask({"fork": {}}))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.worker.ask({"at": nodeid})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed(report.nodeid, report.longreprtext)
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed(report.nodeid, report.longreprtext)

    def _failed(self, name: str, text: str) -> None:
        text = text.replace(f"{self.folder}/", "")
        if len(self.failed) < MAX_FAILURES:
            self.failed.append({"test": name, "text": text[-MAX_TEXT:]})
        else:
            self.failed.append({"test": name, "text": ""})


def run_tests(worker: Worker, service: str, only: list[str]) -> dict[str, Any]:
    """Run the tests of the loaded service.

    Args:
        only: names of test files; empty: all.
    """
    folder = Path("/box/code/built") / service
    files = [str(folder / name) for name in only] or [str(item) for item in sorted(folder.glob("test*.py"))]
    plugin = _Plugin(worker, folder)
    if files:
        os.chdir("/tmp")
        options = [
            "-q",
            "--no-header",
            "--no-summary",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:faulthandler",
            "--capture=no",
            "--tb=short",
        ]
        options += ["--import-mode=importlib", f"--rootdir={folder}", "-c", "/dev/null", "--maxfail=50"]
        pytest.main([*options, *files], plugins=[plugin])
    return {"passed": plugin.passed, "failed": plugin.failed}
