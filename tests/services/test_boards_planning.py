"""Boards: columns, milestones, comments, pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.boards.state import Comment
from tests.services.play import Play
from tests.services.test_boards import ME, Board


@pytest.fixture
def board(play: Callable[..., Play]) -> Board:
    return Board(play("boards"))


def test_columns(board: Board) -> None:
    assert board("update_column", column_id="col_ops_2", wip_limit=4)["wip_limit"] == 4
    changed = board("update_column", column_id="col_ops_2", name="Doing", wip_limit=None)
    assert (changed["name"], changed["wip_limit"], changed["card_count"]) == ("Doing", None, 3)
    board.no("conflict", "update_column", column_id="col_ops_2", wip_limit=2)
    board.no("conflict", "update_column", column_id="col_ops_2", name="Waiting")
    board.no("invalid", "update_column", column_id="col_ops_2")
    board.no("forbidden", "update_column", column_id="col_hal_2", wip_limit=9)
    board.no("not_found", "update_column", column_id="col_mkt_1", wip_limit=9)
    board.no("invalid_arguments", "update_column", column_id="col_ops_2", wip_limit=0)


def test_milestones(board: Board) -> None:
    made = board("create_milestone", project_id="prj_ops", name="Easter", due_date="2026-04-03")
    assert (made["status"], made["cards_total"]) == ("open", 0)
    assert made in board("list_milestones", project_id="prj_ops", status="open")["items"]
    board.no("conflict", "create_milestone", project_id="prj_ops", name="Easter", due_date="2026-04-03")
    board.no("invalid", "create_milestone", project_id="prj_ops", name="Past", due_date="2026-03-01")
    board.no("forbidden", "create_milestone", project_id="prj_hal", name="x", due_date="2026-04-03")
    board.new(milestone_id=made["id"])
    board.no("conflict", "update_milestone", milestone_id=made["id"], status="closed")
    board.no("conflict", "update_milestone", milestone_id=made["id"], name="Stock count")
    board.no("invalid", "update_milestone", milestone_id=made["id"])
    board.no("not_found", "update_milestone", milestone_id="mil_x", name="x")
    moved = board("update_milestone", milestone_id=made["id"], name="Spring", due_date="9999-12-31")
    assert (moved["name"], moved["due_date"], moved["cards_total"]) == ("Spring", "9999-12-31", 1)
    empty = board("create_milestone", project_id="prj_ops", name="Empty", due_date="2026-04-03")["id"]
    assert board("update_milestone", milestone_id=empty, status="closed")["status"] == "closed"
    assert board("update_milestone", milestone_id=empty, status="open")["status"] == "open"


def test_comments(board: Board) -> None:
    card = board.card("WEB-4")
    made = board("create_comment", card_id=card, body="„Größe“ 👕")
    assert board("list_comments", card_id=card, author_email=ME)["items"] == [made]
    assert len(board("list_comments", card_id=card)["items"]) == 2
    board.no("not_found", "create_comment", card_id="crd_x", body="x")
    board.no("invalid_arguments", "create_comment", card_id=card, body=" ")
    assert len(board.play.rows(Comment)) == 7


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_projects", {}),
        ("list_cards", {}),
        ("list_cards", {"sort": "newest"}),
        ("list_cards", {"sort": "recently_updated", "done": False}),
        ("list_milestones", {}),
        ("list_comments", {"card_id": "crd_0005"}),
    ],
)
def test_pages_neither_skip_nor_repeat(board: Board, tool: str, arguments: dict[str, Any]) -> None:
    whole = board(tool, limit=100, **arguments)["items"]
    seen: list[Any] = []
    cursor = None
    while True:
        page = board(tool, limit=3 if len(whole) > 8 else 1, **arguments, **({"cursor": cursor} if cursor else {}))
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == whole and len(seen) >= 2
    board.no("invalid", tool, cursor="garbage", **arguments)


@pytest.mark.parametrize("text", ["%", "_", "'; --", "\\", "𝔘", "\u200b"])
def test_odd_texts(board: Board, text: str) -> None:
    assert isinstance(board("list_cards", query=text)["items"], list)
    assert board.new(text)["title"] == text
