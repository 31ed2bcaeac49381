"""A person at a terminal, as an agent: what the person asks for comes over a desk from another thread."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.metatools import MetaResult
from rl.agents.base import Ending
from rl.agents.reference import begin, end, use
from rl.episode import Episode

NAME = "person"


@dataclass(frozen=True)
class Use:
    """The person uses a meta-tool."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """The person is done, and says this; nothing, perhaps."""

    words: str | None


@dataclass(frozen=True)
class Leave:
    """The person goes; the rollout may be taken up again."""


Wish: TypeAlias = Use | Answer | Leave


class Desk:
    """Where a person's wishes and their results change hands between two threads."""

    def __init__(self) -> None:
        self._wishes: queue.SimpleQueue[Wish] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[MetaResult | None] = queue.SimpleQueue()

    def result(self, seconds: float) -> MetaResult | None:
        """What the last wish gave; ``None`` at the beginning, before there was one.

        Raises:
            queue.Empty: it takes longer than so many seconds.
        """
        return self._results.get(timeout=seconds)

    def wish(self, wish: Wish) -> None:
        """Ask for something."""
        self._wishes.put(wish)

    def await_wish(self, result: MetaResult | None) -> Wish:
        """The agent's side: hand over a result, and wait for the next wish."""
        self._results.put(result)
        return self._wishes.get()


class PersonAgent:
    """A person.

    Args:
        earlier: uses of meta-tools to begin with: those of a game that was interrupted.
    """

    name = NAME
    model = None

    def __init__(self, desk: Desk, earlier: Sequence[Use] = ()) -> None:
        self._desk = desk
        self._earlier = earlier

    def options(self) -> dict[str, Any]:
        """None: a person is not made again."""
        return {}

    def run(self, episode: Episode) -> Ending:
        """Do what the person asks for until there is an answer.

        Raises:
            KeyboardInterrupt: the person leaves; the rollout is left to be resumed.
        """
        begin(episode)
        for item in self._earlier:
            use(episode, item.name, item.arguments)
        result = None
        while True:
            match self._desk.await_wish(result):
                case Use(name, arguments):
                    result = use(episode, name, arguments)
                case Answer(words):
                    return end(episode, words)
                case Leave():
                    raise KeyboardInterrupt
