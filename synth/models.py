"""Language models behind the Anthropic Messages API, or any server that speaks it: one request, its errors, its cost.

The client reads ``ANTHROPIC_API_KEY`` and ``ANTHROPIC_BASE_URL`` from the environment.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anthropic
import httpx2

from engine.errors import InputError
from synth.errors import ModelUnavailable

if TYPE_CHECKING:
    from anthropic.types import Message as Response

DEFAULT_MODEL = "claude-sonnet-4-5"
RETRIES = 5
LONGEST_WAIT_SECONDS = 60.0
"""A server that asks for a longer wait before the next try counts as unavailable."""

CACHED = {"type": "ephemeral"}

_HINTS = {
    401: "set ANTHROPIC_API_KEY to a valid key",
    403: "the key may not use this model",
    404: "check the model's name and ANTHROPIC_BASE_URL",
}


class ContextFull(Exception):
    """The conversation is longer than the model takes."""


def model_name(given: str | None = None) -> str:
    """The model that is used: as given, else ``ANTHROPIC_MODEL``, else a Claude model."""
    return given or os.environ.get("ANTHROPIC_MODEL") or DEFAULT_MODEL


def make_client(transport: httpx2.BaseTransport | None = None, **options: Any) -> anthropic.Anthropic:
    """The client as we use it: patient with a busy server, but not for ever.

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


def request(
    client: anthropic.Anthropic,
    *,
    model: str,
    max_tokens: int,
    system: Any,
    tools: Any,
    messages: list[dict[str, Any]],
    timeout: float,
    **more: Any,
) -> Response:
    """One request.

    Args:
        timeout: seconds.
        more: further parameters of ``messages.create``.

    Raises:
        ModelUnavailable: the server gave no usable answer, after the client's own retries.
        ContextFull: the conversation is too long for the model.
    """
    try:
        response = client.messages.create(
            model=model,
            max_tokens=max_tokens,
            system=system,
            tools=tools,
            messages=messages,  # type: ignore[arg-type]
            timeout=timeout,
            **more,
        )
    except anthropic.APITimeoutError as error:
        raise ModelUnavailable(f"the model gave no answer within {timeout:.0f} s", late=True) from error
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


def as_sent(block: Any) -> dict[str, Any]:
    """A block of the model's as it is sent back and recorded."""
    plain: dict[str, Any] = block.to_dict(mode="json", warnings=False) if hasattr(block, "to_dict") else dict(block)
    return {name: value for name, value in plain.items() if value is not None or name == "input"}


def sendable(block: dict[str, Any]) -> dict[str, Any]:
    """The block in a form that the server takes back: an input that is no object was never usable."""
    if block["type"] == "tool_use" and not isinstance(block.get("input"), dict):
        return {**block, "input": {}}
    return block


def marked(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages, with the end of the last one marked: up to there the next request finds them cached."""
    *earlier, last = messages
    *blocks, block = last["content"]
    if block["type"] in ("thinking", "redacted_thinking"):
        return list(messages)
    return [*earlier, {**last, "content": [*blocks, {**block, "cache_control": CACHED}]}]


@dataclass(frozen=True)
class Tokens:
    """What a request took.

    Attributes:
        input: all of the input, what came from the cache or went to it among it.
        output: of the model's message.
        cached: of the input, read from the cache.
        written: of the input, written to the cache.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0

    @classmethod
    def of(cls, response: Response) -> Tokens:
        """As the server says; none where it says nothing."""
        usage: Any = response.usage
        if usage is None:
            return cls()
        read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
        return cls((usage.input_tokens or 0) + read + written, usage.output_tokens or 0, read, written)


@dataclass(frozen=True)
class Prices:
    """US dollars for a million tokens."""

    input: float
    output: float
    cached: float
    written: float

    def cost(self, tokens: Tokens) -> float:
        """US dollars."""
        plain = tokens.input - tokens.cached - tokens.written
        parts = ((plain, self.input), (tokens.output, self.output), (tokens.cached, self.cached))
        return sum(count * price for count, price in (*parts, (tokens.written, self.written))) / 1e6

    @classmethod
    def usual(cls, input: float, output: float) -> Prices:
        """With the cache's usual share: reading a tenth of the input's price, writing a quarter more than it."""
        return cls(input, output, input / 10, input * 1.25)


_PRICES = {
    "claude-opus-4-5": Prices.usual(5, 25),
    "claude-opus-4": Prices.usual(15, 75),
    "claude-sonnet-4": Prices.usual(3, 15),
    "claude-haiku-4": Prices.usual(1, 5),
}


def prices_of(model: str) -> Prices | None:
    """List prices of a model by the beginning of its name; ``None`` where they are not known."""
    for name, prices in _PRICES.items():
        if model.startswith(name):
            return prices
    return None
