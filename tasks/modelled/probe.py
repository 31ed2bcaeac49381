"""The probe: the author makes the calls of the reference solution itself, in the order of the walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.branches import Branch
from engine.calls import CallResult
from engine.snapshots import Snapshot
from tasks.checking import loose_in
from tasks.document import ReferenceCall
from tasks.errors import UnresolvedReference
from tasks.player import make_call
from tasks.templates import names_used, resolve, template_problem

LABEL = "task author"
"""Of the branches that an author works on, under a lease of the composition."""

MOST_CALLS = 60


class ProbeRefused(Exception):
    """A call, or the end, cannot be part of the reference solution; the message says why."""


@dataclass(frozen=True)
class Playing:
    """Calls made again on a fork.

    Attributes:
        arguments: of each call, filled in.
        failure: why it went no further, with the number of the call that failed; ``None``: all calls were made.
        answer: filled in; ``None`` where there is none, or it was not reached.
    """

    branch: Branch
    saved: dict[str, Any]
    arguments: list[dict[str, Any]]
    failure: str | None = None
    answer: str | None = None


def play(snapshot: Snapshot, calls: Sequence[ReferenceCall], answer: Any = None) -> Playing:
    """Make calls on a fresh fork of a snapshot; the caller deletes the branch."""
    branch = snapshot.fork(label=LABEL)
    saved: dict[str, Any] = {}
    made: list[dict[str, Any]] = []
    try:
        for number, call in enumerate(calls):
            try:
                arguments = resolve(call.arguments, saved)
            except UnresolvedReference as error:
                return Playing(branch, saved, made, f"call {number} ({call.service}.{call.tool}): {error.message}")
            result = make_call(branch, call.service, call.tool, arguments)
            if not result.ok:
                message = (result.error or {}).get("message")
                return Playing(branch, saved, made, f"call {number} ({call.service}.{call.tool}) fails: {message}")
            made.append(arguments)
            if call.save:
                saved[call.save] = result.observation
        try:
            said = resolve(answer, saved)
        except UnresolvedReference as error:
            return Playing(branch, saved, made, f"the answer: {error.message}")
        if said is not None:
            branch.answer(said)
        return Playing(branch, saved, made, None, said)
    except BaseException:
        branch.delete()
        raise


class Probe:
    """The reference solution in the making.

    Args:
        snapshot: the designed initial state.
        walk: the services in the order of the visits.

    Attributes:
        calls: those that were kept.
        answer: what the agent says at the end, as a template; ``None`` until ``end``.
        playing: the calls as they were made; ``None`` before the first.
    """

    def __init__(self, snapshot: Snapshot, walk: Sequence[str]) -> None:
        self._snapshot = snapshot
        self._walk = walk
        self.calls: list[ReferenceCall] = []
        self.answer: Any = None
        self.playing: Playing | None = None

    @property
    def ended(self) -> bool:
        """Whether the whole walk was made, with an answer."""
        return self.answer is not None

    @property
    def branch(self) -> Branch:
        """Where the calls were made: the state that they reached."""
        if self.playing is None:
            self.playing = play(self._snapshot, self.calls, self.answer)
        return self.playing.branch

    def call(self, call: ReferenceCall) -> CallResult:
        """Make the next call; it is kept if it succeeds.

        Raises:
            ProbeRefused: it cannot stand at this place of the walk, or takes from where nothing is.
        """
        self._see_place(call.service)
        saved = {item.save for item in self.calls}
        self._see_template(call.arguments, saved)
        if call.save in saved - {None}:
            raise ProbeRefused(f"{call.save!r} is kept already: choose another name")
        if len(self.calls) >= MOST_CALLS:
            raise ProbeRefused(f"a reference solution has at most {MOST_CALLS} calls; take some back")
        if self.ended:
            self.answer = None
            self.close()
        branch = self.branch
        assert self.playing is not None
        try:
            arguments = resolve(call.arguments, self.playing.saved)
        except UnresolvedReference as error:
            raise ProbeRefused(error.message) from None
        result = make_call(branch, call.service, call.tool, arguments)
        if result.ok:
            self.calls.append(call)
            self.playing.arguments.append(arguments)
            if call.save:
                self.playing.saved[call.save] = result.observation
        else:
            # It left an event: the next call is to be made where the reference solution will make it.
            self.close()
        return result

    def back(self, keep: int) -> None:
        """Keep the first calls and forget the others."""
        self.close()
        self.calls = self.calls[:keep]
        self.answer = None

    def end(self, answer: Any) -> Playing:
        """Say what the agent answers, once the walk is made; everything is played again from the start.

        Raises:
            ProbeRefused: the walk is not complete, a visit takes nothing from the one before, or the answer is wrong.
        """
        if (visits := self.visits()) < len(self._walk):
            rest = " → ".join(self._walk[visits:])
            raise ProbeRefused(f"{visits} of {len(self._walk)} visits are made; there remain {rest}")
        if loose := loose_in(self.calls):
            which = ", ".join(f"{number} ({self._walk[number - 1]})" for number in loose)
            raise ProbeRefused(
                f"no argument in visit {which} comes from an observation of the visit before; take the calls back to"
                " there with probe_back, and let a call take what it needs ($from) from that visit"
            )
        if not (isinstance(answer, str) or (isinstance(answer, dict) and "$text" in answer)):
            raise ProbeRefused('the answer is a text, or {"$text": ...}')
        self._see_template(answer, {item.save for item in self.calls})
        self.close()
        playing = play(self._snapshot, self.calls, answer)
        if playing.failure is not None:
            playing.branch.delete()
            raise ProbeRefused(playing.failure)
        self.playing, self.answer = playing, answer
        return playing

    def moved(self, snapshot: Snapshot) -> str | None:
        """Make the calls again on another initial state; why the calls from some point on are lost, if they are."""
        self.close()
        self._snapshot = snapshot
        if not self.calls:
            return None
        playing = self.playing = play(snapshot, self.calls, self.answer)
        if playing.failure is not None:
            self.back(len(playing.arguments))
        return playing.failure

    def visits(self) -> int:
        """How many visits of the walk are begun."""
        return sum(1 for _ in groupby(call.service for call in self.calls))

    def reads_again(self) -> bool:
        """Whether some read is kept in two visits, and something takes from the later one; the gate asks for it."""
        used = {name for value in (*(call.arguments for call in self.calls), self.answer) for name in names_used(value)}
        seen: set[tuple[str, str]] = set()
        for _, visit in groupby(self.calls, key=lambda call: call.service):
            kept = [call for call in visit if call.save]
            if any((call.service, call.tool) in seen and call.save in used for call in kept):
                return True
            seen |= {(call.service, call.tool) for call in kept}
        return False

    def where(self) -> str:
        """Which visit of the walk the last call belongs to, and whether it takes from the visit before."""
        visit = self.visits()
        text = f"visit {visit} of {len(self._walk)} ({self._walk[visit - 1]})"
        if visit in loose_in(self.calls):
            text += f"; so far it takes nothing from visit {visit - 1}"
        return text

    def close(self) -> None:
        """Delete the branch; the calls can be made again."""
        if self.playing is not None:
            self.playing.branch.delete()
            self.playing = None

    def _see_place(self, service: str) -> None:
        visit = self.visits()
        allowed = list(dict.fromkeys(self._walk[max(visit - 1, 0) : visit + 1] if visit else self._walk[:1]))
        if service not in allowed:
            done = f"visit {visit} ({self._walk[visit - 1]})" if visit else "the beginning"
            raise ProbeRefused(f"after {done} the walk goes on in {' or '.join(allowed)}, not in {service}")

    @staticmethod
    def _see_template(value: Any, saved: set[str | None]) -> None:
        if problem := template_problem(value):
            raise ProbeRefused(problem)
        for name in names_used(value):
            if name not in saved:
                raise ProbeRefused(f"no call keeps {name!r}; there are {', '.join(filter(None, saved)) or 'none'}")
