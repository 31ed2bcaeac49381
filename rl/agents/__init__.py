"""Agents: the reference solution, the same with mistakes, and language models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import InputError
from engine.near import did_you_mean
from rl.agents.base import Agent, Ending, StopReason
from rl.agents.noisy import NoisyAgent
from rl.agents.options import see_names
from rl.agents.reference import ReferenceAgent

__all__ = ["AGENTS", "Agent", "Ending", "NoisyAgent", "ReferenceAgent", "StopReason", "make_agent"]


def _anthropic() -> Callable[..., Agent]:
    # Imported when it is asked for: the client takes half a second.
    from rl.agents.anthropic import AnthropicAgent

    return AnthropicAgent


def _transformers() -> Callable[..., Agent]:
    from rl.agents.transformers import TransformersAgent

    return TransformersAgent


AGENTS: dict[str, Callable[[], Callable[..., Agent]]] = {
    "anthropic": _anthropic,
    "noisy": lambda: NoisyAgent,
    "reference": lambda: ReferenceAgent,
    "transformers": _transformers,
}
"""What gives the class of each agent, by name."""


def make_agent(name: str, /, **options: Any) -> Agent:
    """Make an agent.

    Args:
        options: those of its class.

    Raises:
        InputError: there is no such agent, or an option is unknown or wrong.
    """
    if name not in AGENTS:
        raise InputError(
            f"there is no agent {name!r}", hint=did_you_mean(name, AGENTS, f"there are {', '.join(AGENTS)}")
        )
    kind = AGENTS[name]()
    see_names(name, kind, options)
    try:
        return kind(**options)
    except InputError as error:
        raise InputError(f"agent {name}: {error.message}", error.hint) from error
