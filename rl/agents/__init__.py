"""Agents: the reference solution, the same with mistakes, and language models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import InputError
from rl.agents.base import Agent, Ending, StopReason
from rl.agents.noisy import NoisyAgent
from rl.agents.reference import ReferenceAgent

__all__ = ["AGENTS", "Agent", "Ending", "NoisyAgent", "ReferenceAgent", "StopReason", "make_agent"]


def _anthropic(**options: Any) -> Agent:
    # Imported when it is asked for: the client takes half a second.
    from rl.agents.anthropic import AnthropicAgent

    return AnthropicAgent(**options)


def _transformers(**options: Any) -> Agent:
    from rl.agents.transformers import TransformersAgent

    return TransformersAgent(**options)


AGENTS: dict[str, Callable[..., Agent]] = {
    "anthropic": _anthropic,
    "noisy": NoisyAgent,
    "reference": ReferenceAgent,
    "transformers": _transformers,
}
"""How each agent is made, by name."""


def make_agent(name: str, **options: Any) -> Agent:
    """Make an agent.

    Args:
        options: those of its class.

    Raises:
        InputError: there is no such agent, or an option is unknown or wrong.
    """
    make = AGENTS.get(name)
    if make is None:
        raise InputError(f"there is no agent {name!r}", hint=f"there are {', '.join(AGENTS)}")
    try:
        return make(**options)
    except TypeError as error:
        raise InputError(f"agent {name}: {error}") from error
