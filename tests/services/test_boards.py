"""Boards: moves and limits, blockers, checklists, milestones, rights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.kit import COLLEAGUES, Entity, Seed
from services.boards import service
from services.boards.state import Blocker, Card, ChecklistItem, Column, Member
from tests.services.play import Play

ME, HANA = "mara.lindqvist@larkspur.example", "hana.takeda@larkspur.example"
ELENA = "elena.sorokina@larkspur.example"


class Board:
    """The boards' tools without their service's name."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def __call__(self, tool: str, /, **arguments: Any) -> Any:
        return self.play.ok("boards", tool, **arguments)

    def no(self, code: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        error = self.play.fails("boards", tool, **arguments)
        assert error["code"] == code, error
        return error

    def card(self, code: str, **more: Any) -> str:
        return str(self("list_cards", code=code, **more)["items"][0]["id"])

    def new(self, title: str = "Sweep the store", **more: Any) -> Any:
        return self("create_card", project_id=more.pop("project_id", "prj_ops"), title=title, **more)

    def codes(self, column: str) -> list[str]:
        return [card["code"] for card in self("list_cards", column_id=column)["items"]]


@pytest.fixture
def board(play: Callable[..., Play]) -> Board:
    return Board(play("boards"))


def test_seed_is_deterministic_and_fits_the_cast() -> None:
    def rows(number: int) -> list[tuple[str, dict[str, Any]]]:
        found: list[Entity] = list(service.seed(Seed("boards", number)))
        return [(type(row).__name__, row.values()) for row in found]

    assert rows(0) == rows(0) and rows(0) != rows(1)
    assert 80 <= len(rows(0)) <= 200
    cast = {person.email: person.name for person in COLLEAGUES}
    for _, values in rows(0):
        if values.get("assignee_email"):
            assert cast[values["assignee_email"]] == values["assignee_name"]


def test_seed_keeps_the_rules(board: Board) -> None:
    columns = {column.id: column for column in board.play.rows(Column)}
    members = {(item.project_id, item.email): item.role for item in board.play.rows(Member)}
    cards = {card.id: card for card in board.play.rows(Card)}
    for column in columns.values():
        positions = sorted(card.position for card in cards.values() if card.column_id == column.id)
        assert positions == list(range(1, len(positions) + 1))
        assert column.wip_limit is None or len(positions) <= column.wip_limit
    for card in cards.values():
        assert columns[card.column_id].project_id == card.project_id
        assert (card.completed_at is not None) == (columns[card.column_id].kind == "done")
        assert card.assignee_email is None or members[card.project_id, card.assignee_email] != "viewer"
    for blocker in board.play.rows(Blocker):
        assert columns[cards[blocker.card_id].column_id].kind == "todo"
    done = {card.id for card in cards.values() if card.completed_at}
    assert not [step for step in board.play.rows(ChecklistItem) if step.card_id in done and not step.done]


def test_projects(board: Board) -> None:
    roles = {item["code"]: item["my_role"] for item in board("list_projects")["items"]}
    assert roles == {"OPS": "lead", "HAL": "member", "OFF": "lead", "WEB": "viewer"}
    assert [item["code"] for item in board("list_projects", query="GATEWAY")["items"]] == ["WEB"]
    project = board("get_project", project_id="prj_ops")
    assert [(c["name"], c["card_count"], c["wip_limit"]) for c in project["columns"]] == [
        ("To do", 4, None),
        ("In progress", 3, 3),
        ("Waiting", 1, 2),
        ("Done", 2, None),
    ]
    assert project["milestones"][0]["name"] == "Winter sale returns"
    assert board("get_project", project_id="prj_hal")["company"] == "Halcyon Clinics"
    board.no("not_found", "get_project", project_id="prj_mkt")
    hidden = next(card.id for card in board.play.rows(Card) if card.title == "Photo shoot")
    board.no("not_found", "get_card", card_id=hidden)


def test_listing_and_filters(board: Board) -> None:
    codes = lambda **f: {card["code"] for card in board("list_cards", limit=100, **f)["items"]}  # noqa: E731
    assert codes(blocked=True, project_id="prj_off") == {"OFF-2", "OFF-3"}
    assert codes(assignee_email=HANA, done=False) == {"OPS-6", "HAL-3"}
    assert codes(unassigned=True) == {"OPS-3"} and codes(priority="urgent") == {"OPS-5", "HAL-5"}
    assert codes(label="kestrel") == {"WEB-1", "WEB-2", "WEB-4"}
    assert codes(milestone_id="mil_first") == {"HAL-1", "HAL-2", "HAL-3"}
    assert codes(due_from="2026-03-03", due_to="2026-03-03") == {"OPS-8", "HAL-5", "WEB-4"}
    assert codes(query="jackets 14") == {"OPS-5", "OPS-8"} and codes(overdue=True) == set()
    assert codes(archived=True) == set() and codes(code="OPS-1") == {"OPS-1"}
    late = board.new(due_date="2026-03-01")
    assert late["overdue"] and codes(overdue=True) == {late["code"]}
    page = board("list_cards", project_id="prj_ops", limit=2)
    assert page["total"] == 11 and len(page["items"]) == 2


def test_create_card(board: Board) -> None:
    made = board.new(
        description="d",
        priority="low",
        assignee_email=HANA,
        due_date="9999-12-31",
        labels=["b", "a"],
        milestone_id="mil_count",
    )
    assert (made["code"], made["column_name"], made["position"], made["labels"]) == ("OPS-11", "To do", 5, ["b", "a"])
    assert made["assignee_name"] == "Hana Takeda" and made["due_date"] == "9999-12-31"
    assert board("get_card", card_id=made["id"]) == made
    assert made["id"] in [card["id"] for card in board("list_cards", sort="newest")["items"]]
    assert board.new(column_id="col_ops_3")["position"] == 2
    board.no("limit", "create_card", project_id="prj_ops", title="x", column_id="col_ops_2")
    board.no("conflict", "create_card", project_id="prj_ops", title="x", column_id="col_ops_4")
    board.no("not_found", "create_card", project_id="prj_ops", title="x", column_id="col_hal_1")
    board.no("conflict", "create_card", project_id="prj_ops", title="x", assignee_email=ELENA)
    board.no("conflict", "create_card", project_id="prj_ops", title="x", milestone_id="mil_winter")
    board.no("conflict", "create_card", project_id="prj_ops", title="x", milestone_id="mil_first")
    board.no("not_found", "create_card", project_id="prj_ops", title="x", milestone_id="mil_x")
    board.no("forbidden", "create_card", project_id="prj_web", title="x")
    board.no("not_found", "create_card", project_id="prj_mkt", title="x")
    board.no("invalid_arguments", "create_card", project_id="prj_ops", title="\t")


def test_update_card(board: Board) -> None:
    card = board.card("OPS-1")
    changed = board(
        "update_card", card_id=card, title="T", priority="low", assignee_email=HANA, due_date="2026-03-09", labels=[]
    )
    assert (changed["title"], changed["assignee_name"], changed["due_date"]) == ("T", "Hana Takeda", "2026-03-09")
    cleared = board("update_card", card_id=card, assignee_email=None, due_date=None, milestone_id=None)
    assert (cleared["assignee_email"], cleared["assignee_name"], cleared["due_date"]) == (None, None, None)
    assert board("get_card", card_id=card) == cleared
    board.no("invalid", "update_card", card_id=card)
    board.no("conflict", "update_card", card_id=card, assignee_email=ELENA)
    board.no("conflict", "update_card", card_id=card, milestone_id="mil_winter")
    board.no("forbidden", "update_card", card_id=board.card("WEB-1"), title="x")
    board.no("not_found", "update_card", card_id="crd_x", title="x")
    board.no("invalid_arguments", "update_card", card_id=card, due_date="")


def test_moves_keep_positions(board: Board) -> None:
    first = board.card("OPS-1")
    board("move_card", card_id=first, column_id="col_ops_1", position=3)
    assert board.codes("col_ops_1") == ["OPS-2", "OPS-3", "OPS-1", "OPS-4"]
    board("move_card", card_id=first, column_id="col_ops_1", position=99)
    assert board.codes("col_ops_1")[-1] == "OPS-1"
    moved = board("move_card", card_id=board.card("OPS-2"), column_id="col_ops_3", position=1)
    assert (moved["position"], moved["unblocked_ids"]) == (1, [])
    assert board.codes("col_ops_3") == ["OPS-2", "OPS-8"] and board.codes("col_ops_1") == ["OPS-3", "OPS-4", "OPS-1"]
    board.no("conflict", "move_card", card_id=first, column_id="col_ops_1")
    board.no("limit", "move_card", card_id=first, column_id="col_ops_2")
    board.no("limit", "move_card", card_id=first, column_id="col_ops_3")
    board.no("not_found", "move_card", card_id=first, column_id="col_hal_1")
    board.no("forbidden", "move_card", card_id=board.card("WEB-3"), column_id="col_web_2")


def test_blockers_and_done(board: Board) -> None:
    proposal, agenda = board.card("HAL-1"), board.card("HAL-4")
    assert "HAL-4" in board.no("conflict", "move_card", card_id=proposal, column_id="col_hal_2")["message"]
    assert "checklist" in board.no("conflict", "move_card", card_id=agenda, column_id="col_hal_3")["message"]
    for step in board("get_card", card_id=agenda)["checklist"]:
        board("update_checklist_item", checklist_item_id=step["id"], done=True)
    done = board("move_card", card_id=agenda, column_id="col_hal_3")
    assert done["completed_at"] and done["unblocked_ids"] == [proposal] and not done["overdue"]
    assert not board("get_card", card_id=proposal)["blocked"]
    board("move_card", card_id=proposal, column_id="col_hal_2")
    board.no("conflict", "move_card", card_id=agenda, column_id="col_hal_2")
    board.no("conflict", "update_checklist_item", checklist_item_id=step["id"], done=False)
    board.no("conflict", "create_checklist_item", card_id=agenda, text="x")
    board.no("conflict", "set_card_blockers", card_id=agenda, blocked_by_ids=[proposal])
    board("move_card", card_id=proposal, column_id="col_hal_1")
    again = board("move_card", card_id=agenda, column_id="col_hal_1", position=1)
    assert again["completed_at"] is None and board("get_card", card_id=proposal)["blocked"]


def test_set_blockers(board: Board) -> None:
    one, two, three = (board.new(title)["id"] for title in "abc")
    board("set_card_blockers", card_id=two, blocked_by_ids=[one])
    view = board("set_card_blockers", card_id=three, blocked_by_ids=[two, board.card("WEB-1")])
    assert view["blocked"] and len(view["blocked_by"]) == 2
    assert [item["id"] for item in board("get_card", card_id=one)["blocks"]] == [two]
    for chain in ([one], [three], [two]):
        board.no("conflict", "set_card_blockers", card_id=one, blocked_by_ids=chain)
    assert board("set_card_blockers", card_id=three, blocked_by_ids=[])["blocked_by_ids"] == []
    board.no("not_found", "set_card_blockers", card_id=three, blocked_by_ids=["crd_x"])
    board.no("conflict", "archive_card", card_id=one)
    board("archive_card", card_id=two)
    board.no("conflict", "set_card_blockers", card_id=three, blocked_by_ids=[two])


def test_checklist(board: Board) -> None:
    card = board.card("OPS-3")
    made = board("create_checklist_item", card_id=card, text="Ask the broker")
    assert (made["position"], made["done"]) == (1, False)
    assert board("get_card", card_id=card)["checklist"] == [{"id": made["id"], "text": "Ask the broker", "done": False}]
    changed = board("update_checklist_item", checklist_item_id=made["id"], done=True, text="Ask again")
    assert changed["done"] and changed["text"] == "Ask again"
    board.no("invalid", "update_checklist_item", checklist_item_id=made["id"])
    board.no("not_found", "update_checklist_item", checklist_item_id="chk_x", done=True)
    for number in range(49):
        board("create_checklist_item", card_id=card, text=f"{number}")
    board.no("limit", "create_checklist_item", card_id=card, text="x")
    board.no("forbidden", "create_checklist_item", card_id=board.card("WEB-1"), text="x")


def test_archive_and_delete(board: Board) -> None:
    card = board.card("OPS-2")
    board.no("conflict", "delete_card", card_id=card)
    assert board("archive_card", card_id=card)["archived"]
    assert board.codes("col_ops_1") == ["OPS-1", "OPS-3", "OPS-4"]
    assert [item["id"] for item in board("list_cards", archived=True)["items"]] == [card]
    for tool, more in (("archive_card", {}), ("update_card", {"title": "x"}), ("create_comment", {"body": "x"})):
        board.no("conflict", tool, card_id=card, **more)
    back = board("move_card", card_id=card, column_id="col_ops_1", position=2)
    assert not back["archived"] and board.codes("col_ops_1")[1] == "OPS-2"
    board("archive_card", card_id=card)
    assert board("delete_card", card_id=card) == {"card_id": card, "deleted": True}
    for tool in ("get_card", "delete_card", "archive_card", "list_comments"):
        board.no("not_found", tool, card_id=card)
    assert board.new()["code"] == "OPS-11"
    other = board.card("HAL-3")
    board("archive_card", card_id=other)
    board.no("forbidden", "delete_card", card_id=other)
    own = board.new(project_id="prj_hal")["id"]
    board("archive_card", card_id=own)
    board("delete_card", card_id=own)
