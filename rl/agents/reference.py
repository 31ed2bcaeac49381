"""Plays the reference solution through the meta-tools, as an agent would."""

from __future__ import annotations

from typing import Any

from engine.metatools import MetaResult
from rl.agents.base import Ending
from rl.episode import Episode
from rl.messages import Message, observation_text, text_block, tool_result, tool_use
from tasks.player import Player


class ReferenceAgent:
    """The reference solution."""

    name = "reference"
    model = None

    def options(self) -> dict[str, Any]:
        """None."""
        return {}

    def run(self, episode: Episode) -> Ending:
        """Make every call of the solution, and say its answer."""
        begin(episode)
        player = Player(episode.task)
        for call in episode.task.reference.calls:
            result = use(episode, "call_tool", call_of(call.service, call.tool, player.arguments(call)))
            player.keep(call, result.observation)
        return end(episode, player.answer())


def call_of(service: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of ``call_tool``."""
    return {"service": service, "tool": tool, "arguments": arguments}


def begin(episode: Episode) -> None:
    """Record what every conversation begins with."""
    episode.record(Message("system", episode.system))
    episode.record(Message("user", episode.instruction))


def use(episode: Episode, name: str, arguments: dict[str, Any]) -> MetaResult:
    """Use a meta-tool, and record the request and its result."""
    identifier = f"use_{episode.steps + 1}"
    episode.record(Message("assistant", [tool_use(identifier, name, arguments)], stop_reason="tool_use"))
    result = episode.run(name, arguments)
    content = tool_result(identifier, observation_text(result.observation), not result.observation["ok"])
    episode.record(Message("tool", content, event=result.call.event if result.call else None))
    return result


def end(episode: Episode, answer: str | None) -> Ending:
    """Record the final message, if there is one."""
    if answer:
        episode.record(Message("assistant", [text_block(answer)], stop_reason="end_turn"))
    return Ending.saying(answer)
