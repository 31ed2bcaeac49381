"""The messages of a rollout, in one form whatever agent made them: that of the Anthropic Messages API.

role       content
system     a text
user       a text
assistant  a list of blocks: ``{"type": "text", "text"}``, ``{"type": "tool_use", "id", "name", "input"}``, ...
tool       ``{"type": "tool_result", "tool_use_id", "content": text, "is_error": bool}``
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class Usage:
    """Tokens of one request, or of many together.

    Attributes:
        input: all of the input, cached or not.
        output: what the model wrote.
        cached: of the input, what was read from the prompt cache.
        written: of the input, what was written to it.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.written + other.written,
        )

    @property
    def total(self) -> int:
        """Input and output together: what the limit of tokens counts."""
        return self.input + self.output


@dataclass(frozen=True)
class Message:
    """One message.

    Attributes:
        event: of a tool message, the event of the branch that it reports; ``None`` where no tool was called.
        usage: of an assistant's message, what its request took.
        stop_reason: of an assistant's message, why the model stopped.
    """

    role: Role
    content: Any
    event: int | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))


def text_block(text: str) -> dict[str, Any]:
    """A block of text in an assistant's message."""
    return {"type": "text", "text": text}


def tool_use(identifier: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A block in which an assistant asks for a meta-tool."""
    return {"type": "tool_use", "id": identifier, "name": name, "input": arguments}


def tool_result(identifier: str, content: str, failed: bool) -> dict[str, Any]:
    """The content of the tool message that answers it."""
    return {"type": "tool_result", "tool_use_id": identifier, "content": content, "is_error": failed}


def observation_text(observation: dict[str, Any], limit: int | None = None) -> str:
    """An observation as an agent reads it: JSON, cut with a note where it has more than ``limit`` characters."""
    return shortened(json.dumps(observation, ensure_ascii=False), limit)


def shortened(text: str, limit: int | None) -> str:
    """A text, cut with a note where it has more than ``limit`` characters."""
    if limit is None or len(text) <= limit:
        return text
    return (
        f"{text[:limit]}\n[Cut here: {limit} of {len(text)} characters are shown."
        " Ask for less, such as fewer items or one of them.]"
    )


def storable(value: Any) -> Any:
    """A JSON value that Postgres can hold: NUL, lone surrogates and NaN, which models do write, are spelled out."""
    if isinstance(value, str):
        return value.replace("\x00", "\\0").encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {storable(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
