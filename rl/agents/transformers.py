"""A language model whose weights are here, run by transformers: its tokens are kept as they were sampled."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import CompoWorldError, InputError
from rl.agents.base import Ending
from rl.agents.options import see_texts, see_whole
from rl.episode import Episode
from rl.errors import LimitReached, ModelUnavailable
from rl.local.files import digest_of, see_digest
from rl.local.loading import SMOLLM2, DType, check_dtype, check_weights
from rl.local.options import check_options
from rl.messages import Message, Usage, observation_text, tool_result
from rl.trajectories import Trajectory

if TYPE_CHECKING:
    from rl.local.calls import Said
    from rl.local.engine import Generator, Sampled

NAME = "transformers"
MALFORMED_TIMES = 3
"""So many turns in a row with something malformed end a rollout."""

_NOTE = (
    "This call was not made, nor what follows it: {problem}. A call is written like this:\n"
    '<tool_call>\n{{"name": "list_tools", "arguments": {{"service": "mail"}}}}\n</tool_call>'
)
_CUT_OFF = (
    "Your message was cut off at its length limit. Go on in fewer words; a call that was not complete was not made."
)


class TransformersAgent:
    """A language model with local weights. They are loaded when the first rollout begins, once in a process.

    Args:
        weights: ``smollm2``, or a folder of weights.
        policy: the name under which trajectories are kept; by default that of the weights.
        version: of the policy, where it has versions.
        digest: of the weights in the folder (``rl.local.files``); others are refused. By default that of what is there.
        max_new_tokens: of one turn.
        temperature: 0 takes the likeliest token.
        top_p: only the likeliest tokens with this probability together.
        max_observation: characters of an observation that the model is shown; the rest is cut, with a note.
        max_context: tokens of a conversation; by default what the model takes.
        batch: how many rollouts are worked on together.
        dtype: of the weights: ``float32``, ``bfloat16``, or ``auto``, which takes what is fast here.

    Raises:
        InputError: an option is wrong, or there are no such weights, or others than those of the digest.
        CompoWorldError: a package is missing.
    """

    name = NAME

    def __init__(
        self,
        weights: str | None = None,
        *,
        policy: str | None = None,
        version: int | None = None,
        digest: str | None = None,
        max_new_tokens: int = 512,
        temperature: float = 1.0,
        top_p: float = 1.0,
        max_observation: int = 4_000,
        max_context: int | None = None,
        batch: int = 8,
        dtype: DType = "auto",
    ) -> None:
        if weights is None:
            raise InputError(
                "weights are needed",
                hint=f"a policy, a folder, or {SMOLLM2}; those that a trainer had in memory are gone with it",
            )
        see_texts(weights=weights, policy=policy, digest=digest)
        check_options(batch, max_new_tokens, temperature, top_p)
        check_dtype(dtype)
        check_weights(weights)
        # Whole: another process may make this agent again, in another folder.
        source = weights if weights == SMOLLM2 else str(Path(weights).resolve())
        self._begin(policy or Path(source).name, version, max_observation, max_context)
        self._weights: str | None = source
        see_digest(source, digest)
        self._digest: str | None = digest if digest or source == SMOLLM2 else digest_of(Path(source))
        self._dtype: DType = dtype
        self._sampling = {"max_new_tokens": max_new_tokens, "temperature": temperature, "top_p": top_p, "batch": batch}
        self._generator: Generator | None = None

    @classmethod
    def around(
        cls,
        generator: Generator,
        *,
        policy: str,
        version: int | None = None,
        max_observation: int = 4_000,
        max_context: int | None = None,
    ) -> TransformersAgent:
        """An agent around a model in memory: that of a trainer.

        Raises:
            InputError: an option is wrong.
        """
        agent = cls.__new__(cls)
        agent._begin(policy, version, max_observation, max_context)
        agent._weights = agent._digest = None
        agent._dtype = "auto"
        agent._sampling = {
            "max_new_tokens": generator.max_new_tokens,
            "temperature": generator.temperature,
            "top_p": generator.top_p,
            "batch": generator.batch,
        }
        agent._generator = generator
        return agent

    def _begin(self, policy: str, version: int | None, max_observation: int, max_context: int | None) -> None:
        see_whole(max_observation=max_observation)
        if max_context is not None:
            see_whole(max_context=max_context)
        if version:  # weights that are no policy have none, or 0
            see_whole(version=version)
        self.policy, self.version = policy, version
        self.max_observation = max_observation
        self.max_context = max_context
        self._loading = threading.Lock()

    @property
    def model(self) -> str:
        """The policy, with its version if it has one."""
        return f"{self.policy}@{self.version}" if self.version else self.policy

    @property
    def generator(self) -> Generator:
        """What writes for it; loads the weights the first time.

        Raises:
            InputError: they cannot be read, or an option is wrong.
        """
        with self._loading:
            if self._generator is None:
                from rl.local.sources import generator_of

                assert self._weights is not None
                self._generator = generator_of(self._weights, self._dtype, self._digest, **self._sampling)
            return self._generator

    def options(self) -> dict[str, Any]:
        """Everything, for an agent with weights on disk."""
        return {
            "weights": self._weights,
            "policy": self.policy,
            "version": self.version,
            "digest": self._digest,
            "max_observation": self.max_observation,
            "max_context": self.max_context,
            "dtype": self._dtype,
            **self._sampling,
        }

    def run(self, episode: Episode) -> Ending:
        """Write turn by turn until there is an answer, with the calls made in between."""
        conversation = _Conversation(self, episode)
        while True:
            if conversation.full():
                return Ending("context_full", conversation.said.text or None)
            conversation.write()
            said = conversation.said
            if not said.uses and said.malformed is None:
                return Ending.saying(said.text)
            conversation.show()
            if conversation.malformed_in_a_row == MALFORMED_TIMES:
                return Ending("cut_off" if conversation.cut_off else "malformed", said.text or None)


class _Conversation:
    """What was said so far, as tokens and as it is recorded."""

    def __init__(self, agent: TransformersAgent, episode: Episode) -> None:
        from rl.local.calls import Said

        self._agent = agent
        self._episode = episode
        with episode.excused():
            self._generator = _ready(agent)
        self._format = self._generator.format
        self._context = min(self._generator.context, agent.max_context or self._generator.context)
        self._names = {tool["name"] for tool in episode.definitions}
        self._tokens = self._format.prompt(episode.system, episode.instruction, episode.definitions)
        self._prompt = len(self._tokens)
        self._is_agent = [False] * self._prompt
        self._logprobs = [0.0] * self._prompt
        self._turns = self._uses = self._malformed = 0
        self.said: Said = Said([])
        self.cut_off = False
        self.malformed_in_a_row = 0
        episode.record(Message("system", episode.system))
        episode.record(Message("user", episode.instruction))

    def full(self) -> bool:
        """Whether there is no room for another token."""
        return len(self._tokens) >= self._context

    def write(self) -> None:
        """Let the model write a turn; keep its tokens and record its message."""
        before = len(self._tokens)
        sampled = self._sample()
        self._add(sampled.ids, sampled.logprobs)
        self.cut_off = sampled.ids[-1] != self._format.end
        if self.cut_off:
            # The template ends every turn; this end is ours.
            self._add([self._format.end])
        self.said = self._format.parse(sampled.ids, first=self._uses + 1)
        self._uses += len(self.said.uses)
        good = self.said.malformed is None and all(use["name"] in self._names for use in self.said.uses)
        self.malformed_in_a_row = 0 if good else self.malformed_in_a_row + 1
        self._malformed += not good
        # Before anything that may reach a limit: what was written is there to be learnt from.
        self._hand_over()
        usage = Usage(before, len(sampled.ids), sampled.cached)
        stopped = "max_tokens" if self.cut_off else "tool_use" if self.said.uses else "end_turn"
        self._episode.record(Message("assistant", self.said.blocks, usage=usage, stop_reason=stopped))

    def show(self) -> None:
        """Make the turn's calls, and show the model what they gave and what was wrong with others."""
        results = []
        for use in self.said.uses:
            result = self._episode.run(use["name"], use["input"])
            results.append(observation_text(result.observation, self._agent.max_observation))
            content = tool_result(use["id"], results[-1], not result.observation["ok"])
            self._episode.record(Message("tool", content, event=result.call.event if result.call else None))
        note = None
        if self.said.malformed is not None:
            note = _CUT_OFF if self.cut_off else _NOTE.format(problem=self.said.malformed)
            self._episode.record(Message("user", note))
        self._add(self._format.observations(results, note))

    def _sample(self) -> Sampled:
        self._turns += 1
        room = self._context - len(self._tokens)
        try:
            # Until there is a place in the batch it is others that are waited for.
            with self._episode.waiting_for_model(), self._episode.excused() as begun:
                return self._generator.generate(
                    self._tokens,
                    _turn_seed(self._episode.seed, self._turns),
                    longest=min(self._generator.max_new_tokens, room),
                    check=self._episode.check,
                    begun=begun,
                )
        except LimitReached as limit:
            if limit.reason == "seconds" and self._episode.unanswered():
                raise ModelUnavailable(f"the model wrote nothing within {self._episode.limits.seconds:g} s") from limit
            raise

    def _add(self, tokens: list[int], logprobs: list[float] | None = None) -> None:
        """Go on with these tokens: the agent's if they have log-probabilities."""
        self._tokens += tokens
        self._is_agent += [logprobs is not None] * len(tokens)
        self._logprobs += logprobs or [0.0] * len(tokens)

    def _hand_over(self) -> None:
        agent = self._agent
        self._episode.trajectory(
            Trajectory(
                self._format.digest,
                self._prompt,
                list(self._tokens),
                list(self._is_agent),
                list(self._logprobs),
                agent.policy,
                agent.version,
                self._malformed,
            )
        )


def _ready(agent: TransformersAgent) -> Generator:
    """The agent's generator.

    Raises:
        ModelUnavailable: its weights cannot be loaded, which is not the agent's doing.
    """
    try:
        return agent.generator
    except CompoWorldError as error:
        raise ModelUnavailable(error.message, error.hint, again=False) from error
    except Exception as error:
        raise ModelUnavailable(f"the weights cannot be loaded: {type(error).__name__}: {error}"[:500]) from error


def _turn_seed(seed: int, turn: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}/{turn}".encode()).digest()[:7], "big")
