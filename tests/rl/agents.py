"""Agents that misbehave, for tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from rl.agents import Agent, Ending, ReferenceAgent
from rl.agents.reference import begin, call_of, end, use
from rl.episode import Episode


class Scripted:
    """An agent whose run is a function of the episode and of how often that rollout was begun."""

    model = None

    def __init__(self, run: Callable[[Episode, int], Ending], name: str = "scripted") -> None:
        self.name = name
        self._run = run
        self._begun: dict[int, int] = {}
        self._lock = threading.Lock()

    def options(self) -> dict[str, Any]:
        return {}

    def run(self, episode: Episode) -> Ending:
        with self._lock:
            self._begun[episode.seed] = self._begun.get(episode.seed, 0) + 1
        return self._run(episode, self._begun[episode.seed])


def reference(episode: Episode) -> Ending:
    return ReferenceAgent().run(episode)


def slow(seconds: float) -> Agent:
    """The reference solution with a rest before each call."""

    def run(episode: Episode, _: int) -> Ending:
        keep = episode.run

        def rested(name: str, arguments: Any) -> Any:
            time.sleep(seconds)
            return keep(name, arguments)

        episode.run = rested  # type: ignore[method-assign]
        return reference(episode)

    return Scripted(run, "reference")


__all__ = ["Scripted", "begin", "call_of", "end", "reference", "slow", "use"]
