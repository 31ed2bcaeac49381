"""What is attacked: a service behind its tools, on branches that are forked for almost nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from engine.calls import CallResult
from engine.kit.specification import ToolSpecification


class Target(Protocol):
    """A service under attack; branches are known by their numbers.

    Attributes:
        service: its name.
        specifications: of its tools, by name; tools of the world model are not among them.
    """

    service: str
    specifications: Mapping[str, ToolSpecification]

    def fork(self, branch: int | None = None) -> int:
        """A new branch: of a branch as it stands, or of the initial state."""
        ...

    def call(self, branch: int, tool: str, arguments: dict[str, Any]) -> CallResult:
        """Call a tool of the service."""
        ...

    def digest(self, branch: int) -> str:
        """A text that is equal for two states exactly when they are equal."""
        ...
