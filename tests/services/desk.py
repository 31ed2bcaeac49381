"""A shorthand in tests for one service: ``desk("create_thing", ...)``."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.services.play import Play


class AnyDesk:
    """A shorthand for the calls of one service in a play."""

    service: ClassVar[str]

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        """Call a tool that must succeed; its data."""
        return self.play.ok(self.service, tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must say no with this code; its error."""
        error = self.play.fails(self.service, tool, **arguments)
        assert error["code"] == code, error
        return error

    def every(self, tool: str, **arguments: Any) -> list[Any]:
        """The items of all pages of a listing."""
        items, cursor = [], {}
        while True:
            page = self(tool, **arguments, **cursor)
            items += page["items"]
            if page["next_cursor"] is None:
                return items
            cursor = {"cursor": page["next_cursor"]}
