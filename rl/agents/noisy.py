"""The reference solution with seeded mistakes: what the system is tried with where there is no model.

The mistakes are those that models make: a call is left out, made twice, made with another value, made out of its
order; something is done that nobody asked for; the answer is wrong or missing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.errors import InputError
from rl.agents.base import Ending
from rl.agents.reference import begin, call_of, end, use
from rl.episode import Episode
from tasks.document import ReferenceCall
from tasks.errors import UnresolvedReference
from tasks.player import Player

MISTAKES = ("skip", "repeat", "alter", "reorder", "superfluous")


class NoisyAgent:
    """The reference solution with mistakes.

    Args:
        rate: how likely a mistake is at each call, and at the answer; 0 is the reference solution.

    Raises:
        InputError: the rate is not between 0 and 1.
    """

    name = "noisy"
    model = None

    def __init__(self, rate: float = 0.08) -> None:
        if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
            raise InputError(f"rate is a number between 0 and 1, not {rate!r}")
        self.rate = float(rate)

    def options(self) -> dict[str, Any]:
        """The rate."""
        return {"rate": self.rate}

    def run(self, episode: Episode) -> Ending:
        """Play the solution with the mistakes that the episode's seed gives."""
        lots = random.Random(f"noisy/{episode.seed}")
        begin(episode)
        player = Player(episode.task)
        for call, mistake in self._plan(episode.task.reference.calls, lots):
            try:
                arguments = player.arguments(call)
            except UnresolvedReference:
                # What it needs was never learnt: go on without it.
                continue
            if mistake == "superfluous":
                _wander(episode, lots)
            if mistake == "alter":
                arguments = _altered(arguments, lots)
            for _ in range(2 if mistake == "repeat" else 1):
                result = use(episode, "call_tool", call_of(call.service, call.tool, arguments))
                player.keep(call, result.observation)
        return end(episode, self._answer(player, lots))

    def _plan(self, calls: list[ReferenceCall], lots: random.Random) -> Iterator[tuple[ReferenceCall, str | None]]:
        """The calls in the order in which they are made, each with the mistake made at it."""
        late: tuple[ReferenceCall, str | None] | None = None
        for call in calls:
            mistake = lots.choice(MISTAKES) if lots.random() < self.rate else None
            if mistake == "skip":
                continue
            if mistake == "reorder" and late is None:
                late = call, None
                continue
            yield call, mistake
            if late is not None:
                yield late
                late = None
        if late is not None:
            yield late

    def _answer(self, player: Player, lots: random.Random) -> str | None:
        try:
            answer = player.answer()
        except UnresolvedReference:
            answer = "I have done what I could."
        if lots.random() >= self.rate:
            return answer
        return lots.choice([None, "Done.", answer and _other(answer, lots)])


def _wander(episode: Episode, lots: random.Random) -> None:
    """Do something that nobody asked for: look around in some service and try one of its tools."""
    service = lots.choice(episode.services)
    found = use(episode, "list_tools", {"service": service}).observation
    if not found["data"]:
        return  # its tools are left to a world model, and there is none
    tool = lots.choice(found["data"])["tool"]
    use(episode, "call_tool", call_of(service, tool, {}))


def _altered(arguments: dict[str, Any], lots: random.Random) -> dict[str, Any]:
    """The arguments with one of them left out or of another value."""
    if not arguments:
        return {"note": "please"}
    name = lots.choice(sorted(arguments))
    if lots.random() < 0.25:
        return {key: value for key, value in arguments.items() if key != name}
    return {**arguments, name: _other(arguments[name], lots)}


def _other(value: Any, lots: random.Random) -> Any:
    """A value of the same kind that is not the same."""
    match value:
        case bool():
            return not value
        case int() | float():
            return lots.choice([value + 1, value * 10, -value - 1])
        case str() if any(char.isdigit() for char in value):
            place = lots.choice([index for index, char in enumerate(value) if char.isdigit()])
            return f"{value[:place]}{(int(value[place]) + lots.randint(1, 8)) % 10}{value[place + 1 :]}"
        case str():
            return value[: len(value) // 2] or "unknown"
        case list():
            return value[1:] if value else ["unknown"]
        case dict():
            return _altered(value, lots)
        case _:
            return "unknown"
