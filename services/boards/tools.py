"""The boards' tools, each in the module of its subject."""

from services.boards.cards import (
    create_card,
    create_checklist_item,
    create_comment,
    get_card,
    list_cards,
    list_comments,
    set_card_blockers,
    update_card,
    update_checklist_item,
)
from services.boards.moves import archive_card, delete_card, move_card
from services.boards.projects import (
    create_milestone,
    get_project,
    list_milestones,
    list_projects,
    update_column,
    update_milestone,
)

__all__ = [
    "archive_card",
    "create_card",
    "create_checklist_item",
    "create_comment",
    "create_milestone",
    "delete_card",
    "get_card",
    "get_project",
    "list_cards",
    "list_comments",
    "list_milestones",
    "list_projects",
    "move_card",
    "set_card_blockers",
    "update_card",
    "update_checklist_item",
    "update_column",
    "update_milestone",
]
