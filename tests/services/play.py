"""Play a service's tools in a test: ``play.ok("mail", "send_message", to=[...])``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from engine.branches import Branch
from engine.kit import Entity

E = TypeVar("E", bound=Entity)


@dataclass
class Play:
    """A branch of its own over the seed data of some services."""

    branch: Branch

    def call(self, service: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; the whole result, ``{"ok": ...}``. A failure of the service itself fails the test."""
        result = self.branch.call(service, tool, arguments)
        assert result.outcome != "fault", result.detail
        return result.observation

    def ok(self, service: str, tool: str, **arguments: Any) -> Any:
        """Call a tool that must succeed; its data."""
        result = self.call(service, tool, **arguments)
        assert result["ok"], result
        return result["data"]

    def fails(self, service: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must say no; its error (code, message, details). It changes nothing."""
        result = self.branch.call(service, tool, arguments)
        assert result.outcome in ("error", "invalid"), (result.observation, result.detail)
        assert result.changes == 0
        assert result.error is not None
        return result.error

    def rows(self, entity: type[E]) -> list[E]:
        """Every visible row of an entity."""
        return self.branch.rows(entity)
