"""What a call gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine._verdicts import Outcome


@dataclass(frozen=True)
class CallResult:
    """What a call gave.

    Attributes:
        event: its number in the branch.
        observation: what the agent sees, ``{"ok": true, "data": ...}`` or ``{"ok": false, "error": {...}}``.
        changes: how many row changes it made.
        detail: for developers, on a fault.
        produced_by: ``code`` or ``world_model``.
    """

    event: int
    outcome: Outcome
    observation: dict[str, Any]
    changes: int
    duration_ms: float
    detail: str | None = None
    produced_by: str = "code"

    @property
    def ok(self) -> bool:
        """Whether the tool did what was asked."""
        return self.outcome == "ok"

    @property
    def data(self) -> Any:
        """The result's data; ``None`` for a call that failed."""
        return self.observation.get("data")

    @property
    def error(self) -> dict[str, Any] | None:
        """The result's error (code, message, details), or ``None``."""
        return self.observation.get("error")
