"""What an attack finds: verdicts per tool, and cases that can be tried again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Judgement = Literal["verified", "quarantined"]


@dataclass(frozen=True)
class Step:
    """One call of a case.

    Attributes:
        arguments: JSON; ``{"$from": [step, *path]}`` in it stands for a value in the data of an earlier step's result.
        watch: digests of the state before and after belong to what is judged.
        twice: the call is made on two forks of the same state.
    """

    tool: str
    arguments: dict[str, Any]
    watch: bool = False
    twice: bool = False

    def as_json(self) -> dict[str, Any]:
        """The step as it is stored; flags only where they are set."""
        out: dict[str, Any] = {"tool": self.tool, "arguments": self.arguments}
        return out | {name: True for name in ("watch", "twice") if getattr(self, name)}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Step:
        """The step that was stored."""
        return cls(stored["tool"], dict(stored["arguments"]), bool(stored.get("watch")), bool(stored.get("twice")))


@dataclass(frozen=True)
class Case:
    """A failure: the calls that show it, what the law asks for and what was found.

    Attributes:
        law: its name in ``synth.attack.laws.LAWS``.
        steps: in order, on a fresh fork of the initial state.
        about: what the law judges by: ``core`` (how many of the last steps it looks at) and its own values; JSON.
    """

    tool: str
    law: str
    steps: tuple[Step, ...]
    expected: str
    found: str
    about: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolVerdict:
    """What the attack says of one tool.

    Attributes:
        reason: why it is quarantined; for a verified tool, how many laws it kept.
        laws: names of the laws that were checked on it, sorted.
        calls: made for its sake.
        cases: failures, at most a few of each law.
    """

    tool: str
    verdict: Judgement
    reason: str
    laws: tuple[str, ...]
    calls: int
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True)
class AttackReport:
    """One attack on one service.

    Attributes:
        tools: a verdict for every tool of the specification, in its order.
        model: the model that wrote a part of the attack, if any; with the conversation that it did so in.
    """

    service: str
    version: str
    seed: int
    tools: tuple[ToolVerdict, ...]
    calls: int
    seconds: float
    model: str | None = None
    conversation: tuple[dict[str, Any], ...] = ()

    @property
    def verified(self) -> list[str]:
        """Names of the tools that passed."""
        return [item.tool for item in self.tools if item.verdict == "verified"]

    @property
    def quarantined(self) -> dict[str, str]:
        """The other tools, with the reason: what ``Service.without`` takes."""
        return {item.tool: item.reason for item in self.tools if item.verdict == "quarantined"}
