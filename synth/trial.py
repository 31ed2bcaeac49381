"""The tests of a built service, run on branches of a target."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.kit import Service
from synth.attack.target import Target


class TestFailed(Exception):
    """A test of a built service does not hold."""

    __test__ = False


@dataclass
class Play:
    """A branch of its own over the seed data: what a test works with."""

    _target: Target
    _branch: int

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool; the whole result, ``{"ok": ...}``. A fault of the service fails the test."""
        result = self._target.call(self._branch, tool, arguments)
        if result.outcome == "fault":
            raise TestFailed(f"{tool} failed as a service: {(result.detail or '')[-500:]}")
        return result.observation

    def ok(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool that must succeed; its data."""
        observation = self.call(tool, **arguments)
        if not observation["ok"]:
            raise TestFailed(f"{tool} said no: {observation['error']['message']}"[:500])
        return observation["data"]

    def fails(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must say no; its error (code, message, details)."""
        observation = self.call(tool, **arguments)
        if observation["ok"]:
            raise TestFailed(f"{tool} did it: {observation['data']}"[:500])
        return observation["error"]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Trial:
    """What the tests of a service said.

    Attributes:
        passed: how many hold.
        failed: of those that do not, by the test's name, why.
    """

    passed: int
    failed: dict[str, str]


def run_tests(target: Target, service: Service) -> Trial:
    """Run the test module of a built service, each test on a branch of its own."""
    module = importlib.import_module(f"{service.package}.test_service")
    tests: dict[str, Callable[[Play], None]] = {
        name: value for name, value in vars(module).items() if name.startswith("test_") and callable(value)
    }
    failed: dict[str, str] = {}
    for name, test in tests.items():
        try:
            test(Play(target, target.fork()))
        except TestFailed as error:
            failed[name] = str(error)
        except (AssertionError, LookupError, TypeError) as error:
            failed[name] = f"{type(error).__name__}: {error}"[:500]
    return Trial(len(tests) - len(failed), failed)
