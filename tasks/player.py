"""Plays a reference solution: fills in what each call takes from earlier observations."""

from __future__ import annotations

from typing import Any

from engine.branches import Branch
from engine.calls import CallResult
from tasks.document import ReferenceCall, Task
from tasks.errors import ToolBroke, UnresolvedReference
from tasks.templates import resolve


def make_call(branch: Branch, service: str, tool: str, arguments: dict[str, Any]) -> CallResult:
    """Make a call of a playing.

    Raises:
        ToolBroke: the environment failed.
        DatabaseUnavailable: the database was lost.
    """
    result = branch.call(service, tool, arguments)
    if result.outcome == "fault":
        raise ToolBroke(f"{service}.{tool} broke: {result.detail}")
    return result


class Player:
    """One playing of a task's reference solution.

    Attributes:
        saved: observations by the name under which they were kept.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.saved: dict[str, dict[str, Any]] = {}

    def arguments(self, call: ReferenceCall) -> dict[str, Any]:
        """The call's arguments, with what earlier observations gave.

        Raises:
            UnresolvedReference: an observation does not have what the call takes from it.
        """
        filled: dict[str, Any] = resolve(call.arguments, self.saved)
        return filled

    def keep(self, call: ReferenceCall, observation: dict[str, Any]) -> None:
        """Keep the call's observation for later ones."""
        if call.save:
            self.saved[call.save] = observation

    def answer(self) -> str | None:
        """What the agent says at the end.

        Raises:
            UnresolvedReference: an observation does not have what the answer takes from it.
        """
        answer: str | None = resolve(self.task.reference.answer, self.saved)
        return answer

    def play(self, branch: Branch) -> list[CallResult]:
        """Make every call on a branch and keep the answer; stop at the first call that fails.

        Raises:
            UnresolvedReference: an observation does not have what a call takes from it.
            ToolBroke: the environment failed.
            DatabaseUnavailable: the database was lost.
        """
        results = []
        for number, call in enumerate(self.task.reference.calls):
            try:
                result = make_call(branch, call.service, call.tool, self.arguments(call))
            except UnresolvedReference as error:
                raise UnresolvedReference(f"call {number} ({call.service}.{call.tool}): {error.message}") from None
            results.append(result)
            if not result.ok:
                return results
            self.keep(call, result.observation)
        branch.answer(self.answer())
        return results
