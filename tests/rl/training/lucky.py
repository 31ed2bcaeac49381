"""A policy whose tokens are sampled and whose luck is not its own: the reference solution with seeded mistakes.

Tiny random weights never solve a task; so that groups differ in their rewards, something else makes the calls.
"""

from __future__ import annotations

from typing import Any

from rl.agents import Ending, NoisyAgent
from rl.episode import Episode
from rl.errors import ModelUnavailable
from rl.local.engine import Generator
from rl.trajectories import Trajectory

OBSERVED = "an observation that nobody may learn"
TURNS = 2
MISTAKES = 0.15


class Lucky:
    """Two turns of a few sampled tokens with an observation between them.

    Args:
        failing: seeds of rollouts whose model is not there.
    """

    name = "lucky"

    def __init__(self, generator: Generator, policy: str, failing: frozenset[int] = frozenset()) -> None:
        self._generator, self.model, self._failing = generator, policy, failing

    def options(self) -> dict[str, Any]:
        return {}

    def run(self, episode: Episode) -> Ending:
        if episode.seed in self._failing:
            raise ModelUnavailable("gone", again=False)
        chat = self._generator.format
        tokens = chat.prompt("s", "u", [])
        begun = len(tokens)
        mask, logprobs = [False] * begun, [0.0] * begun
        for turn in range(TURNS):
            with episode.waiting_for_model():
                sampled = self._generator.generate(tokens, episode.seed + turn)
            shown = chat.observations([OBSERVED]) if turn + 1 < TURNS else []
            tokens = [*tokens, *sampled.ids, *shown]
            mask += [True] * len(sampled.ids) + [False] * len(shown)
            logprobs += [*sampled.logprobs, *[0.0] * len(shown)]
        episode.trajectory(Trajectory(chat.digest, begun, tokens, mask, logprobs, self.model))
        return NoisyAgent(MISTAKES).run(episode)
