"""A shorthand for playing the team chat in tests."""

from __future__ import annotations

from typing import Any

from services.chat import service
from services.chat.state import (
    Message,
)
from tests.services.play import Play

LATER = "2026-03-20T10:00:00Z"
MARA, HANA, LUIS, AOIFE = "mem_mara_lindqvist", "mem_hana_takeda", "mem_luis_herrera", "mem_aoife_brennan"
GONE = "mem_derek_olsen"


class Chat:
    """A shorthand for the calls of one play."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.play.ok("chat", tool, **arguments)

    def no(self, code: str, tool: str, **arguments: Any) -> str:
        error = self.play.fails("chat", tool, **arguments)
        assert error["code"] == code, error
        return str(error["message"])

    def post(self, text: str, channel_id: str = "chn_ops", **more: Any) -> Any:
        return self("post_message", channel_id=channel_id, text=text, **more)

    def find(self, text: str) -> Any:
        return next(item for item in self.play.rows(Message) if text in item.text)


def dump(chat: Chat) -> list[Any]:
    return [[row.values() for row in chat.play.rows(entity)] for entity in service.entities]
