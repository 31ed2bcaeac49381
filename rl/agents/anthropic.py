"""A language model behind the Anthropic Messages API: any model, at any server that speaks it.

The loop is our own, on ``messages.create``: what is sent and what comes back is recorded word for word. The client
reads ``ANTHROPIC_API_KEY`` and ``ANTHROPIC_BASE_URL`` from the environment.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from engine.errors import InputError
from rl.agents.base import Ending
from rl.agents.options import see_texts, see_whole
from rl.episode import Episode
from rl.errors import LimitReached, ModelUnavailable
from rl.messages import Message, Usage, observation_text, tool_result
from synth.models import CACHED, ContextFull, Tokens, as_sent, make_client, marked, model_name, request, sendable

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message as Response

CUT_OFF_TIMES = 3
PAUSED_TIMES = 20

_GO_ON = "Your message was cut off at its length limit. Go on from there, in fewer words."
_NOT_MADE = "Your message was cut off at its length limit, so this call was not made. Make it again, shorter."


class AnthropicAgent:
    """A language model.

    Args:
        model: as the server names it; by default ``ANTHROPIC_MODEL`` or a Claude model.
        max_tokens: of one message of the model.
        max_observation: characters of an observation that the model is shown; the rest is cut, with a note.
        request_seconds: how long one request may take.
        client: for tests and special servers.

    Raises:
        InputError: an option is wrong, or there is no key.
    """

    name = "anthropic"

    def __init__(
        self,
        model: str | None = None,
        *,
        max_tokens: int = 8_192,
        max_observation: int = 20_000,
        request_seconds: float = 300.0,
        client: anthropic.Anthropic | None = None,
    ) -> None:
        see_texts(model=model)
        see_whole(max_tokens=max_tokens, max_observation=max_observation)
        if (
            isinstance(request_seconds, bool)
            or not isinstance(request_seconds, int | float)
            or not 0 < request_seconds < 2**31
        ):
            raise InputError(f"request_seconds is a number above 0, not {request_seconds!r}")
        if client is not None and not hasattr(client, "messages"):
            raise InputError(f"client is one of the package anthropic, not {client!r}")
        self.model = model_name(model)
        self.max_tokens = max_tokens
        self.max_observation = max_observation
        self.request_seconds = float(request_seconds)
        self._client = client or make_client()

    def options(self) -> dict[str, Any]:
        """Everything but the client, which comes from the environment."""
        return {
            "model": self.model,
            "max_tokens": self.max_tokens,
            "max_observation": self.max_observation,
            "request_seconds": self.request_seconds,
        }

    def run(self, episode: Episode) -> Ending:
        """Talk to the model until it ends, with its tool calls made in between."""
        conversation = _Conversation(self, episode)
        cut_off = paused = 0
        while True:
            try:
                response = conversation.ask()
            except ContextFull:
                return Ending("context_full")
            uses = [block for block in conversation.said() if block["type"] == "tool_use"]
            if response.stop_reason == "refusal":
                return Ending("refused", conversation.text() or None)
            if response.stop_reason == "model_context_window_exceeded":
                return Ending("context_full", conversation.text() or None)
            if response.stop_reason == "max_tokens":
                cut_off += 1
                if cut_off == CUT_OFF_TIMES:
                    return Ending("cut_off", conversation.text() or None)
                conversation.go_on(uses)
                continue
            cut_off = 0
            if response.stop_reason == "pause_turn" and not uses:
                paused += 1
                if paused == PAUSED_TIMES:
                    return Ending.saying(conversation.text())
                continue
            if not uses:
                return Ending.saying(conversation.text())
            conversation.use_tools(uses)

    def create(self, episode: Episode, system: Any, tools: Any, messages: list[dict[str, Any]]) -> Response:
        """One request.

        Raises:
            ModelUnavailable: the server gave no usable answer, after the client's own retries.
            LimitReached: the rollout's time is up.
            ContextFull: the conversation is too long for the model.
        """
        timeout = min(self.request_seconds, max(episode.remaining(), 0.1))
        try:
            with episode.waiting_for_model():
                return request(
                    self._client,
                    model=self.model,
                    max_tokens=self.max_tokens,
                    system=system,
                    tools=tools,
                    messages=messages,
                    timeout=timeout,
                )
        except ModelUnavailable as error:
            if error.late and episode.remaining() <= 0 and not episode.unanswered():
                raise LimitReached("seconds", episode.limits.seconds or 0) from error
            raise


class _Conversation:
    """What was said so far, as the API wants it and as it is recorded."""

    def __init__(self, agent: AnthropicAgent, episode: Episode) -> None:
        self._agent = agent
        self._episode = episode
        # Tools and system prompt never change within a task: the prefix that is cached.
        self._system = [{"type": "text", "text": episode.system, "cache_control": CACHED}]
        self._tools = copy.deepcopy(episode.definitions)
        self._tools[-1]["cache_control"] = CACHED
        self._messages: list[dict[str, Any]] = [
            {"role": "user", "content": [{"type": "text", "text": episode.instruction}]}
        ]
        self._said: list[dict[str, Any]] = []
        self._texts: list[str] = []
        episode.record(Message("system", episode.system))
        episode.record(Message("user", episode.instruction))

    def ask(self) -> Response:
        """Send the conversation; record what the model says and what it took."""
        response = self._agent.create(self._episode, self._system, self._tools, marked(self._messages))
        self._said = [as_sent(block) for block in response.content]
        if self._said:
            self._messages.append({"role": "assistant", "content": [sendable(block) for block in self._said]})
        self._texts.extend(block["text"] for block in self._said if block["type"] == "text")
        self._episode.record(Message("assistant", self._said, usage=_usage(response), stop_reason=response.stop_reason))
        return response

    def said(self) -> list[dict[str, Any]]:
        """The blocks of the model's last message."""
        return self._said

    def text(self) -> str:
        """What the model has said since its last call, in one message or several."""
        return "\n".join(self._texts).strip()

    def use_tools(self, uses: list[dict[str, Any]]) -> None:
        """Make the calls in their order, and give the model all results in one message."""
        self._texts.clear()
        results = []
        for block in uses:
            result = self._episode.run(block["name"], block["input"])
            shown = observation_text(result.observation, self._agent.max_observation)
            content = tool_result(block["id"], shown, not result.observation["ok"])
            self._episode.record(Message("tool", content, event=result.call.event if result.call else None))
            results.append(content)
        self._messages.append({"role": "user", "content": results})

    def go_on(self, uses: list[dict[str, Any]]) -> None:
        """Tell the model that its message was cut off; the calls in it may be incomplete and are not made."""
        if uses:
            results = [tool_result(block["id"], _NOT_MADE, True) for block in uses]
            for content in results:
                self._episode.record(Message("tool", content))
            self._messages.append({"role": "user", "content": results})
        else:
            self._episode.record(Message("user", _GO_ON))
            self._messages.append({"role": "user", "content": [{"type": "text", "text": _GO_ON}]})


def _usage(response: Response) -> Usage:
    tokens = Tokens.of(response)
    return Usage(tokens.input, tokens.output, tokens.cached, tokens.written)
