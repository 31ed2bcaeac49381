"""A language model behind the Anthropic Messages API: any model, at any server that speaks it.

The loop is our own, on ``messages.create``: what is sent and what comes back is recorded word for word. The client
reads ``ANTHROPIC_API_KEY`` and ``ANTHROPIC_BASE_URL`` from the environment.
"""

from __future__ import annotations

import copy
import os
from typing import TYPE_CHECKING, Any

import anthropic
import httpx2

from engine.errors import InputError
from rl.agents.base import Ending
from rl.episode import Episode
from rl.errors import LimitReached, ModelUnavailable
from rl.messages import Message, Usage, observation_text, tool_result

if TYPE_CHECKING:
    from anthropic.types import Message as Response

DEFAULT_MODEL = "claude-sonnet-4-5"
RETRIES = 5
LONGEST_WAIT_SECONDS = 60.0
"""A server that asks for a longer wait before the next try counts as unavailable."""

CUT_OFF_TIMES = 3
PAUSED_TIMES = 20

_CACHED = {"type": "ephemeral"}
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
        for name, value in (
            ("max_tokens", max_tokens),
            ("max_observation", max_observation),
            ("request_seconds", request_seconds),
        ):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 2**31:
                raise InputError(f"{name} is a number above 0, not {value!r}")
        self.model = model or os.environ.get("ANTHROPIC_MODEL") or DEFAULT_MODEL
        self.max_tokens = int(max_tokens)
        self.max_observation = int(max_observation)
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
                response = self._client.messages.create(
                    model=self.model,
                    max_tokens=self.max_tokens,
                    system=system,
                    tools=tools,
                    messages=messages,  # type: ignore[arg-type]
                    timeout=timeout,
                )
        except anthropic.APITimeoutError as error:
            if episode.remaining() <= 0 and not episode.unanswered():
                raise LimitReached("seconds", episode.limits.seconds or 0) from error
            raise ModelUnavailable(f"the model gave no answer within {timeout:.0f} s") from error
        except anthropic.APIStatusError as error:
            if error.status_code == 413 or (error.status_code == 400 and "too long" in error.message):
                raise ContextFull from error
            again = error.status_code in (408, 409, 429) or error.status_code >= 500
            text = f"the model's server answered {error.status_code}: {error.api_message or error.message}"
            raise ModelUnavailable(text, _HINTS.get(error.status_code), again=again) from error
        except anthropic.APIConnectionError as error:
            raise ModelUnavailable(f"the model's server cannot be reached: {error.__cause__ or error}") from error
        except anthropic.APIResponseValidationError as error:
            raise ModelUnavailable(f"the model's server gave no message: {error}") from error
        except anthropic.AnthropicError as error:
            raise ModelUnavailable(str(error), again=False) from error
        # The client passes on whatever a server that is none of this API gives.
        if not isinstance(response, anthropic.types.Message) or not isinstance(response.content, list):
            raise ModelUnavailable(f"the model's server gave no message but {str(response)[:200]!r}")
        return response


_HINTS = {
    401: "set ANTHROPIC_API_KEY to a valid key",
    403: "the key may not use this model",
    404: "check the model's name and ANTHROPIC_BASE_URL",
}


class ContextFull(Exception):
    """The conversation is longer than the model takes."""


class _Conversation:
    """What was said so far, as the API wants it and as it is recorded."""

    def __init__(self, agent: AnthropicAgent, episode: Episode) -> None:
        self._agent = agent
        self._episode = episode
        # Tools and system prompt never change within a task: the prefix that is cached.
        self._system = [{"type": "text", "text": episode.system, "cache_control": _CACHED}]
        self._tools = copy.deepcopy(episode.definitions)
        self._tools[-1]["cache_control"] = _CACHED
        self._messages: list[dict[str, Any]] = [
            {"role": "user", "content": [{"type": "text", "text": episode.instruction}]}
        ]
        self._said: list[dict[str, Any]] = []
        self._texts: list[str] = []
        episode.record(Message("system", episode.system))
        episode.record(Message("user", episode.instruction))

    def ask(self) -> Response:
        """Send the conversation; record what the model says and what it took."""
        response = self._agent.create(self._episode, self._system, self._tools, self._marked())
        self._said = [_as_sent(block) for block in response.content]
        if self._said:
            self._messages.append({"role": "assistant", "content": [_sendable(block) for block in self._said]})
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

    def _marked(self) -> list[dict[str, Any]]:
        """The messages, with the end of the last one marked: up to there the next request finds them cached."""
        *earlier, last = self._messages
        *blocks, block = last["content"]
        if block["type"] in ("thinking", "redacted_thinking"):
            return self._messages
        return [*earlier, {**last, "content": [*blocks, {**block, "cache_control": _CACHED}]}]


def _as_sent(block: Any) -> dict[str, Any]:
    """A block of the model's as it is sent back and recorded."""
    plain: dict[str, Any] = block.to_dict(mode="json", warnings=False) if hasattr(block, "to_dict") else dict(block)
    return {name: value for name, value in plain.items() if value is not None or name == "input"}


def _sendable(block: dict[str, Any]) -> dict[str, Any]:
    """The block in a form that the server takes back: an input that is no object was never usable."""
    if block["type"] == "tool_use" and not isinstance(block.get("input"), dict):
        return {**block, "input": {}}
    return block


def _usage(response: Response) -> Usage:
    usage: Any = response.usage
    if usage is None:  # other servers leave it out
        return Usage()
    read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    return Usage((usage.input_tokens or 0) + read + written, usage.output_tokens or 0, read, written)


def make_client(transport: httpx2.BaseTransport | None = None, **options: Any) -> anthropic.Anthropic:
    """The client as agents use it: patient with a busy server, but not for ever.

    Args:
        transport: stands in for the network in tests.
        options: of ``anthropic.Anthropic``.

    Raises:
        InputError: there is no key.
    """

    def impatient(response: httpx2.Response) -> None:
        wait = response.headers.get("retry-after", "")
        if wait.replace(".", "", 1).isdigit() and float(wait) > LONGEST_WAIT_SECONDS:
            response.headers["x-should-retry"] = "false"

    http_client = anthropic.DefaultHttpxClient(transport=transport, event_hooks={"response": [impatient]})
    try:
        client = anthropic.Anthropic(http_client=http_client, **{"max_retries": RETRIES, **options})
    except anthropic.AnthropicError as error:
        raise InputError(f"the Anthropic client cannot be made: {error}", _HINTS[401]) from error
    if not (client.api_key or client.auth_token or client.credentials):
        raise InputError("there is no key for the Anthropic API", hint="set ANTHROPIC_API_KEY")
    return client
