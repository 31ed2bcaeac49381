"""Stands in for the Messages API: answers from a script, and keeps what was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import anthropic
import httpx2

from rl.agents.anthropic import AnthropicAgent
from synth.models import make_client

Answer = httpx2.Response | Exception | Callable[[dict[str, Any]], httpx2.Response]


class Api:
    """Answers each request with the next of ``answers``; the last is repeated."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []
        self._lock = threading.Lock()

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        with self._lock:
            answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
            self.requests.append(body)
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            return answer(body)
        return httpx2.Response(answer.status_code, headers=answer.headers, content=answer.content)

    def client(self, **options: Any) -> anthropic.Anthropic:
        return make_client(httpx2.MockTransport(self.handle), **{"api_key": "test", "max_retries": 0, **options})

    def agent(self, *, retries: int = 0, **options: Any) -> AnthropicAgent:
        return AnthropicAgent("test-model", client=self.client(max_retries=retries), **options)

    def sent(self, number: int) -> list[dict[str, Any]]:
        """The blocks of the last message of a request."""
        content: list[dict[str, Any]] = self.requests[number]["messages"][-1]["content"]
        return content


def says(*blocks: Any, stop: str | None = None, **usage: int) -> httpx2.Response:
    """A message of the model's: texts and blocks."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    reason = stop or ("tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn")
    return httpx2.Response(
        200,
        json={
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "test-model",
            "content": content,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 5, **usage},
        },
    )


def wants(name: str, arguments: Any, identifier: str = "toolu_1") -> dict[str, Any]:
    """A block in which the model asks for a meta-tool."""
    return {"type": "tool_use", "id": identifier, "name": name, "input": arguments}


def calls(service: str, tool: str, identifier: str = "toolu_1", **arguments: Any) -> dict[str, Any]:
    """A block in which the model calls a tool of a service."""
    return wants("call_tool", {"service": service, "tool": tool, "arguments": arguments}, identifier)


def fails(status: int, kind: str = "api_error", message: str = "no", **headers: str) -> httpx2.Response:
    """An error of the API's."""
    return httpx2.Response(
        status,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        json={"type": "error", "error": {"type": kind, "message": message}},
    )
