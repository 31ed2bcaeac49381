"""The form of answers, where a specification says what it is."""

from __future__ import annotations

from typing import Any


def within(answer: Any, *path: str, **beside: Any) -> Any:
    """The answer inside objects of these names, with what else the outermost has: ``{"data": {"issue": answer}}``."""
    for name in reversed(path):
        answer = {name: answer}
    return {**beside, **answer} if isinstance(answer, dict) else answer
