"""Generated tests, run in the sandbox; the branches that they work on come from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import text

from engine.errors import InputError
from engine.snapshots import Snapshot
from synth.errors import GeneratedCodeInvalid, SandboxStopped
from synth.sandbox.box import Box

MAX_FORKS = 2_000
"""Branches that one run of tests may ask for."""

_CALLS = text(
    "SELECT tool, outcome, count(*) FROM compoworld.event WHERE branch_id = ANY (:branches) GROUP BY 1, 2 ORDER BY 1, 2"
)


@dataclass(frozen=True)
class TestReport:
    """What the generated tests gave.

    Attributes:
        passed: names of tests.
        failed: name and text of each that failed.
        stopped: why the run came to no end; the test that ran then is named.
        printed: the end of what was printed.
        calls: tool to outcome to how many calls the tests made, by the log.
    """

    __test__ = False

    passed: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    stopped: str | None = None
    printed: str = ""
    calls: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether there are tests, and all of them passed."""
        return bool(self.passed) and not self.failed and self.stopped is None


def run_tests(box: Box, only: Sequence[str] = (), seed: int = 0) -> TestReport:
    """Run the tests of a service; each has a branch of its own over the seed data.

    Args:
        only: names of test files; none: all.

    Raises:
        GeneratedCodeInvalid, SandboxStopped: there is no initial state, or no service to test.
    """
    run = _Run(box, box.snapshot(seed))
    with box.mutex:
        request = {"do": "test", "only": list(only)}
        try:
            said = box.ask(request, lambda: run.at, box.limits.test_seconds, run.answer)
            passed = tuple(str(item)[:300] for item in said["passed"])
            failed = tuple((str(item["test"])[:300], str(item["text"])[:4_000]) for item in said["failed"])
            return TestReport(passed, failed, printed=box.printed(), calls=run.calls())
        except SandboxStopped as error:
            return TestReport(stopped=error.message, printed=box.last_printed)
        except (TypeError, KeyError, GeneratedCodeInvalid) as error:
            return TestReport(stopped=str(error)[:4_000], printed=box.printed())


@dataclass
class _Run:
    """What one run of tests may ask the outside for."""

    box: Box
    snapshot: Snapshot
    at: str = "its tests"
    forks: list[int] = field(default_factory=list)

    def answer(self, asked: dict[str, Any]) -> Any:
        match asked:
            case {"at": str(name)}:
                self.at = f"its test {name[:200]}"
                return None
            case {"fork": _}:
                if len(self.forks) >= MAX_FORKS:
                    raise InputError(f"at most {MAX_FORKS} branches")
                self.forks.append(self.snapshot.fork("scratch").id)
                return self.forks[-1]
            case {"order": {"branch": int(branch), "tool": str(tool), "arguments": dict(arguments)}}:
                if branch not in self.forks:
                    raise InputError(f"branch {branch} is none of this test")
                found = self.box.specifications.get(tool)
                self.box.role.order(branch, tool, arguments, found is not None and found.read_only)
                return asdict(self.snapshot.person)
        raise InputError("the outside does not know this request")

    def calls(self) -> dict[str, dict[str, int]]:
        made: dict[str, dict[str, int]] = {}
        with self.box.database.transaction() as connection:
            for tool, outcome, count in connection.execute(_CALLS, {"branches": self.forks}):
                made.setdefault(tool, {})[outcome] = count
        return made
