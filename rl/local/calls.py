"""Reads the calls in what a model wrote, in the form of the Hermes and Qwen chat templates.

    words, if any
    <tool_call>
    {"name": "list_tools", "arguments": {"service": "mail"}}
    </tool_call>

transformers' ``parse_response`` reads the same form, but drops a call that it cannot read without a word. Here what is
wrong is told, so that the model can do better.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from rl.messages import text_block, tool_use

OPEN, CLOSE = "<tool_call>", "</tool_call>"

_CUT_OFF = "your message was cut off at its length limit"
_CALL = re.compile(rf"{OPEN}(.*?)(?:{CLOSE}|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Said:
    """One turn of an agent.

    Attributes:
        blocks: of the recorded message: words, and the calls that can be made, in their order. From the first call that
            cannot be read on, everything is words.
        malformed: what is wrong with that call, or that the turn was cut off; ``None`` where all is well.
    """

    blocks: list[dict[str, Any]]
    malformed: str | None = None

    @property
    def uses(self) -> list[dict[str, Any]]:
        """The calls, in their order."""
        return [block for block in self.blocks if block["type"] == "tool_use"]

    @property
    def text(self) -> str:
        """The words."""
        return "\n".join(block["text"] for block in self.blocks if block["type"] == "text")


class _Unreadable(Exception):
    """What is wrong with a call."""


def read_turn(text: str, *, whole: bool, first: int = 1) -> Said:
    """What a model said in one turn, without the token that ends it.

    Args:
        whole: the turn ended by itself; it was not cut off.
        first: the number of the turn's first call: calls are named ``use_1``, ``use_2``, ...
    """
    blocks: list[dict[str, Any]] = []
    place = uses = 0
    try:
        for found in _CALL.finditer(text):
            _no_stray(text[place : found.start()])
            name, arguments = _call(found)
            _add_words(blocks, text[place : found.start()])
            blocks.append(tool_use(f"use_{first + uses}", name, arguments))
            place, uses = found.end(), uses + 1
        _no_stray(text[place:])
        problem = None if whole else _CUT_OFF
    except _Unreadable as unreadable:
        problem = str(unreadable) if whole or CLOSE in text[place:] else _CUT_OFF
    _add_words(blocks, text[place:])
    return Said(blocks, problem)


def _add_words(blocks: list[dict[str, Any]], text: str) -> None:
    if text.strip():
        blocks.append(text_block(text.strip()))


def _no_stray(words: str) -> None:
    if CLOSE in words:
        raise _Unreadable(f"{CLOSE} stands there without {OPEN} before it")


def _call(found: re.Match[str]) -> tuple[str, dict[str, Any]]:
    if not found[0].endswith(CLOSE):
        raise _Unreadable(f"{CLOSE} is missing")
    try:
        value = json.loads(found[1], parse_constant=_no_constant)
    except RecursionError:
        raise _Unreadable("its JSON is nested too deeply") from None
    except ValueError as error:
        raise _Unreadable(f"its JSON cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise _Unreadable("it is not a JSON object")
    name, arguments = value.get("name"), value.get("arguments", {})
    if not isinstance(name, str):
        raise _Unreadable('it has no "name" that is a text')
    if not isinstance(arguments, dict):
        raise _Unreadable('its "arguments" are not a JSON object')
    return name, arguments


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
