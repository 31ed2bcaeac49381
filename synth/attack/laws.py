"""The laws: each has a name, a sentence for people, and a judge that sees calls and their results alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.calls import CallResult
from synth.attack.report import Step


@dataclass(frozen=True)
class Seen:
    """A call that was made, and what was seen of it.

    Attributes:
        before: digest of the state before the call, where it was watched; ``after`` likewise.
        again: the result of the same call on another fork of the same state, where it was made twice.
    """

    step: Step
    result: CallResult
    before: str | None = None
    after: str | None = None
    again: CallResult | None = None
    again_after: str | None = None

    @property
    def data(self) -> Any:
        """The data of the result."""
        return self.result.data


@dataclass(frozen=True)
class Finding:
    """What a law asks for, and what was found instead."""

    expected: str
    found: str


Judge = Callable[[Sequence[Seen], dict[str, Any]], Finding | None]


@dataclass(frozen=True)
class Law:
    """One law."""

    name: str
    sentence: str
    judge: Judge


LAWS: dict[str, Law] = {}


def law(name: str, sentence: str) -> Callable[[Judge], Judge]:
    """Register the judge of a law."""

    def register(judge: Judge) -> Judge:
        LAWS[name] = Law(name, sentence, judge)
        return judge

    return register


def brief(value: Any, most: int = 300) -> str:
    """A value as it is quoted in a finding."""
    text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def told(result: CallResult) -> str:
    """A result in a few words."""
    if result.ok:
        return f"ok: {brief(result.data)}"
    error = result.error or {}
    return f"{result.outcome} {error.get('code')}: {brief(error.get('message'))}"
