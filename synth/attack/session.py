"""The attack's notebook: every branch knows the calls that led to it, so that any failure is a case at once."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.calls import CallResult
from synth.attack.arguments import Maker
from synth.attack.laws import LAWS, Finding, Seen
from synth.attack.pool import Pool
from synth.attack.reading import Reading, normal, read_all
from synth.attack.report import Case, Step
from synth.attack.samples import Samples
from synth.attack.shapes import identifier, leaves, record_of, rows_of
from synth.attack.target import Target

_CASES_PER_LAW = 2


@dataclass
class Success:
    """A call that did what was asked, and the branch before it; what is tried next is tried on forks of that branch."""

    branch: int
    arguments: dict[str, Any]
    result: CallResult


@dataclass
class Notes:
    """What is known of one tool."""

    calls: int = 0
    laws: set[str] = field(default_factory=set)
    cases: list[Case] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    success: Success | None = None
    others: list[Success] = field(default_factory=list)
    """Further calls that succeeded, on the same branch."""


class Session:
    """One attack while it runs.

    Attributes:
        stage: the branch that laws are tried on: the initial state and one more of each thing that could be created.
        tool: whose sake calls are made for at the moment.
    """

    def __init__(self, target: Target, seed: int, known: Mapping[str, Iterable[Any]] | None = None) -> None:
        self.target = target
        self.rng = random.Random(f"{seed}/{target.service}")
        self.readings: dict[str, Reading] = read_all(target.specifications)
        self.pool = Pool()
        self.pool.know(known or {})
        self.samples = Samples(self.rng)
        self.makers = {
            name: Maker(item, self.readings[name], self.readings, self.pool, self.samples)
            for name, item in target.specifications.items()
        }
        self.notes = {name: Notes() for name in target.specifications}
        self.tool = ""
        self.reads: list[tuple[str, dict[str, Any], Any]] = []
        """Readings that succeeded: tool, arguments, data."""
        self.together: list[dict[str, Any]] = []
        """Values that were seen side by side: a row, with what was asked for."""
        self._logs: dict[int, list[Seen]] = {}
        self.base = self.fork()
        self.stage = self.base

    def fork(self, branch: int | None = None) -> int:
        """A new branch, which knows the calls of the one that it was forked from."""
        made = self.target.fork(branch)
        self._logs[made] = list(self._logs[branch]) if branch is not None else []
        return made

    def log(self, branch: int) -> list[Seen]:
        """The calls that led to a branch."""
        return self._logs[branch]

    def call(self, branch: int, tool: str, arguments: dict[str, Any], *, watch: bool = False) -> CallResult:
        """Call a tool; what no call may ever do is judged at once.

        Args:
            watch: keep digests of the state before and after.
        """
        before = self.target.digest(branch) if watch else None
        result = self.target.call(branch, tool, arguments)
        after = self.target.digest(branch) if watch else None
        self.notes[self.tool or tool].calls += 1
        self._logs[branch].append(Seen(Step(tool, arguments, watch=watch), result, before, after))
        self.judge("no_fault", tool, branch, 1)
        if result.outcome != "ok":
            self.judge("refusal_changes_nothing", tool, branch, 1)
        if self.readings[tool].promises_nothing_changes:
            self.judge("read_changes_nothing", tool, branch, 1)
        return result

    def twice(self, branch: int, tool: str, arguments: dict[str, Any]) -> CallResult:
        """Make a call on two forks of the branch and judge whether it does the same; the branch itself is used up."""
        other = self.fork(branch)
        again = self.target.call(other, tool, arguments)
        again_digest = self.target.digest(other)
        result = self.call(branch, tool, arguments)
        seen = self._logs[branch][-1]
        self._logs[branch][-1] = replace(
            seen,
            step=replace(seen.step, twice=True),
            after=self.target.digest(branch),
            again=again,
            again_after=again_digest,
        )
        self.judge("repeatable", tool, branch, 1)
        return result

    def as_before(self, branch: int, tool: str, arguments: dict[str, Any], earlier: CallResult) -> CallResult:
        """Make a call again, later, on a fork of the state on which it was made, and judge whether it does the same."""
        result = self.call(branch, tool, arguments)
        seen = self._logs[branch][-1]
        self._logs[branch][-1] = replace(seen, step=replace(seen.step, twice=True), again=earlier)
        self.judge("repeatable", tool, branch, 1)
        return result

    def judge(self, law: str, tool: str, branch: int, core: int, about: dict[str, Any] | None = None) -> Finding | None:
        """Hold the last calls of a branch against a law; a failure is kept as a case of the tool."""
        notes = self.notes[tool]
        about = {**(about or {}), "core": core}
        log = self._logs[branch]
        found = LAWS[law].judge(log[-core:], about)
        notes.laws.add(law)
        if found is not None and sum(case.law == law for case in notes.cases) < _CASES_PER_LAW:
            steps = tuple(seen.step for seen in log)
            notes.cases.append(Case(tool, law, steps, found.expected, found.found, about))
        return found

    def learn(self, tool: str, arguments: dict[str, Any], result: CallResult) -> None:
        """Keep the values that a result shows."""
        if not result.ok:
            return
        self.pool.learn(self.readings[tool].noun, result.data)
        if self.readings[tool].promises_nothing_changes and len(self.reads) < 300:
            self.reads.append((tool, arguments, result.data))
            noun = self.readings[tool].noun
            asked = {normal(name): value for name, value in arguments.items() if isinstance(value, str | int)}
            for row in (rows_of(result.data) or [record_of(result.data, noun) or {}])[:20]:
                told = {normal(name): value for name, value in row.items() if isinstance(value, str | int)}
                own = identifier(row, noun)
                self.together.append({**asked, **({f"{noun}_id": own} if own is not None else {}), **told})

    def created(self, tool: str, arguments: dict[str, Any], result: CallResult) -> None:
        """Keep what a creation on the stage shows."""
        noun = self.readings[tool].noun
        record = record_of(result.data, noun) if result.ok else None
        if record is not None:
            self.pool.created(noun, record, {str(value) for _, value in leaves(arguments)})

    def tools(self, which: Callable[[Reading], bool]) -> list[str]:
        """Names of the tools whose reading is such, in the order of the specification."""
        return [name for name, reading in self.readings.items() if which(reading)]
