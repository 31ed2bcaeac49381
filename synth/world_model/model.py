"""A world model behind the Anthropic Messages API: one forced tool whose schema is made of the service's entities.

A question that was answered wrongly is put as a conversation: the question, the answer, what is wrong with it.
Nothing is remembered between questions.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from engine.errors import InputError
from engine.simulation import Budget, Exchange, Prediction, Question, Rejection
from synth.errors import ModelUnavailable
from synth.models import (
    CACHED,
    ContextFull,
    Prices,
    Tokens,
    as_sent,
    make_client,
    model_name,
    prices_of,
    request,
    sendable,
)
from synth.world_model.prompt import SYSTEM, TOOL, question_text, rejection_text
from synth.world_model.schema import answer_schema

if TYPE_CHECKING:
    import anthropic

_ANSWER_WITH = f"answer by calling {TOOL}"


class AnthropicWorldModel:
    """A language model as world model.

    Args:
        model: as the server names it; by default ``ANTHROPIC_MODEL`` or a Claude model.
        budget: what one call may take.
        max_tokens: of one answer.
        request_seconds: how long one request may take.
        prices: of the model, where its list prices are not known or not those that are paid.
        client: for tests and special servers.

    Raises:
        InputError: an option is wrong, or there is no key.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        budget: Budget | None = None,
        max_tokens: int = 8_192,
        request_seconds: float = 120.0,
        prices: Prices | None = None,
        client: anthropic.Anthropic | None = None,
    ) -> None:
        for name, value in (("max_tokens", max_tokens), ("request_seconds", request_seconds)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 2**31:
                raise InputError(f"{name} is a number above 0, not {value!r}")
        self.name = model_name(model)
        self.budget = budget or Budget()
        self._max_tokens, self._seconds = int(max_tokens), float(request_seconds)
        self._prices = prices or prices_of(self.name)
        self._client = client or make_client()

    def predict(self, question: Question) -> Prediction:
        """Ask the model.

        Raises:
            ModelUnavailable: the server gave no usable answer, after the client's own retries.
        """
        tool = {
            "name": TOOL,
            "description": "Say what the tool does: the rows that change and the result.",
            "input_schema": answer_schema(question.service, question.specification),
        }
        body: dict[str, Any] = {
            "model": self.name,
            "max_tokens": self._max_tokens,
            "system": [{"type": "text", "text": SYSTEM, "cache_control": CACHED}],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": TOOL, "disable_parallel_tool_use": True},
            "messages": conversation(question),
        }
        began = time.monotonic()
        try:
            response = request(self._client, timeout=self._seconds, **body)
        except ContextFull as error:
            hint = "a smaller budget of characters, or a model that takes more"
            raise ModelUnavailable("the question does not fit the world model", hint, again=False) from error
        content = [as_sent(block) for block in response.content]
        tokens = Tokens.of(response)
        exchange = Exchange(
            model=self.name,
            request=body,
            response={"content": content, "stop_reason": response.stop_reason},
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cached_tokens=tokens.cached,
            cost_usd=None if self._prices is None else round(self._prices.cost(tokens), 6),
            seconds=round(time.monotonic() - began, 3),
        )
        if response.stop_reason == "max_tokens":
            return Prediction(None, exchange, f"it was cut off at {self._max_tokens} tokens: answer in fewer words")
        uses = [block for block in content if block["type"] == "tool_use"]
        if len(uses) != 1 or uses[0]["name"] != TOOL:
            return Prediction(None, exchange, _ANSWER_WITH + ", once")
        return Prediction(uses[0].get("input"), exchange)


def conversation(question: Question) -> list[dict[str, Any]]:
    """The messages of a request: the question, then each wrong answer with what is wrong with it."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": [{"type": "text", "text": question_text(question)}]}]
    for rejection in question.rejected:
        response = rejection.prediction.exchange.response or {"content": []}  # one that could not be kept is not there
        said = [sendable(block) for block in response["content"]]
        if said:
            messages.append({"role": "assistant", "content": said})
            messages.append({"role": "user", "content": _told(said, rejection)})
        else:
            messages[-1]["content"].append({"type": "text", "text": rejection_text(rejection)})
    return messages


def _told(said: list[dict[str, Any]], rejection: Rejection) -> list[dict[str, Any]]:
    text = rejection_text(rejection)
    results = [
        {"type": "tool_result", "tool_use_id": block["id"], "is_error": True, "content": text}
        for block in said
        if block["type"] == "tool_use"
    ]
    return results or [{"type": "text", "text": text}]
