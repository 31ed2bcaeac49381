"""What an agent is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

from rl.episode import Episode

StopReason = Literal["answered", "silent", "refused", "cut_off", "malformed", "context_full"]
"""Why an agent stopped by itself: it answered; it ended without a word; the model refused; its messages were cut off
at their length limit again and again, or its calls could not be read; the conversation no longer fits the model."""


@dataclass(frozen=True)
class Ending:
    """How a rollout ended, as its agent says.

    Attributes:
        answer: the final message to the person, if there is one.
    """

    stop_reason: StopReason
    answer: str | None = None

    @classmethod
    def saying(cls, answer: str | None) -> Ending:
        """An end with this answer, or without one."""
        return cls("answered", answer) if answer else cls("silent")


class Agent(Protocol):
    """Something that works on a task. One agent serves all rollouts of a group, several at once: it keeps no state.

    Attributes:
        name: under which ``make_agent`` makes it.
        model: the language model behind it, if any.
    """

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str | None: ...

    def options(self) -> dict[str, Any]:
        """JSON values from which ``make_agent`` makes the same agent."""

    def run(self, episode: Episode) -> Ending:
        """Work on the task: use the meta-tools, record every message, end.

        Whatever else it raises is a crash of the agent, which is judged as it stands.

        Raises:
            RolloutStopped: let it pass.
            InfrastructureError: the model or the environment failed; such a rollout is never scored.
        """
